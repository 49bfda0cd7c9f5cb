namespace ProtoBench.Report.Charts;

/// <summary>Each codec has its own colour, <see cref="CodecColours"/>, and what is no codec has one that no codec has.</summary>
public sealed class Palette
{
    const int others = 6;

    readonly Dictionary<string, string> colours = new(StringComparer.OrdinalIgnoreCase);
    readonly Dictionary<string, string> labels = new(StringComparer.OrdinalIgnoreCase);

    Palette()
    {
    }

    public static Palette Of(IEnumerable<string> names, IEnumerable<LibraryFacts> libraries)
    {
        var palette = new Palette();
        foreach (var library in libraries)
        {
            palette.labels[library.Name] = library.Label;
            if (CodecColours.OfMethod(library.Name) is null)
                palette.colours[library.Name] = Other(Math.Abs(library.Colour % others));
        }

        foreach (var (name, i) in names.Distinct(StringComparer.OrdinalIgnoreCase)
            .Where(name => CodecColours.OfMethod(name) is null && !palette.colours.ContainsKey(name)).Order(NaturalOrder.Instance)
            .Select((name, i) => (name, i)).ToArray())
            palette.colours[name] = Other(i);
        return palette;
    }

    /// <summary>The class of a colour: <c>c0</c> to <c>c11</c> for codecs, <c>o0</c> to <c>o5</c> for everything else.</summary>
    public string Colour(string name) =>
        CodecColours.OfMethod(name) is { } codec ? Codec(codec) : colours.GetValueOrDefault(name, Other(0));

    public string Label(string name) => labels.GetValueOrDefault(name, name);

    internal static string OfMethod(string method) => CodecColours.OfMethod(method) is { } codec ? Codec(codec) : Other(0);

    static string Codec(int number) => $"c{number}";

    static string Other(int number) => $"o{number % others}";
}
