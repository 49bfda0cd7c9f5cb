using System.Globalization;
using System.Text.RegularExpressions;
using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Tests;

public class SweepTests
{
    [Fact]
    public async Task A_sweep_prints_a_row_for_each_load_and_writes_each_as_a_variant()
    {
        var file = Path.GetTempFileName();
        try
        {
            var (exitCode, output, error) = await TheProgram.RunAsync("sweep", "--codec", "raw", "--payload", "empty", "--duration", "200ms", "--warmup", "0s", "--out", file);
            int[] steps = [20, 30, 40, 50, 60, 70, 80, 90];
            var peak = double.Parse(Regex.Match(output, "inbox-raw: peak (\\d+) calls/s in the closed loop, 1 at a time").Groups[1].Value, CultureInfo.InvariantCulture);
            Assert.Contains(" load    rate/s  achieved    p50 us    p99 us  p99.9 us service p99  lag p99  skipped  verdict", output, StringComparison.Ordinal);
            var rows = Regex.Matches(output, "^ *(\\d+) % +(\\d+) +\\d+ +\\d+ +\\d+ +\\d+ +\\d+ +\\d+ +\\d+  (VALID|INVALID: .+)\r?$", RegexOptions.Multiline);
            Assert.Equal(steps, rows.Select(row => int.Parse(row.Groups[1].Value, CultureInfo.InvariantCulture)));
            Assert.All(rows, row => Assert.Equal(peak * int.Parse(row.Groups[1].Value, CultureInfo.InvariantCulture) / 100, double.Parse(row.Groups[2].Value, CultureInfo.InvariantCulture), 2.0));
            Assert.Matches("\n(the knee is at [2-8]0 %: above it p99 is more than 3 times that of 20 %|no knee up to 90 %: p99 stays within 3 times that of 20 %)", output);
            var result = LoadResultFile.Read(file);
            Assert.True(exitCode == (result.Variants.Any(variant => variant.Verdict.Valid) ? 0 : 3), $"exit code {exitCode}; the program said:\n{output}{error}");
            Verdict.AssertTiming(result.Variants.SelectMany(variant => variant.Verdict.Reasons), openLoop: true);
            Assert.All(rows.Zip(result.Variants), pair => Assert.StartsWith(pair.Second.Verdict.ToString(), pair.First.Groups[3].Value, StringComparison.Ordinal));
            Assert.Equal("open", result.Settings.Loop);
            Assert.Equal(steps.Select(step => $"inbox-raw@{step}%"), result.Variants.Select(variant => variant.Name));
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Theory]
    [InlineData(new long[] { 100, 110, 120, 200, 299, 300, 301, 5_000 }, 70)]
    [InlineData(new long[] { 100, 100, 900, 100, 100, 100, 100, 100 }, 30)]
    [InlineData(new long[] { 100, 301, 100, 100, 100, 100, 100, 100 }, 20)]
    [InlineData(new long[] { 100, 90, 90, 90, 90, 90, 90, 90 }, 90)]
    [InlineData(new long[] { 100, 110, 0, 110, 110, 110, 110, 110 }, 30)]
    [InlineData(new long[] { 0, 0, 0, 0, 0, 0, 0, 0 }, null)]
    public void The_knee_is_the_last_load_before_p99_is_three_times_that_of_the_first(long[] p99, int? knee) =>
        Assert.Equal(knee, Sweep.Knee([.. p99.Select(us => us == 0 ? (long?)null : us)]));
}
