namespace ProtoBench.Allocators;

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
/// <typeparam name="T">The objects. One that is not kept is disposed, if it can be.</typeparam>
public sealed class ThreadStaticRecycler<T> : Recycler<T>
    where T : class, new()
{
    [ThreadStatic]
    static T? spare;

    ThreadStaticRecycler()
    {
    }

    /// <summary>The recycler of this type.</summary>
    public static ThreadStaticRecycler<T> Instance { get; } = new();

    /// <inheritdoc/>
    public override T Rent()
    {
        var item = spare;
        if (item is null) return new();
        spare = null;
        return item;
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">The object is this thread's spare already: it was returned twice.</exception>
    public override void Return(T item)
    {
        ArgumentNullException.ThrowIfNull(item);
        if (spare is null) spare = item;
        else if (spare != item) (item as IDisposable)?.Dispose();
        else throw new InvalidOperationException("This object was returned already.");
    }
}
