using System.Diagnostics;
using System.Text.Json;
using ProtoBench.Results;
using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost.Tests;

public sealed class SettingsTests : IDisposable
{
    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("protobench-");

    public void Dispose() => folder.Delete(recursive: true);

    public static TheoryData<string> Names => [.. Setting.All.Select(setting => setting.Name)];

    [Fact]
    public async Task Every_setting_is_measured_under_every_load_and_the_files_have_the_table()
    {
        string[] files = [.. new[] { "s.json", "s.md", "s.csv" }.Select(name => Path.Combine(folder.FullName, name))];
        var (exitCode, output, error) = await TheProgram.RunAsync(
            "settings", "--setting", "unix-socket,duplex-stream", "--callers", "1,3", "--delay", "0,5", "--rounds", "2",
            "--requests", "30", "--warmup", "0s", "--payload", "1KB", "--out", files[0], "--markdown", files[1], "--csv", files[2]);
        Assert.True(exitCode == 0, output + error);
        var table = await File.ReadAllTextAsync(files[1]);
        Assert.Contains(table, output, StringComparison.Ordinal); // a busy machine is reported after it
        string[] lines = [.. table.Split('\n').Where(line => line.StartsWith("| ", StringComparison.Ordinal))];
        Assert.Equal("| Setting | Codec | Callers | 1 KB | 1 KB, 5 ms |", lines[0]);
        string[] loads = ["google | 1", "google | 3", "slab | 1", "slab | 3"];
        string[] settings = ["default", "unix-socket", "duplex-stream"];
        Assert.Equal(
            settings.SelectMany(setting => loads.Prepend("all | all").Select(load => $"| {setting} | {load} |")).Skip(1),
            lines[2..].Select(line => string.Join('|', line.Split('|')[..4]) + "|"));
        Assert.All(lines[2..6], line => Assert.Matches(@"\| [\d,]+ \| [\d,]+ \|$", line));
        Assert.All(lines[11..],
            line => Assert.Matches(@"(\| \d+\.\d\d \(\d+\.\d\d to \d+\.\d\d\) ){2}\|$", line));
        // a proxy that delays is for TCP
        Assert.All(lines[6..11], line => Assert.Matches(@"\| \d+\.\d\d \(\d+\.\d\d to \d+\.\d\d\) \| - \|$", line));

        var result = JsonSerializer.Deserialize(await File.ReadAllTextAsync(files[0]), SettingsJson.Default.SettingsResult)!;
        Assert.Equal(8 + 4 + 8, result.Cells.Count);
        Assert.All(result.Cells, cell => Assert.Equal((2, cell.Setting == "default" ? 0 : 2, 0),
            (cell.Rounds.Count, cell.Defaults.Count, cell.Failures.Count)));
        // one caller waits for a round trip each time: 30 calls with 5 ms in each direction are at most 100 a second
        Assert.All(result.Cells.Where(cell => cell.Load is { DelayMs: 5, Callers: 1 }),
            cell => Assert.All(cell.Rounds, round => Assert.InRange(round!.CallsPerSecond, 0.1, 100)));
        Assert.Equal(1 + result.Cells.Count + 5, (await File.ReadAllLinesAsync(files[2])).Length);
    }

    [Fact]
    public async Task A_quick_run_has_fewer_loads()
    {
        var (exitCode, output, error) = await TheProgram.RunAsync(
            "settings", "--quick", "--setting", "retry-policy", "--rounds", "1", "--requests", "10", "--warmup", "0s");
        Assert.True(exitCode == 0, output + error);
        Assert.Contains("| Setting | Codec | Callers | hive | hive, 10 ms | 1 KB | 1 KB, 10 ms |", output, StringComparison.Ordinal);
        Assert.Matches(@"\| retry-policy \| slab \| 8 (\| \d+\.\d\d ){4}\|", output);
    }

