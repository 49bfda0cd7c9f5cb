using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Connections;
using ProtoBench.Rpc.Transports.GrpcDotnet;
using ProtoBuf.Grpc.Client;
using ProtoBuf.Grpc.Configuration;

namespace ProtoBench.Rpc.Transports.ProtobufNetGrpc;

/// <summary>Code-first stubs over <see cref="GrpcDotnetClient"/>.</summary>
public sealed class ProtobufNetGrpcClient(RpcEndpoint endpoint, RpcLimits? limits = null) : GrpcDotnetClient(endpoint, limits)
{
    /// <summary>The stub of a service.</summary>
    /// <typeparam name="TService">Its interface, marked as a service.</typeparam>
    /// <param name="factory">The marshallers of its messages; null for the
    /// library's default. Creation is expensive, so use one for all stubs.</param>
    public TService Create<TService>(ClientFactory? factory = null)
        where TService : class => Invoker.CreateGrpcService<TService>(factory);
}
