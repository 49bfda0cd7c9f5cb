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

/// <summary>What a pool does when a rent would take it over <see cref="SlabPoolOptions.MaxBytes"/>.</summary>
public enum ExhaustionBehavior
{
    /// <summary>The rent throws <see cref="SlabPoolExhaustedException"/>.</summary>
    Throw,

    /// <summary>The rent succeeds with memory that is counted as unpooled and dropped when it comes back.</summary>
    AllocateUnpooled,
}

/// <summary>Thrown when a rent would take a pool over <see cref="SlabPoolOptions.MaxBytes"/>.</summary>
/// <remarks>The pool's limit is reached, and not that of the process: it is no <see cref="OutOfMemoryException"/>. A rent succeeds again when
/// slabs were returned.</remarks>
public sealed class SlabPoolExhaustedException : InvalidOperationException
{
    /// <summary>Makes an exception with its message.</summary>
    public SlabPoolExhaustedException(string message)
        : base(message)
    {
    }
}

/// <summary>How a <see cref="SlabPool"/> behaves.</summary>
public sealed record SlabPoolOptions
{
    /// <summary>512 KiB: a message of a few hundred kilobytes fits one slab, and the pinned heap is cut into few, equal pieces.</summary>
    public const int DefaultSlabSize = 512 * 1024;

    /// <summary>The name under which the pool's numbers appear; the meter adds up pools of the same name.</summary>
    public string Name { get; init; } = "private";

    /// <summary>Bytes in a regular slab: 64 to 1 GiB.</summary>
    public int SlabSize { get; init; } = DefaultSlabSize;

    /// <summary>The most bytes that the pool may hold, lent and idle together. No limit by default.</summary>
    public long MaxBytes { get; init; } = long.MaxValue;

    /// <summary>What happens at the cap.</summary>
    public ExhaustionBehavior ExhaustionBehavior { get; init; }

    /// <summary>Whether bytes are zeroed before another owner can see them. Fresh slabs are zeroed then as well.</summary>
    public bool ClearOnReturn { get; init; }

    /// <summary>The largest number of idle bytes in the pool. A slab that is returned beyond that is dropped. 0 keeps nothing. The default
    /// (null) is a quarter of what the process may use: the heap's hard limit, the container's limit or the machine's memory.</summary>
    public long? MaxIdleBytes { get; init; }

    /// <summary>Slabs that were not needed for this long are dropped: one minute by default, <see cref="Timeout.InfiniteTimeSpan"/>
    /// never.</summary>
    /// <remarks>The pool's time is cut into periods of this length. A period ends at the first rent or return after its time or, in a pool
    /// that is not called, at the next full garbage collection. What lay idle throughout the period is dropped then, so a slab is dropped
    /// one to two periods after its last use. The pool has no timer: a process that neither calls the pool nor collects keeps the
    /// slabs. Memory pressure is independent of this time: see <see cref="SlabPool"/>.</remarks>
    public TimeSpan IdleRetention { get; init; } = TimeSpan.FromMinutes(1);

    /// <summary>The clock of <see cref="IdleRetention"/>.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;
}

/// <summary>The statistics of a pool at one moment. Sizes are in bytes; counts run from the pool's creation unless they say
/// "now".</summary>
public readonly record struct SlabPoolSnapshot
{
    /// <summary>Bytes that owners have handed out from slabs, now. A slab rented by itself counts whole.</summary>
    public long LiveBytes { get; init; }

    /// <summary>References to counted slices, now.</summary>
    public long LiveSlices { get; init; }

    /// <summary>Bytes of all slabs, lent and idle, now.</summary>
    public long HeldBytes { get; init; }

    /// <summary>Bytes of the idle slabs, now.</summary>
    public long IdleBytes { get; init; }

    /// <summary>Bytes of lent slabs that hold nothing live, now. A small slice that is not released makes this number grow.</summary>
    public long SlackBytes => HeldBytes - IdleBytes - LiveBytes;

    /// <summary>Slabs that are lent, now.</summary>
    public int LentSlabs { get; init; }

    /// <summary>Slabs rented, of any size.</summary>
    public long Rents { get; init; }

    /// <summary>Rents that asked for more than a regular slab.</summary>
    public long OversizeRents { get; init; }

    /// <summary>Rents beyond the cap that were served all the same.</summary>
    public long UnpooledRents { get; init; }

    /// <summary>Slabs whose owner was collected without giving them back, such as one held by a thread that ended.</summary>
    public long StrandedSlabs { get; init; }

    /// <summary>Idle slabs that were dropped: by <see cref="SlabPool.Trim"/>, after their retention time, under memory pressure, to make
    /// room under <see cref="SlabPoolOptions.MaxBytes"/>, or because of <see cref="SlabPoolOptions.MaxIdleBytes"/>.</summary>
    public long TrimmedSlabs { get; init; }
}

/// <summary>Why a pool drops idle slabs.</summary>
public enum SlabPoolTrimReason
{
    /// <summary><see cref="SlabPool.Trim"/> was called, or the pool was disposed. Give back everything that is idle.</summary>
    Requested,

    /// <summary>A full garbage collection left the process short of memory. Give back everything that is idle.</summary>
    MemoryPressure,

    /// <summary>A period of <see cref="SlabPoolOptions.IdleRetention"/> has ended. Give back what was idle throughout the period.</summary>
    RetentionPeriodEnded,
}

/// <summary>What <see cref="SlabPool.Trimming"/> tells its handlers.</summary>
/// <param name="reason">Why the pool drops slabs.</param>
public sealed class SlabPoolTrimmingEventArgs(SlabPoolTrimReason reason) : EventArgs
{
    /// <summary>Why the pool drops slabs.</summary>
    public SlabPoolTrimReason Reason { get; } = reason;
}
