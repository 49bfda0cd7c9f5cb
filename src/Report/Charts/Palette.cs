using ProtoBench.Report.Model;
using ProtoBench.Results;

namespace ProtoBench.Report.Charts;

/// <summary>Gives each library, codec or variant its colour and its marker, the same on
/// the whole page. Labels and markers tell apart what has the same colour.</summary>
public sealed class Palette
{
    const int colours = 8, marks = 6, nameless = 4;

    readonly Dictionary<string, int> places = new(StringComparer.OrdinalIgnoreCase);
    readonly Dictionary<string, string> labels = new(StringComparer.OrdinalIgnoreCase);

    Palette()
    {
    }

    /// <summary>Colours of libraries and other ways to do a thing.</summary>
    /// <param name="names">The names, in any order.</param>
    /// <param name="libraries">The registered libraries. They have their own colour; other
    /// names take the colours in turn that no registered name of this page has.</param>
    public static Palette OfLibraries(IEnumerable<string> names, IEnumerable<LibraryFacts> libraries)
    {
        var palette = new Palette();
        string[] all = [.. names.Distinct(StringComparer.OrdinalIgnoreCase)];
        foreach (var library in libraries.Where(library => all.Contains(library.Name, StringComparer.OrdinalIgnoreCase)))
        {
            palette.places[library.Name] = Math.Abs(library.Colour % colours);
            palette.labels[library.Name] = library.Label;
        }

        if (all.Contains(Measured.FloorLibrary, StringComparer.OrdinalIgnoreCase))
            palette.places.TryAdd(Measured.FloorLibrary, 0); // files without a registration have lower bounds too

        int[] left = [.. Enumerable.Range(1, colours - 1).Except(palette.places.Values)];
        if (left.Length == 0)
            left = [.. Enumerable.Range(1, colours - 1)];
        foreach (var (name, i) in all.Except(palette.places.Keys, StringComparer.OrdinalIgnoreCase).Order(NaturalOrder.Instance)
            .Select((name, i) => (name, i)).ToArray())
            palette.places[name] = left[i % left.Length] + (i / left.Length * (colours - 1)); // the same colour again has another marker
        return palette;
    }

    /// <summary>Colours of what was under load; the grey of lower bounds goes to ready bytes, the lower bound of the transport.</summary>
    public static Palette OfVariants(IReadOnlyCollection<LoadVariant> variants)
    {
        var palette = new Palette();
        var raw = variants.FirstOrDefault(variant => variant.Codec == "raw")?.Name ?? "";
        foreach (var (name, i) in variants.Select(variant => variant.Name).Prepend(raw).Distinct(StringComparer.OrdinalIgnoreCase)
            .Select((name, i) => (name, i)))
            palette.places[name] = i;
        return palette;
    }

    /// <summary>The class of a colour. The first is the grey of lower bounds.</summary>
    /// <param name="name">One of the names, or another one, or none.</param>
    public string Colour(string? name) => $"c{(Place(name) is 0 ? 0 : 1 + ((Place(name) - 1) % (colours - 1)))}";

    /// <summary>The id of a marker.</summary>
    public string Mark(string? name) => $"m{Place(name) % marks}";

    /// <summary>The registered label; the name itself where nothing is registered.</summary>
    public string Label(string name) => labels.GetValueOrDefault(name, name);

    int Place(string? name) => name != null && places.TryGetValue(name, out var place) ? place : nameless;
}
