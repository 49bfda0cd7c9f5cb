using System.Text.RegularExpressions;

namespace ProtoBench.Report.Model;

/// <summary>The method of a benchmark outside of the hive, split into what is done and how: <c>MarshalByGoogle_BA</c> is Marshal,
/// Google_BA; <c>Decode_Slab</c> is Decode, Slab.</summary>
/// <param name="Verb">What is done; empty when all methods of the class do the same.</param>
/// <param name="Way">How it is done: a library, an allocator, a transport.</param>
/// <param name="Form">The form of the way, for example <c>BA</c> or <c>Plain</c>; empty without one.</param>
public sealed partial record MethodWords(string Verb, string Way, string Form)
{
    static readonly string[] forms = ["BA", "Cold", "H", "A", "New", "Plain", "Reuse", "Strings"];

    /// <summary>The way and its form, as a label.</summary>
    public string Label => Form.Length == 0 ? Way : $"{Way}_{Form}";

    /// <summary>Splits the methods of one class. The words that all methods share at their beginning are their verb.</summary>
    /// <param name="methods">The methods, each once.</param>
    public static IReadOnlyDictionary<string, MethodWords> Of(IReadOnlyCollection<string> methods)
    {
        var split = methods.ToDictionary(method => method, method => Split(method, methods), StringComparer.Ordinal);
        var whole = split.Where(entry => entry.Value.Verb.Length == 0).ToArray();
        var shared = Shared([.. whole.Select(entry => entry.Value.Way).Distinct(StringComparer.Ordinal)]);
        if (shared > 0)
        {
            foreach (var (method, words) in whole)
                split[method] = words with { Verb = words.Way[..shared], Way = words.Way[shared..] };
        }

        return split;
    }

    static MethodWords Split(string method, IReadOnlyCollection<string> methods)
    {
        if (By().Match(method) is { Success: true } by)
            return new(by.Groups["verb"].Value, by.Groups["way"].Value, by.Groups["form"].Value);
        var bar = method.IndexOf('_', StringComparison.Ordinal);
        if (bar <= 0 || bar == method.Length - 1)
            return new("", method, "");
        var (before, after) = (method[..bar], method[(bar + 1)..]);
        // "GRPC_Plain" stands beside "GRPC" and is a form of it; "Decode" is no method, so "Decode_Google" is a way to do it
        return methods.Contains(before) || forms.Contains(after) ? new("", before, after) : new(before, after, "");
    }

    // How many letters of whole words all ways begin with, so that each of them keeps at least one word.
    static int Shared(string[] ways)
    {
        if (ways.Length < 2)
            return 0;
        var shared = 0;
        foreach (Match word in Word().Matches(ways[0]))
        {
            var end = word.Index + word.Length;
            if (ways.Any(way => way.Length <= end || !way.StartsWith(ways[0][..end], StringComparison.Ordinal) || char.IsLower(way[end])))
                break;
            shared = end;
        }

        return shared;
    }

    [GeneratedRegex("^(?<verb>[A-Z][A-Za-z]*?)By(?<way>[A-Z][A-Za-z0-9]*)(_(?<form>[A-Za-z0-9_]+))?$", RegexOptions.ExplicitCapture)]
    private static partial Regex By();

    [GeneratedRegex("[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")]
    private static partial Regex Word();
}
