using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using ProtoBench.Results;

namespace ProtoBench.Peers;

/// <summary>The lines of a run as a result that compare and report read: the best way of each library, and a launch for each
/// round.</summary>
sealed class PeerResult(PeerTable kind, IReadOnlyList<PeerLine> lines, string note, string command)
{
    readonly Dictionary<string, string> versions = lines.Where(line => line.Version.Length > 0).GroupBy(line => line.Library)
        .ToDictionary(library => library.Key, library => library.First().Version);

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
        File.WriteAllText(file, Table().Into(Result()));
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
        var (header, rows) = kind.Of(Best);
        return new(About, header, rows);
    }

    // what the reader takes from the full JSON of BenchmarkDotNet
    JsonObject Result() => new()
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
        ["Benchmarks"] = new JsonArray([.. Best.Select(kind.ToJson)]),
    };

    static string Cpu => File.ReadLines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))
        ?.Split(": ", 2)[1] ?? "unknown";
}

sealed record MeasuredWay(PeerLine Line, IReadOnlyList<double> Rounds)
{
    public double Median => Results.Median.Of(Rounds).Value;

    public double Least => Rounds.Min();

    /// <summary>Megabytes (10^6 bytes) a second.</summary>
    public double Rate => Line.Bytes / Median * 1e3;

    public string Time => Median >= 1e4 ? Text(Median / 1e3, "N0") + " μs" : Text(Median, "N0") + " ns";

    /// <summary>The median of the ratios of the rounds, and the smallest and the largest of them. With six rounds or more, this interval
    /// has the true median in 96 % of all runs.</summary>
    public string Against(MeasuredWay other)
    {
        double[] ratios = [.. Rounds.Zip(other.Rounds, (own, its) => own / its).Order()];
        return $"{Text(Results.Median.Of(ratios).Value)} [{Text(ratios[0])} to {Text(ratios[^1])}]";
    }

    public static string Text(double number, string format = "F2") => number.ToString(format, CultureInfo.InvariantCulture);

    public override string ToString() => string.Create(CultureInfo.InvariantCulture,
        $"{Line.Verb,-5} {Line.Set,-20} {Line.Library,-20} {Line.Way,-7} median {Median / 1e3,9:F2} μs, least {Least / 1e3,9:F2} μs");
}
