using ProtoBench.GrpcHost.Load;
using ProtoBench.GrpcHost.Runs;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Connections;

namespace ProtoBench.GrpcHost.Hive;

/// <summary>A host of this program with the hive's service.</summary>
sealed class HiveSubject(Variant variant, RpcEndpoint endpoint, HivePayload payload) : LoadSubject
{
    readonly HiveCodec codec = HiveCodecs.Create(variant.Codec, variant.Root);

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

    public override Caller Call(IRpcClient client, RpcCallOptions? call, CallCounters counters) => codec.Call(client, payload, call, counters);
}
