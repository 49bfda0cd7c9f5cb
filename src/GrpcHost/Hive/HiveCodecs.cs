namespace ProtoBench.GrpcHost.Hive;

/// <summary>The codecs, by the names that options and result files use.</summary>
static class HiveCodecs
{
    /// <summary>How message roots are recycled, where a codec recycles them.</summary>
    public static IReadOnlyList<string> Roots { get; } = ["threadstatic", "new", "bag", "objectpool"];

    /// <summary>Names, the reference first.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. All().Select(codec => codec.Name)];

    /// <summary>Makes a codec.</summary>
    /// <param name="name">One of <see cref="Names"/>.</param>
    /// <param name="root">One of <see cref="Roots"/>.</param>
    public static HiveCodec Create(string name, string root) => All().Single(codec => codec.Name == name).Create(root);

    /// <summary>Whether a codec recycles its root objects, so that the kind of root matters.</summary>
    public static bool HasRoots(string name) => All().Single(codec => codec.Name == name).HasRoots;

    static List<(string Name, bool HasRoots, Func<string, HiveCodec> Create)> All() =>
    [
        ("google", false, _ => new GoogleCodec()),
        ("slab", true, SlabCodec.Create),
        ("raw", false, _ => new RawCodec()),
        ("pbn", false, _ => new ProtobufNetCodec()),
        ("pbn-slab", true, ProtobufNetSlabCodec.Create),
        ("pbn-pool", false, _ => ProtobufNetSlabCodec.CreateOnArrayPool()),
    ];
}
