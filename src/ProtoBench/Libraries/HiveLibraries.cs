using System.Reflection;
using ProtoBench.Results;

namespace ProtoBench.Libraries;

/// <summary>
/// The libraries of the hive's table. A library registers itself as a static property of
/// this class, in a file of its own; a build without its package leaves the file out.
/// </summary>
public static partial class HiveLibraries
{
    /// <summary>Every entry of the table, lower bounds too, in the order of the table.</summary>
    public static IReadOnlyList<HiveLibrary> Registered => Lists.Registered;

    /// <summary>The libraries that read and write, the reference first.</summary>
    public static IReadOnlyList<HiveLibrary> All => Lists.All;

    /// <summary>How pages show every entry of the table.</summary>
    public static IReadOnlyList<LibraryFacts> Facts => Lists.Facts;

    /// <summary>The entry that cells spell so; null where this build has none.</summary>
    public static HiveLibrary? Find(string cell) => Registered.FirstOrDefault(library => library.Cell == cell);

    // A class of its own, so that it is initialised when the properties of all files have their values.
    static class Lists
    {
        public static readonly IReadOnlyList<HiveLibrary> Registered =
        [
            .. typeof(HiveLibraries).GetProperties(BindingFlags.Static | BindingFlags.NonPublic)
                .Where(property => property.PropertyType == typeof(HiveLibrary))
                .Select(property => (HiveLibrary)property.GetValue(null)!)
                .OrderBy(library => library.Order),
        ];

        public static readonly IReadOnlyList<HiveLibrary> All = [.. Registered.Where(library => library.Codec is not null)];

        public static readonly IReadOnlyList<LibraryFacts> Facts =
            [.. Registered.Select(library => new LibraryFacts(library.Cell, library.Label, library.Colour))];
    }
}
