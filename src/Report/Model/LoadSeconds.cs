namespace ProtoBench.Report.Model;

/// <summary>One or several seconds of a round. A variant's rounds stand one behind the other.</summary>
/// <param name="Round">From 1.</param>
/// <param name="First">The first of the seconds, from the start of the round.</param>
/// <param name="At">The middle of the seconds, from the start of the variant's first round.</param>
/// <param name="Length">Their number; null for seconds that the round does not fill.</param>
/// <param name="Latencies">Of the successful calls.</param>
/// <param name="Sent">The messages of streams.</param>
/// <param name="Between">The times between the messages of streams.</param>
/// <param name="ToAnswer">The times from a message to its answer.</param>
public sealed record LoadSeconds(int Round, int First, double At, int? Length, long Failed, SecondTimes Latencies, long Sent,
    long Received, SecondTimes Between, SecondTimes ToAnswer)
{
    /// <summary>The seconds of all rounds of a variant; 0 for results without them.</summary>
    public static int LengthOf(LoadVariant variant) => variant.Rounds.Sum(LengthOf);

    /// <param name="step">The number of seconds in one.</param>
    public static IReadOnlyList<LoadSeconds> Of(LoadVariant variant, int step)
    {
        var all = new List<LoadSeconds>();
        var start = 0;
        foreach (var (i, round) in variant.Rounds.Index())
        {
            // a second without a call is in no file, and its rate is 0
            var seconds = (round.Seconds ?? []).ToLookup(one => one.Second / step);
            for (var first = 0; first < LengthOf(round); first += step)
            {
                var these = seconds[first / step].ToArray();
                var messages = these.Select(one => one.Messages).OfType<StreamRecord>().ToArray();
                all.Add(new(i + 1, first, start + first + (step / 2.0), first + step <= round.DurationSeconds ? step : null,
                    these.Sum(one => one.Failed), SecondTimes.Of(these.Select(one => one.Latency)), messages.Sum(one => one.Sent),
                    messages.Sum(one => one.Received), SecondTimes.Of(messages.Select(one => one.BetweenMessages)),
                    SecondTimes.Of(messages.Select(one => one.ToAnswer))));
            }

            start += LengthOf(round);
        }

        return all;
    }

    static int LengthOf(LoadRound round) =>
        round.Seconds is [.., var last] ? Math.Max(last.Second + 1, (int)Math.Ceiling(round.DurationSeconds)) : 0;
}

/// <summary>What the page has of the times in some seconds, because 300 histograms take 40 MB.</summary>
/// <param name="Max">In microseconds.</param>
/// <param name="PercentilesUs">50, 99 and 99.9; none without a time.</param>
public sealed record SecondTimes(long Count, long Max, IReadOnlyDictionary<double, long> PercentilesUs)
{
    /// <summary>Whether a percentile does not depend on fewer than ten of them.</summary>
    public bool Supports(double percentile) => Count >= LatencyHistogram.CountNeeded(percentile);

    internal static SecondTimes Of(IEnumerable<LatencyRecord> records)
    {
        var all = LoadFile.Merged(records);
        return all.Count == 0 ? new(0, 0, new Dictionary<double, long>())
            : new(all.Count, all.Max, new[] { 50, 99, 99.9 }.ToDictionary(percentile => percentile, all.Percentile));
    }
}
