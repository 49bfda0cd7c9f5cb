using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.GrpcHost.Hive;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost.Control;

/// <summary>The control service of a host. A load client calls it on a connection of its own.</summary>
static class ControlService
{
    static readonly ServiceDescriptor service = LoadControlReflection.Descriptor.Services[0];

    public static RpcMethod<DescribeRequest, HostDescription> Describe { get; } =
        Method<DescribeRequest, HostDescription>("Describe");

    public static RpcMethod<SnapshotRequest, HostSnapshot> Snapshot { get; } =
        Method<SnapshotRequest, HostSnapshot>("Snapshot");

    /// <summary>The service.</summary>
    /// <param name="description">What the host runs.</param>
    /// <param name="counters">What its calls count.</param>
    /// <param name="connections">Connections accepted so far.</param>
    public static IEnumerable<RpcHandler> Handlers(Func<HostDescription> description, CallCounters counters, Func<int> connections) =>
    [
        RpcHandler.Unary(Describe, (_, _) => new(description())),
        RpcHandler.Unary(Snapshot, (request, _) => new(ProcessSnapshot.Take(counters, connections(), request.Collect))),
    ];

    static RpcMethod<TRequest, TResponse> Method<TRequest, TResponse>(string name)
        where TRequest : IMessage<TRequest>, new()
        where TResponse : IMessage<TResponse>, new() =>
        new($"/{service.FullName}/{name}", new GoogleMarshaller<TRequest>(), new GoogleMarshaller<TResponse>()) { Service = service };
}
