using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;

namespace ProtoBench.Results;

/// <summary>Reads the full JSON of BenchmarkDotNet 0.14 and newer.</summary>
static class BenchmarkDotNetFile
{
    static readonly Unit time = new("ns/op", Scale.Nanoseconds);

    public static ResultFile Parse(string json, string path)
    {
        BenchmarkDotNetReport report;
        try
        {
            report = JsonSerializer.Deserialize(json, BenchmarkDotNetJson.Default.BenchmarkDotNetReport)!;
        }
        catch (JsonException e)
        {
            throw DamagedFileException.Of(path, "damaged BenchmarkDotNet JSON: " + e.Message, e);
        }

        if (report.Benchmarks.Count == 0)
            throw DamagedFileException.Of(path, "BenchmarkDotNet JSON without a single benchmark");
        var job = Jobs(report);
        var cells = new List<Cell>();
        var failed = new List<CellName>();
        var doubts = new List<(string Fault, bool Shown, CellName Cell)>();
        // nothing says which of two cells with one name is meant
        var named = report.Benchmarks.GroupBy(benchmark => Name(benchmark, job(benchmark))).ToArray();
        string[] doubled = [.. named.Where(cell => cell.Count() > 1).Select(cell => $"the cell {cell.Key} is there {Times(cell.Count())}")];
        if (doubled.Length == named.Length)
            throw DamagedFileException.Of(path, doubled[0]);
        foreach (var (name, benchmark) in named.Where(cell => cell.Count() == 1).Select(cell => (cell.Key, cell.Single())))
        {
            var iterations = Iterations(benchmark);
            double[] launches = [.. iterations.Select(launch => Median.Middle([.. launch.Order()]))];
            if (launches.Length == 0)
            {
                failed.Add(name);
                continue;
            }

            // The time is 0 if a cell takes no longer than the empty method that is subtracted.
            if (launches.Any(value => !(value >= 0 && double.IsFinite(value))))
                throw DamagedFileException.Of(path, $"the cell {name} has a time that is negative or not finite");
            var faults = Faults(benchmark, launches.Length);
            var believed = Enumerable.Range(0, launches.Length).Where(launch => faults[launch] == null).ToArray();
            var doubtful = believed.Length == 0;
            doubts.AddRange(faults.OfType<string>().Select(fault => (fault, doubtful, name)));
            if (doubtful)
                believed = [.. Enumerable.Range(0, launches.Length)];
            cells.Add(new Cell(name, time, [.. believed.Select(launch => launches[launch])], "launch")
            {
                Iterations = [.. believed.SelectMany(launch => iterations[launch])],
                Doubtful = doubtful,
                Shard = benchmark.Shard,
                Items = benchmark.Cell?.Items is > 0 and var items ? items : null,
            });
            if (benchmark.Memory?.BytesAllocatedPerOperation is { } allocated)
                cells.Add(new Cell(name, Unit.BytesPerOperation, [allocated], "launch"));
            cells.AddRange(Metrics(benchmark).Select(metric => new Cell(name, metric.Unit, [metric.Value], "launch")));
        }

        return new ResultFile
        {
            Path = path,
            Cells = cells,
            Failed = failed,
            Facts = Facts(report),
            Libraries =
            [
                .. (report.ProtoBench?.Libraries
                ?? []).Select(library => new LibraryFacts(ResultText.Clean(library.Name), ResultText.Clean(library.Label), library.Colour)),
            ],
            Commit = ResultText.Commit(report.ProtoBench?.Commit, report.ProtoBench?.Clean),
            Command = report.ProtoBench?.Command is { } command ? ResultText.Clean(command) : null,
            Warnings = [.. Warnings(report, path), .. doubled.Select(cell => $"{path}: {cell}, and left out"), .. Doubts(doubts, path)],
        };

        static string Times(int number) => number == 2 ? "twice" : $"{number} times";
    }

    /// <summary>Returns what is read of a cell. Iterations of one launch are the values of the statistics. With several, each keeps its
    /// launch.</summary>
    public static JsonNode Small(JsonNode cell)
    {
        var whole = cell.Deserialize(BenchmarkDotNetJson.Default.BenchmarkDotNetCase)!;
        double[][] launches = [.. Iterations(whole).Select(launch => launch.Select(Rounded).ToArray())];
        return JsonSerializer.SerializeToNode(
            whole with
            {
                Statistics = whole.Statistics is null ? null : new(launches is [var only] ? only : []),
                Measurements = launches.Length < 2 ? null : [.. launches.SelectMany((values, launch) =>
                    values.Select(value => new BenchmarkDotNetMeasurement("Workload", "Result", launch, 1, value)))],
                Metrics = whole.Metrics?.Where(IsRead).ToArray(),
            },
            BenchmarkDotNetJson.Default.BenchmarkDotNetCase)!;

        // seven digits; the noise of a clock is a thousand times larger
        static double Rounded(double value) =>
            double.Parse(value.ToString("G7", CultureInfo.InvariantCulture), CultureInfo.InvariantCulture);
    }

