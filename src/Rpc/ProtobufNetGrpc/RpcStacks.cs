using ProtoBench.Rpc.ProtobufNetGrpc;

namespace ProtoBench.Rpc;

public static partial class RpcStacks
{
    static partial void AddProtobufNetGrpc(List<RpcStack> all) =>
        all.Add(new("protobuf-net.Grpc", ProtobufNetGrpcServer.StartAsync, (endpoint, limits) => new ProtobufNetGrpcClient(endpoint, limits), OnlyCodec: "pbn"));
}
