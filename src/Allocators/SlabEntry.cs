namespace ProtoBench.Allocators;

/// <summary>The record that a pool keeps of a slab. It has the size also after the slab was collected, so that the pool can count the lost
/// bytes. Protected by the pool's lock.</summary>
/// <remarks>Resurrection is tracked because the finalizer of a <see cref="SliceAllocator"/> may still give its slab back.</remarks>
sealed class SlabEntry(Slab slab)
{
    readonly WeakReference<Slab> slab = new(slab, trackResurrection: true);
    Slab? kept;

    /// <summary>Bytes that the slab holds, 0 once it was dropped.</summary>
    public int Length { get; set; } = slab.Length;

    /// <summary>Whether the slab is idle in the pool.</summary>
    public bool IsIdle { get; set; }

    /// <summary>The slab, or null after it was collected.</summary>
    public Slab? Slab => slab.TryGetTarget(out var target) ? target : null;

    /// <summary>Says whether a full garbage collection may take the slab while it is idle.</summary>
    public void Keep(bool whateverHappens) => kept = whateverHappens ? Slab : null;
}
