namespace ProtoBench.GrpcHost.Hive;

static partial class HiveCodecs
{
    static partial void AddProtobufNet(List<(string Name, bool HasRoots, Func<string, HiveCodec> Create)> all)
    {
        all.Add(("pbn", false, _ => new ProtobufNetCodec()));
        all.Add(("pbn-slab", true, ProtobufNetSlabCodec.Create));
        all.Add(("pbn-pool", false, _ => ProtobufNetSlabCodec.CreateOnArrayPool()));
    }
}
