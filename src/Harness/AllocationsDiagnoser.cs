using System.Buffers.Binary;
using System.CommandLine;
using System.Diagnostics;
using System.Diagnostics.Tracing;
using BenchmarkDotNet.Analysers;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using BenchmarkDotNet.Toolchains.InProcess.NoEmit;
using BenchmarkDotNet.Validators;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers;

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

/// <summary>The runtime counts every object and reports them in batches of one type. Only events between the start and the stop of
/// BenchmarkDotNet's measured iterations are read, which excludes the JIT, the warm-up and the engine's own objects.</summary>
static class AllocationTrace
{
    // dotnet/runtime, ClrEtwAll.man: GCSampledObjectAllocationHighKeyword, which the runtime reads only when it starts, because it selects
    // the allocator. TypeKeyword and GCHeapAndTypeNamesKeyword need each other.
    const long countedAllocations = 0x200000;
    const long typeNames = 0x80000 | 0x1000000;

    public static void Enable(ProcessStartInfo process, string file)
    {
        process.Environment["DOTNET_EnableEventPipe"] = "1";
        process.Environment["DOTNET_EventPipeOutputPath"] = file;
        process.Environment["DOTNET_EventPipeConfig"] =
            $"{ClrTraceEventParser.ProviderName}:0x{countedAllocations | typeNames:X}:{(int)EventLevel.Verbose},{EngineEventSource.SourceName}:0x{ulong.MaxValue:X}:{(int)EventLevel.Informational}";
    }

    /// <param name="allThreads">For cells whose work moves between threads. It includes the runtime's own threads.</param>
    public static AllocatedObjects Read(string file, bool allThreads)
    {
        var engine = EventSource.GetGuid(typeof(EngineEventSource));
        var types = new Dictionary<ulong, string>();
        var objects = new AllocatedObjects();
        var measuring = 0; // the thread of the current iteration; 0 between iterations
        using var source = new EventPipeEventSource(file);
        source.Clr.TypeBulkType += bulk =>
        {
            for (var i = 0; i < bulk.Count; i++)
                types[bulk.Values(i).TypeID] = bulk.Values(i).TypeName;
        };
        source.Clr.GCSampledObjectAllocation += batch =>
        {
            if (measuring != 0 && (allThreads || batch.ThreadID == measuring))
                objects.Add(types.GetValueOrDefault(batch.TypeID, "?"), batch.ObjectCountForTypeSample);
        };
        source.AllEvents += heard =>
        {
            if (heard.ProviderGuid != engine)
                return;
            if ((int)heard.ID == EngineEventSource.WorkloadActualStartEventId)
            {
                measuring = heard.ThreadID;
                objects.AddOperations(BinaryPrimitives.ReadInt64LittleEndian(heard.EventData()));
            }
            else if ((int)heard.ID == EngineEventSource.WorkloadActualStopEventId)
            {
                measuring = 0;
            }
        };
        source.Process();
        return objects;
    }
}

/// <param name="Value">The objects per operation; null if it is not known.</param>
/// <param name="Error">The maximum error of <paramref name="Value"/>; 0 for an exact count.</param>
sealed record ObjectCount(double? Value, double Error)
{
    // The runtime and BenchmarkDotNet allocate at the same time. One object in a hundred operations does not belong to the operation.
    const double foreign = 0.01;

    public static ObjectCount Unknown { get; } = new(null, 0);

    /// <summary>Computes the count. It is a whole number if the batches are exact enough.</summary>
    /// <param name="bytes">The bytes that one operation allocates. If there are bytes and no objects, the trace was not written.</param>
    public static ObjectCount Of(AllocatedObjects objects, long bytes)
    {
        if (objects.Operations == 0 || (objects.Total == 0 && bytes > 0))
            return Unknown;
        var value = objects.Total / (double)objects.Operations;
        var error = objects.Uncertain / (double)objects.Operations;
        var whole = Math.Round(value);
        return error < 0.5 && Math.Abs(value - whole) <= error + foreign ? new(whole, 0) : new(value, error);
    }

    /// <summary>Returns "7" for an exact count, "~10,511 ± 19" for a count with an error, and "unknown" if there is none.</summary>
    public override string ToString()
    {
        if (Value is not { } value)
            return "unknown";
        if (Error == 0 && double.IsInteger(value))
            return value.ToString("N0");
        var format = value >= 100 ? "N0" : "N2";
        return "~" + value.ToString(format) + (Error > 0 ? " ± " + Error.ToString(format) : "");
    }
}

/// <summary>Represents the objects that the measured iterations of a cell allocated, by type. Not thread-safe.</summary>
sealed class AllocatedObjects
{
    readonly Dictionary<string, (long Objects, long LargestBatch)> types = [];

    public long Operations { get; private set; }

    public IEnumerable<(string Type, long Objects)> ByType => types.Select(type => (type.Key, type.Value.Objects));

    public long Total => types.Values.Sum(type => type.Objects);

    // For each type, a batch may have begun before the iterations, and the last batch is not reported.
    public long Uncertain => types.Values.Sum(type => type.LargestBatch - 1);

    public void Add(string type, long batch)
    {
        var sum = types.GetValueOrDefault(type);
        types[type] = (sum.Objects + batch, Math.Max(sum.LargestBatch, batch));
    }

    public void AddOperations(long operations) => Operations += operations;
}

/// <summary>Stores counts in the full JSON. An unknown count is stored as a negative error without a count.</summary>
static class AllocationMetrics
{
    const string count = "AllocatedObjects";
    const string error = "AllocatedObjectsError";
    const double unknown = -1;

    public static IEnumerable<Metric> Of(AllocatedObjects heard, long? exactBytes)
    {
        var objects = exactBytes is { } bytes ? ObjectCount.Of(heard, bytes) : ObjectCount.Unknown;
        if (objects.Value is { } value)
            yield return new(new HiddenMetric(count, "Objects allocated by one operation"), value);
        yield return new(new HiddenMetric(error, "How much AllocatedObjects may be off; 0: an exact count; -1: the count is not known"),
            objects.Value is null ? unknown : objects.Error);
    }

    public static ObjectCount? Read(IReadOnlyDictionary<string, Metric> metrics) =>
        !metrics.TryGetValue(error, out var kept)
        ? null : metrics.TryGetValue(count, out var value) ? new(value.Value, kept.Value) : ObjectCount.Unknown;
}

abstract class OwnDiagnoser : IDiagnoser
{
    public IEnumerable<string> Ids => [GetType().Name];

    public IEnumerable<IExporter> Exporters => [];

    public IEnumerable<IAnalyser> Analysers => [];

    public abstract RunMode GetRunMode(BenchmarkCase benchmarkCase);

    public abstract void Handle(HostSignal signal, DiagnoserActionParameters parameters);

    public abstract IEnumerable<Metric> ProcessResults(DiagnoserResults results);

    public virtual void DisplayResults(ILogger logger)
    {
    }

    public IEnumerable<ValidationError> Validate(ValidationParameters validationParameters) => [];
}

/// <summary>Represents a metric of the full JSON without a column of BenchmarkDotNet. A column of this program shows it.</summary>
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
