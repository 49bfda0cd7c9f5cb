namespace ProtoBench.GrpcHost.Hive;

/// <summary>The codecs of this build, by the names that options and result files use. An optional one fills in its part where the build has it.</summary>
static partial class HiveCodecs
{
    /// <summary>How message roots are recycled, where a codec recycles them.</summary>
    public static IReadOnlyList<string> Roots { get; } = ["threadstatic", "new", "bag", "objectpool"];

    /// <summary>Names, the reference first.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. All().Select(codec => codec.Name)];

    /// <summary>Makes a codec.</summary>
    /// <param name="name">One of <see cref="Names"/>.</param>
    /// <param name="root">One of <see cref="Roots"/>.</param>
    public static HiveCodec Create(string name, string root) => All().Single(codec => codec.Name == name).Create(root);

    /// <summary>Whether the kind of root makes a difference to a codec.</summary>
    public static bool HasRoots(string name) => All().Single(codec => codec.Name == name).HasRoots;

    static List<(string Name, bool HasRoots, Func<string, HiveCodec> Create)> All()
    {
        List<(string Name, bool HasRoots, Func<string, HiveCodec> Create)> all =
        [
            ("google", false, _ => new GoogleCodec()),
            ("slab", true, SlabCodec.Create),
            ("raw", false, _ => new RawCodec()),
        ];
        AddProtobufNet(all);
        return all;
    }

    static partial void AddProtobufNet(List<(string Name, bool HasRoots, Func<string, HiveCodec> Create)> all);
}
