using System.Diagnostics;
using BenchmarkDotNet.Analysers;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Validators;
using ProtoBench.Running;

namespace ProtoBench.Diagnosers;

/// <summary>
/// Processor time of the measured iterations over their wall time, divided by the cores. Read
/// from outside, while the measured process waits for its host, so it adds nothing to the run.
/// </summary>
sealed class CpuDiagnoser : IDiagnoser
{
    /// <summary>The share of the processor, in percent of all cores.</summary>
    public const string Cpu = "CPU %";

    TimeSpan before;
    long started;
    double? share;

    public IEnumerable<string> Ids => [nameof(CpuDiagnoser)];

    public IEnumerable<IExporter> Exporters => [];

    public IEnumerable<IAnalyser> Analysers => [];

    public RunMode GetRunMode(BenchmarkCase benchmarkCase) =>
        benchmarkCase.Descriptor.Type.IsDefined(typeof(CostColumnsAttribute), inherit: false) ? RunMode.NoOverhead : RunMode.None;

    public void Handle(HostSignal signal, DiagnoserActionParameters parameters)
    {
        if (signal == HostSignal.BeforeActualRun)
            (before, started) = (parameters.Process.TotalProcessorTime, Stopwatch.GetTimestamp());
        else if (signal == HostSignal.AfterActualRun && !parameters.Process.HasExited)
            share = (parameters.Process.TotalProcessorTime - before) / Stopwatch.GetElapsedTime(started) / Environment.ProcessorCount * 100;
    }

    public IEnumerable<Metric> ProcessResults(DiagnoserResults results)
    {
        if (share is { } percent)
            yield return new(new HiddenMetric(Cpu, "Processor time over wall time, divided by the cores"), percent);
        share = null;
    }

    public void DisplayResults(ILogger logger)
    {
    }

    public IEnumerable<ValidationError> Validate(ValidationParameters validationParameters) => [];
}

/// <summary>A metric that is kept in the full JSON and has no column of BenchmarkDotNet's: a column of ours shows it.</summary>
sealed class HiddenMetric(string id, string legend) : IMetricDescriptor
{
    public string Id => id;

    public string DisplayName => id;

    public string Legend => legend;

    public string NumberFormat => "N2";

    public UnitType UnitType => UnitType.Dimensionless;

    public string Unit => "Count";

    public bool TheGreaterTheBetter => false;

    public int PriorityInCategory => 0;

    public bool GetIsAvailable(Metric metric) => false;
}
