using System.Diagnostics;

namespace ProtoBench.Allocators;

/// <summary>Waits for what only the garbage collector can bring about.</summary>
static class Eventually
{
    public static void True(Func<bool> condition)
    {
        var limit = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(limit.Elapsed < TimeSpan.FromMinutes(3), "the condition was not met within 3 min");
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }
}

sealed class ManualClock : TimeProvider
{
    long now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => now;

    public void Advance(TimeSpan by) => now += by.Ticks;
}
