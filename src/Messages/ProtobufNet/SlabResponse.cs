using System.Diagnostics.CodeAnalysis;
using ProtoBench.Allocators;
using ProtoBench.Payloads;

namespace ProtoBench.Pbn;

/// <summary>The response in the shape of <see cref="SlabRequest"/>.</summary>
/// <inheritdoc cref="SlabRequest" path="/remarks"/>
public sealed class SlabResponse(LeafMemory leaves) : IDisposable
{
    /// <summary>A root over the process's pool.</summary>
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

    /// <summary>Gives all leaves back and forgets the items.</summary>
    public void Reset()
    {
        RouteLatencyInUs = RouteStartTimeInTicks = 0;
        ItemResponses.Clear();
        Leaves.Reset();
    }

    /// <summary>Counts and checksums everything in the message.</summary>
    public Fingerprint Fingerprint()
    {
        var fingerprint = Payloads.Fingerprint.Empty;
        foreach (ref var item in ItemResponses)
            fingerprint = fingerprint.Item().Value(BitConverter.SingleToUInt32Bits(item.Result)).Leaf(item.ExtraResult.Span);
        return fingerprint.Value((ulong)RouteLatencyInUs).Value((ulong)RouteStartTimeInTicks);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        ItemResponses.Dispose();
        Leaves.Dispose();
    }
}

/// <summary>One sub-item of a <see cref="SlabResponse"/>.</summary>
/// <param name="Result">The score.</param>
/// <param name="ExtraResult">The small buffer.</param>
public readonly record struct SlabResponseItem(float Result, ReadOnlyMemory<byte> ExtraResult);
