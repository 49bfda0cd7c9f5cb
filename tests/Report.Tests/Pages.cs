using System.Text;
using System.Text.Json;
using ProtoBench.Report.Model;
using ProtoBench.Results;

namespace ProtoBench.Report.Tests;

/// <summary>Real results from Data, real pairs of the tests of Results, and made-up ones.</summary>
static class Pages
{
    public static string Data(string name) => Path.Combine(Golden.Root, "tests", "Report.Tests", "Data", name);

    static readonly string pairs = Path.Combine(Golden.Root, "tests", "Results.Tests", "Data");

    /// <summary>A file that a remark names, wider than the page of a phone; the path of a checkout can be this long.</summary>
    const string longPath = "/home/somebody/source/repositories/protobench/tests/Report.Tests/Data/of/a/long/path/sweep.json";

    public static ReportContent Everything() => ReportContent.Of(
        [new Side("results",
            [ResultFile.Read(Data("hive.json")), BreakEven(), ResultFile.Read(Data("open.json")), ResultFile.Read(Data("sweep.json")),
                ResultFile.Read(Data("attribute.json"))])],
        new ComparisonOptions(), []);

    public static IEnumerable<(string Name, ReportContent Content)> Kinds() =>
    [
        ("everything", Everything()), ("pair", Pair()), ("dry", Dry()),
        ("duet", Duet()), ("hive", Saved("Hive")), ("sizes", Saved("Encode", "RpcStack")),
            ("others", Saved("Format", "Allocator", "Strategy", "WireWrite")), ("map", Saved("Map")),
        ("hundreds", Saved("Hive", "Map", "Strategy", "WireWrite")),
        ("load", ReportContent.Read([Data("saved/Load.json")], new ComparisonOptions())),
            ("sweep", ReportContent.Of([new Side("results", [ResultFile.Parse(File.ReadAllText(Data("sweep.json")), longPath)])],
                new ComparisonOptions(), [])),
        ("sets", ReportContent.Read([Path.Combine(Golden.Root, "results", "intel-r-xeon-r-processor", "DataSets.json")],
            new ComparisonOptions())),
        ("versions", Versions()), ("answer", Answers(Answered())), ("chooser", Chooser()),
    ];

    /// <summary>Two kinds of messages: Google takes 100 ns to read and to make each, and slab a quarter and a half. Unchanged code differs
    /// by 2 %.</summary>
    public static ReportContent Chooser()
    {
        DuetPair[] pairs = [.. from set in new[] { "Order", "Search" } from work in new[] { ("DeserializeTouch", 0.25), ("Make", 0.5) }
            select RatioGridTests.Pair($"{work.Item1}SetGoogle", $"{work.Item1}SetSlab", work.Item2, ("DataSet", set))];
        var same = MadeDuet.Of([1.02, 1.02]);
        DuetResult[] results = [MadeDuet.Result(pairs), same with { Settings = same.Settings with { Same = true } }];
        return ReportContent.Of(
            [new Side("results", [.. results.Select(result => ResultFile.Parse(DuetResultFile.ToJson(result), "made.json"))])], new(), []);
    }


    public static ReportContent Saved(params string[] tables) =>
        ReportContent.Of([new Side("results", [.. tables.Select(SavedTables.Read)])], new ComparisonOptions(), []);

    /// <summary>Two cells of one class with two older versions of a package: the first takes 2.5 times, then 0.8 times as long as with the
    /// newest, the second has one older version only.</summary>
    public static ReportContent Versions()
    {
        var result = DuetVersions.Join("Lib", "3.0",
        [
            ("1.0", MadeDuet.Result(Pair("DeserializeRequestLib", 0.4))),
            ("2.0", MadeDuet.Result(Pair("DeserializeRequestLib", 1.25), Pair("SerializeRequestLib", 1))),
        ]);
        return ReportContent.Of([new Side("results", [ResultFile.Parse(DuetResultFile.ToJson(result), "Versions-Lib-orders.json")])],
            new ComparisonOptions(), []);

        static DuetPair Pair(string cell, double ratio) => MadeDuet.Pair(cell, cell, [ratio, ratio, ratio * 1.01]) with
        {
            Ratio = ratio,
            Low = ratio * 0.8,
            High = ratio * 1.25,
        };
    }

