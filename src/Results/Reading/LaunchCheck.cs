using System.Globalization;
using System.Text.RegularExpressions;

namespace ProtoBench.Results;

// The project Harness compiles this file too, so that the summary of a benchmark project and compare have the same rules.
static partial class LaunchCheck
{
    // In a run of 89 hive cells, 21 had iterations of 12 to 50 ms instead of 100 ms. The quartiles of these were 3 % apart (median of the
    // cells) and those of the others 1.3 %: still good enough for a verdict, whose interval contains this noise.
    const double shortest = 0.2;
    const double warmingUp = 1.25;
    const double defaultNanoseconds = 500e6;

    /// <param name="asked">The requested length of an iteration in nanoseconds; null if it is not known or not set.</param>
    public static string? Fault(IReadOnlyList<(long Operations, double Nanoseconds)> iterations, double? asked)
    {
        // BenchmarkDotNet's pilot chooses the number of operations of an iteration. If it ends before the code is optimized, the iterations
        // become shorter when the code becomes faster.
        double[] lengths = [.. iterations.Select(iteration => iteration.Nanoseconds).Order()];
        var median = lengths.Length == 0 ? double.NaN : (lengths[(lengths.Length - 1) / 2] + lengths[lengths.Length / 2]) / 2;
        if (asked is { } wanted && median < wanted * shortest)
        {
            return string.Create(CultureInfo.InvariantCulture,
                $"iterations far shorter than the {wanted / 1e6:0.###} ms that were asked for");
        }

        // Each iteration of the first third took much longer than each of the last third, so the median describes neither of them.
        var third = iterations.Count / 3;
        double[] times = [.. iterations.Select(iteration => iteration.Nanoseconds / iteration.Operations)];
        return third >= 2 && times[..third].Min() >= warmingUp * times[^third..].Max() && times[^third..].Max() > 0
            ? "still warming up" : null;
    }

    /// <summary>In nanoseconds; null if the job sets operations instead, or nothing.</summary>
    /// <param name="job">For example <c>ProtoBench(IterationCount=15, IterationTime=100ms)</c>.</param>
    public static double? Asked(string job)
    {
        if (job.Contains("InvocationCount=", StringComparison.Ordinal) || job.Contains("RunStrategy=", StringComparison.Ordinal))
            return null;
        if (job == "DefaultJob")
            return defaultNanoseconds;
        var match = IterationTime().Match(job);
        if (!match.Success
            || !double.TryParse(match.Groups["number"].Value, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number))
            return null;
        return number * match.Groups["unit"].Value switch { "ns" => 1, "us" or "μs" => 1e3, "ms" => 1e6, "s" => 1e9, _ => double.NaN };
    }

    [GeneratedRegex(@"IterationTime=(?<number>[0-9.]{1,20}) ?(?<unit>ns|us|μs|ms|s)\b", RegexOptions.ExplicitCapture)]
    private static partial Regex IterationTime();
}
