using System.Buffers;
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using ProtoBench.Allocators;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec;

/// <summary>Represents the recyclable memory of one message. A <see cref="Message{T}"/> is a handle to it.</summary>
/// <remarks>The value of <see cref="Rental"/> is the number of the rental, multiplied by four, plus the state: idle, rented or being
/// emptied. Each change of the state is one compare-and-swap, so only one of several concurrent callers succeeds.</remarks>
abstract class MessageCore
{
    const int idle = 0;
    const int rented = 1;
    const int emptied = 2;

    readonly RecycledMessages.Registration? registration;
    readonly SlabPool pool;
    long rental = emptied;

    // Whether no view was taken, and nothing was parsed, since the message was emptied.
    bool isFresh = true;

    private protected MessageCore(SlabPool pool, bool recycled)
    {
        this.pool = pool;
        registration = recycled ? RecycledMessages.Register(this) : null;
    }

    /// <summary>Gets the number and the state of the rental. A handle is valid if it has the same value.</summary>
    public long Rental => Volatile.Read(ref rental);

    /// <summary>The storage of the outermost message.</summary>
    public Storage Root = null!;

    public MessageMemory Memory => Root.Memory;

    /// <summary>The retention period in which the core was released last.</summary>
    public int UsedInPeriod;

    /// <summary>Rents the core, if it is idle.</summary>
    public bool TryRent()
    {
        var now = Rental;
        return (now & 3) == idle && Interlocked.CompareExchange(ref rental, now + rented, now) == now;
    }

    /// <summary>Releases the memory of an idle core. A core that was rented meanwhile keeps its memory.</summary>
    /// <returns>The number of bytes that were released.</returns>
    public long Trim()
    {
        var now = Rental;
        if ((now & 3) != idle || Interlocked.CompareExchange(ref rental, now + emptied, now) != now) return 0;
        var bytes = Memory.HeldBytes;
        ReopenEmpty(registration!);
        Volatile.Write(ref rental, now + 4);
        return bytes - Memory.HeldBytes;
    }

    /// <summary>Records that a view was taken, which the next parse must make stale.</summary>
    public void MarkSeen()
    {
        if (isFresh) isFresh = false;
    }

    public void Clear()
    {
        if (!isFresh) Empty();
    }

    /// <summary>Empties the message before a parse.</summary>
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

    /// <summary>Ends a rental and releases the memory. The core is not rented again: the garbage collector has found it, so it is not
    /// counted any more (<see cref="RecycledMessages"/>).</summary>
    public void Abandon(long renting)
    {
        if (Interlocked.CompareExchange(ref rental, renting + emptied - rented, renting) == renting) ReleaseMemory();
    }

    /// <summary>Completes the construction of the core. It can then be rented and trimmed.</summary>
    private protected void Open()
    {
        Root = NewRoot();

        // Each core starts with another number. A handle that is read while another thread writes it may have parts of two handles: the
        // core of one and the rental of the other, which then differs.
        Volatile.Write(ref rental, (4 * Random.Shared.NextInt64(1, 1L << 60)) + idle);
    }

    /// <summary>Ends a rental, if it has not ended yet.</summary>
    /// <returns>Whether the core is now idle. The caller must then keep it for its next renter.</returns>
    private protected bool TryEnd(long renting)
    {
        if (Interlocked.CompareExchange(ref rental, renting + emptied - rented, renting) != renting) return false;
        if (registration is null)
        {
            ReleaseMemory();
            return false;
        }

        Empty();
        Memory.DiscardsUnknownFields = false;
        UsedInPeriod = RecycledMessages.Period;
        registration.Count(Memory.HeldBytes);
        if (RecycledMessages.IsOverLimit) ReopenEmpty(registration);
        Volatile.Write(ref rental, renting + 4 - rented);
        return true;
    }

    private protected void Empty()
    {
        if (Memory.TryAbandon())
        {
            Root = NewRoot();
        }
        else
        {
            Memory.Reset();
            if (Memory.IsWornOut)
            {
                Memory.Release();
                Root = NewRoot();
            }
        }

        isFresh = true;
    }

    void ReleaseMemory()
    {
        if (!Memory.TryAbandon()) Memory.Release();
    }

    /// <summary>Creates the storages of the message type.</summary>
    private protected abstract Storage CreateStorage(MessageMemory memory);

