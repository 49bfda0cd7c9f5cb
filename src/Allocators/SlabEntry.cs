namespace ProtoBench.Allocators;

/// <summary>A slab in its pool's register: its size outlives it, and tells what was lost with it.</summary>
/// <remarks>Resurrection is tracked because the finalizer of a <see cref="SliceAllocator"/> may still give its slab back.</remarks>
sealed class SlabEntry(Slab slab)
{
    readonly WeakReference<Slab> slab = new(slab, trackResurrection: true);

    /// <summary>Bytes that the slab holds, 0 once it was dropped on purpose.</summary>
    public int Length { get; set; } = slab.Length;

    public Slab? Slab => slab.TryGetTarget(out var target) ? target : null;
}