    [Fact]
    public async Task Hosts_and_clients_are_processes()
    {
        var (exitCode, output, error) = await TheProgram.RunProcessAsync("settings", "--setting",
            "host-workstation-gc-not-concurrent,host-one-processor", "--callers", "2", "--delay", "0", "--codec", "slab", "--payload", "1KB",
            "--rounds", "1", "--requests", "10", "--warmup", "0s");
        Assert.True(exitCode == 0, output + error);
        Assert.Contains("| Setting | Codec | Callers | 1 KB | Calls/s | p99 μs | GC pause | Gen 0/1/2 | B/call | Working set |", output,
            StringComparison.Ordinal);
        Assert.Matches(@"\| host-one-processor \| slab \| 2 \| \d+\.\d\d \| [\d,]+ \| [\d,]+ \| \d+\.\d\d % \| 0/0/0 \| [\d,]+ \| \d+ MiB \|", output);
        Assert.Matches(@"- host-workstation-gc-not-concurrent: `run .*` \(host: Workstation non-concurrent, \d+ processors\)\n", output);
        // the runtime has no server GC on one processor, and default asks for it
        Assert.Matches(@"- host-one-processor: `run .*--host-gc datas .*--host-cores 1` \(host: Workstation concurrent, 1 processor\)\n", output);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void The_options_of_a_setting_are_those_of_run(string name)
    {
        var setting = Setting.All.Single(one => one.Name == name);
        var run = RunCommand.Create();
        Assert.Empty(run.Parse([.. setting.Options]).Errors);
        var options = new SettingOptions(setting);
        Assert.Empty(HostCommand.Create().Parse([.. options.OfHost("google")]).Errors);
        Assert.Empty(SettingOptions.Client().Parse([.. options.OfClient.Skip(1)]).Errors);
        // of what a setting adds, everything is an option or a variable of one of the processes
        if (name != Setting.Default)
            Assert.NotEqual(All(new(Setting.All[0])), All(options));

        static string All(SettingOptions options) => string.Join(' ', [
            .. options.OfHost("google").Where(word => word != "0" && !word.Contains(".sock", StringComparison.Ordinal)), $"{options.Connections}", $"{options.HostCores}", .. options.OfClient,
            .. options.HostEnvironment.Concat(options.ClientEnvironment).Select(variable => $"{variable}")]);
    }

    /// <summary>Some of these calls would never end. None of the settings has both.</summary>
    [Fact]
    public void A_setting_with_a_retry_policy_and_a_stream_is_refused()
    {
        var failure = Assert.ThrowsAny<RunException>(() => new SettingOptions(new("both", "--retry-policy", "--duplex")));
        Assert.Equal(ExitCode.Usage, failure.ExitCode);
        Assert.StartsWith("--retry-policy with --duplex: ", failure.Message, StringComparison.Ordinal);
    }

    /// <summary>The interval is that of Student's t on the logarithms: 4.30265 standard errors of the mean of three.</summary>
    [Fact]
    public void A_ratio_is_the_geometric_mean_of_the_rounds_with_an_interval()
    {
        var rows = SettingsTable.Rows(Made([100, 200, 400], [110, 230, 480]));
        var row = Assert.Single(rows, row => row is { Setting: "gzip", Codec: "slab" });
        var ratio = row.Calls!.Value;
        Assert.Equal((1.1493, 1.0315, 1.2805), (Math.Round(ratio.Value, 4), Math.Round(ratio.Low, 4), Math.Round(ratio.High, 4)));
        // the made figures: the more calls, the less processor time for each
        Assert.Equal(Math.Round(1 / ratio.Value, 9), Math.Round(row.Cpu!.Value.Value, 9));
        Assert.Equal(200, rows.Single(row => row is { Setting: "default", Codec: "slab" }).CallsPerSecond);
    }

    [Fact]
    public void The_row_of_all_loads_is_the_mean_of_their_ratios_in_each_round()
    {
        var result = Made([100, 100], [200, 200]);
        var other = result.Cells[1] with { Load = result.Cells[1].Load with { Callers = 8 }, Rounds = Figures([800, 800]) };
        var both = SettingsTable.Rows(result with { Cells = [.. result.Cells, other] });
        Assert.Equal(4, Assert.Single(both, row => row is { Setting: "gzip", Codec: SettingsTable.All }).Calls!.Value.Value, 1e-9);
    }

    [Fact]
    public void A_round_without_figures_counts_for_nothing_and_a_row_without_rounds_has_failed()
    {
        var result = Made([100, null, 100], [200, 300, null]);
        var row = Assert.Single(SettingsTable.Rows(result), row => row is { Setting: "gzip", Codec: "slab" });
        Assert.Equal((2, null), (row.Calls!.Value.Value, row.Calls.Value.P));
        Assert.Contains("| gzip | slab | 1 | 2.00 |", SettingsTable.Of(result).ToMarkdown(), StringComparison.Ordinal);

        var failed = Made([100], [null]);
        failed.Cells[1].Failures.Add("3 calls failed: Unavailable");
        var table = SettingsTable.Of(failed);
        Assert.Contains("| gzip | slab | 1 | failed |", table.ToText(), StringComparison.Ordinal);
        Assert.Contains("- gzip, hive, slab, 1 callers, 0 ms: 3 calls failed: Unavailable\n", table.ToText(), StringComparison.Ordinal);

        // the pages are made from the file, in which the load that failed is null
        var file = ResultFile.Parse(table.Into(failed.ToNode()), "Settings.json");
        Assert.Contains(file.Table!.Rows, one => one[..4] is ["gzip", "slab", "1", "failed"]);
    }

    [Fact]
    public void One_payload_and_one_delay_leave_room_for_the_figures_of_the_host()
    {
        var result = Made([100, 200, 400], [110, 230, 480]);
        var figures = new HostFigures(1.25, [7, 2, 1], 1_024, 96);
        result.Cells[1].Rounds[1] = result.Cells[1].Rounds[1]! with { Host = figures };
        var table = SettingsTable.Of(result).ToText();
        Assert.Contains("| gzip | slab | 1 | 1.15 (1.03 to 1.28) | 230 | 4,348 | 1.25 % | 7/2/1 | 1,024 | 96 MiB |\n", table, StringComparison.Ordinal);
        Assert.Contains("| gzip | all | all | 1.15 (1.03 to 1.28) | - | - | - | - | - | - |\n", table, StringComparison.Ordinal);
        Assert.EndsWith(",1.25,7,2,1,1024,96", SettingsTable.ToCsv(result).TrimEnd(), StringComparison.Ordinal);

        var other = result.Cells[1] with { Load = result.Cells[1].Load with { Payload = "1KB" } };
        Assert.Contains("| Setting | Codec | Callers | hive | 1 KB |\n", SettingsTable.Of(result with { Cells = [.. result.Cells, other] }).ToText(),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_client_that_cannot_start_says_why()
    {
        var failure = await Assert.ThrowsAnyAsync<RunException>(() => ClientProcess.StartAsync(["client", "--no-such-option"]));
        Assert.Contains("--no-such-option", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_host_that_is_gone_fails_the_load_and_not_the_client()
    {
        await using var client = await ClientProcess.StartAsync(["client"]);
        var setup = new ClientSetup
        {
            Plan = new LoadPlan { Payload = HivePayload.Small("1KB") }.ToMessage(),
            Codec = "slab",
            Endpoint = "http://127.0.0.1:1",
            Payload = "1KB",
        };
        for (var i = 0; i < 2; i++)
        {
            var failure = await Assert.ThrowsAnyAsync<RunException>(() => client.AskAsync(ControlService.Connect, setup, default));
            Assert.Equal(ExitCode.Failed, failure.ExitCode);
            Assert.EndsWith("(status Unavailable)", failure.Message, StringComparison.Ordinal);
        }

        Assert.False(client.IsLost);
    }

    [Fact]
    public async Task A_client_that_has_ended_is_lost()
    {
        await using var client = await ClientProcess.StartAsync(["client"]);
        using (var process = Process.GetProcessById(client.Id))
        {
            process.Kill();
            await process.WaitForExitAsync().WaitAsync(TheProgram.Limit);
        }

        var failure = await Assert.ThrowsAnyAsync<RunException>(() => client.AskAsync(ControlService.Load, new(), default));
        Assert.StartsWith("a client process was lost: ", failure.Message, StringComparison.Ordinal);
        Assert.True(client.IsLost);
    }

    static SettingsResult Made(double?[] byDefault, double?[] gzip)
    {
        var load = new SettingsLoad("hive", "slab", 1, 0);
        return SettingsResult.Here(
            DateTimeOffset.UnixEpoch, "settings", [Setting.All[0], Setting.All.Single(setting => setting.Name == "gzip")],
            [
                new(Setting.Default, load) { Rounds = Figures(byDefault) },
                new("gzip", load) { Rounds = Figures(gzip), Defaults = Figures(byDefault) },
            ],
            partial: false);
    }

    static List<LoadFigures?> Figures(IEnumerable<double?> callsPerSecond) =>
        [.. callsPerSecond.Select(calls => calls is { } number ? new LoadFigures(number, 1e6 / number, 2e6 / number) : null)];
}
