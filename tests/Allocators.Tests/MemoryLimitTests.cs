using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace ProtoBench.Allocators;

/// <summary>A pool gives way before its process dies. Each case is a process of its own with a heap limit of 512 MiB.</summary>
public class MemoryLimitTests
{
    const string child = "PROTOBENCH_MEMORY_LIMIT_CHILD";
    const int mib = 1 << 20;

    [Theory]
    [InlineData("default")]
    [InlineData("no limits")]
    public async Task Idle_slabs_give_way_before_the_process_dies_at_its_heap_limit(string options)
    {
        if (Environment.GetEnvironmentVariable(child) is { } chosen)
        {
            if (chosen == options) IdleThenUsedByOthers(options);
            return;
        }

        var start = new ProcessStartInfo("dotnet", [
            "exec", typeof(MemoryLimitTests).Assembly.Location,
            "-method", $"{typeof(MemoryLimitTests).FullName}.{nameof(Idle_slabs_give_way_before_the_process_dies_at_its_heap_limit)}"])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment[child] = options;
        start.Environment["DOTNET_GCHeapHardLimit"] = (512 * mib).ToString("X", null);
        start.Environment["DOTNET_gcServer"] = "0";
        using var process = Process.Start(start)!;
        var (output, errors) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        using var limit = new CancellationTokenSource(TimeSpan.FromMinutes(5));
        try
        {
            await process.WaitForExitAsync(limit.Token);
        }
        finally
        {
            if (!process.HasExited) process.Kill();
        }

        Assert.True(process.ExitCode == 0, $"exit code {process.ExitCode}: {await output}{await errors}");
        Assert.Contains("Total: 2,", await output, StringComparison.Ordinal);
    }

    /// <summary>In the child process.</summary>
    static void IdleThenUsedByOthers(string options)
    {
        using var pool = SlabPool.Create(options == "default"
            ? new()
            : new() { MaxIdleBytes = long.MaxValue, IdleRetention = Timeout.InfiniteTimeSpan });
        RentAndReturn(pool, 300 * mib);
        if (options != "default") Assert.Equal(300 * mib, pool.Snapshot().IdleBytes);

        // The rest of the program needs 400 of the 512 MiB.
        var used = new List<byte[]>();
        for (var bytes = 0; bytes < 400 * mib; bytes += mib)
        {
            used.Add(new byte[mib]);
            used[^1].AsSpan().Fill(1);
        }

        Assert.All(used, array => Assert.Equal(1, array[^1]));
        Assert.True(pool.Snapshot().TrimmedSlabs > 0);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void RentAndReturn(SlabPool pool, int bytes)
    {
        var slabs = Enumerable.Range(0, bytes / pool.SlabSize).Select(_ => pool.Rent()).ToList();
        slabs.ForEach(slab => slab.Array.AsSpan().Fill(1));
        slabs.ForEach(pool.Return);
    }
}