    Storage NewRoot()
    {
        var memory = new MessageMemory(pool, registration is not null)
        {
            DiscardsUnknownFields = Root?.Memory.DiscardsUnknownFields == true,
        };
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

/// <inheritdoc/>
sealed class MessageCore<T> : MessageCore
    where T : struct, ISlabMessage<T>
{
    static int bagCount;

    // Most messages are released on the thread that rents the next one; the bag is for the others. The core that was released last is
    // rented first. So if messages of one type are used inside each other, each gets the core that it had before. If they exchanged their
    // cores, a core with large arrays would be used for a small message and release its arrays, and the large message would allocate them
    // again.
    [ThreadStatic]
    static MessageCore<T>? spare;

    MessageCore(SlabPool pool, bool recycled)
        : base(pool, recycled) => Open();

    public T Content => T.Create(Root);

    public static MessageCore<T> Rent()
    {
        var core = spare;
        spare = null;
        return core is not null && core.TryRent() ? core : RentAnother();
    }

    public static MessageCore<T> Rent(SlabPool pool)
    {
        var core = new MessageCore<T>(pool, recycled: false);
        core.TryRent();
        return core;
    }

    /// <summary>Ends a rental, if it has not ended yet, and keeps the core for the next one.</summary>
    public void Release(long renting)
    {
        if (!TryEnd(renting)) return;
        var before = spare;
        spare = this;
        before?.KeepInBag();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public T Read(WireReader reader)
    {
        var renting = Rental;
        try
        {
            var content = Content;
            T.Parse(reader, content);
            Memory.EndReading();
            return content;
        }
        catch
        {
            // The code of aliased memory may have released the message.
            if (Rental == renting) Empty();
            throw;
        }
    }

    private protected override Storage CreateStorage(MessageMemory memory) => T.CreateStorage(memory);

    static MessageCore<T> RentAnother()
    {
        while (true)
        {
            var core = Volatile.Read(ref bagCount) == 0 ? null : TakeFromBag();
            core ??= new(SlabPool.Shared, recycled: true);
            if (core.TryRent()) return core;
        }
    }

    // A method of its own: the JIT loads the bag's types, and their assembly, for each method that mentions the bag.
    static MessageCore<T>? TakeFromBag()
    {
        if (!Bag.Cores.TryTake(out var core)) return null;
        Interlocked.Decrement(ref bagCount);
        return core;
    }

    void KeepInBag()
    {
        // The Count of the bag takes the locks of all threads. This counter is never less than the number of cores in the bag, so the
        // capacity is not exceeded.
        if (Interlocked.Increment(ref bagCount) <= Bag.Capacity)
        {
            Bag.Cores.Add(this);
            return;
        }

        Interlocked.Decrement(ref bagCount);
        Trim();
    }

    // Created for the first core that is put into it: the first call of a bag took 7 of the 25 ms of the first message of a process.
    static class Bag
    {
        public static readonly ConcurrentBag<MessageCore<T>> Cores = [];
        public static readonly int Capacity = 2 * Environment.ProcessorCount;
    }

    /// <summary>Parses the input and merges it into the content. Existing views become stale, because lists may move.</summary>
    public T Merge(ReadOnlySpan<byte> input)
    {
        MarkSeen();
        var origin = 0;
        var reader = T.KeepsInput ? Memory.CopyMore(input, out origin) : Memory.BorrowMore(input);
        return Merge(reader, origin);
    }

    /// <inheritdoc cref="Merge(ReadOnlySpan{byte})"/>
    public T Merge(in ReadOnlySequence<byte> input)
    {
        MarkSeen();
        var reader = Memory.CopyMore(input, out var origin);
        return Merge(reader, origin);
    }

    /// <summary>Merges a message of this type, which may be this one, into the content, as <see cref="Merge(ReadOnlySpan{byte})"/>
    /// does.</summary>
    public T Merge(Storage source, int stamp, T content)
    {
        MarkSeen();
        return Merge(Memory.CopyOf(source, stamp, content), 0);
    }

    T Merge(WireReader reader, int origin)
    {
        Memory.InvalidateViews();
        var content = Content;
        var merge = Root.Stamp;
        var isComplete = false;
        try
        {
            T.Parse(reader, content);
            isComplete = true;
        }
        catch (WireFormatException e) when (origin > 0)
        {
            throw e.Before(origin);
        }
        finally
        {
            Memory.EndMerge(merge, isComplete);
        }

        return content;
    }
}
