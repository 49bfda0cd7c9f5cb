using System.Text.Json;
using ProtoBench.Results;

namespace ProtoBench.Report.Tests;

/// <summary>Cells, parameters, medians and deviations are real. The iterations are made up around the median, seeded.</summary>
static class SavedTables
{
    const int iterations = 15, seed = 20261121;

    static readonly Dictionary<string, string> types =
        new()
        {
            ["Allocator"] = "AllocatorBenchmarks",
            ["Encode"] = "EncodeBenchmarks",
            ["Map"] = "BreakEvenBenchmarks",
            ["RpcStack"] = "RpcStackBenchmarks",
            ["Strategy"] = "StrategyBenchmarks",
            ["WireWrite"] = "WireWriteBenchmarks",
            ["Hive"] = "HiveBenchmarks"
        };

    public static ResultFile Read(string table)
    {
        var random = new Random(seed);
        string[][] rows =
            [.. File.ReadLines(Pages.Data($"saved/{table}.md")).Where(line => line.StartsWith('|'))
                .Select(line => line.Trim('|', ' ').Split('|', StringSplitOptions.TrimEntries))
            .SkipWhile(row => row[0] != "Method")];
        var heads = rows[0];
        string[] parameters = [.. heads[1..Array.IndexOf(heads, "Mean")]];
        var benchmarks = rows.Skip(1).Where(row => row[0].Length > 0 && !row[0].StartsWith('-')).Select(row =>
            {
                string Field(string head) => Array.IndexOf(heads, head) is >= 0 and var at ? row[at] : "";
                var (median, deviation) =
                    (Nanoseconds(Field("Median") is { Length: > 0 } text ? text : Field("Mean")), Nanoseconds(Field("StdDev")));
                var pairs = string.Join('&', parameters.Select(parameter => $"{parameter}={Field(parameter)}"));
                var type = types.GetValueOrDefault(table)
                    ?? (row[0].Contains("Many", StringComparison.Ordinal) ? "FormatListBenchmarks" : "FormatBenchmarks");
                return new
                {
                    Type = type,
                    Method = row[0],
                    Parameters = pairs,
                    FullName = $"{type}.{row[0]}({pairs})",
                    Statistics = new
                    {
                        OriginalValues =
                        Enumerable.Range(0, iterations).Select(i => Math.Max(0, median + (deviation * ((random.NextDouble() * 3) - 1.5))))
                            .ToArray()
                    },
                    Memory = new
                    {
                        BytesAllocatedPerOperation = Field("Allocated") is { Length: > 2 } bytes
                    ? long.Parse(bytes[..^2]) : 0
                    },
                    Metrics = Field("MB/s") is { Length: > 0 } rate && double.TryParse(rate, out var mb)
                        ? new object[] { new { Value = mb,
                            Descriptor = new { Id = "MB/s", DisplayName = "MB/s", Unit = "MB/s", TheGreaterTheBetter = true } } } : [],
                };
            });
        return ResultFile.Parse(
            JsonSerializer.Serialize(
                new { HostEnvironmentInfo = new { ProcessorName = "AMD EPYC", Configuration = "RELEASE" }, Benchmarks = benchmarks }),
                    table + ".json");
    }

    static double Nanoseconds(string text)
    {
        var parts = text.Split(' ');
        return double.Parse(parts[0]) * parts[1] switch { "ns" => 1, "μs" => 1e3, "ms" => 1e6, _ => 1e9 };
    }
}
