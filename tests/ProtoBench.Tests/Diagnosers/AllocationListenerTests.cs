using System.Reflection;
using System.Runtime.CompilerServices;
using BenchmarkDotNet.Engines;
using ProtoBench.Diagnosers;

namespace ProtoBench.Tests.Diagnosers;

/// <summary>Alone in the process: an asynchronous cell is counted on all threads, so another test's objects would be counted too.</summary>
[CollectionDefinition(nameof(AllocationListenerTests), DisableParallelization = true)]
public class Alone;

/// <summary>
/// The listener on this very process, with BenchmarkDotNet's own events around cells whose objects are known by reading them: sizes on 64 bits are 24 for an object, 32 for one with
/// a string's or array's head and 8 bytes.
/// </summary>
[Collection(nameof(AllocationListenerTests))]
public class AllocationListenerTests
{
    static readonly object?[] kept = new object?[8];

    [Theory]
    [InlineData(0, 5_000_000, "0")]
    [InlineData(1, 3_000_000, "1")]
    [InlineData(2, 2_000_000, "2")]
    [InlineData(7, 1_500_000, "7")]
    public void Small_objects_are_counted_exactly(int objects, int operations, string expected) => Assert.Equal(expected, Count(() => Small(objects), operations).ToString());

    /// <summary>Two sizes: six of 32 bytes and one of 72.</summary>
    [Fact]
    public void Objects_of_two_sizes_are_counted_exactly() => Assert.Equal("7", Count(
        () =>
        {
            Small(6);
            kept[7] = new byte[48];
        },
        3_000_000).ToString());

    /// <summary>Next to none of the small ones is sampled: the bytes that the large one leaves over count them.</summary>
    [Fact]
    public void Seven_small_objects_beside_one_of_1_MiB_are_counted_exactly() => Assert.Equal("8", Count(
        () =>
        {
            Small(7);
            kept[7] = new byte[1 << 20];
        },
        10_000).ToString());

    [Fact]
    public async Task The_objects_of_an_asynchronous_cell_are_counted_on_all_its_threads()
    {
        const int operations = 400_000;
        var listener = await StartAsync(allThreads: true);
        long bytes;
        try
        {
            for (var i = 0; i < 20_000; i++)
                await Task.Run(Yielding);
            var before = GC.GetTotalAllocatedBytes(precise: true);
            Engine("WorkloadActualStart", (long)operations);
            for (var i = 0; i < operations; i += 1_000)
                await Task.Run(ManyAsync);
            Engine("WorkloadActualStop", (long)operations);
            bytes = GC.GetTotalAllocatedBytes(precise: true) - before;
        }
        finally
        {
            listener.Stop();
        }

        // one array of 32 bytes in each operation; what 400 times Task.Run allocates is less than one object in a hundred operations
        var count = ObjectCount.Of(listener.Finish(), (long)Math.Round(bytes / (double)operations));
        Assert.NotNull(count.Value);
        Assert.InRange(count.Value.Value, 0.95, 1.05);
    }

    [Fact]
    public async Task An_array_is_named_by_its_type_and_size()
    {
        var listener = await StartAsync(allThreads: false);
        Engine("WorkloadActualStart", 1_000_000L);
        for (var i = 0; i < 1_000_000; i++)
            Small(1);
        Engine("WorkloadActualStop", 1_000_000L);
        listener.Stop();
        var only = Assert.Single(listener.Finish().Counts.Keys);
        Assert.Equal(new("System.Byte[]", 32), only);
    }

    static ObjectCount Count(Action cell, int operations)
    {
        var listener = StartAsync(allThreads: false).Result;
        long bytes;
        try
        {
            for (var i = 0; i < Math.Min(operations, 100_000); i++)
                cell();
            var before = GC.GetAllocatedBytesForCurrentThread();
            Engine("WorkloadActualStart", (long)operations);
            for (var i = 0; i < operations; i++)
                cell();
            Engine("WorkloadActualStop", (long)operations);
            bytes = GC.GetAllocatedBytesForCurrentThread() - before;
        }
        finally
        {
            listener.Stop();
        }

        return ObjectCount.Of(listener.Finish(), (long)Math.Round(bytes / (double)operations));
    }

    
    static Task<AllocationListener> StartAsync(bool allThreads) => Task.Run(() => new AllocationListener(Environment.ProcessId, allThreads));

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Small(int objects)
    {
        for (var i = 0; i < objects; i++)
            kept[i] = new byte[8];
    }

    static async Task ManyAsync()
    {
        for (var i = 0; i < 1_000; i++)
            await Yielding();
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    static async ValueTask Yielding()
    {
        Small(1);
        await Task.Yield();
    }

    static void Engine(string name, params object[] payload)
    {
        var log = typeof(EngineEventSource).GetField("Log", BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public)!.GetValue(null)!;
        typeof(EngineEventSource).GetMethod(name, BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public)!.Invoke(log, payload);
    }
}
