using ProtoBench.Results;

namespace ProtoBench.Report.Charts;

/// <summary>Gives each library, codec or variant its colour and its mark, the same on the whole page. Colour is never the only difference: labels and marks say it too.</summary>
public sealed class Palette
{
    const int colours = 8, marks = 6, nameless = 4;

    static readonly string[] libraries = ["Floor", "Google", "Slab", "PBN", "GoogleBytes"];

    readonly Dictionary<string, int> places;
    readonly Dictionary<string, int> free = new(StringComparer.OrdinalIgnoreCase);

    Palette(IEnumerable<string> names) =>
        places = names.Distinct(StringComparer.OrdinalIgnoreCase).Select((name, i) => KeyValuePair.Create(name, i)).ToDictionary(StringComparer.OrdinalIgnoreCase);

    /// <summary>Colours of libraries; the usual ones always have the same.</summary>
    /// <param name="names">The names, in any order.</param>
    public static Palette OfLibraries(IEnumerable<string> names)
    {
        string[] all = [.. names.Distinct(StringComparer.OrdinalIgnoreCase)];
        var palette = new Palette(libraries.Concat(all));
        // what is no usual library takes the colours in turn that no usual one on this page has
        int[] left = [.. Enumerable.Range(1, colours - 1).Where(colour => colour >= libraries.Length || !all.Contains(libraries[colour], StringComparer.OrdinalIgnoreCase))];
        foreach (var (name, i) in all.Except(libraries, StringComparer.OrdinalIgnoreCase).Order(NaturalOrder.Instance).Select((name, i) => (name, i)))
            palette.free[name] = left[i % left.Length];
        return palette;
    }

    /// <summary>Colours of what was under load; the grey of floors goes to ready bytes, the floor of the transport.</summary>
    /// <param name="variants">The variants.</param>
    public static Palette OfVariants(IReadOnlyCollection<LoadVariant> variants) =>
        new(variants.Where(variant => variant.Codec == "raw").Select(variant => variant.Name).Take(1).DefaultIfEmpty("").Concat(variants.Select(variant => variant.Name)));

    /// <summary>The class of a colour. The first is the grey of floors, and no other name gets it.</summary>
    /// <param name="name">One of the names, or another one, or none.</param>
    public string Colour(string? name) =>
        name != null && free.TryGetValue(name, out var colour) ? $"c{colour}" : $"c{(Place(name) is 0 ? 0 : 1 + ((Place(name) - 1) % (colours - 1)))}";

    /// <summary>The id of a mark.</summary>
    /// <param name="name">One of the names, or another one.</param>
    public string Mark(string? name) => $"m{Place(name) % marks}";

    int Place(string? name) => name != null && places.TryGetValue(name, out var place) ? place : nameless;
}
