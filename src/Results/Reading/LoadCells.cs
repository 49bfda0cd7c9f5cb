using System.Globalization;

namespace ProtoBench.Results;

/// <summary>Creates the cells of a load result: each variant in each unit, with a value for each round.</summary>
static class LoadCells
{
    static readonly double[] percentiles = [50, 90, 99, 99.9];

    // The connections and timers of a process allocate too, independently of the number of calls.
    const double bytesOfACall = 64;

    public static ResultFile Of(LoadResult result, string path)
    {
        var cells = new List<Cell>();
        var warnings = new List<string>();
        if (result.Partial)
            warnings.Add($"{path}: the run was stopped early");
        if (MachineLoad.Sentence(result.OtherCores, result.Environment.Client.Cores) is { } busy)
            warnings.Add($"{path}: {busy}");
        foreach (var variant in result.Variants)
        {
            var name = Name(variant);
            if (!variant.Verdict.Valid)
                warnings.Add(
                    $"{path}: {name} is INVALID ({ResultText.Clean(string.Join("; ", variant.Verdict.Reasons))}): no verdict is based on it");
            foreach (var (unit, values) in Figures(variant, warning => warnings.Add($"{path}: {name}: {warning}")))
            {
                if (!values.All(double.IsFinite))
                    throw DamagedFileException.Of(path, $"variant {variant.Name}: {unit} of a round is not finite");
                cells.Add(new Cell(name, unit, values, "round") { Valid = variant.Verdict.Valid });
            }
        }

        return new ResultFile
        {
            Path = path,
            Cells = [.. cells.Where(cell => cell.Values.Count > 0)],
            Failed = [.. result.Variants.Where(variant => variant.Rounds.Sum(round => round.Succeeded) == 0).Select(Name)],
            Facts = Facts(result),
            Commit = ResultText.Commit(result.Environment.Commit, result.Environment.Clean),
            Command = ResultText.Clean(result.Settings.CommandLine),
            Load = result,
            Warnings = warnings,
        };
    }

    static CellName Name(LoadVariant variant)
    {
        var parts = new Dictionary<string, string?>
        {
            ["method"] = variant.Name,
            ["stack"] = variant.Stack,
            ["codec"] = variant.Codec,
            ["memory"] = variant.Memory
        };
        return new CellName(ResultText.Clean(variant.Name),
            parts.Where(part => part.Value != null).Select(part => KeyValuePair.Create(part.Key, ResultText.Clean(part.Value!))));
    }

    static IEnumerable<(Unit Unit, double[] Values)> Figures(LoadVariant variant, Action<string> warn)
    {
        LoadRound[] rounds = [.. variant.Rounds.Where(round => round.Succeeded > 0)];
        yield return (new Unit("calls/s", Scale.Plain) { HigherIsBetter = true }, [.. rounds.Select(round => round.SucceededPerSecond)]);
        yield return (new Unit("failed/call", Scale.Plain) { Exact = true }, [.. rounds.Select(round => 1 - round.SuccessfulRate)]);
        foreach (var (kind, latencies) in new[] { ("response", rounds.Select(round => round.Response)),
            ("service", rounds.Select(round => round.Service)) })
        {
            LatencyHistogram[] histograms = [.. latencies.Where(latency => latency != null).Select(latency => latency!.Decode())];
            foreach (var percentile in histograms.Length == 0 ? [] : percentiles)
            {
                var label = $"{kind} p{percentile.ToString(CultureInfo.InvariantCulture)}";
                if (histograms.All(histogram => histogram.Supports(percentile)))
                    yield return (new Unit(label, Scale.Microseconds),
                        [.. histograms.Select(histogram => (double)histogram.Percentile(percentile))]);
                else
                    warn(string.Create(CultureInfo.InvariantCulture,
                        $"{label} left out: it needs {LatencyHistogram.CountNeeded(percentile):N0} calls a round, and a round has "
                            + $"{histograms.Min(h => h.Count):N0}"));
            }
        }

        foreach (var (process, uses) in new[] { ("client", rounds.Select(round => round.Client)),
            ("server", rounds.Select(round => round.Server)) })
        {
            ProcessUse[] known = [.. uses.Where(use => use != null).Select(use => use!)];
            yield return (new Unit($"{process} B/call", Scale.Bytes) { Floor = bytesOfACall }, [.. known.Select(use => use.AllocatedBytesPerCall)]);
            yield return (new Unit($"{process} CPU/call", Scale.Microseconds), [.. known.Select(use => use.CpuUsPerCall)]);
            yield return (new Unit($"{process} GC pause/call", Scale.Microseconds), [.. known.Select(use => use.GcPauseUsPerCall)]);
        }
    }

    static Dictionary<string, string> Facts(LoadResult result)
    {
        var settings = result.Settings;
        return ResultText.Facts(
        [
            Suite.Fact(result.Environment.Suite),
            ("loop", settings.Loop),
            ("arrivals", settings.Arrivals),
            ("rate", Text(settings.RatePerSecond)),
            ("concurrency", Text(settings.Concurrency)),
            ("connections", Text(settings.Connections)),
            ("calls a round", Text(settings.RequestsPerRound)),
            ("seconds a round", Text(settings.RoundSeconds)),
            ("warm-up seconds", Text(settings.WarmupSeconds)),
            ("client and server share cores", result.Environment.SharedCores?.ToString()),
            .. result.Environment.Client.Facts().Select(fact => ("client's " + fact.Fact, fact.Value)),
            .. result.Environment.Server?.Facts().Select(fact => ("server's " + fact.Fact, fact.Value)) ?? [],
            .. ResultText.Versions(result.Environment.PackageVersions),
            .. result.Variants.SelectMany(variant => Facts(variant.Name, variant.Transport)),
        ]);
    }

    static IEnumerable<(string Fact, string? Value)> Facts(string variant, LoadTransport transport) =>
    [
        (variant + " protocol",
            $"{transport.Protocol} over {transport.Socket ?? "a socket"}, {transport.Tls ?? "no TLS"}, "
                + $"{transport.ConnectionsOpened} connections"),
        (variant + " HTTP/2 limits",
            string.Join(", ",
                transport.Http2.OrderBy(limit => limit.Key, StringComparer.Ordinal).Select(limit => $"{limit.Key} {limit.Value}"))),
        (variant + " payload",
            $"{transport.RequestBytes} B and {transport.ResponseBytes} B {transport.PayloadSha256}".TrimEnd()),
    ];

    static string? Text(IFormattable? value) => value?.ToString(null, CultureInfo.InvariantCulture);
}
