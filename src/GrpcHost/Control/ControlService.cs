using System.Runtime;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Allocators;
using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost;

/// <summary>The control service of a host. A load client calls it on a separate connection.</summary>
static class ControlService
{
    static readonly ServiceDescriptor service = LoadControlReflection.Descriptor.Services[0];

    public static RpcMethod<DescribeRequest, HostDescription> Describe { get; } =
        Method<DescribeRequest, HostDescription>("Describe");

    public static RpcMethod<SnapshotRequest, HostSnapshot> Snapshot { get; } =
        Method<SnapshotRequest, HostSnapshot>("Snapshot");

    public static RpcMethod<ClientSetup, ClientReady> Connect { get; } = Method<ClientSetup, ClientReady>("Connect");

    public static RpcMethod<ClientLoad, ClientRound> Load { get; } = Method<ClientLoad, ClientRound>("Load");

    public static RpcMethod<StopRequest, StopReply> Stop { get; } = Method<StopRequest, StopReply>("Stop");

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

/// <summary>The resources used since the start. The difference of two snapshots is the use in the window between them.</summary>
static class ProcessSnapshot
{
    /// <param name="collect">Whether to run a full garbage collection first, so that a window starts with an empty generation 0.</param>
    public static HostSnapshot Take(CallCounters counters, int connections, bool collect)
    {
        if (collect)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        return new()
        {
            AllocatedBytes = GC.GetTotalAllocatedBytes(precise: true),
            Gen0Collections = GC.CollectionCount(0),
            Gen1Collections = GC.CollectionCount(1),
            Gen2Collections = GC.CollectionCount(2),
            GcPauseNs = GC.GetTotalPauseDuration().Ticks * 100,
            CpuNs = Environment.CpuUsage.TotalTime.Ticks * 100,
            LockContentions = Monitor.LockContentionCount,
            Calls = counters.Handled,
            SlicesOutstanding = SlabPool.Shared.Snapshot().LiveSlices,
            WorkingSet = Environment.WorkingSet,
            CompiledMethods = JitInfo.GetCompiledMethodCount(),
            CommittedHeap = GC.GetGCMemoryInfo().TotalCommittedBytes,
            Connections = connections,
            Decoded = counters.Decoded,
            Encoded = counters.Encoded,
            DecodeNs = counters.DecodeTime.Ticks * 100,
            EncodeNs = counters.EncodeTime.Ticks * 100,
            HandlerNs = counters.HandlerTime.Ticks * 100,
        };
    }

    /// <param name="empty">The difference of two consecutive snapshots. It is the overhead of a snapshot, which is subtracted.</param>
    public static ProcessUse Between(HostSnapshot before, HostSnapshot after, HostSnapshot? empty, long calls) => new()
    {
        Calls = calls,
        AllocatedBytes = Math.Max(0, after.AllocatedBytes - before.AllocatedBytes - (empty?.AllocatedBytes ?? 0)),
        GcCollections =
            [after.Gen0Collections - before.Gen0Collections, after.Gen1Collections - before.Gen1Collections,
                after.Gen2Collections - before.Gen2Collections],
        GcPauseUs = (after.GcPauseNs - before.GcPauseNs) / 1e3,
        CpuUs = Math.Max(0, after.CpuNs - before.CpuNs - (empty?.CpuNs ?? 0)) / 1e3,
        LockContentions = after.LockContentions - before.LockContentions,
        Encodes = after.Encoded - before.Encoded,
        Decodes = after.Decoded - before.Decoded,
        SlicesOutstanding = after.SlicesOutstanding,
        WorkingSetBytes = after.WorkingSet,
        CommittedHeapBytes = after.CommittedHeap,
    };

    public static HostSnapshot OverheadOf(HostSnapshot first, HostSnapshot second) => new()
    {
        AllocatedBytes = second.AllocatedBytes - first.AllocatedBytes,
        CpuNs = second.CpuNs - first.CpuNs,
    };
}
