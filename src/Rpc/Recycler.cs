namespace ProtoBench.Rpc;

/// <summary>Two ways, which rows and codecs compare with <c>Microsoft.Extensions.ObjectPool</c>. A rented object is the caller's alone
/// until it is returned, once. The caller resets it before. Thread-safe.</summary>
public abstract class Recycler<T>
    where T : class
{
    private protected Recycler()
    {
    }

    public abstract T Rent();

    public abstract void Return(T item);
}

/// <summary>One spare object for each thread, without synchronization. An object that is returned on another thread stays there. A second
/// return is refused while the object is the spare of that thread. Otherwise it is not noticed, and two callers use one object.</summary>
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

/// <summary>A limited number of spare objects that all threads share. It is for servers, where a request may begin on one thread and end on
/// another one. A second return of an object is refused while the object is in the recycler. Two returns at the same moment may both be
/// accepted. Two callers get the object then only if they rent at that moment too. A return compares the object with each spare object, so
/// the capacity should be tens.</summary>
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
