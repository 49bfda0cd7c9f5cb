using System.Globalization;
using System.Text;
using ProtoBench.Results;
using ProtoBench.Verbs;

namespace ProtoBench.Duet;

/// <summary>A target and what a duet says about it.</summary>
/// <remarks>
/// <para>Two claims are tested for each target, one-sided over the processes: it is reached, it is missed. p of each claim is multiplied by
/// 2 for the two of them, by the number of looks at which the measurement could have stopped, and corrected by Holm's method over all
/// targets. So a table without a single true claim makes one with a chance of at most alpha, wherever each pair stopped.</para>
/// </remarks>
/// <param name="Target">The target.</param>
/// <param name="Times">How many times faster the fast cell is.</param>
/// <param name="Low">The lower end of the interval.</param>
/// <param name="High">The upper end of the interval.</param>
/// <param name="P">The corrected p of the answer that the estimate gives.</param>
/// <param name="Certain">Whether that answer is certain: p is at most alpha.</param>
/// <param name="Processes">Processes behind it.</param>
sealed record TargetJudgement(Target Target, double Times, double Low, double High, double P, bool Certain, int Processes)
{
    const int claims = 2;

    /// <summary>Whether the estimate is at least what is asked for.</summary>
    public bool Reached => Times >= Target.Times;

    /// <summary>The answer in words: yes, yes and uncertain, no and uncertain, no.</summary>
    public string Holds => (Reached, Certain) switch
    {
        (true, true) => "yes",
        (true, false) => "yes, uncertain",
        (false, false) => "no, uncertain",
        _ => "no",
    };

    /// <summary>Judges the targets whose pairs were measured, in the order of the list.</summary>
    public static IReadOnlyList<TargetJudgement> Of(DuetResult result, IReadOnlyList<Target> targets)
    {
        var measured = targets
            .Select(target =>
                (Target: target,
                    Pair: result.Duets.FirstOrDefault(pair => Is(pair.Old.Cell, target.Slow) && Is(pair.New.Cell, target.Fast))))
            .Where(one => one.Pair is not null)
            .Select(one => (one.Target, Ratios: (IReadOnlyList<double>)[.. one.Pair!.Processes.Select(process => process.Ratio)]))
            .ToArray();
        var looks = result.Settings.Looks;
        var reached = Holm.Correct([.. measured.Select(one => POf(one.Ratios, one.Target, reached: true, looks))]);
        var missed = Holm.Correct([.. measured.Select(one => POf(one.Ratios, one.Target, reached: false, looks))]);
        return
        [
            .. measured.Select((one, i) =>
            {
                var mean = ProcessMean.Of([.. one.Ratios.Select(ratio => 1 / ratio)], result.Settings.Alpha / looks);
                var p = mean.Value >= one.Target.Times ? reached[i] : missed[i];
                return new TargetJudgement(one.Target, mean.Value, mean.Low, mean.High, p, p <= result.Settings.Alpha, one.Ratios.Count);
            }),
        ];
    }

    /// <summary>Whether one of the two answers is certain whatever the other targets come to.</summary>
    /// <param name="ratios">Times of the fast cell by those of the slow one, one of each process.</param>
    /// <param name="target">The target.</param>
    /// <param name="settings">The looks and the chance of a false claim.</param>
    /// <param name="targets">How many targets the table has: with Bonferroni's factor, which is the largest of Holm's.</param>
    public static bool IsCertain(IReadOnlyList<double> ratios, Target target, DuetSettings settings, int targets) =>
        targets * Math.Min(POf(ratios, target, reached: true, settings.Looks),
            POf(ratios, target, reached: false, settings.Looks)) <= settings.Alpha;

    /// <summary>The judgements as a Markdown table.</summary>
    public static string ToMarkdown(IReadOnlyList<TargetJudgement> all)
    {
        var table = new StringBuilder(
            "| Pair | Times faster | Interval | Asked for | Holds | p | Processes |\n| --- | ---: | ---: | ---: | --- | ---: | ---: |\n");
        foreach (var one in all)
        {
            table.Append(CultureInfo.InvariantCulture,
                $"| {one.Target.Fast} against {one.Target.Slow} | {one.Times:0.00} | {one.Low:0.00} to {one.High:0.00} | ");
            table.Append(CultureInfo.InvariantCulture,
                $"{one.Target.Times:0.0#} | {one.Holds} | {DuetFigures.P(one.P).TrimStart('=')} | {one.Processes} |\n");
        }

        return table.ToString();
    }

    /// <summary>Whether a cell's full name is the one that a target gives without namespace and class.</summary>
    public static bool Is(string cell, string name) => cell.EndsWith("." + name, StringComparison.Ordinal);

    static double POf(IReadOnlyList<double> ratios, Target target, bool reached, int looks)
    {
        var p = reached
            ? ProcessMean.PAbove([.. ratios.Select(ratio => 1 / ratio)], target.Times) : ProcessMean.PAbove([.. ratios], 1 / target.Times);
        return Math.Min(1, claims * looks * p);
    }
}
