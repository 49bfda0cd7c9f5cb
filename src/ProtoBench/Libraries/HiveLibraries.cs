namespace ProtoBench.Libraries;

/// <summary>The libraries that the hive's cells compare, the reference first. An optional library fills in its part where the build has it.</summary>
public static partial class HiveLibraries
{
    // Lazy, because the parts of this class are initialised in the order of their files.
    static readonly Lazy<IReadOnlyList<HiveLibrary>> all = new(List);

    /// <summary>All libraries of this build.</summary>
    public static IReadOnlyList<HiveLibrary> All => all.Value;

    /// <summary>The library that cells spell so; null for the floor, which is none.</summary>
    public static HiveLibrary? Find(string cell) => All.FirstOrDefault(library => library.Cell == cell);

    static List<HiveLibrary> List()
    {
        List<HiveLibrary> all = [Google, GoogleBytes, Slab];
        AddProtobufNet(all);
        return all;
    }

    static partial void AddProtobufNet(List<HiveLibrary> all);
}
