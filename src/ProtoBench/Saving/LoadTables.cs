using ProtoBench.Results;

namespace ProtoBench;

/// <summary>Creates tables of Markdown from results of the load client. Each figure is the median over the rounds.</summary>
static class LoadTables
{
    const double alpha = 0.05;

    /// <summary>A row for each variant. The ratio is to the first variant of the file, with its interval of 95 %.</summary>
    public static string Variants(IEnumerable<LoadResult> results) => Markdown.Table(
        ["Request:", "Callers:", "Variant", "Calls/s:", "Ratio:", "p50, μs:", "p99, μs:", "Client B/call:", "Server B/call:"],
        from result in results
        from variant in result.Variants
        select (string[])
        [
            Text(variant.Transport.RequestBytes) + " B",
            (variant.Callers ?? result.Settings.Concurrency) is { } number ? Text(number) : "-", variant.Name,
            Median(variant, round => round.SucceededPerSecond), Ratio(result.Variants[0], variant), Latency(variant, 50),
            Latency(variant, 99), Median(variant, round => round.Client?.AllocatedBytesPerCall),
            Median(variant, round => round.Server?.AllocatedBytesPerCall),
        ]);

    /// <summary>A column for each request and codec.</summary>
    public static string Latencies(IEnumerable<LoadResult> results)
    {
        LoadVariant[] variants = [.. results.SelectMany(result => result.Variants)];
        (long Bytes, string Codec)[] columns = [.. variants.Select(Column).Distinct()];
        return Markdown.Table(["Stack, p50 in μs", .. columns.Select(column => $"{Text(column.Bytes)} B, {column.Codec}:")],
            variants.GroupBy(variant => variant.Stack).Select(stack => (string[])
            [
                stack.Key,
                .. columns.Select(column => stack.FirstOrDefault(variant => Column(variant) == column) is { } one ? Latency(one, 50) : "-"),
            ]));

        static (long Bytes, string Codec) Column(LoadVariant variant) => (variant.Transport.RequestBytes, variant.Codec);
    }

    /// <summary>In microseconds, with a column for each variant.</summary>
    public static string Parts(IEnumerable<LoadResult> results)
    {
        LoadVariant[] variants =
            [.. results.SelectMany(result => result.Variants).Where(variant => variant.AttributionUsPerCall is { Count: > 0 })];
        if (variants.Length == 0)
            throw new InvalidDataException("no variant has the parts of a call: run the load client with --attribute");
        return Markdown.Table(["Part, μs", .. variants.Select(variant => variant.Name + ":")],
        [
            .. variants.SelectMany(variant => variant.AttributionUsPerCall!.Keys).Distinct().Select(part => (string[])
                [part, .. variants.Select(variant => variant.AttributionUsPerCall!.TryGetValue(part, out var us) ? Text(us) : "-")]),
            ["all", .. variants.Select(variant => Text(variant.AttributionUsPerCall!.Values.Sum()))],
        ]);
    }

    static string Ratio(LoadVariant first, LoadVariant variant)
    {
        var invalid = first.Verdict.Valid && variant.Verdict.Valid ? "" : ", INVALID";
        if (variant == first)
            return "1.00" + invalid;
        if (RoundPairs.Of(first, variant, round => round.SucceededPerSecond, alpha) is not { } ratio)
            return "-";
        var interval = invalid.Length == 0 && ratio.Low is not null ? $" ({ratio.Low:F2} to {ratio.High:F2})" : invalid;
        return $"{ratio.Ratio:F2}{interval}";
    }

    static string Latency(LoadVariant variant, double percentile) =>
        Median(variant, round => (round.Response ?? round.Service) is { Count: > 0 } calls ? calls.Decode().Percentile(percentile) : null);

    static string Median(LoadVariant variant, Func<LoadRound, double?> value)
    {
        double[] values = [.. variant.Rounds.Select(value).OfType<double>()];
        return values.Length == 0 ? "-" : Text(Results.Median.Of(values).Value);
    }

    static string Text(double value) => value.ToString("N0");
}
