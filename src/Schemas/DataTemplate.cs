using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace ProtoBench.Schemas;

/// <summary>Messages in JSON with values that differ from call to call, with the names of ghz: <c>{{.RequestNumber}}</c>. Not
/// thread-safe.</summary>
public sealed partial class DataTemplate
{
    public const string Names = "{{.RequestNumber}}, {{.UUID}}, {{newUUID}}, {{randomInt MIN MAX}}, {{randomString LENGTH}}, {{.Timestamp}}, "
        + "{{.TimestampUnix}}, {{.TimestampUnixMilli}}, {{.TimestampUnixNano}}";

    const string letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const int longest = 1 << 20;
    readonly List<(string Before, Func<long, string> Value)> parts = [];
    readonly string rest;
    readonly string source;
    readonly Random random;

    /// <param name="source">The name of the text in messages.</param>
    /// <exception cref="SchemaException">Thrown for a value that is not known. The message has the line.</exception>
    public DataTemplate(string text, string source, int seed)
    {
        ArgumentNullException.ThrowIfNull(text);
        (this.source, random) = (source, new(seed));
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
    public IReadOnlyList<byte[]> Make(MessageType type, long number)
    {
        var text = new StringBuilder();
        foreach (var (before, value) in parts)
            text.Append(before).Append(value(number));
        return JsonPayload.EncodeAll(type, Encoding.UTF8.GetBytes(text.Append(rest).ToString()), source);
    }

    Func<long, string>? Parse(string[] words) => words switch
    {
        [".RequestNumber"] => Text,
        [".UUID" or "newUUID"] => _ => Uuid(),
        ["randomInt", var low, var high] when long.TryParse(low, CultureInfo.InvariantCulture, out var least)
            && long.TryParse(high, CultureInfo.InvariantCulture, out var most) && least < most => _ => Text(random.NextInt64(least, most)),
        ["randomString", var length] when int.TryParse(length, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            && number <= longest => _ => random.GetString(letters, number),
        [".Timestamp"] => _ => DateTime.UtcNow.ToString("O", CultureInfo.InvariantCulture),
        [".TimestampUnix"] => _ => Text(DateTimeOffset.UtcNow.ToUnixTimeSeconds()),
        [".TimestampUnixMilli"] => _ => Text(DateTimeOffset.UtcNow.ToUnixTimeMilliseconds()),
        [".TimestampUnixNano"] => _ => Text((DateTime.UtcNow - DateTime.UnixEpoch).Ticks * 100),
        _ => null,
    };

    string Uuid()
    {
        var bytes = new byte[16];
        random.NextBytes(bytes);
        (bytes[6], bytes[8]) = ((byte)((bytes[6] & 0x0F) | 0x40), (byte)((bytes[8] & 0x3F) | 0x80)); // version 4 (RFC 9562)
        return new Guid(bytes, bigEndian: true).ToString();
    }

    static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);

    [GeneratedRegex("""
        "@type"\s*:\s*"(?:[^"{}]*/)?(?<name>[\w.]+)"
        """, RegexOptions.ExplicitCapture | RegexOptions.IgnorePatternWhitespace)]
    private static partial Regex TypeUrl();

    [GeneratedRegex(@"\{\{[^{}]*\}\}")]
    private static partial Regex Value();
}
