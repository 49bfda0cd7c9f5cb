using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace ProtoBench.Allocators;

/// <summary>Threads that really run side by side, and end: a thread pool promises neither.</summary>
static class Threads
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    [SuppressMessage("Design", "CA1031", Justification = "a thread's failure is thrown by the thread that waits for it")]
    public static void Run(int count, Action<int> body)
    {
        Exception? failure = null;
        var threads = Enumerable.Range(0, count).Select(index => new Thread(() =>
        {
            try
            {
                body(index);
            }
            catch (Exception e)
            {
                // The first failure is thrown below, on the test's own thread.
                Interlocked.CompareExchange(ref failure, e, null);
            }
        })
        { IsBackground = true }).ToList();
        threads.ForEach(thread => thread.Start());
        foreach (var thread in threads)
        {
            while (!thread.Join(TimeSpan.FromSeconds(1)))
            {
                if (failure is not null) break;
            }
        }

        if (failure is not null) ExceptionDispatchInfo.Throw(failure);
    }
}

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

/// <summary>A clock that stands until it is moved.</summary>
sealed class ManualClock : TimeProvider
{
    long now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => now;

    public void Advance(TimeSpan by) => now += by.Ticks;
}
