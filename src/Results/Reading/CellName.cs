using System.Text.Json.Serialization;
using System.Text.RegularExpressions;

namespace ProtoBench.Results;

/// <summary>The name of a cell (a benchmark, or a variant under load) and its parts, by which tables are filtered and sorted.</summary>
/// <remarks>Verb, message, library, buffer and memory come from the result file. In files without them, a method with a name
/// <c>{Verb}{Message}{Library}[_{Buffer}][_{Memory}]</c>, whose memory is a letter, has these parts. Every method has type and method. Each
/// parameter is a part with its own name. The part job exists if one file has the same cell with several jobs.</remarks>
public sealed class CellName : IEquatable<CellName>
{
    static readonly string[] partsOfGrammar = ["verb", "message", "library", "buffer", "memory"];

    // Messages of the hive with any library. In projects of the verb "new", any message with the known libraries. The longest verb is tried
    // first, because "Touch" after "Deserialize" could also be the start of a message's name.
    static readonly Regex grammar = new("^(?<verb>" + AnyOf<HiveVerb>() + ")"
        + "(?:(?<message>" + AnyOf<HiveMessage>() + ")(?<library>[A-Z][A-Za-z0-9]*)"
        + "|(?<message>[A-Z][A-Za-z0-9_]*?)(?<library>Google|PBN|Slab|Floor))"
        + "(?:_(?<buffer>(?!(?:[A-Z]|Cold)(?:_|$))[A-Za-z0-9]+))?(?:_(?<memory>[A-Z](?:_Cold)?|Cold))?$");

    readonly OrderedDictionary<string, string> parts;

    internal CellName(string full, IEnumerable<KeyValuePair<string, string>> parts)
    {
        Full = full;
        this.parts = new(parts, StringComparer.OrdinalIgnoreCase);
    }

    /// <summary>The same in two files: namespace, type, method, parameters, and the job if there are several.</summary>
    public string Full { get; }

    public IEnumerable<string> Parts => parts.Keys;

    public string? this[string part] => parts.GetValueOrDefault(part);

    // needed to read the name; the type is not, and the method is not if its name has the parts of the grammar
    internal IEnumerable<string> Telling => parts.Keys.Where(part => part != "type" && !(part == "method" && parts.ContainsKey("verb")));

    internal IEnumerable<string> Parameters => parts.Keys.Where(part => part is not ("type" or "method" or "job") && !partsOfGrammar.Contains(part));

    /// <param name="facts">The facts about the cell in the file; null to parse the name of the method.</param>
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
        var match = grammar.Match(method);
        return partsOfGrammar.Where(part => match.Groups[part].Success).Select(part => KeyValuePair.Create(part, match.Groups[part].Value));
    }

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

    public bool Equals(CellName? other) => other?.Full == Full;

    public override bool Equals(object? obj) => Equals(obj as CellName);

    public override int GetHashCode() => Full.GetHashCode(StringComparison.Ordinal);

    public override string ToString() => Full;

    static string AnyOf<T>()
        where T : struct, Enum => string.Join('|', Enum.GetNames<T>().OrderByDescending(name => name.Length));
}

/// <summary>In the order of the rows. The names are parts of cells' names, and each has a class of cells. The only list of them.</summary>
public enum HiveVerb
{
    Serialize,

    Measure,

    /// <summary>Computes the size of a message, then writes it.</summary>
    MeasureSerialize,

    Deserialize,

    /// <summary>Reads a message, then the first byte, the last byte and the length of every leaf.</summary>
    DeserializeTouch,

    /// <summary>As <see cref="DeserializeTouch"/>, with every string field as a .NET string.</summary>
    DeserializeStrings,
}

/// <summary>In the order of the rows. The names are parts of cells' names. The only list of them.</summary>
public enum HiveMessage
{
    Request,

    Response,

    /// <summary>The request with items of mixed sizes, fields in any order and unknown fields.</summary>
    Mixed,
}

/// <summary>Represents the facts about a cell, which the program that measured it writes into the node "Cell" of the benchmark.</summary>
/// <param name="Buffer">The source or destination of the bytes; null if the name of the cell does not have it.</param>
/// <param name="Memory">The form of memory; null for that of the library.</param>
/// <param name="Items">The number of sub-items of the message that one operation handles; null if there are none.</param>
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
