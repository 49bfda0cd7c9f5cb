namespace ProtoBench.Allocators;

/// <summary>Lends slabs: large pinned arrays that outlive the garbage collector's notice.</summary>
/// <remarks>Thread safety: every member, from any thread. Misuse (late use, double release, leaks) is found by wrapping a pool in
/// <see cref="DiagnosticSlabPool"/>; the fast form checks what it can check once per slab.</remarks>
public abstract class SlabPool : IDisposable
{
    private protected SlabPool()
    {
    }

    /// <summary>The pool of the process: default options, never disposed.</summary>
    public static SlabPool Shared { get; } = new PinnedSlabPool(new() { Name = "shared" }, disposable: false);

    /// <summary>The name under which the pool's numbers appear.</summary>
    public abstract string Name { get; }

    /// <summary>Bytes in a regular slab.</summary>
    public abstract int SlabSize { get; }

    /// <summary>Whether an owner may go on with the slab it has after a reset. A diagnostic pool wants it back, to end its
    /// generation.</summary>
    internal virtual bool KeepsSlabOnReset => true;

    /// <summary>Makes a pool of its own.</summary>
    /// <exception cref="ArgumentOutOfRangeException">An option is out of range.</exception>
    public static SlabPool Create(SlabPoolOptions? options = null) => new PinnedSlabPool(options ?? new(), disposable: true);

    /// <summary>Lends a regular slab.</summary>
    /// <inheritdoc cref="Rent(int)" path="/exception"/>
    public Slab Rent() => Rent(SlabSize);

    /// <summary>Lends a slab of at least <paramref name="minimumLength"/> bytes. Beyond <see cref="SlabSize"/> it is an oversize block:
    /// pooled by powers of two up to 1 GiB, counted, and handed to the garbage collector beyond that.</summary>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="minimumLength"/> is negative or more than an array can
    /// hold.</exception>
    /// <exception cref="InsufficientMemoryException">The cap is reached and the options say
    /// <see cref="ExhaustionBehavior.Throw"/>.</exception>
    /// <exception cref="ObjectDisposedException">The pool was disposed.</exception>
    public abstract Slab Rent(int minimumLength);

    /// <summary>Takes a slab back. After <see cref="IDisposable.Dispose"/> too: the slab is then dropped.</summary>
    /// <exception cref="ArgumentException">The slab is foreign: another pool lent it.</exception>
    /// <exception cref="InvalidOperationException">The slab is not out: it was returned already.</exception>
    public abstract void Return(Slab slab);

    /// <summary>Drops every idle slab at once.</summary>
    /// <returns>The number of bytes handed to the garbage collector.</returns>
    public abstract long Trim();

    /// <summary>The pool's numbers at this moment. Parts that other threads are changing may be a little old.</summary>
    public abstract SlabPoolSnapshot Snapshot();

    /// <summary>Counts a slab whose owner died without giving it back.</summary>
    internal abstract void CountStranded();

    /// <summary>Drops the idle slabs. Slabs that are still out may be used and returned; a further rent throws.</summary>
    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    /// <summary>See <see cref="Dispose()"/>.</summary>
    protected abstract void Dispose(bool disposing);
}
