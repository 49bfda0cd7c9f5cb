using System.Globalization;
using System.Text.RegularExpressions;
using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Tests;

public sealed class SweepTests : IDisposable
{
    readonly string file = Path.GetTempFileName();

    public void Dispose() => File.Delete(file);

    [Fact]
    public async Task A_sweep_prints_a_row_for_each_load_and_writes_each_as_a_variant()
    {
        var (exitCode, output, error) =
            await TheProgram.RunAsync("sweep", "--codec", "raw", "--payload", "empty", "--duration", "200ms", "--warmup", "0s", "--out",
                file);
        int[] steps = [20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120];
        var tried = Regex.Matches(output, "grpc-dotnet-raw: (\\d+) calls/s with (\\d+) at a time").ToArray();
        Assert.InRange(tried.Length, 3, 9);
        var peak = double.Parse(
            Regex.Match(output, "grpc-dotnet-raw: peak (\\d+) calls/s in the closed loop, \\d+ at a time").Groups[1].Value,
                CultureInfo.InvariantCulture);
        Assert.Equal(tried.Max(round => double.Parse(round.Groups[1].Value)), peak);
        Assert.Contains(" load    rate/s  achieved    p50 μs    p99 μs  p99.9 μs service p99  lag p99  skipped  verdict", output,
            StringComparison.Ordinal);
        var rows = Regex.Matches(output, "^ *(\\d+) % +(\\d+) +\\d+ +\\d+ +\\d+ +\\d+ +\\d+ +\\d+ +\\d+  (VALID|INVALID: .+)\r?$",
            RegexOptions.Multiline);
        Assert.Equal(steps, rows.Select(row => int.Parse(row.Groups[1].Value)));
        Assert.All(rows,
            row => Assert.Equal(peak * int.Parse(row.Groups[1].Value) / 100,
                double.Parse(row.Groups[2].Value), 2.0));
        Assert.Matches(
            "\n(the knee is at \\d+ %: at \\d+ % p99 is more than 3 times that of 20 %|no knee up to \\d+ %: p99 stays within 3 "
                + "times that of 20 %|no knee: .*INVALID)", output);
        var result = LoadResultFile.Read(file);
        Assert.True(exitCode == (result.Variants.Any(variant => variant.Verdict.Valid) ? 0 : 3),
            $"exit code {exitCode}; the program said:\n{output}{error}");
        Verdict.AssertTiming(result.Variants.SelectMany(variant => variant.Verdict.Reasons), openLoop: true);
        Assert.All(rows.Zip(result.Variants),
            pair => Assert.StartsWith(pair.Second.Verdict.ToString(), pair.First.Groups[3].Value, StringComparison.Ordinal));
        Assert.Equal("open", result.Settings.Loop);
        Assert.Equal(steps.Select(step => $"grpc-dotnet-raw@{step}%"), result.Variants.Select(variant => variant.Name));
    }

    [Theory]
    [InlineData("--rate 100..300:100", "100/s,200/s,300/s")]
    [InlineData("--rate 300,100", "300/s,100/s")]
    [InlineData("--rate 100..300", "110/s,130/s,150/s,170/s,190/s,210/s,230/s,250/s,270/s,290/s")]
    [InlineData("-c 1..6:2", "1callers,3callers,5callers")]
    public async Task A_load_has_a_row_for_each_step_and_a_knee(string load, string steps)
    {
        await using var host = await Host.StartAsync(new() { Payload = HivePayload.Empty(), Codec = "google" });
        var (exit, output, error) = await TheProgram.RunAsync([.. load.Split(' ').Prepend("load"), "--target", $"127.0.0.1:{host.Endpoint.Port}",
            "--method", "TestProxyPkg.TestProxy/Forward", "-d", "{}", "--duration", "300ms", "--warmup", "0", "--out", file]);
        Assert.True(exit is 0 or 3, output + error);
        var result = LoadResultFile.Read(file);
        Assert.Equal(steps.Split(',').Select(step => "TestProxyPkg.TestProxy/Forward@" + step), result.Variants.Select(variant => variant.Name));
        Assert.Matches("(?m)^(the|no) knee", output);
        if (load.StartsWith("-c", StringComparison.Ordinal))
        {
            Assert.Equal([1, 3, 5], result.Variants.Select(variant => variant.Callers));
            return;
        }

        // a rate on a line is that of its middle
        var seconds = result.Variants.Count == 10 ? 0.03 : 0.3;
        Assert.All(steps.Split(',').Zip(result.Variants), pair => Assert.Equal(
            double.Parse(pair.First[..^2], CultureInfo.InvariantCulture) * seconds, pair.Second.Rounds.Single().Attempted, 1.0));
    }

