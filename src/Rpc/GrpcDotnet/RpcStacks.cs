using ProtoBench.Rpc.GrpcDotnet;

namespace ProtoBench.Rpc;

public static partial class RpcStacks
{
    static partial void AddGrpcDotnet(List<RpcStack> all) =>
        all.Add(new("grpc-dotnet", GrpcDotnetServer.StartAsync, (endpoint, limits) => new GrpcDotnetClient(endpoint, limits)));
}
