namespace ProtoBench.Rpc;

/// <summary>Keeps used message objects for the next caller. Two ways to do it, for the rows and codecs that compare them with
/// <c>Microsoft.Extensions.ObjectPool</c>.</summary>
/// <remarks>Ownership: a rented object is the caller's alone until it is returned, once. The caller resets it
/// before returning it; the recycler does not reset it. Thread safety: any thread rents and returns.</remarks>
public abstract class Recycler<T>
    where T : class
{
    private protected Recycler()
    {
    }

    public abstract T Rent();

    public abstract void Return(T item);
}

/// <summary>One spare object per thread, without any synchronization: the fastest recycler where a request begins and ends on one
/// thread.</summary>
/// <remarks>
/// <para>Ownership: a rented object is the caller's alone until it is returned, once. The caller resets it before returning it; the
/// recycler does not reset it. An object that is returned on another thread stays there. When a thread ends, its spare object is collected;
/// slabs that it holds are collected too, and their pool counts them as stranded.</para>
/// <para>A second return is refused while the object is the spare of the thread that returns it. On another thread, or after the object was
/// rented again, it is not noticed, and two callers then use one object. Where an object may be released twice, use
/// <see cref="BagRecycler{T}"/> or a handle with a number that changes at each rent.</para>
/// <para>Thread safety: any thread rents and returns; each has its own spare.</para>
/// </remarks>
public sealed class ThreadStaticRecycler<T> : Recycler<T>
    where T : class, new()
{
    [ThreadStatic]
    static T? spare;

    ThreadStaticRecycler()
    {
    }

    public static ThreadStaticRecycler<T> Instance { get; } = new();

    public override T Rent()
    {
        var item = spare;
        if (item is null) return new();
        spare = null;
        return item;
    }

    public override void Return(T item)
    {
        ArgumentNullException.ThrowIfNull(item);
        if (spare is null) spare = item;
        else if (spare != item) (item as IDisposable)?.Dispose();
        else throw new InvalidOperationException("This object was returned already.");
    }
}

/// <summary>A limited number of spare objects that all threads share: the recycler for servers, where a request may end on another thread
/// than it began.</summary>
/// <remarks>
/// <para>Ownership: a rented object is the caller's alone until it is returned, once. The caller resets it
/// before returning it; the recycler does not reset it.</para>
/// <para>A second return is refused while the object is in the recycler, on any thread. Two returns at the same moment may both be
/// accepted. The object is still lent to one caller only, unless two callers rent at that same moment too. After the object was rented
/// again, a second return cannot be distinguished from the renter's own: two callers would then use one object. Objects that may be
/// released twice need a handle with a number that changes at each rent.</para>
/// <para>Thread safety: any thread rents and returns, without locks. A return looks at every object that is kept, so keep the capacity
/// to tens.</para>
/// </remarks>
public sealed class BagRecycler<T> : Recycler<T>
    where T : class
{
    // A slot is null or holds a spare object. A thread begins its search at a slot of its own.
    internal readonly T?[] slots;
    readonly Func<T> create;

    /// <param name="capacity">How many objects are kept. The default is two for each core: one in use and one on its way back.</param>
    public BagRecycler(Func<T> create, int? capacity = null)
    {
        ArgumentNullException.ThrowIfNull(create);
        this.create = create;
        var count = capacity ?? 2 * Environment.ProcessorCount;
        ArgumentOutOfRangeException.ThrowIfNegative(count, nameof(capacity));
        slots = new T?[count];
    }

    public override T Rent() => Take() ?? create();

    public override void Return(T item)
    {
        ArgumentNullException.ThrowIfNull(item);
        while (true)
        {
            var free = FindFree(item);
            if (free < 0)
            {
                Discard(item);
                return;
            }

            if (Interlocked.CompareExchange(ref slots[free], item, null) is null) return;
        }
    }

    T? Take()
    {
        var slots = this.slots;
        var at = Home;
        for (var i = 0; i < slots.Length; i++)
        {
            if (Volatile.Read(ref slots[at]) is { } item && Interlocked.CompareExchange(ref slots[at], null, item) == item)
            {
                RemoveCopies(item);
                return item;
            }

            if (++at == slots.Length) at = 0;
        }

        return null;
    }

    int Home => slots.Length == 0 ? 0 : (int)((uint)Environment.CurrentManagedThreadId % (uint)slots.Length);

    /// <summary>The nearest free slot, or -1.</summary>
    int FindFree(T item)
    {
        var free = -1;
        var at = Home;
        for (var i = 0; i < slots.Length; i++)
        {
            var other = Volatile.Read(ref slots[at]);
            if (other == item) throw ReturnedTwice();
            if (other is null && free < 0) free = at;
            if (++at == slots.Length) at = 0;
        }

        return free;
    }

    /// <summary>Removes copies of an object that is rented. Two threads that return the same object at the same moment do not see each
    /// other's return, so a second copy may be here.</summary>
    void RemoveCopies(T item)
    {
        for (var i = 0; i < slots.Length; i++)
        {
            if (Volatile.Read(ref slots[i]) == item) Interlocked.CompareExchange(ref slots[i], null, item);
        }
    }

    static void Discard(object item) => (item as IDisposable)?.Dispose();

    static InvalidOperationException ReturnedTwice() => new("This object was returned already.");
}
