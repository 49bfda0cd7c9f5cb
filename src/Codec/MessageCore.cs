using ProtoBench.Allocators;

namespace ProtoBench.Codec;

/// <summary>Represents the recyclable memory of one message. A <see cref="Message{T}"/> is a handle to it.</summary>
/// <remarks><see cref="Rental"/> holds the number of the renting, times four, plus the state: idle, rented or being emptied. Each change of
/// the state is one compare-and-swap, so only one of several concurrent callers succeeds.</remarks>
abstract class MessageCore
{
    const int idle = 0;
    const int rented = 1;
    const int emptied = 2;

    readonly RecycledMessages.Registration? registration;
    readonly SlabPool pool;
    long rental = emptied;

    // Nobody has seen the message since it was emptied.
    bool isFresh = true;

    private protected MessageCore(SlabPool pool, bool recycled)
    {
        this.pool = pool;
        registration = recycled ? RecycledMessages.Register(this) : null;
    }

    /// <summary>The renting that a handle must have to be valid.</summary>
    public long Rental => Volatile.Read(ref rental);

    /// <summary>The storage of the outermost message.</summary>
    public Storage Root = null!;

    public MessageMemory Memory => Root.Memory;

    /// <summary>The retention period in which the core was released last.</summary>
    public int UsedInPeriod;

    /// <summary>Takes an idle core for a renter.</summary>
    public bool TryRent()
    {
        var now = Rental;
        return (now & 3) == idle && Interlocked.CompareExchange(ref rental, now + rented, now) == now;
    }

    /// <summary>Gives the memory of an idle core back. A core that was rented meanwhile keeps it.</summary>
    /// <returns>Bytes that were given back.</returns>
    public long Trim()
    {
        var now = Rental;
        if ((now & 3) != idle || Interlocked.CompareExchange(ref rental, now + emptied, now) != now) return 0;
        var bytes = Memory.HeldBytes;
        ReopenEmpty(registration!);
        Volatile.Write(ref rental, now + 4);
        return bytes - Memory.HeldBytes;
    }

    /// <summary>Notes that somebody has a view, so that the next parse has to make it stale.</summary>
    public void MarkSeen()
    {
        if (isFresh) isFresh = false;
    }

    public void Clear()
    {
        if (!isFresh) Empty();
    }

    /// <summary>Empties the message for what is parsed now.</summary>
    public void Begin()
    {
        if (!isFresh) Empty();
        isFresh = false;
    }

    public void ThrowIfOwned(ReadOnlySpan<byte> input)
    {
        if (!isFresh && Memory.Owns(input))
            throw new ArgumentException("The input is memory of the message that is to be parsed: copy it first.", nameof(input));
    }

    /// <summary>Ends a renting, and gives the memory back. The core is not rented again: the garbage collector has found it, so it is
    /// not counted any more (<see cref="RecycledMessages"/>).</summary>
    public void Abandon(long renting)
    {
        if (Interlocked.CompareExchange(ref rental, renting + emptied - rented, renting) == renting) Memory.Release();
    }

    /// <summary>Ends the making of the core: from now on it can be rented, and trimmed.</summary>
    private protected void Open()
    {
        Root = NewRoot();

        // Other numbers for each core: of a handle that is read while it is written, one half may be another handle's.
        Volatile.Write(ref rental, (4 * Random.Shared.NextInt64(1, 1L << 60)) + idle);
    }

    /// <summary>Ends a renting, if it is not ended yet.</summary>
    /// <returns>Whether the core is idle from now on, and the caller has to keep it for its next renter.</returns>
    private protected bool TryEnd(long renting)
    {
        if (Interlocked.CompareExchange(ref rental, renting + emptied - rented, renting) != renting) return false;
        if (registration is null)
        {
            Memory.Release();
            return false;
        }

        Empty();
        UsedInPeriod = RecycledMessages.Period;
        registration.Count(Memory.HeldBytes);
        if (RecycledMessages.IsOverLimit) ReopenEmpty(registration);
        Volatile.Write(ref rental, renting + 4 - rented);
        return true;
    }

    private protected void Empty()
    {
        Memory.Reset();
        if (Memory.IsWornOut)
        {
            Memory.Release();
            Root = NewRoot();
        }

        isFresh = true;
    }

    /// <summary>Makes the storages of the message type.</summary>
    private protected abstract Storage CreateStorage(MessageMemory memory);

    Storage NewRoot()
    {
        var memory = new MessageMemory(pool, registration is not null);
        memory.Open(CreateStorage(memory));
        return memory.Root;
    }

    void ReopenEmpty(RecycledMessages.Registration registration)
    {
        Memory.Release();
        Memory.Reopen();
        isFresh = true;
        registration.Count(Memory.HeldBytes);
    }
}
