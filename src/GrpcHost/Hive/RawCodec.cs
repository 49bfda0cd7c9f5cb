
using ProtoBench.Rpc;
namespace ProtoBench.GrpcHost.Hive;

/// <summary>Prepared bytes in both directions: the transport's floor, below which no codec can be.</summary>
sealed class RawCodec() : HiveCodec<RawMessage, RawMessage>(new RawMarshaller(), new RawMarshaller())
{
    public override string Memory => "recycled";

    protected override RawMessage Build(HivePayload payload) => new(payload.Request);

    protected override RawMessage Answer(RawMessage request, HivePayload payload, Route route) =>
        new(request.Bytes.IsEmpty ? default : payload.ReadyResponse);

    protected override bool IsRight(RawMessage response, HivePayload payload, bool deep) =>
        response.Bytes.Length == payload.ReadyResponse.Length && (!deep || response.Bytes.Span.SequenceEqual(payload.ReadyResponse));
}
