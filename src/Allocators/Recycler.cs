namespace ProtoBench.Allocators;

/// <summary>Keeps used message roots (or anything with buffers worth keeping) for the next caller.</summary>
/// <remarks>Ownership: a rented object is the caller's alone until it is returned, once. The caller resets it
/// before returning it; the recycler does not reset it. Thread safety: any thread rents and returns.</remarks>
/// <typeparam name="T">The objects. One that is not kept is disposed, if it can be.</typeparam>
public abstract class Recycler<T>
    where T : class
{
    private protected Recycler()
    {
    }

    /// <summary>A recycled object, or a new one.</summary>
    public abstract T Rent();

    /// <summary>Takes an object that is no longer in use.</summary>
    public abstract void Return(T item);
}
