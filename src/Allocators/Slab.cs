using System.Buffers;
using System.Runtime.InteropServices;

namespace ProtoBench.Allocators;

/// <summary>One large pinned array rented from a <see cref="SlabPool"/>, from which slices are cut.</summary>
/// <remarks>Ownership: the renter's alone until <see cref="SlabPool.Return"/> or <see cref="IDisposable.Dispose"/>, which do the same, is
/// called once. After that the same object serves another renter, so the fast form cannot notice a late use;
/// <see cref="DiagnosticSlabPool"/> does. Thread safety: none, except that references to counted slices may be dropped on any
/// thread.</remarks>
public class Slab : CountedMemory
{
    // While its allocator still cuts slices from a slab, their number is a plain field of that allocator's and the shared counter starts
    // here, so that it cannot reach zero; Seal() replaces the bias with the true number. That saves the interlocked add of each rent.
    const int bias = 1 << 30;

    // The most slices that one slab may have. While the slab is open, all of them may be released, and the counter with the bias must stay
    // above zero. The fast path stops after this number of bytes (limit), and each of its slices takes at least one byte. The slow path
    // counts slices.
    internal const int MaxSlices = 1 << 24;

    // The limits of the counter without and with the bias. Below them, a snapshot on any thread sees from the counter alone whether it has
    // the bias: the first limit is less than a counter with the bias, and is not exceeded when the second one loses the bias.
    const int mostReferences = bias / 2;
    const int mostWithBias = bias + mostReferences - MaxSlices;

    /// <summary>A slab of length 0. An owner holds it before it rents a slab, so that its fast path needs no null check.</summary>
    internal static readonly Slab None = new(null, [], null);

    // Bytes handed out, and where the fast path has to stop. limit is Length, or always equal to used when every step must be checked.
    // A checked slab loses its array when it is returned; a fast one keeps it for good.
    internal byte[] bytes;
    internal int used;
    internal int limit;
    internal int slices;
    internal Slab? next;
    internal int generation;
    internal int rented;
    internal PoisonStamp? poisoned;
    internal readonly SlabEntry entry;

    // The value that released bytes are overwritten with, or null to leave them.
    internal readonly byte? scrub;
    readonly SlabPool? pool;

    // References in the low half, bytes in the high half. Only the low half decides; a slice that is released under another length than
    // it was rented under (a part of it, say) makes the high half wrong, never the low one.
    PaddedLong count;

    internal Slab(SlabPool? pool, byte[] bytes, byte? scrub)
    {
        this.pool = pool;
        this.bytes = bytes;
        this.scrub = scrub;
        limit = bytes.Length;
        entry = new(this);
    }

    /// <summary>The whole array. It is on the pinned object heap: the garbage collector never moves it.</summary>
    /// <exception cref="ObjectDisposedException">The slab was returned, and it came from a <see cref="DiagnosticSlabPool"/>.</exception>
    internal byte[] Array => bytes ?? throw Returned();

    /// <summary>Size in bytes, at least what was asked for.</summary>
    public int Length => Array.Length;

    internal SlabPool Pool => pool!;

    internal int Room => bytes.Length - used;

    /// <summary>Outstanding references to counted slices.</summary>
    internal int LiveSlices
    {
        get
        {
            var references = (int)Volatile.Read(ref count.Value);
            return references > mostReferences ? references - bias + slices : Math.Max(0, references);
        }
    }

    /// <summary>Bytes handed out and not yet released: exact for arenas and writers and for counted slices that are released
    /// whole.</summary>
    internal int LiveBytes
    {
        get
        {
            // Below zero there were no slices, and somebody released one late.
            var counted = Volatile.Read(ref count.Value);
            return (int)counted < 0 ? used : Math.Clamp(used + (int)(counted >> 32), 0, used);
        }
    }

    /// <summary>The memory of a slice that is not counted.</summary>
    internal virtual Memory<byte> Slice(int start, int length) => MemoryMarshal.CreateFromPinnedArray(bytes, start, length);

    /// <summary>The memory of a counted slice.</summary>
    internal Memory<byte> Counted(int start, int length) => CreateMemory(start, length);

    /// <summary>Who counts the references of the slice that was cut last.</summary>
    internal virtual CountedMemory OwnerOf(int start, int length) => this;

    /// <summary>Moves the end of the handed-out part: every step but the fast ones.</summary>
    internal virtual void MoveTo(int end)
    {
        if (end < used && scrub is { } value) bytes.AsSpan(end, used - end).Fill(value);
        used = end;
        limit = Math.Min(bytes.Length, (int)Math.Min(int.MaxValue, end + (long)MaxSlices));
    }

