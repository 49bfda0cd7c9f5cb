using System.Diagnostics;

namespace ProtoBench.Harness;

/// <summary>What allocation alone costs on this machine: a loop that allocates arrays and does nothing with them.</summary>
static class AllocationCost
{
    /// <summary>Bytes of each object of the loop: about what the objects of a message with short strings have on average.</summary>
    public const int ObjectBytes = 48;

    // Header, type and length of an array on a 64-bit runtime.
    const int overhead = 24;
    const int batch = 10_000;
    const int kept = 64;

    // The median of several slices: another program that takes the core disturbs one of them.
    const int slices = 5;
    static readonly TimeSpan slice = TimeSpan.FromMilliseconds(50);

    /// <summary>Nanoseconds for a byte, collections included. Takes less than a second.</summary>
    public static double NanosecondsPerByte()
    {
        var ring = new byte[kept][];
        Allocate(ring);
        return Enumerable.Range(0, slices).Select(_ => Slice(ring)).Order().ElementAt(slices / 2);
    }

    static double Slice(byte[][] ring)
    {
        var (began, batches) = (Stopwatch.GetTimestamp(), 0L);
        for (; Stopwatch.GetElapsedTime(began) < slice; batches++)
            Allocate(ring);
        return Stopwatch.GetElapsedTime(began).TotalNanoseconds / (batches * batch * ObjectBytes);
    }

    // The last ones stay reachable for a while, or the compiler could leave the allocation out.
    static void Allocate(byte[][] ring)
    {
        for (var i = 0; i < batch; i++)
            ring[i % kept] = new byte[ObjectBytes - overhead];
    }
}
