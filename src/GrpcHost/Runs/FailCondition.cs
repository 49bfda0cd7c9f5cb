using System.Globalization;
using System.Text.RegularExpressions;

namespace ProtoBench.GrpcHost;

/// <summary>A condition of <c>--fail-if</c>: a figure of a round, and the limit that no round may pass. For pipelines.</summary>
/// <param name="Text">As it was given: <c>p99 &gt; 50ms</c>.</param>
/// <param name="Figure">The figure of a round, in the unit of the limit; null if the round has none.</param>
/// <param name="Limit">The limit: microseconds, a number of calls, a share, or calls per second.</param>
/// <param name="IsAbove">Whether a figure above the limit fails the run, or one below it.</param>
/// <param name="Print">Prints a figure.</param>
sealed partial record FailCondition(
    string Text, Func<LoadRound, double?> Figure, double Limit, bool IsAbove, Func<double, string> Print)
{
    public const string Forms = "p99 > 50ms, mean > 2ms, max > 1s, errors > 1%, errors > 0, rate < 1000";

    /// <returns>The condition; null for another text.</returns>
    public static FailCondition? Parse(string text)
    {
        if (Form().Match(text) is not { Success: true } match)
            return null;
        var (name, isAbove, limit) = (match.Groups["name"].Value, match.Groups["sign"].Value == ">", match.Groups["limit"].Value);
        if (name is "errors" or "rate")
        {
            var isShare = limit.EndsWith('%');
            if (Arguments.Number(limit.TrimEnd('%')) is not { } number || (isShare && name == "rate"))
                return null;
            return name == "rate" ? new(text, round => round.SucceededPerSecond, number, isAbove, Number)
                : isShare ? new(text, round => round.Attempted == 0 ? null : Errors(round) / round.Attempted, number / 100, isAbove,
                    share => (100 * share).ToString("0.###", CultureInfo.InvariantCulture) + "%")
                : new(text, Errors, number, isAbove, Number);
        }

        if (Arguments.TryDuration(limit) is not { } time)
            return null;
        var percentile = name is "mean" or "max" ? 0 : double.Parse(name[1..], CultureInfo.InvariantCulture);
        return percentile > 100 ? null : new(text, round => (round.Response ?? round.Service) is not { Count: > 0 } latency ? null
            : name == "mean" ? latency.MeanUs : name == "max" ? latency.MaxUs : latency.Decode().Percentile(percentile),
            time.TotalMicroseconds, isAbove, microseconds => (microseconds / 1000).ToString("0.###", CultureInfo.InvariantCulture) + "ms");
    }

    /// <summary>Returns what a round has done; null if it has kept to the limit. A round without the figure has not.</summary>
    public string? Broken(LoadRound round) => Figure(round) is not { } figure ? $"{Text}: no figure"
        : IsAbove ? (figure > Limit ? $"{Text}: {Print(figure)}" : null) : figure < Limit ? $"{Text}: {Print(figure)}" : null;

    // a call that was skipped was due, too
    static double? Errors(LoadRound round) => round.FailedCalls + round.Skipped;

    static string Number(double value) => value.ToString("0.##", CultureInfo.InvariantCulture);

    [GeneratedRegex(@"^\s*(?<name>p\d{1,3}(\.\d+)?|mean|max|errors|rate)\s*(?<sign>[<>])\s*(?<limit>[\d.]+[a-z%]*[\d.a-z]*)\s*$",
        RegexOptions.ExplicitCapture)]
    private static partial Regex Form();
}
