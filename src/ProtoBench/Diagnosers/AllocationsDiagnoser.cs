using System.Buffers.Binary;
using System.Diagnostics;
using System.Diagnostics.Tracing;
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
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers;
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

/// <summary>
/// A process that writes down what it allocates: every object is counted by the runtime, and reported in batches of its type. Only what
/// happens between the start and the stop of BenchmarkDotNet's measured iterations is read, so that jitting, warm-up and the engine's own
/// objects stay out.
/// </summary>
static class AllocationTrace
{
    // dotnet/runtime, ClrEtwAll.man: GCSampledObjectAllocationHighKeyword, which the runtime looks at only when it starts, because it
    // chooses the allocator; TypeKeyword and GCHeapAndTypeNamesKeyword, which need each other.
    const long countedAllocations = 0x200000;
    const long typeNames = 0x80000 | 0x1000000;

    /// <summary>Makes a process that has not started yet write its trace to a file.</summary>
    public static void Enable(ProcessStartInfo process, string file)
    {
        process.Environment["DOTNET_EnableEventPipe"] = "1";
        process.Environment["DOTNET_EventPipeOutputPath"] = file;
        process.Environment["DOTNET_EventPipeConfig"] =
            $"{ClrTraceEventParser.ProviderName}:0x{countedAllocations | typeNames:X}:{(int)EventLevel.Verbose},{EngineEventSource.SourceName}:0x{ulong.MaxValue:X}:{(int)EventLevel.Informational}";
    }

    /// <summary>Reads the trace of a process that has ended.</summary>
    /// <param name="file">The trace.</param>
    /// <param name="allThreads">For cells whose work moves between threads; else only what the
    /// thread of the iterations reports counts, and the runtime's own threads do not.</param>
    public static AllocatedObjects Read(string file, bool allThreads)
    {
        var engine = EventSource.GetGuid(typeof(EngineEventSource));
        var types = new Dictionary<ulong, string>();
        var objects = new AllocatedObjects();
        var measuring = 0; // the thread of the iteration that runs; 0 between them
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

/// <summary>Objects allocated by one operation.</summary>
/// <param name="Value">Objects per operation; null: nothing is known.</param>
/// <param name="Error">How much <paramref name="Value"/> may be off; 0 for an exact count.</param>
public sealed record ObjectCount(double? Value, double Error)
{
    // What the runtime itself and BenchmarkDotNet allocate meanwhile: an object in a hundred operations is none of the operation's.
    const double foreign = 0.01;

    /// <summary>Nothing can be said.</summary>
    public static ObjectCount Unknown { get; } = new(null, 0);

    /// <summary>The count, whole where the batches leave no doubt.</summary>
    /// <param name="objects">What the runtime reported, and over how many operations.</param>
    /// <param name="bytes">Bytes that one operation allocates: no objects, but bytes, is a trace that was not written.</param>
    public static ObjectCount Of(AllocatedObjects objects, long bytes)
    {
        if (objects.Operations == 0 || (objects.Total == 0 && bytes > 0))
            return Unknown;
        var value = objects.Total / (double)objects.Operations;
        var error = objects.Uncertain / (double)objects.Operations;
        var whole = Math.Round(value);
        return error < 0.5 && Math.Abs(value - whole) <= error + foreign ? new(whole, 0) : new(value, error);
    }

    /// <summary>"7" where the count is exact, "~10,511 ± 19" where it is not, "unknown" where there is none.</summary>
    public override string ToString()
    {
        if (Value is not { } value)
            return "unknown";
        if (Error == 0 && double.IsInteger(value))
            return value.ToString("N0", CultureInfo.InvariantCulture);
        var format = value >= 100 ? "N0" : "N2";
        return "~" + value.ToString(format, CultureInfo.InvariantCulture)
            + (Error > 0 ? " ± " + Error.ToString(format, CultureInfo.InvariantCulture) : "");
    }
}

/// <summary>The objects that a cell's measured iterations allocated, by type. Not thread-safe.</summary>
public sealed class AllocatedObjects
{
    readonly Dictionary<string, (long Objects, long LargestBatch)> types = [];

    /// <summary>Operations in those iterations.</summary>
    public long Operations { get; private set; }

    /// <summary>How many of each type.</summary>
    public IEnumerable<(string Type, long Objects)> ByType => types.Select(type => (type.Key, type.Value.Objects));

    /// <summary>All of them.</summary>
    public long Total => types.Values.Sum(type => type.Objects);

    /// <summary>How many the sum may be off: of each type, a batch may have begun
    /// before the iterations, and the last one has not been reported.</summary>
    public long Uncertain => types.Values.Sum(type => type.LargestBatch - 1);

    /// <summary>Adds a batch of one type, as the runtime reports it.</summary>
    public void Add(string type, long batch)
    {
        var sum = types.GetValueOrDefault(type);
        types[type] = (sum.Objects + batch, Math.Max(sum.LargestBatch, batch));
    }

    /// <summary>Adds an iteration's operations.</summary>
    public void AddOperations(long operations) => Operations += operations;
}

/// <summary>How counts of objects are kept with a cell's results, in the full JSON too.
/// Where nothing is known there is no count, and the error is negative.</summary>
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

    /// <summary>What was kept; null for a cell whose objects were not counted.</summary>
    public static ObjectCount? Read(IReadOnlyDictionary<string, Metric> metrics) =>
        !metrics.TryGetValue(error, out var kept)
        ? null : metrics.TryGetValue(count, out var value) ? new(value.Value, kept.Value) : ObjectCount.Unknown;
}