    // The counts of collections need Memory.TotalOperations and depend on the heap's budget. "Allocated Memory" repeats B/op.
    static bool IsRead(BenchmarkDotNetMetric metric) => metric.Descriptor?.Id is { } id
        && !id.StartsWith("Gen", StringComparison.Ordinal) && id != "Allocated Memory";

    // The reason why each launch is left out; null if it is not. Without measurements all launches are used.
    static string?[] Faults(BenchmarkDotNetCase benchmark, int launches)
    {
        var asked = LaunchCheck.Asked(Job(benchmark));
        string?[] faults =
        [
            .. (benchmark.Measurements ?? [])
                .Where(m => m is { IterationMode: "Workload", IterationStage: "Actual", Operations: > 0 })
                .GroupBy(m => m.LaunchIndex)
                .Select(launch => LaunchCheck.Fault([.. launch.Select(m => (m.Operations, m.Nanoseconds))], asked)),
        ];
        return faults.Length == launches ? faults : new string?[launches];
    }

    static IEnumerable<string> Doubts(List<(string Fault, bool Shown, CellName Cell)> doubts, string path) => doubts
        .GroupBy(doubt => (doubt.Fault, doubt.Shown), doubt => doubt.Cell["method"]!)
        .Select(fault =>
            $"{path}: {(fault.Count() == 1 ? "1 launch of a cell is" : $"{fault.Count()} launches of cells are")} "
            + (fault.Key.Shown ? $"shown, and no verdict is based on {(fault.Count() == 1 ? "it" : "them")}" : "left out")
            + $", {fault.Key.Fault}: "
            + string.Join(", ", fault.Distinct().Take(3)) + (fault.Distinct().Count() > 3 ? ", ..." : ""));

    // The iterations of each launch, whose median is its value. Workload/Result is measured without the overhead. Files without it have
    // Workload/Actual.
    static double[][] Iterations(BenchmarkDotNetCase benchmark)
    {
        foreach (var stage in benchmark.Measurements == null ? [] : (string[])["Result", "Actual"])
        {
            double[][] launches =
            [
                .. benchmark.Measurements!
                    .Where(m => m.IterationMode == "Workload" && m.IterationStage == stage && m.Operations > 0)
                    .GroupBy(m => m.LaunchIndex, m => m.Nanoseconds / m.Operations)
                    .Select(launch => launch.ToArray()),
            ];
            if (launches.Length > 0)
                return benchmark.Statistics == null ? [] : launches;
        }

        return benchmark.Statistics?.OriginalValues is { Count: > 0 } values ? [[.. values]] : [];
    }

    static CellName Name(BenchmarkDotNetCase benchmark, string? job)
    {
        var parameters = ResultText.Clean(benchmark.Parameters ?? "").Split('&', StringSplitOptions.RemoveEmptyEntries)
            .Select(pair => pair.Split('=', 2))
            .Select(pair => KeyValuePair.Create(pair[0], pair.Length == 2 ? pair[1] : ""));
        return CellName.Benchmark(ResultText.Clean(benchmark.FullName), ResultText.Clean(benchmark.Type),
            ResultText.Clean(benchmark.Method), parameters, job, benchmark.Cell);
    }

    // "Type.Method: Job(characteristics) [parameters]". An id that BenchmarkDotNet generated ("Job-VKKRLM") differs between runs.
    static string Job(BenchmarkDotNetCase benchmark)
    {
        var job = ResultText.Clean(benchmark.DisplayInfo ?? "");
        job = job[(job.IndexOf(": ", StringComparison.Ordinal) is >= 0 and var colon ? colon + 2 : 0)..];
        job = job.EndsWith(']') && job.LastIndexOf(" [", StringComparison.Ordinal) is > 0 and var bracket ? job[..bracket] : job;
        return job.StartsWith("Job-", StringComparison.Ordinal) && job.IndexOf('(', StringComparison.Ordinal) is > 0 and var open
            ? job[(open + 1)..].TrimEnd(')') : job;
    }

    // The id of each job that has one, unless two jobs have the same id. Then the id is the description of the job.
    static Func<BenchmarkDotNetCase, string?> Jobs(BenchmarkDotNetReport report)
    {
        string[] jobs = [.. report.Benchmarks.Select(Job).Distinct(StringComparer.Ordinal)];
        if (jobs.Length == 1 || report.Benchmarks.DistinctBy(benchmark => benchmark.FullName).Count() == report.Benchmarks.Count)
            return _ => null;
        return jobs.Select(Id).Distinct(StringComparer.Ordinal).Count() == jobs.Length ? benchmark => Id(Job(benchmark)) : Job;
        static string Id(string job) => job.Split('(')[0];
    }

