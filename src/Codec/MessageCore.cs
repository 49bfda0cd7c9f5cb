using System.Collections.Concurrent;
using ProtoBench.Allocators;

namespace ProtoBench.Codec;

/// <summary>What a <see cref="Message{T}"/> is a handle of: the memory of one message, over and over, each time for another renter.</summary>
/// <remarks>Who has it says <see cref="Rental"/>: four times the number of the renting, and a state. Each change of hands is one
/// compare-and-swap, so one of several callers gets it, whatever they believe to own.</remarks>
abstract class MessageCore
{
    const int idle = 0;
    const int rented = 1;
    const int emptied = 2;

    readonly RecycledMessages.Registration? registration;
    long rental = emptied;

    private protected MessageCore(bool recycled) => registration = recycled ? RecycledMessages.Register(this) : null;

    /// <summary>The renting that a handle must have to be valid.</summary>
    public long Rental => Volatile.Read(ref rental);

    /// <summary>The retention period in which the core was released last.</summary>
    public int UsedInPeriod { get; private set; }

    /// <summary>Bytes that the core keeps for its next renter.</summary>
    private protected abstract long HeldBytes { get; }

    /// <summary>Takes an idle core for a renter.</summary>
    public bool TryRent()
    {
        var now = Rental;
        return (now & 3) == idle && Interlocked.CompareExchange(ref rental, now + rented, now) == now;
    }

    /// <summary>Ends the making of the core: from now on it can be rented, and trimmed.</summary>
    private protected void Open() => Volatile.Write(ref rental, 4 + idle);

    /// <summary>Ends a renting, if it is not ended yet.</summary>
    public void Release(long renting)
    {
        if (Interlocked.CompareExchange(ref rental, renting + emptied - rented, renting) != renting) return;
        if (registration is null)
        {
            ReleaseMemory();
            return;
        }

        Empty();
        UsedInPeriod = RecycledMessages.Period;
        registration.Count(HeldBytes);
        if (RecycledMessages.IsOverLimit) ReopenEmpty(registration);
        Volatile.Write(ref rental, renting + 4 - rented);
        Keep();
    }

    /// <summary>Gives the memory of an idle core back. A core that was rented meanwhile keeps it.</summary>
    /// <returns>Bytes that were given back.</returns>
    public long Trim()
    {
        var now = Rental;
        if ((now & 3) != idle || Interlocked.CompareExchange(ref rental, now + emptied, now) != now) return 0;
        var bytes = HeldBytes;
        ReopenEmpty(registration!);
        Volatile.Write(ref rental, now + 4);
        return bytes - HeldBytes;
    }

    private protected abstract void Empty();

    private protected abstract void ReleaseMemory();

    private protected abstract void Reopen();

    private protected abstract void Keep();

    void ReopenEmpty(RecycledMessages.Registration registration)
    {
        ReleaseMemory();
        Reopen();
        registration.Count(HeldBytes);
    }
}

/// <inheritdoc/>
sealed partial class MessageCore<T> : MessageCore
    where T : struct, IMessage<T>
{
    static readonly ConcurrentBag<MessageCore<T>> bag = [];
    static readonly int bagCapacity = 2 * Environment.ProcessorCount;
    static int bagCount;

    // Most messages end on the thread where the next one begins; the bag is for the others.
    [ThreadStatic]
    static MessageCore<T>? spare;

    readonly SlabPool pool;

    // Nobody has seen the message since it was emptied.
    bool isFresh = true;
    T value;

    MessageCore(SlabPool pool, bool recycled)
        : base(recycled)
    {
        this.pool = pool;
        Memory = NewMemory();
        Open();
    }

    public MessageMemory Memory { get; private set; }

    public T Content => value;

    private protected override long HeldBytes => Memory.HeldBytes;

    /// <summary>Notes that somebody has a view, so that the next parse has to make it stale.</summary>
    public void MarkSeen()
    {
        if (isFresh) isFresh = false;
    }

    public static MessageCore<T> Rent()
    {
        var core = spare;
        spare = null;
        while (core is null || !core.TryRent())
        {
            if (bag.TryTake(out core)) Interlocked.Decrement(ref bagCount);
            else core = new(SlabPool.Shared, recycled: true);
        }

        return core;
    }

    public static MessageCore<T> Rent(SlabPool pool)
    {
        var core = new MessageCore<T>(pool, recycled: false);
        core.TryRent();
        return core;
    }

    public void Clear()
    {
        if (!isFresh) Empty();
    }

    public void Begin()
    {
        if (!isFresh) Empty();
        isFresh = false;
    }

    public T Read(WireReader reader)
    {
        try
        {
            T.Parse(reader, value);
            return value;
        }
        catch
        {
            Empty();
            throw;
        }
    }

    public void ThrowIfOwned(ReadOnlySpan<byte> input)
    {
        if (!isFresh && Memory.Owns(input)) throw new ArgumentException("The input is memory of the message that is to be parsed: copy it first.", nameof(input));
    }

    private protected override void Empty()
    {
        Memory.Reset();
        if (Memory.IsWornOut)
        {
            Memory.Release();
            Memory = NewMemory();
        }

        value = T.Create(Memory.Root);
        isFresh = true;
    }

    private protected override void ReleaseMemory() => Memory.Release();

    private protected override void Reopen()
    {
        Memory.Reopen();
        value = T.Create(Memory.Root);
        isFresh = true;
    }

    private protected override void Keep()
    {
        if (spare is null)
        {
            spare = this;
            return;
        }

        // The bag's own Count takes every thread's lock; this counter is at least what the bag holds, so the bound is kept.
        if (Interlocked.Increment(ref bagCount) <= bagCapacity)
        {
            bag.Add(this);
            return;
        }

        Interlocked.Decrement(ref bagCount);
        Trim();
    }

    MessageMemory NewMemory()
    {
        var memory = new MessageMemory(pool);
        memory.Open(T.CreateStorage(memory));
        value = T.Create(memory.Root);
        return memory;
    }
}
