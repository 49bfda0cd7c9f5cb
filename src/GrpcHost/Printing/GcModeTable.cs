namespace ProtoBench.GrpcHost;

static class GcModeTable
{
    public static SavedTable Of(LoadResult result)
    {
        var environment = result.Environment;
        var changes = environment.Clean == false ? " with changes" : "";
        return new(
            [
                $"{environment.Client.Cpu}, {environment.Client.Os}, {environment.Client.Runtime}",
                $"{result.StartedAt:yyyy-MM-dd}, commit {environment.Commit ?? "unknown"}{changes}",
                PackageList.Of(environment.PackageVersions), $"`{result.Settings.CommandLine}`",
                .. environment.SharedCores == true ? ["Client and server shared the machine. The client uses the slab codec in every row. "
                    + "Figures are medians over the rounds."] : Array.Empty<string>(),
                .. result.Variants.Where(IsOtherMode)
                    .Select(variant => $"{variant.GcMode} on {Cores(variant)}: the runtime used {variant.Server!.GcMode}.").Distinct(),
            ],
            ["Collector", "Cores", "Codec", "Callers", "Calls/s", "p50 μs", "p99 μs", "GC pause", "Gen 0/1/2", "B/call", "Working set", "Verdict"],
            [.. result.Variants.Select(Row)]);
    }

    public static string Line(LoadVariant variant) => $"{variant.Name}: {Rate(variant):F0} calls/s, p99 μs {Percentile(variant, 99)}, GC pause {Pause(variant)}, {variant.Verdict}{Trend(variant)}";

    static string[] Row(LoadVariant variant) =>
    [
        $"{variant.GcMode}", $"{variant.Server?.Cores}", variant.Codec, $"{variant.Callers}", $"{Rate(variant):N0}",
        Percentile(variant, 50), Percentile(variant, 99), Pause(variant), Collections(variant),
        $"{Of(variant, round => round.Server?.AllocatedBytesPerCall):N0}", $"{Of(variant, round => round.Server?.WorkingSetBytes / 1048576.0):N0} MiB",
        $"{variant.Verdict}{(variant.Verdict.Valid ? "" : ": " + variant.Verdict.Reasons[0])}{Trend(variant)}",
    ];

    static string Trend(LoadVariant variant) => variant.Verdict.Trend() is { } trend ? "; " + trend : "";

    /// <summary>The runtime does not use server GC on one processor, which only its settings show.</summary>
    static bool IsOtherMode(LoadVariant variant) =>
        variant.Server is { } server && variant.GcMode is { } asked
        && server.GcMode.StartsWith("Server", StringComparison.Ordinal) == asked.StartsWith("workstation", StringComparison.Ordinal);

    static string Cores(LoadVariant variant) => $"{variant.Server!.Cores} core{(variant.Server.Cores == 1 ? "" : "s")}";

    static double? Rate(LoadVariant variant) => Of(variant, round => round.SucceededPerSecond);

    static double? Of(LoadVariant variant, Func<LoadRound, double?> figure)
    {
        double[] known = [.. variant.Rounds.Where(round => round.Succeeded > 0).Select(figure).OfType<double>()];
        return known.Length == 0 ? null : Median.Of(known).Value;
    }

    static string Percentile(LoadVariant variant, double percentile)
    {
        var all = new LatencyHistogram();
        foreach (var round in variant.Rounds.Where(round => round.Succeeded > 0))
            all.Add(round.Service.Decode());
        return all.Supports(percentile) ? all.Percentile(percentile).ToString("N0") : "too few calls";
    }

    static string Pause(LoadVariant variant) =>
        Of(variant, round => round.Server?.GcPauseUs / 1e4 / round.DurationSeconds) is { } percent ? percent.ToString("F2") + " %" : "";

    static string Collections(LoadVariant variant) =>
        string.Join('/', Enumerable.Range(0, 3).Select(generation => Collections(variant, generation)));

    static string Collections(LoadVariant variant, int generation) =>
        (Of(variant, round => round.Server?.GcCollections[generation]) ?? 0).ToString("F0");
}
