using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using ProtoBench.Allocators;

namespace ProtoBench.Rpc.Tests;

/// <summary>The counted slices of this process at one moment, to compare with later ones: nothing else may run meanwhile.</summary>
sealed class SliceCount
{
    readonly SlabPoolSnapshot before = Collected();

    /// <summary>How many calls a storm makes: 1,000, and 10,000 where the environment variable PROTOBENCH_LONG is 1.</summary>
    public static int Calls { get; } = Environment.GetEnvironmentVariable("PROTOBENCH_LONG") == "1" ? 10_000 : 1_000;

    /// <summary>At the latest a moment from now: handlers see the end of their calls later than the callers.</summary>
    public async Task AssertAllBackAsync()
    {
        var limit = Task.Delay(TimeSpan.FromMinutes(3));
        while (SlabPool.Shared.Snapshot().LiveSlices > before.LiveSlices && !limit.IsCompleted)
            await Task.Delay(1);
        var after = Collected();
        Assert.Equal((before.LiveSlices, before.StrandedSlabs), (after.LiveSlices, after.StrandedSlabs));
    }

    /// <summary>A slice that is never released is live while a thread works on its slab, which is stranded after a collection.</summary>
    static SlabPoolSnapshot Collected()
    {
        for (var i = 0; i < 2; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        return SlabPool.Shared.Snapshot();
    }
}

/// <summary>Tests that nothing else may run beside.</summary>
[CollectionDefinition("alone", DisableParallelization = true)]
public sealed class Alone;

/// <summary>Exceptions that would have ended this process: thrown on a timer's or a pool's thread, where nobody catches them.</summary>
static class Unhandled
{
    static readonly ConcurrentQueue<Exception> seen = new();

    public static IReadOnlyCollection<Exception> Seen => seen;

    [ModuleInitializer]
    internal static void Watch() => ExceptionHandling.SetUnhandledExceptionHandler(exception =>
    {
        seen.Enqueue(exception);
        return true;
    });
}
