using System.CommandLine;
using System.Text.Json.Nodes;

namespace ProtoBench.GrpcHost;

static class MergeCommand
{
    public static Command Create()
    {
        var files = new Argument<string[]>("files") { Description = "HdrHistogram logs", Arity = ArgumentArity.OneOrMore };
        var output = Arguments.Option<string?>("--out", "writes the histograms as JSON");
        var command = new Command("merge",
            "Adds the histograms of HdrHistogram logs, such as --hdr writes, bucket by bucket: a row for each tag.") { files, output };
        command.SetAction(async parsed =>
        {
            if (parsed.GetValue(output) is { } name)
                ResultFiles.Check(name);
            var merged = new SortedDictionary<string, (LatencyHistogram Latencies, int Intervals)>(StringComparer.Ordinal);
            foreach (var file in parsed.GetValue(files)!)
                Add(file, merged);
            if (merged.Count == 0)
                throw new RunException(ExitCode.Failed, "no interval in these files");
            var tags = new JsonObject();
            foreach (var (tag, (latencies, intervals)) in merged)
            {
                var record = LatencyRecord.Of(latencies, [50, 90, 95, 99, 99.9]);
                await Console.Out.WriteLineAsync($"{(tag.Length == 0 ? "(no tag)" : tag)}: {intervals} intervals, {record.Count} calls, {string.Join(", ", record.PercentilesUs.Select(one => $"p{one.Key} {one.Value} μs"))}, max {record.MaxUs} μs");
                tags[tag] = new JsonObject
                {
                    ["intervals"] = intervals,
                    ["count"] = record.Count,
                    ["minUs"] = record.MinUs,
                    ["meanUs"] = record.MeanUs,
                    ["maxUs"] = record.MaxUs,
                    ["percentilesUs"] = new JsonObject(record.PercentilesUs.Select(one => KeyValuePair.Create(one.Key, (JsonNode?)one.Value))),
                    ["histogram"] = record.Histogram,
                };
            }

            var saved = new ResultFiles();
            await saved.WriteAsync(parsed.GetValue(output),
                () => new JsonObject { ["tags"] = tags }.ToJsonString(new() { WriteIndented = true }) + "\n");
            return saved.ExitCode(ExitCode.Done);
        });
        return command;
    }

    static void Add(string file, SortedDictionary<string, (LatencyHistogram Latencies, int Intervals)> merged)
    {
        try
        {
            foreach (var interval in HistogramLog.Read(File.ReadLines(file)))
            {
                var (all, count) = merged.TryGetValue(interval.Tag, out var known) ? known : (new(), 0);
                all.Add(interval.Histogram);
                merged[interval.Tag] = (all, count + 1);
            }
        }
        catch (Exception e) when (e is FormatException or IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"{file}: {e.Message}", e);
        }
    }
}
