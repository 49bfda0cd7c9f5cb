using ProtoBench.Rpc.Transports.ProtobufNetGrpc;

namespace ProtoBench.Rpc;

public static partial class RpcTransports
{
    static partial void AddProtobufNetGrpc(List<RpcTransport> all) =>
        all.Add(new("protobuf-net.Grpc", ProtobufNetGrpcServer.StartAsync,
            (endpoint, limits, _) => new ProtobufNetGrpcClient(endpoint, limits))
        {
            SpeaksGrpc = true,
            OnlyCodecs = ["pbn", "pbn-slab", "pbn-pool"],
        });
}
