using System.Globalization;
using System.Text.Json;
using Grpc.Core;
using ProtoBench.Results;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests;

public sealed class CallFileTests : IAsyncLifetime
{
    const string path = "acme.Orders/Place";
    readonly string folder = Directory.CreateTempSubdirectory().FullName;
    IRpcServer server = null!;
    int calls;

    public async ValueTask InitializeAsync() => server = await RpcTransports.All[0].StartAsync(new(),
        [RpcHandler.Unary(new RpcMethod<ReadOnlyMemory<byte>, ReadOnlyMemory<byte>>("/" + path, new BytesMarshaller(), new BytesMarshaller()),
            (_, _) => Interlocked.Increment(ref calls) % 4 == 0
                ? throw new RpcException(new(StatusCode.NotFound, "no \"such\"\norder, sorry")) : new(new byte[3]))], null, null);

    public async ValueTask DisposeAsync()
    {
        await server.DisposeAsync();
        Directory.Delete(folder, recursive: true);
    }

    [Theory]
    [InlineData("event-loop", "-n 5000 -c 3 --rounds 2")]
    [InlineData("grpc-dotnet", "-n 5000 -c 3 --rounds 2")]
    [InlineData("event-loop", "--rate 2000 -z 500ms --rounds 2")]
    [InlineData("grpc-dotnet", "--rate 2000 -z 500ms --rounds 2")]
    public async Task Each_call_of_each_round_is_a_line(string client, string load)
    {
        var (text, result, output) = await LoadAsync("calls.jsonl", [.. load.Split(' '), "--client", client]);
        var lines = Lines(text);
        var rounds = result.Variants.Single().Rounds;
        Assert.Equal(2, rounds.Count);
        foreach (var (index, round) in rounds.Index())
        {
            var ofRound = lines.Where(line => line.Round == index + 1).ToList();
            Assert.Equal(round.Succeeded, ofRound.Count(line => line is { Status: "OK", Error: "" }));
            Assert.Equal(round.FailedByStatus["NotFound"], ofRound.Count(line => line is { Status: "NotFound", Error: "no \"such\"\norder, sorry" }));
            Assert.Equal(round.Succeeded + round.FailedCalls, ofRound.Count);
            var latency = round.Response ?? round.Service;
            Assert.Equal(latency.MaxUs, ofRound.Where(line => line.Error.Length == 0).Max(line => line.Latency) / 1_000);
            Assert.Equal(latency.MinUs, ofRound.Where(line => line.Error.Length == 0).Min(line => line.Latency) / 1_000);
            Assert.Equal(round.ScheduleLag?.MaxUs ?? 0, ofRound.Max(line => line.Lag) / 1_000);
            // in the wall clock's time, although the latencies are of another clock
            Assert.All(ofRound, line => Assert.InRange(line.Timestamp, result.StartedAt, DateTimeOffset.Now.AddSeconds(1)));
            var spread = ofRound.Max(line => line.Timestamp) - ofRound.Min(line => line.Timestamp);
            Assert.InRange(spread.TotalSeconds, 0, round.DurationSeconds + 0.001);
        }

        Assert.All(lines, line => Assert.Equal(path, line.Variant));
        Assert.Contains("failed latency in Us", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_table_has_the_columns_of_ghz_first()
    {
        var (text, result, _) = await LoadAsync("calls.txt", "-n", "100", "--rounds", "1", "--format", "csv");
        Assert.StartsWith("duration (ms),status,error,timestamp,lag (ms),variant,round\n", text, StringComparison.Ordinal);
        Assert.Equal(75, text.Split(",OK,,").Length - 1);
        Assert.Equal(25, text.Split(",NotFound,\"no \"\"such\"\"\norder, sorry\",").Length - 1);
        Assert.EndsWith($",0,{path},1\n", text, StringComparison.Ordinal);
        var first = double.Parse(text.Split('\n')[1].Split(',')[0], CultureInfo.InvariantCulture);
        var round = result.Variants[0].Rounds[0];
        LatencyRecord[] all = [round.Service, round.Failed!];
        Assert.InRange(first * 1000, all.Min(latency => latency.MinUs), all.Max(latency => latency.MaxUs) + 1);
    }

    // The names, types and units are those of ghz's Report (runner/reporter.go at commit 1499b56).
    [Fact]
    public async Task A_program_that_reads_the_report_of_ghz_finds_one()
    {
        var (text, result, _) = await LoadAsync("report.json", "-n", "400", "-c", "2", "--rounds", "2");
        using var json = JsonDocument.Parse(text);
        var report = json.RootElement;
        var rounds = result.Variants[0].Rounds;
        Assert.Equal(800, report.GetProperty("count").GetInt64());
        Assert.Equal(800, report.GetProperty("details").GetArrayLength());
        Assert.Equal("normal", report.GetProperty("endReason").GetString());
        Assert.Equal(result.StartedAt, report.GetProperty("date").GetDateTimeOffset());
        Assert.Equal(rounds.Sum(round => round.DurationSeconds), report.GetProperty("total").GetInt64() / 1e9, 1e-6);
        Assert.Equal(800 / rounds.Sum(round => round.DurationSeconds), report.GetProperty("rps").GetDouble(), 1e-3);
        Assert.Equal(rounds.Min(round => round.Service.MinUs) * 1_000, report.GetProperty("fastest").GetInt64());
        Assert.Equal(rounds.Max(round => round.Service.MaxUs) * 1_000, report.GetProperty("slowest").GetInt64());
        Assert.Equal("""{"OK":600,"NotFound":200}""", Sorted(report.GetProperty("statusCodeDistribution")));
        Assert.Equal(200, report.GetProperty("errorDistribution").GetProperty("no \"such\"\norder, sorry").GetInt64());
        var details = report.GetProperty("details").EnumerateArray().ToList();
        Assert.Equal(details.Average(one => one.GetProperty("latency").GetInt64()), report.GetProperty("average").GetInt64(), 1_000.0);
        Assert.All(details, one => Assert.Equal(one.GetProperty("status").GetString() == "OK", one.GetProperty("error").GetString()!.Length == 0));
        // nearest rank, as ghz; a bucket of the histogram is 0.1 % wide
        long[] successful = [.. details.Where(one => one.GetProperty("status").GetString() == "OK").Select(one => one.GetProperty("latency").GetInt64()).Order()];
        Assert.Equal([10, 25, 50, 75, 90, 95, 99], report.GetProperty("latencyDistribution").EnumerateArray().Select(one => one.GetProperty("percentage").GetInt32()));
        Assert.All(report.GetProperty("latencyDistribution").EnumerateArray(), one =>
        {
            var exact = successful[(int)Math.Ceiling(one.GetProperty("percentage").GetInt32() * successful.Length / 100.0) - 1];
            Assert.Equal(exact, one.GetProperty("latency").GetInt64(), 1_000 + (exact * 0.001));
        });
        var histogram = report.GetProperty("histogram").EnumerateArray().ToList();
        Assert.Equal(11, histogram.Count);
        Assert.Equal(600, histogram.Sum(one => one.GetProperty("count").GetInt64()));
        Assert.Equal(1, histogram.Sum(one => one.GetProperty("frequency").GetDouble()), 1e-9);
        Assert.Equal(successful[^1] / 1_000 / 1e6, histogram[^1].GetProperty("mark").GetDouble(), 1e-9);
    }

    [Fact]
    public async Task A_step_has_its_own_name()
    {
        var (text, result, _) = await LoadAsync("calls.ndjson", "-c", "1..3:1", "-z", "100ms", "--rounds", "2");
        var counts = Lines(text).CountBy(line => (line.Variant, line.Round)).ToDictionary();
        Assert.Equal(
            result.Variants.SelectMany(variant => variant.Rounds.Index().Select(round =>
                ((variant.Name, round.Index + 1), (int)RoundRecord.Ended(round.Item)))).Order(),
            counts.Select(one => (one.Key, one.Value)).Order());
        Assert.Equal(6, counts.Count);
    }

    [Fact]
    public async Task A_disk_that_is_full_is_said_and_the_load_ends()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "/dev/full is Linux");
        var (exit, output, error) = await TheProgram.RunAsync([.. Arguments("-n", "20000", "-c", "4", "--rounds", "1"), "--calls", "/dev/full", "-O", "csv"]);
        Assert.Equal(1, exit);
        Assert.StartsWith("/dev/full was not saved: ", error.Split(Environment.NewLine)[^2], StringComparison.Ordinal);
        Assert.Contains("successful rate 0.75 = 15000/20000", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--calls x.txt", "--calls: x.txt does not end in .jsonl, .csv or .json: name the form with --calls-format")]
    [InlineData("--calls-format csv", "--calls-format is the form of --calls, which is missing")]
    [InlineData("--calls no/such/folder/x.csv", "the folder of no/such/folder/x.csv does not exist")]
    [InlineData("--calls x.csv -c 2 --connections 2 --processes 2", "--calls: the calls of --processes are not known before the end of a round")]
    public async Task What_cannot_be_written_is_refused(string options, string message)
    {
        var (exit, _, error) = await TheProgram.RunAsync([.. Arguments(options.Split(' '))]);
        Assert.Equal((2, message), (exit, error.Trim()));
    }

    async Task<(string Text, LoadResult Result, string Output)> LoadAsync(string name, params string[] options)
    {
        var (file, json) = (Path.Combine(folder, name), Path.Combine(folder, "result"));
        var (exit, output, error) = await TheProgram.RunAsync([.. Arguments(options), "--calls", file, "--out", json]);
        Assert.True(exit == 3, output + error); // calls failed
        return (await File.ReadAllTextAsync(file), LoadResultFile.Read(json), output);
    }

    IEnumerable<string> Arguments(params string[] options)
    {
        var request = Path.Combine(folder, "request.bin");
        File.WriteAllBytes(request, [1, 2]);
        return ["load", "--target", $"127.0.0.1:{server.Endpoint.Port}", "--method", path, "--payload", request, "--warmup", "0", .. options];
    }

    static List<Line> Lines(string text) =>
    [
        .. text.TrimEnd().Split('\n').Select(line => JsonElement.Parse(line)).Select(line => new Line(
            line.GetProperty("timestamp").GetDateTimeOffset(), line.GetProperty("latency").GetInt64(), line.GetProperty("error").GetString()!,
            line.GetProperty("status").GetString()!, line.GetProperty("lag").GetInt64(), line.GetProperty("variant").GetString()!,
            line.GetProperty("round").GetInt32())),
    ];

    static string Sorted(JsonElement counts) => "{" + string.Join(",", counts.EnumerateObject().OrderByDescending(one => one.Value.GetInt64())
        .Select(one => $"\"{one.Name}\":{one.Value.GetInt64()}")) + "}";

    sealed record Line(DateTimeOffset Timestamp, long Latency, string Error, string Status, long Lag, string Variant, int Round);
}
