using System.Globalization;
using ProtoBench.GrpcHost.Runs;
using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Printing;

static class Summary
{
    const double alpha = 0.05;

    public static void Print(TextWriter output, LoadResult result, LoadPlan plan)
    {
        foreach (var variant in result.Variants.Where(variant => variant.AttributionUsPerCall is not null))
            PrintParts(output, variant);
        if (plan.Interleave)
            PrintRatios(output, result.Variants);
        else if (result.Variants.Count > 1)
            output.WriteLine($"{Environment.NewLine}add --interleave for a ratio between the variants");
    }

    static void PrintParts(TextWriter output, LoadVariant variant)
    {
        var mean = variant.AttributionUsPerCall!.Values.Sum();
        output.WriteLine();
        output.WriteLine($"{variant.Name}: where the time of a call goes (a run of its own: taking times costs a little)");
        foreach (var (part, us) in variant.AttributionUsPerCall)
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  {part,-13} {us,9:F1} μs {us / mean * 100,6:F1} %"));
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  {"mean",-13} {mean,9:F1} μs"));
    }

    static void PrintRatios(TextWriter output, IReadOnlyList<LoadVariant> variants)
    {
        output.WriteLine();
        output.WriteLine(
            $"rounds took turns; ratios to {variants[0].Name}, with the interval of {(1 - alpha) * 100:0.#} % over "
                + $"{variants[0].Rounds.Count} rounds a side");
        if (!variants[0].Verdict.Valid)
        {
            output.WriteLine($"  none: {variants[0].Name} is INVALID");
            return;
        }

        foreach (var variant in variants.Skip(1))
        {
            if (!variant.Verdict.Valid)
            {
                output.WriteLine($"  {variant.Name}: no ratios, it is INVALID");
                continue;
            }

            output.WriteLine(Ratio(variants[0], variant, "qps", round => round.SucceededPerSecond));
            foreach (var percentile in new[] { 50.0, 99.0 })
                output.WriteLine(
                    Ratio(variants[0], variant, $"p{percentile}",
                        round => (round.Response ?? round.Service).Decode().Percentile(percentile)));
            output.WriteLine(Ratio(variants[0], variant, "client B/call", round => round.Client?.AllocatedBytesPerCall ?? 0));
            output.WriteLine(Ratio(variants[0], variant, "server B/call", round => round.Server?.AllocatedBytesPerCall ?? 0));
        }
    }

    static string Ratio(LoadVariant old, LoadVariant now, string what, Func<LoadRound, double> value)
    {
        double[] x = [.. old.Rounds.Where(round => round.Succeeded > 0).Select(value)],
            y = [.. now.Rounds.Where(round => round.Succeeded > 0).Select(value)];
        if (x.Length == 0 || y.Length == 0 || x.Concat(y).Any(figure => figure <= 0))
            return $"  {now.Name} {what}: no ratio, a figure is 0";
        var ratio = RatioEstimate.Of(x, y, alpha);
        var interval = ratio.Low > 0
            ? string.Create(CultureInfo.InvariantCulture, $"[{ratio.Low:F3} .. {ratio.High:F3}]")
            : "no interval: more rounds are needed";
        return string.Create(CultureInfo.InvariantCulture,
            $"  {now.Name} {what}: {Median.Of(y).Value:G5} against {Median.Of(x).Value:G5} = {ratio.Value:F3} {interval}");
    }
}
