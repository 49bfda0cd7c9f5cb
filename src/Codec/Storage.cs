using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace ProtoBench.Codec;

/// <summary>One flat array of a message: the fields of all messages of one type
/// in it, or the elements of its repeated fields of one type.</summary>
/// <remarks>The stamp says which content the array has. It changes whenever the message is emptied (by a release, a parse or a clear), and
/// when a setter moves a list. A view keeps the stamp with which it was made and compares it after each read.</remarks>
public abstract class Storage
{
    int stamp;

    // The stamp with which the present content began. Views with a stamp from here to the present one are of the same content.
    int firstStamp;

    // Elements that belong to a field, or to the room that one may grow into.
    private protected int used;

    // Elements that hold a value or zeros of this content. Those from here to used still hold an earlier one, and cannot be reached.
    private protected int filled;

    // As many of them are zero, where no field has them: all, unless a merge was refused.
    private protected int zeroed;

    // Whether a reset has to look at more than the counts.
    private protected bool isLarge;

    private protected Storage(MessageMemory memory)
    {
        ArgumentNullException.ThrowIfNull(memory);
        Memory = memory;

        // Other numbers for each storage: of a view that is read while it is written, one half may be another view's.
        stamp = firstStamp = Random.Shared.Next(1, 1 << 30);
        memory.Register(this);
    }

    /// <summary>The memory of the message that this storage belongs to.</summary>
    public MessageMemory Memory { get; }

    /// <summary>The stamp of the present content, for a view that is made now.</summary>
    public int Stamp
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Volatile.Read(ref stamp);
    }

    /// <summary>Whether nothing was emptied or moved since the stamp was read. To be asked after reading what the stamp covers.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsCurrent(int stamp)
    {
        Volatile.ReadBarrier();
        return this.stamp == stamp;
    }

    /// <summary>Throws if the content was emptied since the stamp was read; a move is no reason. To be called after reading.</summary>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed since.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void ThrowIfEmptied(int stamp)
    {
        if (!IsCurrent(stamp)) SameContent(stamp);
    }

    /// <summary>Whether the content is still the one that the stamp was read from.</summary>
    internal bool HasContentOf(int stamp)
    {
        // In this order: a thread that sees the stamp of the next content sees its first stamp too.
        var now = Stamp;
        return (uint)(now - stamp) <= (uint)(now - Volatile.Read(ref firstStamp));
    }

    /// <summary>The present stamp, if the content is still the one that the given stamp was read from.</summary>
    /// <exception cref="ObjectDisposedException">It is not.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private protected int SameContent(int stamp)
    {
        var now = Stamp;
        if (!HasContentOf(stamp)) ThrowEmptied();
        return now;
    }

    private protected bool HasMoved(int stamp) => this.stamp != stamp;

    private protected void MoveStamp() => Volatile.Write(ref stamp, stamp + 1);

    /// <summary>Makes every view stale.</summary>
    /// <returns>The new stamp.</returns>
    internal int Invalidate()
    {
        Volatile.Write(ref firstStamp, stamp + 1);
        MoveStamp();
        return stamp;
    }

    /// <summary>From now on each element is zeroed when a list grows into it, also where it is believed to be zero.</summary>
    internal abstract void DistrustRooms();

    /// <summary>Forgets all elements and keeps the array, unless it is much
    /// larger than its recent peak. Makes every view stale.</summary>
    /// <returns>The new stamp.</returns>
    internal int Reset()
    {
        if (isLarge) ResetLarge();
        used = filled = zeroed = 0;
        return Invalidate();
    }

    /// <summary>The part of a reset that an array with few elements does not need.</summary>
    private protected abstract void ResetLarge();

    /// <summary>Lets the array go.</summary>
    internal abstract void Release();

    /// <summary>Adds the message itself, which is always element 0.</summary>
    internal abstract void AddRoot();

    [DoesNotReturn]
    internal static void ThrowEmptied() => throw Emptied();

    [DoesNotReturn]
    internal static void ThrowNoElement(int index, int count) =>
        throw new ArgumentOutOfRangeException(nameof(index), index, $"There is no element {index}: the list has {count}.");

    internal static ObjectDisposedException Emptied() =>
        new("Message", "The message that this belongs to was released, cleared or parsed again.");
}
