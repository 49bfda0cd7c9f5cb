using System.Globalization;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.GrpcHost.Protocol;
using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Tests;

public sealed class ManyWorkersTests : IDisposable
{
    readonly string folder = Directory.CreateTempSubdirectory("protobench-").FullName;

    public void Dispose() => Directory.Delete(folder, recursive: true);

    [Fact]
    public async Task The_merged_histogram_is_the_sum_of_three_clients_and_the_server_counts_their_calls()
    {
        await using var server = await WorkerProcess.StartAsync();
        await using var one = await WorkerProcess.StartAsync("--hdr", Path.Combine(folder, "1.hlog"));
        await using var two = await WorkerProcess.StartAsync("--hdr", Path.Combine(folder, "2.hlog"));
        await using var three = await WorkerProcess.StartAsync("--hdr", Path.Combine(folder, "3.hlog"));
        var (exitCode, output, error) = await DriveAsync("STREAMING", 1, server.Address, one.Address, two.Address, three.Address);
        AssertFollows(exitCode, output, error);
        Assert.Contains("made up: window, ", error, StringComparison.Ordinal);

        var result = JsonParser.Default.Parse<ScenarioResult>(Read("official.json"));
        Assert.Equal(3, result.ClientStats.Count);
        for (var i = 0; i < result.Latencies.Bucket.Count; i++)
            Assert.Equal(result.ClientStats.Sum(client => client.Latencies.Bucket[i]), result.Latencies.Bucket[i]);
        var total = result.ClientStats.Sum(client => client.Latencies.Count);
        Assert.Equal(total, result.Latencies.Count);
        var rates = result.ClientStats.Sum(client => client.Latencies.Count / client.TimeElapsed);
        Assert.Equal(rates, result.Summary.Qps, 1e-6 * rates);

        var printed = new List<IReadOnlyDictionary<string, double>>();
        foreach (var client in (WorkerProcess[])[one, two, three])
            printed.Add(Statistics.Read((await client.EndAsync()).Output, "client").Single());
        Assert.Equal(total, printed.Sum(client => client["measured"]));
        var handled = Statistics.Read((await server.EndAsync()).Output, "server").Single()["calls"];
        Assert.Equal(handled, printed.Sum(client => client["calls"]));

        // the same calls at three digits, from the clients' own logs
        var merged = await TheProgram.RunAsync("merge", File("1.hlog"), File("2.hlog"), File("3.hlog"), "--out", File("all.json"));
        Assert.True(merged.ExitCode == 0, merged.Error);
        var sum = new LatencyHistogram();
        foreach (var log in (string[])["1.hlog", "2.hlog", "3.hlog"])
            sum.Add(HistogramLog.Read(Read(log).Split('\n')).Single().Histogram);
        var all = System.Text.Json.Nodes.JsonNode.Parse(Read("all.json"))!["tags"]!["client"]!;
        Assert.Equal((3, total), ((int)all["intervals"]!, (double)all["count"]!));
        Assert.Equal(HistogramEncoding.Encode(sum), (string)all["histogram"]!);

        var ours = LoadResultFile.Read(File("r.json"));
        Assert.Equal(("made up", total), (ours.Variants.Single().Name, ours.Variants[0].Rounds.Single().Succeeded));
        Assert.Equal(result.Summary.Latency99 / 1e3, ours.Variants[0].Rounds[0].Service.PercentilesUs["99"], 0.02 * result.Summary.Latency99 / 1e3 + 2);
    }

    [Fact]
    public async Task A_worker_that_is_killed_ends_the_run()
    {
        await using var server = await WorkerProcess.StartAsync();
        await using var good = await WorkerProcess.StartAsync();
        await using var killed = await WorkerProcess.StartAsync();
        using var drive = TheProgram.Start(Arguments("UNARY", 3600, server.Address, good.Address, killed.Address));
        var (output, lines) = (drive.StandardOutput.ReadToEndAsync(), drive.StandardError);
        // the first progress of the window has what is kept of it
        while (await lines.ReadLineAsync(TestContext.Current.CancellationToken).AsTask().WaitAsync(TheProgram.Limit) is { } line
            && !line.StartsWith("made up: window, ", StringComparison.Ordinal))
        {
            // the warm-up
        }

        killed.Kill();
        await drive.WaitForExitAsync(TestContext.Current.CancellationToken).WaitAsync(TheProgram.Limit);
        var text = await output + await lines.ReadToEndAsync(TestContext.Current.CancellationToken);
        Assert.True(drive.ExitCode == 3, text);
        Assert.Contains($"  INVALID worker {killed.Address} was lost at ", text, StringComparison.Ordinal);
        var result = LoadResultFile.Read(File("r.json"));
        Assert.True(result.Partial && result.Variants[0].Rounds[0].Succeeded > 0);
        Assert.Equal(2, JsonParser.Default.Parse<ScenarioResult>(Read("official.json")).ClientStats.Count);
    }

