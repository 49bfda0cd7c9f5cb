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
