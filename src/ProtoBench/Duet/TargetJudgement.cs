using System.Globalization;
using System.Text;
using ProtoBench.Results;
using ProtoBench.Verbs;

namespace ProtoBench.Duet;

/// <summary>A target and what a duet says about it.</summary>
/// <param name="Target">The target.</param>
/// <param name="Times">How many times faster the fast cell is.</param>
/// <param name="Low">The lower end of the interval.</param>
/// <param name="High">The upper end of the interval.</param>
/// <param name="Answer">Whether it holds.</param>
/// <param name="P">The p of that answer, over all targets; of an open one, the smaller of the two.</param>
/// <param name="Processes">Processes behind it.</param>
sealed record TargetJudgement(Target Target, double Times, double Low, double High, TargetAnswer Answer, double P, int Processes)
{
    /// <summary>Judges the targets whose pairs were measured, in the order of the list. Both answers are tested for each target, at half of alpha, and corrected by Holm's method over all of them.</summary>
    public static IReadOnlyList<TargetJudgement> Of(DuetResult result, IReadOnlyList<Target> targets)
    {
        var measured = targets
            .Select(target => (Target: target, Pair: result.Duets.FirstOrDefault(pair => Is(pair.Old, target.Slow) && Is(pair.New, target.Fast))))
            .Where(one => one.Pair is not null)
            .Select(one => (one.Target, Pair: one.Pair!, Times: (IReadOnlyList<double>)[.. one.Pair!.Processes.Select(process => 1 / process.Ratio)]))
            .ToArray();
        var holds = Holm.Correct([.. measured.Select(one => Math.Min(1, 2 * ProcessMean.PAbove(one.Times, one.Target.Times)))]);
        var missed = Holm.Correct([.. measured.Select(one => Math.Min(1, 2 * ProcessMean.PAbove([.. one.Times.Select(times => 1 / times)], 1 / one.Target.Times)))]);
        return [.. measured.Select((one, i) =>
        {
            var answer = holds[i] <= result.Settings.Alpha ? TargetAnswer.Holds : missed[i] <= result.Settings.Alpha ? TargetAnswer.Missed : TargetAnswer.Open;
            var mean = ProcessMean.Of(one.Times, result.Settings.Alpha);
            return new TargetJudgement(one.Target, mean.Value, mean.Low, mean.High, answer, Math.Min(holds[i], missed[i]), one.Times.Count);
        })];
    }

    /// <summary>The judgements as a Markdown table.</summary>
    public static string ToMarkdown(IReadOnlyList<TargetJudgement> all)
    {
        var table = new StringBuilder("| Pair | Times faster | Interval | Asked for | Holds | p | Processes |\n| --- | ---: | ---: | ---: | --- | ---: | ---: |\n");
        foreach (var one in all)
        {
            var word = one.Answer switch { TargetAnswer.Holds => "yes", TargetAnswer.Missed => "no", _ => "cannot say" };
            table.Append(CultureInfo.InvariantCulture, $"| {one.Target.Fast} against {one.Target.Slow} | {one.Times:0.00} | {one.Low:0.00} to {one.High:0.00} | {one.Target.Times:0.0#} | {word} | {DuetFigures.P(one.P).TrimStart('=')} | {one.Processes} |\n");
        }

        return table.ToString();
    }

    static bool Is(DuetSide side, string name) => side.Cell.EndsWith("." + name, StringComparison.Ordinal);
}

/// <summary>Whether a target holds.</summary>
enum TargetAnswer
{
    /// <summary>The measurement does not say.</summary>
    Open,

    /// <summary>Surely.</summary>
    Holds,

    /// <summary>Surely not.</summary>
    Missed,
}
