using System.Diagnostics.CodeAnalysis;
using PolyType;

namespace ProtoBench.Payloads;

/// <summary>Independent of any library: the expected content for every format.</summary>
public sealed record ColorRow(int Id, string Name, IReadOnlyList<string> Colors)
{
    /// <summary>The published group.</summary>
    public static ColorRow Reds { get; } = new(1, "Reds", ["Crimson", "Red", "Ruby", "Maroon"]);

    /// <summary>Groups of other sizes from a seed: names of 3 to 24 letters, and 0 to 8 colors.</summary>
    /// <param name="ascii">Whether all letters are ASCII. Otherwise some have two, three and four bytes in UTF-8.</param>
    public static IReadOnlyList<ColorRow> Many(int count, bool ascii)
    {
        string[] letters = ascii
            ? [.. Enumerable.Range('a', 26).Select(letter => ((char)letter).ToString())]
            : ["a", "o", "\u00e9", "\u00fc", "\u03b1", "\u0436", "\u8d64", "\u9752", "\u20ac", "\U0001f534"];
        var random = new Random(count);
        string Word() => string.Concat(Enumerable.Range(0, random.Next(3, 25)).Select(_ => letters[random.Next(letters.Length)]));
        return [.. Enumerable.Range(1, count)
            .Select(id => new ColorRow(id, Word(), [.. Enumerable.Range(0, random.Next(9)).Select(_ => Word())]))];
    }

    public bool Equals(ColorRow? other) => other is not null && Id == other.Id && Name == other.Name && Colors.SequenceEqual(other.Colors);

    public override int GetHashCode() => HashCode.Combine(Id, Name, Colors.Count);
}

/// <summary>Has the models of the messages of color_group.proto, whose plain classes are generated in the build.</summary>
[GenerateShapeFor<PlainColorGroup>]
[SuppressMessage("Performance", "CA1815", Justification = "it has no instances")]
public readonly partial struct ColorContracts;
