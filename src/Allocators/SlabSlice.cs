using System.Buffers;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.Allocators;

/// <summary>A counted slice as a struct: a part of an array, and the owner that counts its references.</summary>
/// <remarks>Ownership: every reference (the rent, and each <see cref="Preserve"/>) needs one <see cref="Release"/>; copies of this struct
/// share a reference. Thread safety: any thread may preserve and release. Span access costs no more than an array's. The default value is
/// an empty slice without an owner.</remarks>
public readonly struct SlabSlice : IEquatable<SlabSlice>
{
    readonly CountedMemory? owner;

    // Null where a diagnostic owner must be asked at each access.
    readonly byte[]? bytes;
    readonly int start;

    internal SlabSlice(CountedMemory owner, byte[]? bytes, int start, int length)
    {
        this.owner = owner;
        this.bytes = bytes;
        this.start = start;
        Length = length;
    }

    /// <summary>Bytes.</summary>
    public int Length { get; }

    /// <summary>The bytes, until the last release.</summary>
    /// <exception cref="ObjectDisposedException">The slice was released and came from a diagnostic pool.</exception>
    public Span<byte> Span => bytes is null ? (owner is null ? default : owner.GetSpan()) : new(bytes, start, Length);

    /// <summary>The bytes, until the last release. This memory is not counted itself: release the slice, not the memory.</summary>
    public Memory<byte> Memory => bytes is null ? (owner is null ? default : owner.Memory) : new(bytes, start, Length);

    /// <summary>Adds a reference.</summary>
    /// <exception cref="InvalidOperationException">The last reference is gone already, or the slab has 520 million references.</exception>
    public void Preserve() => owner?.Preserve(Length);

    /// <summary>Drops a reference. The bytes must not be touched through it afterwards.</summary>
    /// <exception cref="InvalidOperationException">It was released more often than rented and preserved. The fast form sees that only when
    /// the whole slab is over-released; <see cref="DiagnosticSlabPool"/> sees it at the first call too many.</exception>
    public void Release() => owner?.Release(Length);

    /// <summary>Moves the bytes to memory of their own and drops this reference, so that a slice that lives long does not keep the slab of
    /// its short-lived neighbours.</summary>
    /// <param name="to">Lends the new memory: an allocator that is used for long-lived slices only, and by this thread.</param>
    /// <returns>The new slice, with one reference. This one must not be used afterwards.</returns>
    /// <exception cref="InvalidOperationException">As <see cref="Release"/>. No new slice is left out then.</exception>
    /// <inheritdoc cref="SliceAllocator.Rent" path="/exception"/>
    public SlabSlice CopyOut(SliceAllocator to)
    {
        ArgumentNullException.ThrowIfNull(to);
        var from = Span;
        var copy = to.Rent(Length);
        from.CopyTo(copy.Span);
        try
        {
            Release();
        }
        catch
        {
            copy.Release();
            throw;
        }

        return copy;
    }

    /// <summary>Where the slice lies, if it is an intact part of a slab.</summary>
    internal bool TryGetPlace([NotNullWhen(true)] out byte[]? array, out int offset)
    {
        var found = owner is CheckedSlice cut ? cut.Place : new ArraySegment<byte>(bytes ?? [], start, bytes is null ? 0 : Length);
        (array, offset) = (found.Array, found.Offset);
        return owner is not null && array is not null;
    }

    internal SlabSlice Resized(int length)
    {
        if (owner is CheckedSlice cut) cut.Resize(length);
        return new(owner!, bytes, start, length);
    }

    /// <summary>Whether both are the same place in the same memory.</summary>
    public static bool operator ==(SlabSlice left, SlabSlice right) => left.Equals(right);

    /// <summary>Whether they are different places.</summary>
    public static bool operator !=(SlabSlice left, SlabSlice right) => !left.Equals(right);

    /// <inheritdoc/>
    public bool Equals(SlabSlice other) =>
        owner == other.owner && bytes == other.bytes && start == other.start && Length == other.Length;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is SlabSlice other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(owner, start, Length);
}

/// <summary>Memory with a reference count: the owner of a <see cref="SlabSlice"/>, and the manager of the memory that
/// <see cref="SliceAllocator.RentMemory"/> returns.</summary>
/// <remarks>Thread safety: references are added and dropped from any thread.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class CountedMemory : MemoryManager<byte>
{
    private protected CountedMemory()
    {
    }

    /// <summary>Adds one reference to a slice.</summary>
    /// <param name="length">Bytes of the slice, for the statistics of live bytes.</param>
    /// <exception cref="InvalidOperationException">The last reference is gone already, or the slab has 520 million references.</exception>
    internal abstract void Preserve(int length);

    /// <summary>Drops one reference to a slice. The call that drops the last reference recycles the memory.</summary>
    /// <param name="length">Bytes of the slice, for the statistics of live bytes.</param>
    /// <exception cref="InvalidOperationException">There were more releases than references, where that can be seen.</exception>
    internal abstract void Release(int length);
}
