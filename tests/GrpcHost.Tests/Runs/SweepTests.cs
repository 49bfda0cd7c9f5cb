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
