using System.Globalization;
using BenchmarkDotNet.Analysers;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using BenchmarkDotNet.Toolchains.InProcess.NoEmit;
using BenchmarkDotNet.Validators;
using ProtoBench.Running;

namespace ProtoBench.Diagnosers;

/// <summary>Counts the objects that an operation allocates, in a run of its own: a
/// process that counts every object is slower, and no timing comes from it.</summary>
sealed class AllocationsDiagnoser(AllocationCounting counting) : IDiagnoser
{
    readonly List<(string Cell, AllocatedObjects Objects)> types = [];
    string? trace;

    public IEnumerable<string> Ids => [nameof(AllocationsDiagnoser)];

    public IEnumerable<IExporter> Exporters => [];

    public IEnumerable<IAnalyser> Analysers => [];

    public RunMode GetRunMode(BenchmarkCase benchmarkCase) => Counts(counting, benchmarkCase) ? RunMode.ExtraRun : RunMode.None;

    public void Handle(HostSignal signal, DiagnoserActionParameters parameters)
    {
        if (signal != HostSignal.BeforeProcessStart || !Counts(counting, parameters.BenchmarkCase))
            return;
        Forget(); // of a cell that failed, whose results are never processed
        AllocationTrace.Enable(parameters.Process.StartInfo, trace = Path.GetTempFileName());
    }

    public IEnumerable<Metric> ProcessResults(DiagnoserResults results)
    {
        if (trace is null)
            return [];
        try
        {
            var objects = AllocationTrace.Read(trace, IsAsync(results.BenchmarkCase));
            if (counting == AllocationCounting.Types)
                types.Add((results.BenchmarkCase.Descriptor.WorkloadMethod.Name, objects));
            return AllocationMetrics.Of(objects, results.GcStats.GetBytesAllocatedPerOperation(results.BenchmarkCase));
        }
        finally
        {
            Forget();
        }
    }

    /// <summary>With <c>--allocations types</c>: what the objects are, for each cell.</summary>
    public void DisplayResults(ILogger logger)
    {
        foreach (var (cell, objects) in types)
        {
            logger.WriteLine($"{cell}: objects per operation by type");
            foreach (var (type, count) in objects.ByType.OrderByDescending(type => type.Objects))
                logger.WriteLine($"  {(count / (double)objects.Operations).ToString("N3", CultureInfo.InvariantCulture),12}  {type}");
        }
    }

    public IEnumerable<ValidationError> Validate(ValidationParameters validationParameters) => [];

    /// <summary>Whether this cell gets the extra run. A dry run's few operations say
    /// nothing, and a cell inside this process would never end the session.</summary>
    internal static bool Counts(AllocationCounting counting, BenchmarkCase cell) =>
        (counting is AllocationCounting.All or AllocationCounting.Types
            || (counting == AllocationCounting.Marked && cell.Descriptor.Type.IsDefined(typeof(CostColumnsAttribute), inherit: false)))
        && cell.Job.Run.RunStrategy != RunStrategy.ColdStart
        && cell.Job.Infrastructure.Toolchain is not (InProcessEmitToolchain or InProcessNoEmitToolchain);

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

/// <summary>Which cells have their allocated objects counted. It doubles a cell's time.</summary>
enum AllocationCounting
{
    /// <summary>Those of classes with <see cref="Running.CostColumnsAttribute"/>.</summary>
    Marked,

    /// <summary>None: for a quick run.</summary>
    Off,

    /// <summary>All.</summary>
    All,

    /// <summary>All, and by type below the table.</summary>
    Types,
}