    [Fact]
    public async Task A_driver_in_another_language_drives_our_workers()
    {
        await using var server = await WorkerProcess.StartAsync();
        await using var client = await WorkerProcess.StartAsync();
        await using var driver = await Python.StartAsync("workers_driver.py", Descriptors(), server.Address, client.Address);
        var (exitCode, output) = await driver.EndAsync(TheProgram.Limit);
        Assert.True(exitCode == 0, output);
        Assert.Equal(8, output.Split('\n').Count(line => line.StartsWith("ok ", StringComparison.Ordinal)));
        Assert.Contains("quit", output, StringComparison.Ordinal);
        Assert.Equal(0, (await server.EndAsync()).ExitCode);
        Assert.Equal(0, (await client.EndAsync()).ExitCode);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Workers_in_another_language_are_driven_beside_ours(bool foreignServer)
    {
        await using var one = await WorkerProcess.StartAsync();
        await using var python = await Python.StartAsync("workers_worker.py", Descriptors());
        await using var another = await Python.StartAsync("workers_worker.py", Descriptors());
        await using var two = await WorkerProcess.StartAsync();
        var (foreign, more) = (await AddressAsync(python), await AddressAsync(another));
        var (exitCode, output, error) = await DriveAsync("UNARY", 1, foreignServer ? foreign : one.Address, more, two.Address);
        AssertFollows(exitCode, output, error);
        var result = JsonParser.Default.Parse<ScenarioResult>(Read("official.json"));
        Assert.Equal([true, true], result.ClientSuccess);
        Assert.Equal([true], result.ServerSuccess);
        Assert.All(result.ClientStats, client => Assert.True(client.Latencies.Count > 0));
        Assert.Equal(result.ClientStats.Sum(client => client.Latencies.Count), result.Latencies.Count);
    }

    [Theory]
    [InlineData("--workers a:1", "Option '--scenarios' is required.")]
    [InlineData("--scenarios no.json --workers a:1", "no.json: Could not find file")]
    [InlineData("--scenarios {0} --workers a", "'a' is not the address of a worker: host:port")]
    [InlineData("--scenarios {0} --workers a:1", "made up: 1 servers and 1 clients need more than 1 workers")]
    [InlineData("--scenarios {1} --workers a:1", "x.json: ")]
    [InlineData("--scenarios {0} --workers a:1 --out no/such/r.json", "the folder of no/such/r.json does not exist")]
    public async Task Wrong_usage_of_drive_is_one_line_and_exit_code_2(string arguments, string message)
    {
        Write("s.json", Scenarios("UNARY", 1));
        Write("x.json", """{"scenarios":[{"name":5}]}""");
        var (exitCode, output, error) = await TheProgram.RunAsync(
            ["drive", .. string.Format(CultureInfo.InvariantCulture, arguments, File("s.json"), File("x.json")).Split(' ')]);
        Assert.Equal((2, ""), (exitCode, output));
        Assert.Contains(message, error, StringComparison.Ordinal);
        Assert.Single(error.TrimEnd().Split('\n'));
    }

    [Fact]
    public async Task A_log_that_is_damaged_is_named_with_its_line()
    {
        Write("bad.hlog", "#comment\nTag=a,0.000,1.000,2.000,AAAA\n");
        var (exitCode, _, error) = await TheProgram.RunAsync("merge", File("bad.hlog"));
        Assert.Equal((2, $"{File("bad.hlog")}: line 2: not a compressed V2 HdrHistogram"), (exitCode, error.TrimEnd()));
    }

    string File(string name) => Path.Combine(folder, name);

    string Read(string name) => System.IO.File.ReadAllText(File(name));

    void Write(string name, string text) => System.IO.File.WriteAllText(File(name), text);

    string[] Arguments(string type, int seconds, params string[] workers)
    {
        Write("s.json", Scenarios(type, seconds));
        return ["drive", "--scenarios", File("s.json"), "--workers", string.Join(',', workers), "--progress", "500ms",
            "--out", File("r.json"), "--scenario-result", File("official.json"), "--patience", "5m"];
    }

    Task<(int ExitCode, string Output, string Error)> DriveAsync(string type, int seconds, params string[] workers) =>
        TheProgram.RunAsync(Arguments(type, seconds, workers));

    /// <summary>The form of the samples of grpc/test-infra, with an object in place of a list and fields that are not known here.</summary>
    static string Scenarios(string type, int seconds) => $$"""
        {
          "scenarios": {
            "name": "made up",
            "num_servers": 1,
            "num_clients": 0,
            "warmup_seconds": 1,
            "benchmark_seconds": {{seconds}},
            "CATEGORIES": ["x"],
            "client_config": {
              "client_type": "ASYNC_CLIENT",
              "outstanding_rpcs_per_channel": 2,
              "client_channels": 4,
              "rpc_type": "{{type}}",
              "histogram_params": { "resolution": 0.01, "max_possible": 60000000000.0 },
              "channel_args": [ { "name": "grpc.optimization_target", "str_value": "latency" } ],
              "payload_config": { "simple_params": { "req_size": 16, "resp_size": 32 } },
              "load_params": { "closed_loop": {} }
            },
            "server_config": { "server_type": "ASYNC_SERVER", "async_server_threads": 0 }
          }
        }
        """;

    /// <summary>Done or INVALID, and INVALID only for what a busy machine can make of a run.</summary>
    static void AssertFollows(int exitCode, string output, string error)
    {
        string[] timing = [" answered the mark that starts the window after ", " was the limit: ", "the window of client "];
        string[] reasons = [.. output.Split('\n').Where(line => line.StartsWith("  INVALID ", StringComparison.Ordinal))];
        Assert.True(exitCode == (reasons.Length == 0 ? 0 : 3), $"exit code {exitCode}:\n{output}{error}");
        Assert.All(reasons, reason => Assert.Contains(timing, known => reason.Contains(known, StringComparison.Ordinal)));
    }

    static async Task<string> AddressAsync(ScriptProcess worker) =>
        "127.0.0.1:" + await worker.Output.ReadLineAsync(TestContext.Current.CancellationToken).AsTask().WaitAsync(TheProgram.Limit);

    /// <summary>Our .proto files, compiled, each after those that it imports.</summary>
    static string Descriptors()
    {
        FileDescriptor[] files =
        [
            GrpcHost.Protocol.Core.StatsReflection.Descriptor, StatsReflection.Descriptor, PayloadsReflection.Descriptor,
            ControlReflection.Descriptor, MessagesReflection.Descriptor,
        ];
        return string.Join(',', files.Select(file => file.SerializedData.ToBase64()));
    }
}