    [Fact]
    public async Task Steps_have_rounds()
    {
        await using var host = await Host.StartAsync(new() { Payload = HivePayload.Empty(), Codec = "google" });
        var (exit, output, error) = await TheProgram.RunAsync("load", "-c", "1,2", "--rounds", "3", "--target", $"127.0.0.1:{host.Endpoint.Port}",
            "--method", "TestProxyPkg.TestProxy/Forward", "-d", "{}", "--duration", "50ms", "--warmup", "0", "--out", file);
        Assert.True(exit is 0 or 3, output + error);
        Assert.Equal(["round 1 of 3", "round 2 of 3", "round 3 of 3"], output.Split(Environment.NewLine).Where(line => line.StartsWith("round", StringComparison.Ordinal)));
        var result = LoadResultFile.Read(file);
        Assert.Equal(3, result.Settings.Rounds);
        // in turn, so that a drift of the machine is in all steps
        Assert.Equal([0, 2, 4], result.Variants[0].Rounds.Select(round => round.Position));
        Assert.Equal([1, 3, 5], result.Variants[1].Rounds.Select(round => round.Position));
        Assert.Equal(6, output.Split(Environment.NewLine).Count(line => line.Contains(" callers ", StringComparison.Ordinal) && line[0] != 't' && line[0] != 'n'));
    }

    [Fact]
    public async Task A_sweep_finds_the_peak_of_any_server()
    {
        await using var host = await Host.StartAsync(new() { Payload = HivePayload.Empty(), Codec = "google" });
        var (exit, output, error) = await TheProgram.RunAsync("sweep", "--target", $"127.0.0.1:{host.Endpoint.Port}", "--method",
            "TestProxyPkg.TestProxy/Forward", "-d", "{}", "--duration", "100ms", "--warmup", "0", "--out", file);
        Assert.True(exit is 0 or 3, output + error);
        Assert.Contains("TestProxyPkg.TestProxy/Forward: peak ", output, StringComparison.Ordinal);
        Assert.Equal(11, LoadResultFile.Read(file).Variants.Count);
    }

    [Theory]
    [InlineData(new double[] { 100, 190, 350, 600, 610, 590, 9_999 }, 610, 16)] // two doublings without growth end it
    [InlineData(new double[] { 100, 101, 200, 202, 203, 9_999 }, 203, 16)] // one may be noise
    [InlineData(new double[] { 100, 90, 80, 9_999 }, 100, 1)]
    [InlineData(new double[] { 1, 2, 4, 8, 16, 32, 64 }, 64, 64)] // the most that may be tried
    [InlineData(new double[] { 0, 0, 9_999 }, 0, 1)]
    public async Task The_peak_is_found_by_raising_the_concurrency_until_throughput_stops_growing(double[] reached, double peak,
        int concurrency)
    {
        var tried = new List<int>();
        var found = await Saturation.FindAsync(
            callers =>
            {
                tried.Add(callers);
                return Task.FromResult(reached[tried.Count - 1]);
            },
            1,
            64);
        Assert.Equal(new Saturation(peak, concurrency), found);
        Assert.Equal(Enumerable.Range(0, tried.Count).Select(i => 1 << i), tried);
    }
}
