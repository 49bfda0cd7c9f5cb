using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using ProtoBench.Allocators;
using ProtoBench.Payloads;

namespace ProtoBench.Pbn;

/// <summary>A message that is read again and again.</summary>
public interface ISlabRoot : IDisposable
{
    void Reset();
}

/// <summary>No allocations: struct items in a pooled list, leaves in slab memory, and a reused root, which owns both until <see
/// cref="Reset"/>. Not thread-safe.</summary>
public sealed class SlabRequest(LeafMemory leaves, ArrayPool<SlabRequestItem> items) : ISlabRoot
{
    public SlabRequest()
        : this(SlabPool.Shared)
    {
    }

    [SuppressMessage("Reliability", "CA2000", Justification = "the root owns its leaves and disposes them")]
    public SlabRequest(SlabPool pool)
        : this(new SlabLeaves(pool), ArrayPool<SlabRequestItem>.Shared)
    {
    }

    /// <summary>UTF-8. The wire type is that of a string, but no string is created.</summary>
    public ReadOnlyMemory<byte> TraceId { get; internal set; }

    public PooledList<SlabRequestItem> ItemRequests { get; } = new(items);

    public ReadOnlyMemory<byte> RequestContextInfo { get; internal set; }

    internal LeafMemory Leaves { get; } = leaves;

    public void Reset()
    {
        TraceId = RequestContextInfo = default;
        ItemRequests.Clear();
        Leaves.Reset();
    }

    public Fingerprint Fingerprint()
    {
        var fingerprint = Payloads.Fingerprint.Empty.Leaf(TraceId.Span);
        foreach (ref var item in ItemRequests)
            fingerprint = fingerprint.Item().Leaf(item.ItemId.Span).Leaf(item.ItemContext.Span);
        return fingerprint.Leaf(RequestContextInfo.Span);
    }

    public void Dispose()
    {
        ItemRequests.Dispose();
        Leaves.Dispose();
    }
}

/// <summary>The id is UTF-8.</summary>
public readonly record struct SlabRequestItem(ReadOnlyMemory<byte> ItemId, ReadOnlyMemory<byte> ItemContext);

/// <summary>In the form of <see cref="SlabRequest"/>.</summary>
public sealed class SlabResponse(LeafMemory leaves) : ISlabRoot
{
    [SuppressMessage("Reliability", "CA2000", Justification = "the root owns its leaves and disposes them")]
    public SlabResponse()
        : this(new SlabLeaves(SlabPool.Shared))
    {
    }

    public PooledList<SlabResponseItem> ItemResponses { get; } = new();

    /// <summary>Microseconds.</summary>
    public long RouteLatencyInUs { get; set; }

    /// <summary>Ticks of 100 ns.</summary>
    public long RouteStartTimeInTicks { get; set; }

    internal LeafMemory Leaves { get; } = leaves;

    /// <summary>The bytes are copied.</summary>
    public void Add(float result, ReadOnlySpan<byte> extraResult) => ItemResponses.Add(new(result, Leaves.Copy(extraResult)));

    public void Reset()
    {
        RouteLatencyInUs = RouteStartTimeInTicks = 0;
        ItemResponses.Clear();
        Leaves.Reset();
    }

    public Fingerprint Fingerprint()
    {
        var fingerprint = Payloads.Fingerprint.Empty;
        foreach (ref var item in ItemResponses)
            fingerprint = fingerprint.Item().Value(BitConverter.SingleToUInt32Bits(item.Result)).Leaf(item.ExtraResult.Span);
        return fingerprint.Value((ulong)RouteLatencyInUs).Value((ulong)RouteStartTimeInTicks);
    }

    public void Dispose()
    {
        ItemResponses.Dispose();
        Leaves.Dispose();
    }
}

public readonly record struct SlabResponseItem(float Result, ReadOnlyMemory<byte> ExtraResult);
