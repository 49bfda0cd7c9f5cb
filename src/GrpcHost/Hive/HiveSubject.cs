using ProtoBench.GrpcHost.Load;
using ProtoBench.GrpcHost.Runs;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Hive;

/// <summary>A host of this program with the hive's service.</summary>
/// <param name="variant">What the host runs.</param>
/// <param name="endpoint">Where the host listens.</param>
/// <param name="payload">What a call carries.</param>
/// <param name="clientCodec">The codec of the client, where it is another one than the host's: the bytes on the wire are the same. Null for
/// the host's codec.</param>
sealed class HiveSubject(Variant variant, RpcEndpoint endpoint, HivePayload payload, HiveCodec? clientCodec = null) : LoadSubject
{
    readonly HiveCodec codec = clientCodec ?? HiveCodecs.Create(variant.Codec, variant.Root);

    public override string Name => variant.Name;

    public override RpcTransport Stack => variant.Stack;

    public override string Codec => variant.Codec;

    public override string Memory => HiveCodecs.HasRoots(variant.Codec) ? $"{codec.Memory}, root {variant.Root}" : codec.Memory;

    public override RpcEndpoint Endpoint => endpoint;

    public override bool HasControl => true;

    public override int RequestBytes => payload.Request.Length;

    public override int ReplyBytes => payload.ReadyResponse.Length;

    public override string PayloadSha256 => payload.Sha256;

    public override string WrongReply => "do both sides have the same --payload and --items?";

    public override Caller Call(IRpcClient client, RpcCallOptions? call, CallCounters counters) =>
        codec.Call(client, payload, call, counters);
}
