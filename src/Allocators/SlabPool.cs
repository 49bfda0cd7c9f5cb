namespace ProtoBench.Allocators;

/// <summary>Lends slabs: large pinned arrays that are reused.</summary>
/// <remarks>
/// <para>Thread safety: every member, from any thread. Misuse (late use, double release, leaks) is found by wrapping a pool in
/// <see cref="DiagnosticSlabPool"/>; the fast form checks what it can check once per slab.</para>
/// <para>Memory pressure: after each full garbage collection the pool looks at the heap and its limit. When the heap uses more than half of
/// the limit, idle slabs are held by weak references, so that the next full collection can take them; from four fifths on the pool drops
/// them itself. The same happens from 70 % and 90 % of the load at which the garbage collector considers the machine (or the container) to
/// be full. <see cref="SlabPoolOptions.MaxIdleBytes"/> limits what is idle at any time.</para>
/// </remarks>
public abstract class SlabPool : IDisposable
{
    private protected SlabPool()
    {
    }

    /// <summary>Raised before the pool drops idle slabs. An object that keeps slabs of this pool while it is not in use (a recycled
    /// message, for example) returns them here, so that they are dropped as well.</summary>
    /// <remarks>The pool holds its handlers until they are removed: subscribe a static method, or one that reaches its object through a
    /// weak reference. Handlers run on the thread that calls <see cref="Trim"/>, rents or returns, or on the finalizer thread, several at
    /// the same time if several threads trim. So a handler is short, takes no lock that is held while a pool is called, and does not call
    /// <see cref="Trim"/>. What it throws reaches the caller of <see cref="Trim"/>; otherwise it is ignored, because the thread has nothing
    /// to do with it. The sender is the pool that drops; a diagnostic pool passes on the event of
    /// the pool that it wraps.</remarks>
    public abstract event EventHandler<SlabPoolTrimmingEventArgs>? Trimming;

    /// <summary>The pool of the process: default options, never disposed.</summary>
    public static SlabPool Shared { get; } = new PinnedSlabPool(new() { Name = "shared" }, disposable: false);

    /// <summary>The name of the pool in statistics.</summary>
    public abstract string Name { get; }

    /// <summary>Bytes in a regular slab.</summary>
    public abstract int SlabSize { get; }

    /// <summary>Whether an owner may keep its slab after a reset. A diagnostic pool wants it back, to end its generation.</summary>
    internal virtual bool KeepsSlabOnReset => true;

    /// <summary>Makes a pool of its own.</summary>
    /// <exception cref="ArgumentOutOfRangeException">An option is out of range.</exception>
    public static SlabPool Create(SlabPoolOptions? options = null) => new PinnedSlabPool(options ?? new(), disposable: true);

    /// <summary>Lends a regular slab.</summary>
    /// <inheritdoc cref="Rent(int)" path="/exception"/>
    public Slab Rent() => Rent(SlabSize);

    /// <summary>Lends a slab of at least <paramref name="minimumLength"/> bytes. Beyond <see cref="SlabSize"/> it is an oversize block:
    /// pooled by four sizes for each power of two up to 1 GiB, counted, and handed to the garbage collector beyond that.</summary>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="minimumLength"/> is negative or more than an array can
    /// hold.</exception>
    /// <exception cref="SlabPoolExhaustedException">The cap is reached and the options say
    /// <see cref="ExhaustionBehavior.Throw"/>.</exception>
    /// <exception cref="ObjectDisposedException">The pool was disposed.</exception>
    public abstract Slab Rent(int minimumLength);

    /// <summary>Takes a slab back. After <see cref="IDisposable.Dispose"/> too: the slab is then dropped.</summary>
    /// <exception cref="ArgumentException">The slab is foreign: another pool lent it.</exception>
    /// <exception cref="InvalidOperationException">The slab is not out: it was returned already.</exception>
    public abstract void Return(Slab slab);

    /// <summary>Raises <see cref="Trimming"/>, then drops every idle slab.</summary>
    /// <returns>The number of bytes handed to the garbage collector.</returns>
    /// <remarks>An exception of a <see cref="Trimming"/> handler is thrown after the slabs are dropped.</remarks>
    public abstract long Trim();

    /// <summary>The pool's numbers at this moment. Parts that other threads are changing may be a little old.</summary>
    public abstract SlabPoolSnapshot Snapshot();

    /// <summary>Counts a slab whose owner was collected without returning it.</summary>
    internal abstract void CountStranded();

    /// <summary>Drops the idle slabs, as <see cref="Trim"/> does. Slabs that
    /// are still out may be used and returned; a further rent throws.</summary>
    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    /// <summary>See <see cref="Dispose()"/>.</summary>
    protected abstract void Dispose(bool disposing);
}
