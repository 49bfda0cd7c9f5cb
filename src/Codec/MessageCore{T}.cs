using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using ProtoBench.Allocators;

namespace ProtoBench.Codec;

/// <inheritdoc/>
sealed partial class MessageCore<T> : MessageCore
    where T : struct, IMessage<T>
{
    static int bagCount;

    // Most messages end on the thread where the next one begins; the bag is for the others. The core that was released last is rented
    // first: where messages of one type are used inside of each other, each gets the core that was in its place before. If they changed
    // places, the arrays of the largest would be let go by the use for a small one, and made again.
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

    /// <summary>Ends a renting, if it is not ended yet, and keeps the core for the next one.</summary>
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
            // Aliased memory may be anybody's code, which may have released the message.
            if (Rental == renting) Empty();
            throw;
        }
    }

    private protected override Storage CreateStorage(MessageMemory memory) => T.CreateStorage(memory);

    static MessageCore<T> RentAnother()
    {
        while (true)
        {
            if (Volatile.Read(ref bagCount) == 0 || !Bag.Cores.TryTake(out var core)) core = new(SlabPool.Shared, recycled: true);
            else Interlocked.Decrement(ref bagCount);
            if (core.TryRent()) return core;
        }
    }

    void KeepInBag()
    {
        // The bag's own Count takes every thread's lock; this counter is at least what the bag holds, so the bound is kept.
        if (Interlocked.Increment(ref bagCount) <= Bag.Capacity)
        {
            Bag.Cores.Add(this);
            return;
        }

        Interlocked.Decrement(ref bagCount);
        Trim();
    }

    // Made for the first core that goes into it: the first call of a bag took 7 of the 25 ms of the first message of a process.
    static class Bag
    {
        public static readonly ConcurrentBag<MessageCore<T>> Cores = [];
        public static readonly int Capacity = 2 * Environment.ProcessorCount;
    }
}
