using System.Globalization;
using System.Text.RegularExpressions;

namespace ProtoBench.Results;

/// <summary>Tells launches whose figures cannot be believed from the others, by their iterations. The project Harness compiles this file
/// too, so that the summary of a benchmark project and <c>compare</c> judge alike.</summary>
static partial class LaunchCheck
{
    const double shortest = 0.5;
    const double warmingUp = 1.25;
    const double defaultNanoseconds = 500e6;

    /// <summary>Why a launch cannot be believed; null where nothing speaks against it.</summary>
    /// <param name="iterations">Operations and time of each iteration, in order.</param>
    /// <param name="asked">How long an iteration was to take, in nanoseconds; null where that is not known or not asked for.</param>
    public static string? Fault(IReadOnlyList<(long Operations, double Nanoseconds)> iterations, double? asked)
    {
        // BenchmarkDotNet's pilot chooses the operations of an iteration. Where it ends while the
        // code is not optimized yet, the iterations get shorter by as much as the code gets faster.
        double[] lengths = [.. iterations.Select(iteration => iteration.Nanoseconds).Order()];
        var median = lengths.Length == 0 ? double.NaN : (lengths[(lengths.Length - 1) / 2] + lengths[lengths.Length / 2]) / 2;
        if (asked is { } wanted && median < wanted * shortest)
        {
            return string.Create(CultureInfo.InvariantCulture,
                $"iterations far shorter than the {wanted / 1e6:0.###} ms that were asked for");
        }

        // Each iteration of the first third took much longer than each of the last third: the median is neither of the two.
        var third = iterations.Count / 3;
        double[] times = [.. iterations.Select(iteration => iteration.Nanoseconds / iteration.Operations)];
        return third >= 2 && times[..third].Min() >= warmingUp * times[^third..].Max() && times[^third..].Max() > 0
            ? "still warming up" : null;
    }

    /// <summary>The length of an iteration that a job asks for, from its description;
    /// null where it asks for operations instead, or does not say.</summary>
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
