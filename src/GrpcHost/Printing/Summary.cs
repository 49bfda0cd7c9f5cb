namespace ProtoBench.GrpcHost;

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
            output.WriteLine($"  {part,-13} {us,9:F1} μs {us / mean * 100,6:F1} %");
        output.WriteLine($"  {"mean",-13} {mean,9:F1} μs");
    }

    static void PrintRatios(TextWriter output, IReadOnlyList<LoadVariant> variants)
    {
        var first = variants[0];
        output.WriteLine($"{Environment.NewLine}Against {first.Name}, in {first.Rounds.Count} alternating pairs of rounds:");
        if (!first.Verdict.Valid)
        {
            output.WriteLine($"  no answer, because {first.Name} is INVALID: {first.Verdict.Reasons[0]}");
            return;
        }

        foreach (var variant in variants.Skip(1))
        {
            if (!variant.Verdict.Valid)
            {
                output.WriteLine($"  {variant.Name}: no answer, because it is INVALID: {variant.Verdict.Reasons[0]}");
                continue;
            }

            output.WriteLine($"  {variant.Name}");
            Ratio("makes", "times its calls a second", "", round => round.SucceededPerSecond);
            foreach (var percentile in new[] { 50.0, 99.0 })
                Ratio($"p{percentile} takes", "of its time", " μs",
                    round => round.Succeeded == 0 ? 0 : (round.Response ?? round.Service).Decode().Percentile(percentile));
            // bytes of processes of one build differ by more than those of its rounds, so an interval over rounds would be too narrow
            Ratio("the client allocates", "of its bytes a call", " B", round => round.Client?.AllocatedBytesPerCall ?? 0, hasInterval: false);
            Ratio("the host allocates", "of its bytes a call", " B", round => round.Server?.AllocatedBytesPerCall ?? 0, hasInterval: false);

            void Ratio(string what, string of, string unit, Func<LoadRound, double> value, bool hasInterval = true)
            {
                if (RoundPairs.Of(first, variant, value, alpha) is not { } pairs)
                    return;
                var interval = !hasInterval ? ""
                    : pairs is { Low: { } low, High: { } high }
                        ? $" [{low:0.00} to {high:0.00}]" : " (no interval: three rounds are needed)";
                output.WriteLine($"    {what} {pairs.Ratio.ToString(pairs.Ratio < 0.1 ? "0.000" : "0.00")} {of}{interval}: {pairs.New:N0} against {pairs.Old:N0}{unit}");
            }
        }

        output.WriteLine($"  Brackets are {(1 - alpha) * 100:0.#} % intervals over the pairs.");
    }
}
