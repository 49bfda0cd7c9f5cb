using ProtoBench.Pbn;
using ProtoBuf.Meta;

namespace ProtoBench.GrpcHost;

static class HiveServices
{
    public static IReadOnlyList<string> Roots { get; } = ["threadstatic", "new", "bag", "objectpool"];

    /// <summary>The names of the codecs. The first is the reference.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. All().Select(codec => codec.Name)];

    public static HiveService Create(string name, string root) => All().Single(codec => codec.Name == name).Create(root);

    public static bool HasRoots(string name) => All().Single(codec => codec.Name == name).HasRoots;

    static List<(string Name, bool HasRoots, Func<string, HiveService> Create)> All() =>
    [
        ("google", false, _ => new GoogleHiveService()),
        ("slab", true, root => SlabHiveService.Create(root, isCached: false)),
        ("raw", false, _ => new RawHiveService()),
        ("pbn", false, _ => new ProtobufNetHiveService(ContractModel.Instance)),
        ("pbn-runtime", false, _ => new ProtobufNetHiveService(RuntimeTypeModel.Default)),
        ("pbn-slab", true, ProtobufNetSlabHiveService.Create),
        ("pbn-pool", false, _ => ProtobufNetSlabHiveService.CreateOnArrayPool()),
        ("google-cached", false, _ => new GoogleHiveService(isCached: true)),
        ("slab-cached", true, root => SlabHiveService.Create(root, isCached: true)),
    ];
}

/// <summary>Prepared bytes in both directions. It measures the transport without a codec.</summary>
sealed class RawHiveService() : HiveService<RawMessage, RawMessage>(new RawMarshaller(), new RawMarshaller())
{
    public override string Memory => "recycled";

    public override int ReplySlack => 0;

    protected override RawMessage Build(HivePayload payload) => new(payload.Request);

    protected override RawMessage Answer(RawMessage request, HivePayload payload, Route route) =>
        new(request.Bytes.IsEmpty ? default : payload.ReadyResponse);

    protected override bool IsRight(RawMessage response, HivePayload payload, bool deep) =>
        response.Bytes.Length == payload.ReadyResponse.Length && (!deep || response.Bytes.Span.SequenceEqual(payload.ReadyResponse));
}
