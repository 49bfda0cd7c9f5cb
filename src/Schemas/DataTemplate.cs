using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace ProtoBench.Schemas;

/// <summary>Messages in JSON with values that differ from call to call, with the names of ghz: <c>{{.RequestNumber}}</c>. Not
/// thread-safe.</summary>
public sealed partial class DataTemplate
{
    public const string Names = "{{.RequestNumber}}, {{.UUID}}, {{newUUID}}, {{randomInt MIN MAX}}, {{randomString LENGTH}}, {{.Timestamp}}, "
        + "{{.TimestampUnix}}, {{.TimestampUnixMilli}}, {{.TimestampUnixNano}}, {{.WorkerID}}, {{.MethodName}}, {{.ServiceName}}, "
        + "{{.FullyQualifiedName}}";

    const string letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const int longest = 1 << 20;
    const int longestShown = 100;
    readonly List<(ReadOnlyMemory<byte> Before, Func<long, string> Value)> parts = [];
    readonly ReadOnlyMemory<byte> text;
    readonly ReadOnlyMemory<byte> rest;
    readonly string source;
    readonly Random random;
    readonly string method;
    readonly int workers;

    /// <param name="text">In UTF-8. The reader of JSON refuses other text.</param>
    /// <param name="source">The name of the text in messages.</param>
    /// <param name="seed">Of the random values.</param>
    /// <param name="method">The path of the method that is called: <c>package.Service/Method</c>.</param>
    /// <param name="workers">The callers, whose numbers the calls have in turn.</param>
    /// <exception cref="SchemaException">Thrown for a value that is not known, and for one without an end. The message has the line.</exception>
    public DataTemplate(ReadOnlyMemory<byte> text, string source, int seed, string method = "", int workers = 1)
    {
        (this.text, this.source, random, this.method, this.workers) = (text, source, new(seed), method, workers);
        var at = 0;
        // one letter for each byte, so that the positions are those of the bytes
        foreach (var match in Value().EnumerateMatches(Encoding.Latin1.GetString(text.Span)))
        {
            parts.Add((Plain(at..match.Index),
                Parse(text.Span.Slice(match.Index, match.Length)) ?? throw Refused(match.Index, match.Length)));
            at = match.Index + match.Length;
        }

        rest = Plain(at..);
    }

    public DataTemplate(string text, string source, int seed, string method = "", int workers = 1)
        : this(Encoding.UTF8.GetBytes(text), source, seed, method, workers)
    {
    }

    /// <summary>The full names of the messages in fields of the type Any, if they are not made of values.</summary>
    public IReadOnlyList<string> AnyTypes => JsonPayload.AnyTypes(text.Span);

    /// <summary>Whether all calls have the same messages.</summary>
    public bool IsConstant => parts.Count == 0;

    /// <param name="number">The number of the call.</param>
    /// <param name="allowsUnknown">As of <see cref="JsonPayload.Encode"/>.</param>
    /// <returns>At least one message.</returns>
    /// <exception cref="SchemaException">Thrown when the text is not these messages. The message has the line and the field.</exception>
    public IReadOnlyList<byte[]> Make(MessageType type, long number, bool allowsUnknown = false) =>
        JsonPayload.EncodeAll(type, Fill(number), source, allowsUnknown);

    /// <summary>Returns the text with its values.</summary>
    /// <param name="number">The number of the call.</param>
    public string Text(long number) => Encoding.UTF8.GetString(Fill(number));

    ReadOnlySpan<byte> Fill(long number)
    {
        var filled = new ArrayBufferWriter<byte>();
        foreach (var (before, value) in parts)
        {
            filled.Write(before.Span);
            Encoding.UTF8.GetBytes(value(number), filled);
        }

        filled.Write(rest.Span);
        return filled.WrittenSpan;
    }

    ReadOnlyMemory<byte> Plain(Range range)
    {
        var (from, length) = range.GetOffsetAndLength(text.Length);
        var open = text.Span.Slice(from, length).IndexOf("{{"u8);
        return open < 0 ? text.Slice(from, length)
            : throw new SchemaException($@"{Place(from + open)}{{{{ has no }}}}: a value is one of {Names}; in a string of JSON, {{{{ is \u007b{{");
    }

    SchemaException Refused(int at, int length)
    {
        var value = string.Concat(Encoding.UTF8.GetString(text.Span.Slice(at, Math.Min(length, longestShown)))
            .Select(letter => char.IsControl(letter) ? '\uFFFD' : letter));
        return new($"{Place(at)}{value}{(length > longestShown ? "..." : "")} is none of {Names}");
    }

    string Place(int at) => $"{source}({1 + text.Span[..at].Count((byte)'\n')}): ";

    Func<long, string>? Parse(ReadOnlySpan<byte> value) => Encoding.UTF8.GetString(value[2..^2]).Split(
        (char[]?)null, StringSplitOptions.RemoveEmptyEntries) switch
    {
        [".RequestNumber"] => Decimal,
        [".WorkerID"] => number => Decimal(number % workers),
        [".MethodName"] => _ => method[(method.IndexOf('/', StringComparison.Ordinal) + 1)..],
        [".ServiceName"] => _ => Service[(Service.LastIndexOf('.') + 1)..],
        [".FullyQualifiedName"] => _ => method.Replace('/', '.'),
        [".UUID" or "newUUID"] => _ => Uuid(),
        ["randomInt", var low, var high] when long.TryParse(low, CultureInfo.InvariantCulture, out var least)
            && long.TryParse(high, CultureInfo.InvariantCulture, out var most) && least < most =>
            _ => Decimal(random.NextInt64(least, most)),
        ["randomString", var length] when int.TryParse(length, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            && number <= longest => _ => random.GetString(letters, number),
        [".Timestamp"] => _ => DateTime.UtcNow.ToString("O", CultureInfo.InvariantCulture),
        [".TimestampUnix"] => _ => Decimal(DateTimeOffset.UtcNow.ToUnixTimeSeconds()),
        [".TimestampUnixMilli"] => _ => Decimal(DateTimeOffset.UtcNow.ToUnixTimeMilliseconds()),
        [".TimestampUnixNano"] => _ => Decimal((DateTime.UtcNow - DateTime.UnixEpoch).Ticks * 100),
        _ => null,
    };

    string Uuid()
    {
        var bytes = new byte[16];
        random.NextBytes(bytes);
        (bytes[6], bytes[8]) = ((byte)((bytes[6] & 0x0F) | 0x40), (byte)((bytes[8] & 0x3F) | 0x80)); // version 4 (RFC 9562)
        return new Guid(bytes, bigEndian: true).ToString();
    }

    string Service => method.Split('/')[0];

    static string Decimal(long number) => number.ToString(CultureInfo.InvariantCulture);

    [GeneratedRegex(@"\{\{[^{}]*\}\}")]
    private static partial Regex Value();
}
