using System.Runtime.InteropServices;

namespace ProtoBench.Allocators;

/// <summary>Calls a pool after each full garbage collection, until the pool itself is collected. The object is garbage from birth and
/// registers for finalization again each time, so it ends up in the oldest generation and is found by full collections only.</summary>
/// <remarks>The framework's array pool is trimmed by the same device (dotnet/runtime, Gen2GcCallback). A handle, because a
/// <see cref="WeakReference{T}"/> would be finalized together with this object, and be empty afterwards.</remarks>
sealed class FullCollectionCallback
{
    GCHandle pool;

    FullCollectionCallback(PinnedSlabPool pool) => this.pool = GCHandle.Alloc(pool, GCHandleType.Weak);

    ~FullCollectionCallback()
    {
        if (pool.Target is PinnedSlabPool target)
        {
            target.OnFullCollection();
            GC.ReRegisterForFinalize(this);
        }
        else
        {
            pool.Free();
        }
    }

    public static void Register(PinnedSlabPool pool) => _ = new FullCollectionCallback(pool);
}
