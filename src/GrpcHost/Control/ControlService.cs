using ProtoBench.GrpcHost.Hive;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost.Control;

/// <summary>What a load client asks of a host, over a connection that carries no load.</summary>
static class ControlService
{
    public static RpcMethod<DescribeRequest, HostDescription> Describe { get; } =
        new("/ProtoBench.Load.LoadControl/Describe", new GoogleMarshaller<DescribeRequest>(), new GoogleMarshaller<HostDescription>());

    public static RpcMethod<MarkRequest, HostMark> Mark { get; } =
        new("/ProtoBench.Load.LoadControl/Mark", new GoogleMarshaller<MarkRequest>(), new GoogleMarshaller<HostMark>());

    /// <summary>The service.</summary>
    /// <param name="description">What the host runs.</param>
    /// <param name="counters">What its calls count.</param>
    /// <param name="connections">Connections accepted so far.</param>
    public static IEnumerable<RpcHandler> Handlers(Func<HostDescription> description, CallCounters counters, Func<int> connections) =>
    [
        RpcHandler.Unary(Describe, (_, _) => new(description())),
        RpcHandler.Unary(Mark, (request, _) => new(ProcessMark.Take(counters, connections(), request.Collect))),
    ];
}
