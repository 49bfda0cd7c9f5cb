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
    readonly List<(string Before, Func<long, string> Value)> parts = [];
    readonly string rest;
    readonly string source;
    readonly Random random;
    readonly string method;
    readonly int workers;

    /// <param name="source">The name of the text in messages.</param>
    /// <param name="seed">Of the random values.</param>
    /// <param name="method">The path of the method that is called: <c>package.Service/Method</c>.</param>
    /// <param name="workers">The callers, whose numbers the calls have in turn.</param>
    /// <exception cref="SchemaException">Thrown for a value that is not known. The message has the line.</exception>
    public DataTemplate(string text, string source, int seed, string method = "", int workers = 1)
    {
        ArgumentNullException.ThrowIfNull(text);
        (this.source, random, this.method, this.workers) = (source, new(seed), method, workers);
        var at = 0;
        foreach (var match in Value().EnumerateMatches(text))
        {
            var value = text.Substring(match.Index, match.Length);
            parts.Add((text[at..match.Index], Parse(value.Trim('{', '}', ' ').Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries))
                ?? throw new SchemaException($"{source}({1 + text.AsSpan(0, match.Index).Count('\n')}): {value} is none of {Names}")));
            at = match.Index + match.Length;
        }

        rest = text[at..];
    }

    /// <summary>The full names of the messages in fields of the type Any, whose type URL is not made of values.</summary>
    public IReadOnlyList<string> AnyTypes =>
        [.. TypeUrl().Matches(string.Concat([.. parts.Select(part => part.Before), rest])).Select(match => match.Groups["name"].Value).Distinct()];

    /// <summary>Whether all calls have the same messages.</summary>
    public bool IsConstant => parts.Count == 0;

    /// <param name="number">The number of the call.</param>
    /// <exception cref="SchemaException">Thrown when the text is not these messages. The message has the line and the field.</exception>
    public IReadOnlyList<byte[]> Make(MessageType type, long number) =>
        JsonPayload.EncodeAll(type, Encoding.UTF8.GetBytes(Text(number)), source);

    /// <summary>Returns the text with its values.</summary>
    /// <param name="number">The number of the call.</param>
    public string Text(long number)
    {
        var text = new StringBuilder();
        foreach (var (before, value) in parts)
            text.Append(before).Append(value(number));
        return text.Append(rest).ToString();
    }

    Func<long, string>? Parse(string[] words) => words switch
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

    [GeneratedRegex("""
        "@type"\s*:\s*"(?:[^"{}]*/)?(?<name>[\w.]+)"
        """, RegexOptions.ExplicitCapture | RegexOptions.IgnorePatternWhitespace)]
    private static partial Regex TypeUrl();

    [GeneratedRegex(@"\{\{[^{}]*\}\}")]
    private static partial Regex Value();
}