    /// <summary>Pairs that took turns: one better, one worse, one unchanged, one that may not be believed.</summary>
    public static ReportContent Duet()
    {
        var result = MadeDuet.Result(
            Pair("SerializeRequestGoogle_BW", "SerializeRequestSlab_BW", 0.22),
            Pair("DeserializeRequestSlab_ROM", "DeserializeRequestSlab_ROM_A", 1.3),
            Pair("Same", "Same", 1),
            Pair("A", "B", 3) with { Valid = false });
        return ReportContent.Of([new Side("results", [ResultFile.Parse(DuetResultFile.ToJson(result), "duet.json")])],
            new ComparisonOptions(), []);

        // processes around the ratio that the pair is to show
        static DuetPair Pair(string old, string @new, double ratio) =>
            MadeDuet.Pair(old, @new, [.. Enumerable.Range(0, 10).Select(i => ratio * (1 + ((i - 4.5) * 0.004)))], 100, 100);
    }

    public static ReportContent Answers(params DuetResult[] results) => ReportContent.Of(
        [new Side("results", [.. results.Select((result, i) => ResultFile.Parse(DuetResultFile.ToJson(result), $"results/answer-{i}.json"))])],
        new ComparisonOptions(), []);

    /// <summary>The answer of a benchmark project on a busy machine: a slow library, the slab codec with and without strings, and a pair
    /// that was not judged.</summary>
    public static DuetResult Answered()
    {
        DuetPair[] pairs =
        [
            Pair("PBN", 3.94), Pair("Slab", 0.38), Pair("Slab_Strings", 0.59), Pair("MemoryPack", 0.5) with { Valid = false },
        ];
        AnsweredPair Named(string library, int at) => new(library, pairs[at].Old.Cell, pairs[at].New.Cell);
        var result = MadeDuet.Result(pairs);
        return result with
        {
            OtherCores = 1.8,
            Settings = result.Settings with { CommandLine = "--processes 3" },
            Answer = new()
            {
                Message = "acme.of.a.company.with.a.very.long.name.of.packages.Order",
                About = ["32 payloads, 9,018 bytes: p50 258, p95 616, max 715", "Left out: Nerdbank.MessagePack 1.1.62: it loses a field"],
                Works =
                [
                    new("Read every field", [Named("protobuf-net", 0), Named("MemoryPack", 3), Named("ProtoBench.Codec", 1)]),
                    new("Read every field, with a .NET string for each string field", [Named("ProtoBench.Codec", 2)]),
                ],
                Lines =
                [
                    "", "Read every field (Google.Protobuf: 1.204 μs)",
                    "  protobuf-net      takes 3.94 of Google's time [3.90 to 3.98], and allocates 1,701 B instead of 1,903 B",
                    "  ProtoBench.Codec  takes 0.38 of Google's time [0.37 to 0.40], and allocates 0 B instead of 1,903 B",
                    "", "Each process gives one ratio.", "The machine was busy: other programs used 1.8 of 2 cores.",
                ],
                Recommendation = ["", "Recommendation", "  Protobuf's format, .NET strings: take ProtoBench.Codec with .NET strings."],
            },
        };

        static DuetPair Pair(string library, double ratio)
        {
            var pair = MadeDuet.Pair("DeserializeTouchOrderGoogle", $"DeserializeTouchOrder{library}", [ratio * 0.99, ratio, ratio * 1.01], 1903);
            return pair with
            {
                Old = pair.Old with { Cell = "Benchmarks.OrderBenchmarks." + pair.Old.Method },
                New = pair.New with { Cell = "Benchmarks.OrderBenchmarks." + pair.New.Method },
            };
        }
    }

