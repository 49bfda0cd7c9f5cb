namespace ProtoBench.Allocators;

/// <summary>Why a pool drops idle slabs.</summary>
public enum SlabPoolTrimReason
{
    /// <summary><see cref="SlabPool.Trim"/> was called, or the pool was disposed. Give back everything that is idle.</summary>
    Requested,

    /// <summary>A full garbage collection left the process short of memory. Give back everything that is idle.</summary>
    MemoryPressure,

    /// <summary>A period of <see cref="SlabPoolOptions.IdleRetention"/> has ended. Give back what was idle throughout the period.</summary>
    RetentionPeriodEnded,
}

/// <summary>What <see cref="SlabPool.Trimming"/> tells its handlers.</summary>
/// <param name="reason">Why the pool drops slabs.</param>
public sealed class SlabPoolTrimmingEventArgs(SlabPoolTrimReason reason) : EventArgs
{
    /// <summary>Why the pool drops slabs.</summary>
    public SlabPoolTrimReason Reason { get; } = reason;
}
