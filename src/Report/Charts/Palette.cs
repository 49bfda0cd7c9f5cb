namespace ProtoBench.Report.Charts;

/// <summary>Gives each library, codec or variant its colour and its mark, the same on the whole page. Colour is never the only difference: labels and marks say it too.</summary>
public sealed class Palette
{
    const int colours = 8, marks = 6;

    static readonly string[] settled = ["Floor", "Google", "Slab", "PBN", "GoogleBytes"];

    readonly Dictionary<string, int> places;

    /// <summary>Colours for these names; the usual libraries always have the same ones.</summary>
    /// <param name="names">The names, in any order.</param>
    public Palette(IEnumerable<string> names)
    {
        places = settled.Concat(names.Distinct(StringComparer.OrdinalIgnoreCase).Except(settled, StringComparer.OrdinalIgnoreCase))
            .Select((name, i) => KeyValuePair.Create(name, i)).ToDictionary(StringComparer.OrdinalIgnoreCase);
    }

    /// <summary>The class of a colour. The first is the grey of floors, and no other name gets it.</summary>
    /// <param name="name">One of the names, or another one, which gets the last colour.</param>
    public string Colour(string? name) => $"c{(Place(name) is 0 ? 0 : 1 + ((Place(name) - 1) % (colours - 1)))}";

    /// <summary>The id of a mark.</summary>
    /// <param name="name">One of the names, or another one.</param>
    public string Mark(string? name) => $"m{Place(name) % marks}";

    int Place(string? name) => name != null && places.TryGetValue(name, out var place) ? place : colours - 1;
}
