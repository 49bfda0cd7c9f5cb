using ProtoBench.Rpc.Transports.GrpcDotnet;

namespace ProtoBench.Rpc;

public static partial class RpcTransports
{
    static partial void AddGrpcDotnet(List<RpcTransport> all) =>
        all.Add(new("grpc-dotnet", GrpcDotnetServer.StartAsync,
            (endpoint, limits, _) => new GrpcDotnetClient(endpoint, limits))
        { SpeaksGrpc = true });
}
