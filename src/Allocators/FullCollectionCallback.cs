using System.Runtime.ConstrainedExecution;

namespace ProtoBench.Allocators;

/// <summary>Calls a pool after each full garbage collection, until the pool itself is collected. The object is garbage from birth and
/// registers for finalization again each time, so it ends up in the oldest generation and is found by full collections only.</summary>
/// <remarks>The framework's array pool is trimmed by the same device (dotnet/runtime, Gen2GcCallback).</remarks>
sealed class FullCollectionCallback : CriticalFinalizerObject
{
    readonly WeakReference<PinnedSlabPool> pool;

    FullCollectionCallback(PinnedSlabPool pool) => this.pool = new(pool);

    public static void Register(PinnedSlabPool pool) => _ = new FullCollectionCallback(pool);

    ~FullCollectionCallback()
    {
        if (!pool.TryGetTarget(out var target)) return;
        target.OnFullCollection();
        GC.ReRegisterForFinalize(this);
    }
}
