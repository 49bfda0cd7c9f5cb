using ProtoBench.Rpc.GrpcDotnet;

namespace ProtoBench.Stacks;

sealed partial record EchoStack
{
    /// <summary>grpc-dotnet. Its marshallers make the calls that generated ones make; each message travels in a box of 32 bytes.</summary>
    public static EchoStack GrpcDotnet => new(
        "HTTP/2", true, (handlers, certificate) => GrpcDotnetServer.StartAsync(new(), handlers, null, certificate), (endpoint, _) => new GrpcDotnetClient(endpoint));

    static partial void AddGrpcDotnet(List<EchoStack> all) => all.Add(GrpcDotnet);
}
