#pragma warning disable CA1822 // cells are instance methods
using BenchmarkDotNet.Attributes;

namespace ProtoBench.DuetRunner.Tests;

public class CountingBenchmarks
{
    public int Calls { get; private set; }

    public string Seen { get; private set; } = "";

    [Params(3, 5)]
    public int Size { get; set; }

    public static IEnumerable<string> Words => ["one", "two"];

    [Benchmark]
    public int Count() => ++Calls;

    [Benchmark(OperationsPerInvoke = 4)]
    public async Task<int> CountLaterAsync()
    {
        await Task.Yield();
        return ++Calls;
    }

    [Benchmark]
    public async ValueTask CountInValueTaskAsync()
    {
        await Task.Yield();
        Calls++;
    }

    [Benchmark]
    public async ValueTask<long> CountInValueTaskOfAsync()
    {
        await Task.Yield();
        return ++Calls;
    }

    [Benchmark]
    [ArgumentsSource(nameof(Words))]
    public void Say(string word) => Seen += $"{word}{Size} ";

    [Benchmark]
    public byte[] Allocate() => new byte[1_000];

    [Benchmark]
    public int ThrowLater() => ++Calls < 4 ? Calls : throw new InvalidOperationException("this cell breaks later");

    [Benchmark]
    public int Throw() => throw new InvalidOperationException("this cell is broken");
}

public class SetUpBenchmarks
{
    public static string Story { get; private set; } = "";

    [Params(3)]
    public int Size { get; set; }

    public SetUpBenchmarks() => Story = "made ";

    [GlobalSetup]
    public async Task SetUpAsync()
    {
        await Task.Yield();
        Story += $"set up with {Size} ";
    }

    [GlobalCleanup]
    public void CleanUp() => Story += "cleaned up";

    [Benchmark(OperationsPerInvoke = 4)]
    public async Task CountLaterAsync()
    {
        await Task.Yield();
        Story += "called ";
    }
}

/// <summary>Cells that cannot be measured by slices.</summary>
public class RefusedBenchmarks
{
    [IterationSetup]
    public void Prepare()
    {
    }

    [Benchmark]
    public int NeedsPreparing() => 1;
}
