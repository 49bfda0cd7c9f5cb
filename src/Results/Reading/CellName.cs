using System.Text.Json.Serialization;
using System.Text.RegularExpressions;

namespace ProtoBench.Results;

/// <summary>The name of a cell (a benchmark with its parameters, or a variant under
/// load), and its parts, by which tables are filtered, folded and sorted.</summary>
/// <remarks>Verb, message, library, buffer and memory are what the result file says of the cell. In files that say nothing, a method named
/// <c>{Verb}{Message}{Library}[_{Buffer}][_{Memory}]</c>, whose memory is a letter, has these parts. Every method has type and method; each
/// parameter is a part under its own name; job is there where one file has the same cell under several.</remarks>
public sealed partial class CellName : IEquatable<CellName>
{
    static readonly string[] grammar = ["verb", "message", "library", "buffer", "memory"];

    readonly OrderedDictionary<string, string> parts;

    /// <summary>Of these parts.</summary>
    /// <param name="full">What makes the cell the same in two files.</param>
    /// <param name="parts">Its parts, in the order in which they are read.</param>
    internal CellName(string full, IEnumerable<KeyValuePair<string, string>> parts)
    {
        Full = full;
        this.parts = new(parts, StringComparer.OrdinalIgnoreCase);
    }

    /// <summary>What makes the cell the same in two files: namespace, type, method, parameters, and the job where it matters.</summary>
    public string Full { get; }

    /// <summary>The names of the parts that this cell has.</summary>
    public IEnumerable<string> Parts => parts.Keys;

    /// <summary>A part's value, or null where the cell has no such part.</summary>
    /// <param name="part">The part's name, in any case.</param>
    public string? this[string part] => parts.GetValueOrDefault(part);

    /// <summary>The parts that are not needed to read the name: the type, and where
    /// the method is a sentence of the grammar, the method as a whole.</summary>
    internal IEnumerable<string> Telling => parts.Keys.Where(part => part != "type" && !(part == "method" && parts.ContainsKey("verb")));

    /// <summary>The benchmark's parameters and arguments by name.</summary>
    internal IEnumerable<string> Parameters => parts.Keys.Where(part => part is not ("type" or "method" or "job") && !grammar.Contains(part));

    /// <summary>The name of a benchmark.</summary>
    /// <param name="full">BenchmarkDotNet's full name.</param>
    /// <param name="type">The class.</param>
    /// <param name="method">The method.</param>
    /// <param name="parameters">Name and value of each parameter.</param>
    /// <param name="job">The job, where there are several.</param>
    /// <param name="facts">What the file says of the cell; null to take the method's name apart.</param>
    public static CellName Benchmark(string full, string type, string method, IEnumerable<KeyValuePair<string, string>> parameters,
        string? job, CellFacts? facts = null)
    {
        OrderedDictionary<string, string> parts = new(StringComparer.OrdinalIgnoreCase) { ["type"] = type, ["method"] = method };
        foreach (var (part, value) in facts?.Parts ?? OfMethod(method))
            parts[part] = value;
        foreach (var (name, value) in parameters)
            parts[parts.ContainsKey(name) ? "parameter " + name : name] = value;
        if (job != null)
            parts["job"] = job;
        return new CellName(job == null ? full : $"{full} [{job}]", parts);
    }

    static IEnumerable<KeyValuePair<string, string>> OfMethod(string method)
    {
        var match = Grammar().Match(method);
        return grammar.Where(part => match.Groups[part].Success).Select(part => KeyValuePair.Create(part, match.Groups[part].Value));
    }

    /// <summary>The name made of some of the parts only.</summary>
    /// <param name="chosen">The parts to take.</param>
    internal string Of(ICollection<string> chosen)
    {
        var type = Take("type");
        var method = Take("method") ?? Take("verb") + Take("message") + Take("library") + Suffix(Take("buffer")) + Suffix(Take("memory"));
        string[] others =
            [.. Parameters.Where(Chosen).Select(part => $"{part}={parts[part]}")];
        return (type, method.TrimStart('_')) switch
        {
            (null, var m) => m,
            (var t, "") => t,
            var (t, m) => $"{t}.{m}",
        } + (others.Length == 0 ? "" : $"({string.Join(", ", others)})") + (Take("job") is { } job ? $" [{job}]" : "");

        bool Chosen(string part) => chosen.Contains(part, StringComparer.OrdinalIgnoreCase);
        string? Take(string part) => Chosen(part) ? this[part] : null;
        static string Suffix(string? part) => part == null ? "" : "_" + part;
    }

    /// <inheritdoc/>
    public bool Equals(CellName? other) => other?.Full == Full;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as CellName);

    /// <inheritdoc/>
    public override int GetHashCode() => Full.GetHashCode(StringComparison.Ordinal);

    /// <inheritdoc/>
    public override string ToString() => Full;

    // The hive's messages with any library; in projects of the verb "new" any message, with the libraries that are known.
    [GeneratedRegex("^(?<verb>Serialize|MeasureSerialize|Measure|DeserializeTouch|DeserializeStrings|Deserialize)"
        + "(?:(?<message>Request|Response|Mixed)(?<library>[A-Z][A-Za-z0-9]*)|(?<message>[A-Z][A-Za-z0-9_]*?)(?<library>Google|PBN|Slab|Floor))"
        + "(?:_(?<buffer>(?!(?:[A-Z]|Cold)(?:_|$))[A-Za-z0-9]+))?(?:_(?<memory>[A-Z](?:_Cold)?|Cold))?$")]
    private static partial Regex Grammar();
}

/// <summary>What a cell does and to what, as the program that measured it writes it into the node "Cell" of the benchmark.</summary>
/// <param name="Verb">What the cell does: Serialize, Deserialize.</param>
/// <param name="Message">The message.</param>
/// <param name="Library">The library.</param>
/// <param name="Buffer">Where the bytes come from or go to; null where the cell does not say it.</param>
/// <param name="Memory">The form of memory; null for the library's own.</param>
/// <param name="Items">Sub-items of the message that one operation handles; null where there are none.</param>
public sealed record CellFacts(
    [property: JsonPropertyName("verb")] string Verb,
    [property: JsonPropertyName("message")] string Message,
    [property: JsonPropertyName("library")] string Library,
    [property: JsonPropertyName("buffer")] string? Buffer = null,
    [property: JsonPropertyName("memory")] string? Memory = null,
    [property: JsonPropertyName("items")] int? Items = null)
{
    /// <summary>The parts of a cell's name, in the order in which they are read.</summary>
    internal IEnumerable<KeyValuePair<string, string>> Parts =>
        from part in new (string Name, string? Value)[]
            { ("verb", Verb), ("message", Message), ("library", Library), ("buffer", Buffer), ("memory", Memory) }
        where part.Value is { Length: > 0 }
        select KeyValuePair.Create(part.Name, ResultText.Clean(part.Value));
}
