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

namespace ProtoBench.Diagnosers;

/// <summary>Counts the objects that an operation allocates, in a run of its own, so that no timing comes from a process that is listened to.</summary>
sealed class AllocationsDiagnoser(AllocationCounting counting) : IDiagnoser
{
    readonly List<(string Cell, AllocationSamples Samples)> types = [];
    AllocationListener? listener;

    public IEnumerable<string> Ids => [nameof(AllocationsDiagnoser)];

    public IEnumerable<IExporter> Exporters => [];

    public IEnumerable<IAnalyser> Analysers => [];

    public RunMode GetRunMode(BenchmarkCase benchmarkCase) => Counts(counting, benchmarkCase) ? RunMode.ExtraRun : RunMode.None;

    public void Handle(HostSignal signal, DiagnoserActionParameters parameters)
    {
        if (signal == HostSignal.BeforeAnythingElse && Counts(counting, parameters.BenchmarkCase))
            listener = new(parameters.Process.Id, IsAsync(parameters.BenchmarkCase));
    }

    public IEnumerable<Metric> ProcessResults(DiagnoserResults results)
    {
        if (listener is null)
            return [];
        var samples = listener.Finish();
        listener.Dispose();
        listener = null;
        if (counting == AllocationCounting.Types)
            types.Add((results.BenchmarkCase.Descriptor.WorkloadMethod.Name, samples));
        return AllocationMetrics.Of(samples, results.GcStats.GetBytesAllocatedPerOperation(results.BenchmarkCase));
    }

    /// <summary>With <c>--allocations types</c>: what the objects are, for each cell.</summary>
    public void DisplayResults(ILogger logger)
    {
        foreach (var (cell, samples) in types)
        {
            logger.WriteLine($"{cell}: objects per operation by type");
            foreach (var type in samples.Counts.GroupBy(pair => pair.Key.Type, (type, pairs) => (Type: type, Count: pairs.Sum(pair => pair.Value / pair.Key.Chance) / samples.Operations)).OrderByDescending(type => type.Count))
                logger.WriteLine($"  {type.Count.ToString("N3", CultureInfo.InvariantCulture),12}  {type.Type}");
        }
    }

    public IEnumerable<ValidationError> Validate(ValidationParameters validationParameters) => [];

    /// <summary>Whether this cell gets the extra run. A dry run's few operations say nothing, and a cell inside this process would never end the session.</summary>
    internal static bool Counts(AllocationCounting counting, BenchmarkCase cell) =>
        (counting is AllocationCounting.All or AllocationCounting.Types || (counting == AllocationCounting.Marked && cell.Descriptor.Type.IsDefined(typeof(CostColumnsAttribute), inherit: false)))
        && cell.Job.Run.RunStrategy != RunStrategy.ColdStart
        && cell.Job.Infrastructure.Toolchain is not (InProcessEmitToolchain or InProcessNoEmitToolchain);

    static bool IsAsync(BenchmarkCase cell) => cell.Descriptor.WorkloadMethod.ReturnType is var type && (typeof(Task).IsAssignableFrom(type) || type == typeof(ValueTask) || (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(ValueTask<>)));
}
