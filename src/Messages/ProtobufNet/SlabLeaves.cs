using ProtoBench.Allocators;

namespace ProtoBench.Pbn;

/// <summary>Leaves in slab memory: all of them are taken back at once.</summary>
public sealed class SlabLeaves(SlabPool pool) : LeafMemory
{
    readonly Arena arena = new(pool);

    /// <inheritdoc/>
    public override void Reset() => arena.Reset();

    /// <inheritdoc/>
    protected override Memory<byte> Rent(int length) => arena.RentMemory(length);

    /// <inheritdoc/>
    protected override void Dispose(bool disposing) => arena.Dispose();
}
