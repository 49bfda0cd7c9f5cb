using System.Diagnostics;
using System.Reflection;
using System.Runtime;
using BenchmarkDotNet.Running;

namespace ProtoBench.DuetRunner;

/// <summary>Prepared as by BenchmarkDotNet: its parameters are set and its global setup has run.</summary>
sealed class MeasuredCell : IDisposable
{
    readonly BenchmarkCase benchmark;
    readonly object? instance;
    readonly object?[] arguments;
    readonly CallLoop loop;

    public MeasuredCell(BenchmarkCase benchmark)
    {
        this.benchmark = benchmark;
        var type = benchmark.Descriptor.Type;
        instance = Activator.CreateInstance(type);
        foreach (var parameter in benchmark.Parameters.Items.Where(parameter => !parameter.IsArgument))
            Set(type, parameter.Name, parameter.Value);
        var given = benchmark.Parameters.Items.Where(parameter => parameter.IsArgument)
            .ToDictionary(parameter => parameter.Name, parameter => parameter.Value);
        arguments = [.. benchmark.Descriptor.WorkloadMethod.GetParameters().Select(parameter => given[parameter.Name!])];
        loop = CallLoops.Of(benchmark.Descriptor.WorkloadMethod);
        Invoke(benchmark.Descriptor.GlobalSetupMethod);
    }

    /// <summary>Gets whether a call waits for a task, so that other threads may do its work.</summary>
    public bool Waits => CallLoops.Waits(benchmark.Descriptor.WorkloadMethod);

    public int OperationsPerCall => benchmark.Descriptor.OperationsPerInvoke;

    public void Call(long calls) => loop(instance, arguments, calls);

    public void Dispose() => Invoke(benchmark.Descriptor.GlobalCleanupMethod);

    void Set(Type type, string name, object? value)
    {
        const BindingFlags any = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static;
        if (type.GetProperty(name, any) is { } property)
            property.SetValue(instance, value);
        else
            type.GetField(name, any)!.SetValue(instance, value);
    }

    void Invoke(MethodInfo? method)
    {
        switch (method?.Invoke(method.IsStatic ? null : instance, BindingFlags.DoNotWrapExceptions, null, null, null))
        {
            case Task task:
                task.GetAwaiter().GetResult();
                break;
            case ValueTask task:
                task.AsTask().GetAwaiter().GetResult();
                break;
        }
    }
}

/// <summary>A warm cell before its slices.</summary>
/// <param name="CallNanoseconds">The minimum of ten batches of a millisecond, or of three calls if a call takes longer.</param>
/// <param name="BytesPerOperation">Of all threads. The minimum of three batches, because allocation is counted in chunks.</param>
/// <param name="Waits">Whether the thread waits for others, so that its own processor time is not the cost of an operation.</param>
readonly record struct Calibration(double CallNanoseconds, double BytesPerOperation, bool Waits)
{
    const int batches = 10;
    const int leastBatches = 3;
    const double enoughNanoseconds = 2e7;
    const double batchNanoseconds = 1e6;

    // Less than a cycle of any processor. The clock of a virtual machine may not advance during a call. With a call of 0 ns, a batch had
    // 2^63 calls and the process never ended.
    const double leastNanoseconds = 0.1;

    public static Calibration Of(MeasuredCell cell)
    {
        var (shortest, waited, calls, batch, sum) = (double.MaxValue, 0, 1L, 0, 0.0);
        for (; batch < leastBatches || (batch < batches && sum < enoughNanoseconds); batch++)
        {
            var switches = ThreadUse.Switches();
            var from = Stopwatch.GetTimestamp();
            cell.Call(calls);
            var took = Stopwatch.GetElapsedTime(from).TotalNanoseconds;
            waited += ThreadUse.Switches().Waited > switches.Waited ? 1 : 0;
            sum += took;
            shortest = Math.Min(shortest, took / calls);
            calls = CallsIn(batchNanoseconds, shortest);
        }

        return new(shortest, Bytes(cell, calls), cell.Waits || GCSettings.IsServerGC || waited > batch / 2);
    }

    public long CallsIn(double milliseconds) => CallsIn(milliseconds * 1e6, CallNanoseconds);

    static long CallsIn(double nanoseconds, double callNanoseconds) =>
        Math.Max(1, (long)Math.Round(nanoseconds / Math.Max(leastNanoseconds, callNanoseconds)));

    static double Bytes(MeasuredCell cell, long calls)
    {
        var least = long.MaxValue;
        for (var i = 0; i < 3; i++)
        {
            var before = GC.GetTotalAllocatedBytes(precise: true);
            cell.Call(calls);
            least = Math.Min(least, GC.GetTotalAllocatedBytes(precise: true) - before);
        }

        return (double)least / calls / cell.OperationsPerCall;
    }
}
