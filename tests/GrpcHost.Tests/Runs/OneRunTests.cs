using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Tests;

public class OneRunTests(OneRun run) : IClassFixture<OneRun>
{
    [Fact]
    public void Interleaved_rounds_go_A_B_B_A()
    {
        Assert.Equal(["grpc-dotnet-google", "grpc-dotnet-slab"], run.Result.Variants.Select(variant => variant.Name));
        Assert.Equal([[0, 3, 4, 7], [1, 2, 5, 6]],
            run.Result.Variants.Select(variant => variant.Rounds.Select(round => round.Position).ToArray()));
        Assert.Equal(
            ["google", "slab", "slab", "google", "google", "slab", "slab", "google"],
            Regex.Matches(run.Output, "^round \\d of 4: grpc-dotnet-(\\w+), closed loop, 1 call at a time, 1 connection",
                RegexOptions.Multiline)
                .Select(match => match.Groups[1].Value));
    }

    [Fact]
    public void Interleaved_codecs_have_a_ratio_with_an_interval()
    {
        Assert.Contains("Against grpc-dotnet-google, in 4 alternating pairs of rounds:", run.Output, StringComparison.Ordinal);
        // on a machine that is too busy: no ratio rests on a run that is not to be believed
        if (run.Result.Variants.Any(variant => !variant.Verdict.Valid))
        {
            Assert.Matches("no answer, because (it|grpc-dotnet-google) is INVALID: ", run.Output);
            return;
        }

        foreach (var what in new[] { "makes", "p50 takes", "p99 takes" })
        {
            var match = Regex.Match(run.Output,
                $"^    {what} (\\S+) (?:times|of) its .* \\[(\\S+) to (\\S+)\\]: (\\S+) against (\\S+)(?: μs)?\r?$",
                RegexOptions.Multiline);
            Assert.True(match.Success, what + ":\n" + run.Output);
            double[] number = [.. match.Groups.Values.Skip(1).Select(group => double.Parse(group.Value))];
            Assert.InRange(number[0], number[1], number[2]);
        }

        Assert.Matches(@"(?m)^    the client allocates \S+ of its bytes a call: \S+ against \S+ B\r?$", run.Output);
    }

    [Fact]
    public void Attribution_tells_each_part_of_a_call()
    {
        string[] parts = ["clientEncode", "serverDecode", "handler", "serverEncode", "clientDecode", "rest"];
        foreach (var variant in run.Result.Variants)
        {
            var times = variant.AttributionUsPerCall!;
            Assert.Equal(parts, times.Keys);
            // one call at a time: its parts lie one behind the other within it
            Assert.All(times.Values, us => Assert.True(us > 0, variant.Name));
            Assert.Equal(variant.Rounds.Average(round => round.Service.MeanUs), times.Values.Sum(), 0.5);
            var lines = run.Output[run.Output.IndexOf($"{variant.Name}: where the time of a call goes", StringComparison.Ordinal)..].Split(
                '\n').Skip(1).Take(7);
            Assert.Equal([.. parts, "mean"], lines.Select(line => line.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)[0]));
        }
    }

    [Fact]
    public void The_result_file_has_its_schema_version_and_is_read_as_a_side_of_a_comparison()
    {
        Assert.Equal(1, JsonNode.Parse(run.Json)!["schemaVersion"]!.GetValue<int>());
        Assert.Equal(run.Json.TrimEnd(), LoadResultFile.ToJson(LoadResultFile.Read(run.ResultPath)));
        Assert.False(run.Result.Partial);
        Assert.StartsWith("run --codec google,slab --interleave", run.Result.Settings.CommandLine, StringComparison.Ordinal);
        var cells = ResultFile.Read(run.ResultPath).Cells;
        Assert.Equal(["grpc-dotnet-google", "grpc-dotnet-slab"], cells.Where(cell => cell.Unit.Name == "calls/s").Select(cell => cell.Name.Full));
    }

    [Fact]
    public async Task The_table_and_the_page_are_of_the_result()
    {
        Assert.Equal(LoadCsv.Of(run.Result), await File.ReadAllTextAsync(run.CsvPath));
        var page = await File.ReadAllTextAsync(run.PagePath);
        Assert.Contains("<h2>Under load: run</h2>", page, StringComparison.Ordinal);
        Assert.Contains("Rounds: calls per second", page, StringComparison.Ordinal);
        Assert.Contains("src/GrpcHost -- run --codec google,slab --interleave", page, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_histogram_log_is_read_by_another_reader()
    {
        await using var node = await Node.StartAsync("hlog.mjs", run.LogPath);
        var (exitCode, output) = await node.EndAsync(TimeSpan.FromMinutes(10));
        Assert.True(exitCode == 0, output);
        using var read = JsonDocument.Parse(output);
        Assert.Equal(run.Result.StartedAt.ToUnixTimeMilliseconds() / 1000.0, read.RootElement.GetProperty("startSeconds").GetDouble(),
            0.002);
        var rounds = run.Result.Variants.SelectMany(variant => variant.Rounds.Select(round => (variant.Name, Round: round)))
            .OrderBy(one => one.Round.Position).ToArray();
        Assert.All(rounds, one => Assert.Equal(one.Round.Service.Count, one.Round.Seconds!.Sum(second => second.Latency.Count)));
        Assert.Equal(
            rounds.SelectMany(one => one.Round.Seconds!.Select(second => second.Latency).Select(latency =>
                (one.Name, latency.Count, Percentile(latency, 50), Percentile(latency, 99), Percentile(latency, 100)))),
            read.RootElement.GetProperty("intervals").EnumerateArray().Select(interval =>
                (interval.GetProperty("tag").GetString()!, Number(interval, "count"), Number(interval, "p50"), Number(interval, "p99"),
                    Number(interval, "max"))));
        Assert.Equal(rounds.Sum(one => one.Round.DurationSeconds),
            read.RootElement.GetProperty("intervals").EnumerateArray().Sum(interval => interval.GetProperty("seconds").GetDouble()), 0.01);

        static long Number(JsonElement interval, string name) => interval.GetProperty(name).GetInt64();

        // of the buckets: a percentile in the last bucket is the largest value in the result, which the log does not have
        static long Percentile(LatencyRecord latency, double percentile) =>
            HistogramEncoding.Decode(latency.Histogram).Percentile(percentile);
    }
}

/// <summary>A run with everything that a run can be asked for, made once and looked at from all sides.</summary>
public sealed class OneRun : IAsyncLifetime
{
    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("protobench-");

    public string Output { get; private set; } = "";

    public string Json { get; private set; } = "";

    public string ResultPath => Path.Combine(folder.FullName, "result.json");

    public string LogPath => Path.Combine(folder.FullName, "run.hlog");

    public string CsvPath => Path.Combine(folder.FullName, "run.csv");

    public string PagePath => Path.Combine(folder.FullName, "run.html");

    internal LoadResult Result => LoadResultFile.Parse(Json, ResultPath);

    public async ValueTask InitializeAsync()
    {
        var (exitCode, output, error) = await TheProgram.RunAsync(
            "run", "--codec", "google,slab", "--interleave", "--attribute", "--rounds", "4", "-n", "150", "--warmup", "0s", "--items",
                "200", "--out", ResultPath, "--hdr", LogPath, "--csv",
                CsvPath, "--html", PagePath);
        Verdict.AssertFollows(exitCode, output, error);
        (Output, Json) = (output, await File.ReadAllTextAsync(ResultPath));
    }

    public ValueTask DisposeAsync()
    {
        folder.Delete(recursive: true);
        return ValueTask.CompletedTask;
    }
}
