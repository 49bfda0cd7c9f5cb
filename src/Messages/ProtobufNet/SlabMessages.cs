using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using ProtoBench.Allocators;
using ProtoBench.Payloads;

namespace ProtoBench.Pbn;

/// <summary>Represents the request without allocations, with the public extension points of protobuf-net: struct items in a pooled list,
/// leaves in slab memory, and a reused root.</summary>
/// <remarks>The root owns its list and its leaves until <see cref="Reset"/> or <see cref="Dispose"/>. Not thread-safe.</remarks>
public sealed class SlabRequest(LeafMemory leaves, ArrayPool<SlabRequestItem> items) : IDisposable
{
    /// <summary>Creates a root with the pool of the process.</summary>
    public SlabRequest()
        : this(SlabPool.Shared)
    {
    }

    /// <summary>Creates a root with <paramref name="pool"/>.</summary>
    [SuppressMessage("Reliability", "CA2000", Justification = "the root owns its leaves and disposes them")]
    public SlabRequest(SlabPool pool)
        : this(new SlabLeaves(pool), ArrayPool<SlabRequestItem>.Shared)
    {
    }

    /// <summary>Gets the trace id as UTF-8. The wire type is that of a string, but no string is created.</summary>
    public ReadOnlyMemory<byte> TraceId { get; internal set; }

    /// <summary>The sub-items.</summary>
    public PooledList<SlabRequestItem> ItemRequests { get; } = new(items);

    /// <summary>The root's own bytes.</summary>
    public ReadOnlyMemory<byte> RequestContextInfo { get; internal set; }

    internal LeafMemory Leaves { get; } = leaves;

    /// <summary>Releases all leaves and removes the items.</summary>
    public void Reset()
    {
        TraceId = RequestContextInfo = default;
        ItemRequests.Clear();
        Leaves.Reset();
    }

    /// <summary>Returns a count and checksum of the content of the message.</summary>
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

/// <summary>Represents a sub-item of a <see cref="SlabRequest"/>.</summary>
/// <param name="ItemId">UTF-8 of the id.</param>
/// <param name="ItemContext">The small buffer.</param>
public readonly record struct SlabRequestItem(ReadOnlyMemory<byte> ItemId, ReadOnlyMemory<byte> ItemContext);

/// <summary>Represents the response in the form of <see cref="SlabRequest"/>.</summary>
public sealed class SlabResponse(LeafMemory leaves) : IDisposable
{
    /// <summary>Creates a root with the pool of the process.</summary>
    [SuppressMessage("Reliability", "CA2000", Justification = "the root owns its leaves and disposes them")]
    public SlabResponse()
        : this(new SlabLeaves(SlabPool.Shared))
    {
    }

    /// <summary>The sub-items.</summary>
    public PooledList<SlabResponseItem> ItemResponses { get; } = new();

    /// <summary>Microseconds.</summary>
    public long RouteLatencyInUs { get; set; }

    /// <summary>Ticks of 100 ns.</summary>
    public long RouteStartTimeInTicks { get; set; }

    internal LeafMemory Leaves { get; } = leaves;

    /// <summary>Adds a sub-item, whose bytes are copied.</summary>
    public void Add(float result, ReadOnlySpan<byte> extraResult) => ItemResponses.Add(new(result, Leaves.Copy(extraResult)));

    /// <summary>Releases all leaves and removes the items.</summary>
    public void Reset()
    {
        RouteLatencyInUs = RouteStartTimeInTicks = 0;
        ItemResponses.Clear();
        Leaves.Reset();
    }

    /// <summary>Returns a count and checksum of the content of the message.</summary>
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

/// <summary>Represents a sub-item of a <see cref="SlabResponse"/>.</summary>
public readonly record struct SlabResponseItem(float Result, ReadOnlyMemory<byte> ExtraResult);
