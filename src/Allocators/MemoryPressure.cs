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

/// <summary>How much of its memory the process uses, as its last garbage collection saw it.</summary>
enum MemoryPressure
{
    /// <summary>There is room. Pools keep what is idle.</summary>
    Low,

    /// <summary>More than half is used. Idle slabs are held by weak references, so that the next full collection can take them.</summary>
    Medium,

    /// <summary>Little is left. Pools drop what is idle.</summary>
    High,
}

/// <summary>Reads the memory limits and the last collection's figures.</summary>
static class ProcessMemory
{
    // Parts of the limit, for the heap and for the machine (or the container). The machine's other programs count in its load, and a
    // machine that is half full is not short of memory.
    const double mediumHeap = 0.5, highHeap = 0.8, mediumMachine = 0.7, highMachine = 0.9;

    /// <summary>Bytes that the process may use: the heap's hard limit, a part of the container's limit, or the machine's memory.</summary>
    public static long Available => GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;

    public static MemoryPressure Pressure
    {
        get
        {
            var last = GC.GetGCMemoryInfo();
            return Of(last.HeapSizeBytes, last.TotalAvailableMemoryBytes, last.MemoryLoadBytes, last.HighMemoryLoadThresholdBytes);
        }
    }

    internal static MemoryPressure Of(long heap, long available, long load, long highLoad) =>
        heap >= highHeap * available || load >= highMachine * highLoad ? MemoryPressure.High
        : heap >= mediumHeap * available || load >= mediumMachine * highLoad ? MemoryPressure.Medium
        : MemoryPressure.Low;
}
