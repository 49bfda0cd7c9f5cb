namespace ProtoBench.Allocators;

/// <summary>A slab in its pool's register: its size outlives it, and tells what was lost with it. Guarded by the pool's lock.</summary>
/// <remarks>Resurrection is tracked because the finalizer of a <see cref="SliceAllocator"/> may still give its slab back.</remarks>
sealed class SlabEntry(Slab slab)
{
    readonly WeakReference<Slab> slab = new(slab, trackResurrection: true);
    Slab? kept;

    /// <summary>Bytes that the slab holds, 0 once it was dropped.</summary>
    public int Length { get; set; } = slab.Length;

    /// <summary>Whether the slab waits on a shelf of the pool.</summary>
    public bool IsIdle { get; set; }

    /// <summary>The slab, or null after it was collected.</summary>
    public Slab? Slab => slab.TryGetTarget(out var target) ? target : null;

    /// <summary>Says whether a full garbage collection may take the slab while it is idle.</summary>
    public void Keep(bool whateverHappens) => kept = whateverHappens ? Slab : null;
}
