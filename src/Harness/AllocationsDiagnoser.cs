using System.CommandLine;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using BenchmarkDotNet.Toolchains.InProcess.NoEmit;

namespace ProtoBench.Harness;

/// <summary>The option --allocations: counts in a separate run. A process that counts every object is slower, so its times are not
/// used.</summary>
/// <param name="counts">Whether the objects of a cell are counted.</param>
/// <param name="showsTypes">Whether types are listed below the table.</param>
sealed class AllocationsDiagnoser(Func<BenchmarkCase, bool> counts, bool showsTypes) : OwnDiagnoser
{
    readonly List<(string Cell, AllocatedObjects Objects)> types = [];
    string? trace;

    public override RunMode GetRunMode(BenchmarkCase benchmarkCase) => counts(benchmarkCase) ? RunMode.ExtraRun : RunMode.None;

    public override void Handle(HostSignal signal, DiagnoserActionParameters parameters)
    {
        if (signal != HostSignal.BeforeProcessStart || !counts(parameters.BenchmarkCase))
            return;
        Forget(); // of a cell that failed, whose results are never processed
        AllocationTrace.Enable(parameters.Process.StartInfo, trace = Path.GetTempFileName());
    }

    public override IEnumerable<Metric> ProcessResults(DiagnoserResults results)
    {
        if (trace is null)
            return [];
        try
        {
            var objects = AllocationTrace.Read(trace, IsAsync(results.BenchmarkCase));
            if (showsTypes)
                types.Add((results.BenchmarkCase.Descriptor.WorkloadMethod.Name, objects));
            return AllocationMetrics.Of(objects, results.GcStats.GetBytesAllocatedPerOperation(results.BenchmarkCase));
        }
        finally
        {
            Forget();
        }
    }

    public override void DisplayResults(ILogger logger)
    {
        foreach (var (cell, objects) in types)
        {
            logger.WriteLine($"{cell}: objects per operation by type");
            foreach (var (type, count) in objects.ByType.OrderByDescending(type => type.Objects))
                logger.WriteLine($"  {(count / (double)objects.Operations).ToString("N3"),12}  {type}");
        }
    }

    // The few operations of a dry run are not enough, and the trace session of a cell inside this process would never end.
    /// <param name="isMarked">Whether they are counted without an option.</param>
    public static bool Counts(AllocationCounting counting, BenchmarkCase cell, bool isMarked = false) =>
        (counting is AllocationCounting.All or AllocationCounting.Types || (counting == AllocationCounting.Marked && isMarked))
        && cell.Job.Run.RunStrategy != RunStrategy.ColdStart
        && cell.Job.Infrastructure.Toolchain is not (InProcessEmitToolchain or InProcessNoEmitToolchain);

    /// <summary>A whole number if the runtime's reports are exact, and otherwise with its error. A dash if nothing was counted.</summary>
    public static CellColumn Column(Func<BenchmarkCase, bool> counts) => new(
        "Allocations", "Objects allocated by one operation; ~x ± e: it may be off by e", counts,
        report => AllocationMetrics.Read(report.Metrics)?.ToString() ?? "-");

    void Forget()
    {
        if (trace is not null)
            File.Delete(trace);
        trace = null;
    }

    static bool IsAsync(BenchmarkCase cell) =>
        cell.Descriptor.WorkloadMethod.ReturnType is var type
        && (typeof(Task).IsAssignableFrom(type) || type == typeof(ValueTask)
            || (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(ValueTask<>)));
}

/// <summary>Specifies the cells whose allocated objects are counted. It doubles the time of a cell.</summary>
enum AllocationCounting
{
    /// <summary>Cells that a program marks, if the option is not given.</summary>
    Marked,

    /// <summary>None, for a quick run.</summary>
    Off,

    All,

    /// <summary>All cells, with types below the table.</summary>
    Types,
}

static class AllocationOption
{
    public static Option<AllocationCounting> Create()
    {
        var option = Arguments.Option("--allocations", "count objects, in twice the time: off, on, or types below the table", Arguments.OneOf(
            ("off", AllocationCounting.Off), ("on", AllocationCounting.All), ("types", AllocationCounting.Types)));
        option.Arity = ArgumentArity.ZeroOrOne; // the parser says what is missing
        return option;
    }
}
