using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using ProtoBench.Results;

namespace ProtoBench.Peers;

/// <summary>The lines of a run as a result that compare and report read: the best way of each library, and a launch for each round. Its
/// table has a row for each verb and set.</summary>
sealed class LanguagesResult(IReadOnlyList<PeerLine> lines, string note, string command)
{
    const string slab = "Slab", cpp = "C++";

    readonly Dictionary<string, string> versions =
        lines.GroupBy(line => line.Library).ToDictionary(library => library.Key, library => library.First().Version);

    readonly MeasuredWay[] ways =
    [
        .. lines.Where(line => line.Ns is not null).GroupBy(line => (line.Verb, line.Set, line.Library, line.Way))
            .Select(rounds => new MeasuredWay(rounds.First(), [.. rounds.Select(line => line.Ns!.Value)])),
    ];

    MeasuredWay[] Best =>
        [.. ways.GroupBy(way => (way.Line.Verb, way.Line.Set, way.Line.Library)).Select(same => same.MinBy(way => way.Median)!)];

    public void Write(string file, TextWriter output)
    {
        foreach (var way in ways)
            output.WriteLine(way);
        output.WriteLine();
        foreach (var line in About)
            output.WriteLine(line);
        output.WriteLine();
        output.Write(Table().ToMarkdown());
        Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(file))!);
        File.WriteAllText(file, Table().Into(Json()));
    }

    string[] About =>
    [
        $"{DateTime.UtcNow.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture)}, commit {Git.Commit(".") ?? "unknown"}"
            + (Git.IsClean(".") is true ? "" : ", with changes that are not committed"),
        $"{Cpu}, {Environment.ProcessorCount} cores, .NET {Environment.Version}",
        PackageList.Of(versions),
        $"`{command}`",
        note,
        .. lines.Where(line => line.Why is not null).GroupBy(line => (line.Library, line.Why))
            .Select(same => $"{same.Key.Item1}: {same.Key.Why}: {string.Join(", ", same.Select(line => line.Set).Distinct())}"),
    ];

    SavedTable Table()
    {
        string[] libraries = [.. Best.Select(way => way.Line.Library).Distinct()];
        return new(About, ["Verb", "Data set", .. libraries, "C++ way", "Time of Slab by C++", "By the least times"],
        [
            .. Best.GroupBy(way => (way.Line.Verb, way.Line.Set)).OrderBy(row => row.Key.Verb, StringComparer.Ordinal)
                .Select(row => Row(row.Key.Verb, row.Key.Set, libraries, row.ToDictionary(way => way.Line.Library))),
        ]);
    }

    static string[] Row(string verb, string set, string[] libraries, Dictionary<string, MeasuredWay> of) =>
    [
        Capital(verb), set, .. libraries.Select(library => of.TryGetValue(library, out var way) ? way.Rate : "-"),
        .. of.TryGetValue(slab, out var own) && of.TryGetValue(cpp, out var other)
            ? (string[])[other.Line.Way, own.Against(other), Ratio(own.Least / other.Least)] : ["-", "-", "-"],
    ];

    // what the reader takes from the full JSON of BenchmarkDotNet
    string Json()
    {
        var root = new JsonObject
        {
            ["HostEnvironmentInfo"] = new JsonObject
            {
                ["ProcessorName"] = Cpu,
                ["LogicalCoreCount"] = Environment.ProcessorCount,
                ["RuntimeVersion"] = $".NET {Environment.Version}",
                ["Configuration"] = "RELEASE",
            },
            ["ProtoBench"] = new JsonObject
            {
                ["versions"] = JsonSerializer.SerializeToNode(versions),
                ["commit"] = Git.Commit("."),
                ["clean"] = Git.IsClean("."),
                ["note"] = note,
                ["command"] = command,
            },
        };
        var text = root.ToJsonString();
        return $"{text[..^1]},\n\"Benchmarks\": [\n{string.Join(",\n", Best.Select(way => way.ToJson().ToJsonString()))}\n]}}";
    }

    static string Cpu => File.ReadLines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))
        ?.Split(": ", 2)[1] ?? "unknown";

    internal static string Capital(string verb) => char.ToUpperInvariant(verb[0]) + verb[1..];

    internal static string Ratio(double ratio) => ratio.ToString("F2", CultureInfo.InvariantCulture);
}

sealed record MeasuredWay(PeerLine Line, IReadOnlyList<double> Rounds)
{
    public double Median => Results.Median.Of(Rounds).Value;

    public double Least => Rounds.Min();

    /// <summary>Megabytes (10^6 bytes) a second.</summary>
    public string Rate => (Line.Bytes / Median * 1e3).ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>The median of the ratios of the rounds, and the smallest and the largest of them. With six rounds or more, this interval
    /// has the true median in 96 % of all runs.</summary>
    public string Against(MeasuredWay other)
    {
        double[] ratios = [.. Rounds.Zip(other.Rounds, (own, its) => own / its).Order()];
        var middle = LanguagesResult.Ratio(Results.Median.Of(ratios).Value);
        return $"{middle} [{LanguagesResult.Ratio(ratios[0])} to {LanguagesResult.Ratio(ratios[^1])}]";
    }

    public JsonObject ToJson()
    {
        var (verb, method) = (LanguagesResult.Capital(Line.Verb), $"{Line.Verb} with {Line.Library}");
        return new()
        {
            ["DisplayInfo"] = "Languages: rounds",
            ["Type"] = "Languages",
            ["Method"] = method,
            ["Parameters"] = $"DataSet={Line.Set}",
            ["FullName"] = $"Languages.{method}(DataSet: {Line.Set})",
            ["Cell"] = JsonSerializer.SerializeToNode(new CellFacts(verb, Line.Set, Line.Library)),
            ["Statistics"] = new JsonObject { ["OriginalValues"] = new JsonArray() },
            ["Measurements"] = new JsonArray([.. Rounds.Select((nanoseconds, round) => new JsonObject
            {
                ["IterationMode"] = "Workload",
                ["IterationStage"] = "Result",
                ["LaunchIndex"] = round + 1,
                ["Operations"] = 1,
                ["Nanoseconds"] = Math.Round(nanoseconds, 1),
            })]),
            ["Metrics"] = new JsonArray(new JsonObject
            {
                ["Value"] = Math.Round(Line.Bytes / Median * 1e3, 1),
                ["Descriptor"] =
                    new JsonObject { ["Id"] = "MB/s", ["DisplayName"] = "MB/s", ["Unit"] = "MB/s", ["TheGreaterTheBetter"] = true },
            }),
        };
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture,
        $"{Line.Verb,-5} {Line.Set,-10} {Line.Library,-12} {Line.Way,-7} median {Median / 1e3,9:F1} μs, least {Least / 1e3,9:F1} μs, ")
        + $"{Rate,6} MB/s";
}