    static IEnumerable<(Unit Unit, double Value)> Metrics(BenchmarkDotNetCase benchmark)
    {
        foreach (var metric in benchmark.Metrics ?? [])
        {
            // an error is not a figure of its own
            if (!IsRead(metric) || metric.Descriptor is not { Id: { } id } descriptor
                || id.EndsWith("Error", StringComparison.Ordinal) || !double.IsFinite(metric.Value))
                continue;

            // Objects per operation are estimated from samples with an error of about 0.3 %, so they are equal within 1 %.
            yield return id == "AllocatedObjects"
                ? (new Unit("objects/op", Scale.Plain) { Exact = true, Tolerance = 0.01 }, metric.Value)
                : (new Unit(ResultText.Clean(descriptor.DisplayName ?? id), Scale.Plain)
                {
                    Exact = descriptor.Unit == "B",
                    HigherIsBetter = descriptor.TheGreaterTheBetter,
                    Derived = id is "MB/s" or "CPU %"
                }, metric.Value);
        }
    }

    static Dictionary<string, string> Facts(BenchmarkDotNetReport report)
    {
        var host = report.HostEnvironmentInfo;
        return ResultText.Facts(
        [
            .. report.ProtoBench is { } node ? [Suite.Fact(node.Suite)] : Array.Empty<(string, string?)>(),
            // BenchmarkDotNet shortens the name, and other results have it in full
            ("processor", report.ProtoBench?.Cpu ?? host?.ProcessorName),
            ("cores", host?.LogicalCoreCount?.ToString(CultureInfo.InvariantCulture)),
            ("operating system", host?.OsVersion),
            ("architecture", host?.Architecture),
            ("runtime", host?.RuntimeVersion),
            ("configuration", host?.Configuration),
            ("BenchmarkDotNet", host?.BenchmarkDotNetVersion),
            ("GC", report.ProtoBench?.Gc),
            ("job", string.Join(" and ", report.Benchmarks.Select(Job).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal))),
            .. ResultText.Versions(report.ProtoBench?.Versions),
        ]);
    }

    static IEnumerable<string> Warnings(BenchmarkDotNetReport report, string path)
    {
        if (report.HostEnvironmentInfo?.Configuration is { } configuration && configuration != "RELEASE")
            yield return $"{path}: measured in {ResultText.Clean(configuration)}, not RELEASE";
        if (report.HostEnvironmentInfo?.HasAttachedDebugger == true)
            yield return $"{path}: measured under a debugger";
        if (MachineLoad.Sentence(report.ProtoBench?.OtherCores, report.HostEnvironmentInfo?.LogicalCoreCount ?? 1) is { } load)
            yield return $"{path}: {load}";
        if (report.ProtoBench?.Note is { Length: > 0 } note)
            yield return $"{path}: {ResultText.Clean(note)}";
    }
}

sealed record BenchmarkDotNetReport(
    BenchmarkDotNetHost? HostEnvironmentInfo, [property: JsonRequired] IReadOnlyList<BenchmarkDotNetCase> Benchmarks,
    ProtoBenchNode? ProtoBench);

sealed record BenchmarkDotNetHost(
    string? BenchmarkDotNetVersion, string? OsVersion, string? ProcessorName, int? LogicalCoreCount, string? RuntimeVersion,
    string? Architecture, bool? HasAttachedDebugger, string? Configuration);

/// <param name="Statistics">Null when the benchmark failed.</param>
/// <param name="Cell">Null in files of BenchmarkDotNet and of older versions, and for cells that are not in the hive's table.</param>
sealed record BenchmarkDotNetCase(
    string? DisplayInfo, [property: JsonRequired] string Type, [property: JsonRequired] string Method, string? Parameters,
    [property: JsonRequired] string FullName, BenchmarkDotNetStatistics? Statistics, BenchmarkDotNetMemory? Memory,
    IReadOnlyList<BenchmarkDotNetMeasurement>? Measurements, IReadOnlyList<BenchmarkDotNetMetric>? Metrics, CellFacts? Cell,
    int? Shard = null);

sealed record BenchmarkDotNetStatistics(IReadOnlyList<double>? OriginalValues);

sealed record BenchmarkDotNetMemory(long? BytesAllocatedPerOperation);

sealed record BenchmarkDotNetMeasurement(
    [property: JsonRequired] string IterationMode, [property: JsonRequired] string IterationStage, int LaunchIndex, long Operations,
    double Nanoseconds);

sealed record BenchmarkDotNetMetric(double Value, BenchmarkDotNetMetricDescriptor? Descriptor);

sealed record BenchmarkDotNetMetricDescriptor(string? Id, string? DisplayName, string? Unit, bool TheGreaterTheBetter);

/// <param name="Libraries">The libraries of the hive's table; null in files of older versions.</param>
sealed record ProtoBenchNode(
    Dictionary<string, string>? Versions, IReadOnlyList<LibraryFacts>? Libraries, string? Commit, bool? Clean, string? Gc, string? Note,
    string? Command, string? Cpu = null, double? OtherCores = null, int? Suite = null);

/// <summary>The generated reader. BenchmarkDotNet writes NaN in quotes.</summary>
[JsonSourceGenerationOptions(NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals, PropertyNameCaseInsensitive = true,
    RespectNullableAnnotations = true)]
[JsonSerializable(typeof(BenchmarkDotNetReport))]
sealed partial class BenchmarkDotNetJson : JsonSerializerContext;
