using System.Text;
using System.Text.Json;
using Grpc.Core;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost;

/// <summary>What <c>--metadata</c> adds to the calls.</summary>
/// <param name="Same">What all calls have; null for nothing.</param>
/// <param name="Differing">What each call has besides, for one call after the other, and then from the start again. Empty for
/// nothing.</param>
sealed record CallMetadata(Metadata? Same, IReadOnlyList<Metadata> Differing)
{
    // for values that differ from call to call, as of --data
    const long mostCalls = 100_000;

    public static CallMetadata None { get; } = new(null, []);

    /// <summary>What a call before the load has, such as one of server reflection.</summary>
    public Metadata? Of(int call) => Differing.Count == 0 ? Same : [.. Same ?? [], .. Differing[call % Differing.Count]];

    /// <param name="given">Each <c>key=value</c>, or a JSON object of texts, or <c>@FILE</c> with one.</param>
    /// <param name="calls">The calls of a round; null if a time ends it.</param>
    /// <param name="template">Makes the values of a text with values that differ.</param>
    /// <exception cref="UsageException">Thrown for another text.</exception>
    public static CallMetadata Parse(IEnumerable<string> given, long? calls, Func<string, DataTemplate> template)
    {
        Entry[] entries = [.. given.SelectMany(Entries)];
        Entry[] differing = [.. entries.Where(entry => entry.Value.Contains("{{", StringComparison.Ordinal))];
        var same = Make(entries.Except(differing).Select(entry => (entry, entry.Value)));
        if (differing.Length == 0)
            return new(same.Count == 0 ? null : same, []);
        (Entry Entry, DataTemplate Value)[] templates = [.. differing.Select(entry => (entry, template(entry.Value)))];
        var number = Array.TrueForAll(templates, one => one.Value.IsConstant) ? 1 : Math.Min(calls ?? mostCalls, mostCalls);
        var all = new List<Metadata>();
        for (var call = 0L; call < number; call++)
            all.Add(Make(templates.Select(one => (one.Entry, one.Value.Text(call)))));
        return new(same.Count == 0 ? null : same, all);
    }

    /// <param name="Given">The text that a message quotes.</param>
    /// <param name="IsText">Whether the value of a key that ends in -bin is the text of its bytes, as in ghz, and not base64.</param>
    sealed record Entry(string Given, string Key, string Value, bool IsText);

    static IEnumerable<Entry> Entries(string text)
    {
        if (text.StartsWith('@'))
        {
            if (!File.Exists(text[1..]))
                throw new UsageException($"{text[1..]}: there is no such file");
            text = File.ReadAllText(text[1..]);
        }

        if (!text.AsSpan().TrimStart().StartsWith('{'))
        {
            return text.IndexOf('=', StringComparison.Ordinal) is > 0 and var at
                ? [new(text, text[..at], text[(at + 1)..], IsText: false)] : throw new UsageException($"'{text}' is not metadata: key=value, or JSON");
        }

        try
        {
            using var json = JsonDocument.Parse(text);
            return
            [
                .. json.RootElement.EnumerateObject().Select(property => property.Value.ValueKind == JsonValueKind.String
                    ? new Entry($"{property.Name}={property.Value.GetString()}", property.Name, property.Value.GetString()!, IsText: true)
                    : throw new UsageException($"the metadata '{property.Name}' is not a text: {property.Value.GetRawText()}")),
            ];
        }
        catch (JsonException e)
        {
            throw new UsageException($"--metadata({1 + e.LineNumber}): {e.Message.Split(" LineNumber:")[0]}", e);
        }
    }

    static Metadata Make(IEnumerable<(Entry Entry, string Value)> entries)
    {
        var metadata = new Metadata();
        foreach (var (entry, value) in entries)
        {
            try
            {
                if (entry.Key.StartsWith("grpc-", StringComparison.OrdinalIgnoreCase))
                    throw new FormatException("such keys belong to the protocol");
                if (entry.Key.EndsWith(Metadata.BinaryHeaderSuffix, StringComparison.Ordinal))
                    metadata.Add(entry.Key, entry.IsText ? Encoding.UTF8.GetBytes(value) : Convert.FromBase64String(value));
                else if (value.AsSpan().ContainsAnyExceptInRange(' ', '~'))
                    throw new FormatException("the value is not printable ASCII; a key that ends in -bin takes base64");
                else
                    metadata.Add(entry.Key, value);
            }
            catch (Exception e) when (e is ArgumentException or FormatException)
            {
                throw new UsageException($"'{entry.Given}' is not metadata: {e.Message}", e);
            }
        }

        return metadata;
    }
}
