using ProtoBench.GrpcHost.Hive;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Control;
using ProtoBench.Rpc.Marshallers;

namespace ProtoBench.GrpcHost.Control;

/// <summary>The control service of a host. A load client calls it on a connection of its own.</summary>
static class ControlService
{
    public static RpcMethod<DescribeRequest, HostDescription> Describe { get; } =
        new("/ProtoBench.Load.LoadControl/Describe", new GoogleMarshaller<DescribeRequest>(), new GoogleMarshaller<HostDescription>());

    public static RpcMethod<SnapshotRequest, HostSnapshot> Snapshot { get; } =
        new("/ProtoBench.Load.LoadControl/Snapshot", new GoogleMarshaller<SnapshotRequest>(), new GoogleMarshaller<HostSnapshot>());

    /// <summary>The service.</summary>
    /// <param name="description">What the host runs.</param>
    /// <param name="counters">What its calls count.</param>
    /// <param name="connections">Connections accepted so far.</param>
    public static IEnumerable<RpcHandler> Handlers(Func<HostDescription> description, CallCounters counters, Func<int> connections) =>
    [
        RpcHandler.Unary(Describe, (_, _) => new(description())),
        RpcHandler.Unary(Snapshot, (request, _) => new(ProcessSnapshot.Take(counters, connections(), request.Collect))),
    ];
}