    public static ReportContent Dry() =>
        ReportContent.Of(
            [new Side("results",
                [ResultFile.Parse(DryRun([("SerializeRequestGoogle_BW", 4_400_000), ("SerializeRequestSlab_BW", 5_100_000)]),
                    "dry.json")])], new ComparisonOptions(), []);

    /// <summary>BenchmarkDotNet's JSON of a dry run: one operation of each cell.</summary>
    public static string DryRun(IEnumerable<(string Method, double Nanoseconds)> cells) => JsonSerializer.Serialize(new
    {
        Benchmarks = cells.Select(cell => new
        {
            DisplayInfo =
                $"SerializeBenchmarks.{cell.Method}: Dry(IterationCount=1, LaunchCount=1, RunStrategy=ColdStart, UnrollFactor=1, "
                    + $"WarmupCount=1)",
            Type = "SerializeBenchmarks",
            cell.Method,
            Parameters = "",
            FullName = $"ProtoBench.SerializeBenchmarks.{cell.Method}",
            Statistics = new { OriginalValues = new[] { cell.Nanoseconds } },
        }),
    });

    /// <summary>Five launches before and five after.</summary>
    public static ReportContent Pair() =>
        ReportContent.Read([$"old={pairs}/old-*.json", $"new={pairs}/new-*.json"], new ComparisonOptions());

    /// <summary>Where the program under test may not be trusted with names.</summary>
    public static ReportContent Hostile(string name) =>
        ReportContent.Of(
            [new Side("results",
                [ResultFile.Parse(
                    Benchmarks([(name, name, $"Size={name}", 10, 8), ("SerializeRequestGoogle_BW", "SerializeBenchmarks", "", 12, 0)]),
                        name)])], new ComparisonOptions(), [name]) with
        { Command = name };

    /// <summary>More cells than anybody has, spread over the names of the grammar.</summary>
    public static ReportContent Many(int count) => ReportContent.Of(
        [new Side("results", [ResultFile.Parse(Benchmarks(Enumerable.Range(0, count).Select(i =>
            ($"{((string[])["Serialize", "Deserialize"])[i % 2]}{((string[])["Request", "Response", "Mixed"])[i % 3]}{((string[])["Google", "Slab", "PBN", "Floor"])[i % 4]}_B{i % 7}", "HiveBenchmarks", $"Size={i}", 100.0 + i, i % 5))), "many.json")])],
        new ComparisonOptions(), []);

    /// <summary>One field is absent. Slab takes a quarter of Google's time with many items, four times as long with one.</summary>
    public static ResultFile BreakEven() => ResultFile.Parse(Benchmarks(
        from items in new[] { 1, 100, 10_000 }
        from leaf in new[] { 0, 64, 16_384 }
        where items * leaf <= 16 << 20
        from way in new[] { (Name: "Google", Factor: 1.0), (Name: "Slab_H", Factor: items == 1 ? 4 : 0.25) }
        select ("Deserialize" + way.Name, "BreakEvenBenchmarks", $"Items={items}&LeafBytes={leaf}", (items + leaf) * way.Factor, 0)),
            "map.json");

    public static string Benchmarks(IEnumerable<(string Method, string Type, string Parameters, double Nanoseconds, int Bytes)> cells)
    {
        var json = new StringBuilder(
            """{ "HostEnvironmentInfo": { "ProcessorName": "A Processor", "Configuration": "RELEASE" }, "Benchmarks": [""");
        json.AppendJoin(',', cells.Select(cell => JsonSerializer.Serialize(new
        {
            cell.Type,
            cell.Method,
            cell.Parameters,
            FullName = $"{cell.Type}.{cell.Method}({cell.Parameters})",
            Statistics = new { OriginalValues = new[] { cell.Nanoseconds } },
            Memory = new { BytesAllocatedPerOperation = cell.Bytes },
        })));
        return json.Append("] }").ToString();
    }
}
