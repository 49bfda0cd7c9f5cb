namespace ProtoBench.Allocators;

/// <summary>What a pool does when a rent would take it over <see cref="SlabPoolOptions.MaxBytes"/>.</summary>
public enum ExhaustionBehavior
{
    /// <summary>The rent throws <see cref="SlabPoolExhaustedException"/>.</summary>
    Throw,

    /// <summary>The rent succeeds with memory that is counted as unpooled and dropped when it comes back.</summary>
    AllocateUnpooled,
}

/// <summary>How a <see cref="SlabPool"/> behaves.</summary>
public sealed record SlabPoolOptions
{
    /// <summary>512 KiB: a message of a few hundred kilobytes fits one slab, and the pinned heap is cut into few, equal pieces.</summary>
    public const int DefaultSlabSize = 512 * 1024;

    /// <summary>The name under which the pool's numbers appear; the meter adds up pools of the same name.</summary>
    public string Name { get; init; } = "private";

    /// <summary>Bytes in a regular slab: 64 to 1 GiB.</summary>
    public int SlabSize { get; init; } = DefaultSlabSize;

    /// <summary>The most bytes that the pool may hold, lent and idle together. No limit by default.</summary>
    public long MaxBytes { get; init; } = long.MaxValue;

    /// <summary>What happens at the cap.</summary>
    public ExhaustionBehavior ExhaustionBehavior { get; init; }

    /// <summary>Whether bytes are zeroed before another owner can see them. Fresh slabs are zeroed then as well.</summary>
    public bool ClearOnReturn { get; init; }

    /// <summary>The largest number of idle bytes in the pool. A slab that is returned beyond that is dropped. 0 keeps nothing. The default
    /// (null) is a quarter of what the process may use: the heap's hard limit, the container's limit or the machine's memory.</summary>
    public long? MaxIdleBytes { get; init; }

    /// <summary>Slabs that were not needed for this long are dropped: one minute by default, <see cref="Timeout.InfiniteTimeSpan"/>
    /// never.</summary>
    /// <remarks>The pool's time is cut into periods of this length. A period ends at the first rent or return after its time or, in a pool
    /// that is not called, at the next full garbage collection. What lay idle throughout the period is dropped then, so a slab is dropped
    /// one to two periods after its last use. The pool has no timer: a process that neither calls the pool nor collects keeps the
    /// slabs. Memory pressure is independent of this time: see <see cref="SlabPool"/>.</remarks>
    public TimeSpan IdleRetention { get; init; } = TimeSpan.FromMinutes(1);

    /// <summary>The clock of <see cref="IdleRetention"/>.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;
}