    /// <summary>Hands out the bytes up to <paramref name="end"/>, on every path but the fast ones.</summary>
    /// <exception cref="InvalidOperationException">A diagnostic pool found a late write.</exception>
    internal virtual void Cut(int end) => MoveTo(end);

    /// <summary>Releases everything that was cut, when all counted slices are released.</summary>
    internal virtual void Rewind()
    {
        MoveTo(0);
        OpenCounted();
    }

    /// <summary>Resizes the slice that ends where the handed-out part ends.</summary>
    internal bool TryResize(byte[]? array, int start, int length, int newLength)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(newLength);
        if (array != bytes || start + length != used || newLength > bytes.Length - start) return false;
        if (newLength > length) Cut(start + newLength);
        else MoveTo(start + newLength);
        return true;
    }

    /// <summary>Marks the slab as lent, all of it.</summary>
    internal void Lend()
    {
        rented = 1;
        generation++;
        slices = 0;
        count.Value = 0;
        used = limit = bytes.Length;
    }

    /// <summary>Makes a fresh slab ready for an owner that cuts slices from it.</summary>
    internal Slab Open()
    {
        used = 0;
        MoveTo(0);
        return this;
    }

    /// <summary>As <see cref="Open"/>, for slices that are counted.</summary>
    internal Slab OpenCounted()
    {
        count.Value = bias;
        slices = 0;
        return Open();
    }

    /// <summary>Whether an allocator cuts slices from the slab, or slices of it are not released.</summary>
    internal bool HasSlicesOut => (int)Volatile.Read(ref count.Value) > 0;

    /// <summary>Whether every slice that was cut since <see cref="OpenCounted"/> is released.</summary>
    internal bool AllBack => (int)Volatile.Read(ref count.Value) == bias - slices;

    /// <summary>Ends cutting: from now on the last release recycles the slab.</summary>
    /// <returns>Whether no reference is left, so that the slab is still the caller's.</returns>
    /// <exception cref="InvalidOperationException">More releases than slices: the slab is not recycled.</exception>
    internal bool Seal()
    {
        var left = (int)Interlocked.Add(ref count.Value, slices - bias);
        if (left < 0) throw OverReleased();
        return left == 0;
    }

    internal override void Preserve(int length)
    {
        // Never counts first and takes back afterwards: in between, the slab may have been rented by somebody else.
        var before = Volatile.Read(ref count.Value);
        while (true)
        {
            if ((int)before <= 0) throw new ObjectDisposedException(nameof(Slab), "Preserve came after the last Release of this slab.");
            if ((int)before is mostReferences or >= mostWithBias)
                throw new InvalidOperationException("This slab has 520 million references, which is the limit.");
            var seen = Interlocked.CompareExchange(ref count.Value, before + ((long)length << 32) + 1, before);
            if (seen == before) return;
            before = seen;
        }
    }

    internal override void Release(int length)
    {
        var after = Interlocked.Add(ref count.Value, -((long)length << 32) - 1);
        if ((int)after > 0) return;

        // A count below zero stays: it is set anew when the slab is next rented, and putting it right here could meet that renter.
        if ((int)after < 0) throw OverReleased();
        pool!.Return(this);
    }

    static InvalidOperationException OverReleased() =>
        new("Slices of this slab were released more often than they were rented and preserved. "
            + "Wrap the pool in a DiagnosticSlabPool to see which.");

    /// <inheritdoc/>
    public override Span<byte> GetSpan() => Array;

    /// <inheritdoc/>
    public override unsafe MemoryHandle Pin(int elementIndex = 0)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)elementIndex, (uint)Array.Length, nameof(elementIndex));
        return new((byte*)Marshal.UnsafeAddrOfPinnedArrayElement(bytes, elementIndex), default, this);
    }

    /// <inheritdoc/>
    public override void Unpin()
    {
    }

    /// <inheritdoc/>
    protected override bool TryGetArray(out ArraySegment<byte> segment)
    {
        segment = Array;
        return true;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing) pool?.Return(this);
    }

    /// <summary>The exception of a late use, where a diagnostic pool has removed the array.</summary>
    internal virtual ObjectDisposedException Returned() => new(nameof(Slab), "This slab was returned to its pool.");

    // The owner bumps `used` while others release: a cache line of its own on either side keeps the two apart.
    [StructLayout(LayoutKind.Explicit, Size = 128)]
    struct PaddedLong
    {
        [FieldOffset(64)]
        public long Value;
    }
}
