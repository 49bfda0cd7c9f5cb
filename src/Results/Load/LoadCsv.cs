using System.Globalization;
using System.Text;

namespace ProtoBench.Results;

/// <summary>Writes a load result as CSV: a line for each round, whose second is empty, and below it one for each of its seconds.</summary>
public static class LoadCsv
{
    public static string Of(LoadResult result)
    {
        LoadRound[] rounds = [.. result.Variants.SelectMany(variant => variant.Rounds)];
        string[] percentiles = [.. rounds.SelectMany(round => (round.Response ?? round.Service).PercentilesUs.Keys).Distinct()];
        string[] times = ["min_us", "mean_us", "max_us", .. percentiles.Select(percentile => $"p{percentile}_us")];
        var streams = rounds.Any(round => round.Messages is not null);
        var text = new StringBuilder().AppendJoin(',',
        [
            "variant", "round", "second", "length_s", "succeeded", "failed", .. times,
            .. streams ? ["sent", "received", .. times.Select(time => "between_" + time), .. times.Select(time => "answer_" + time)]
                : Array.Empty<string>(),
        ]).Append('\n');
        foreach (var variant in result.Variants)
        {
            for (var i = 0; i < variant.Rounds.Count; i++)
            {
                var round = variant.Rounds[i];
                Line(i, null, round.DurationSeconds, round.FailedCalls, round.Response ?? round.Service, round.Messages);
                foreach (var second in round.Seconds ?? [])
                    Line(i, second.Second, round.LengthOf(second), second.Failed, second.Latency, second.Messages);
            }

            void Line(int round, int? second, double length, long failed, LatencyRecord latency, StreamRecord? messages)
            {
                double?[] figures =
                [
                    round + 1, second, length, latency.Count, failed, .. Times(latency),
                    .. streams ? [messages?.Sent, messages?.Received, .. Times(messages?.BetweenMessages), .. Times(messages?.ToAnswer)]
                        : Array.Empty<double?>(),
                ];
                text.Append(Csv.Quote(variant.Name)).Append(',')
                    .AppendJoin(',', figures.Select(figure => figure?.ToString(CultureInfo.InvariantCulture))).Append('\n');
            }

            double?[] Times(LatencyRecord? latency) => latency is not { Count: > 0 } ? new double?[times.Length]
                : [latency.MinUs, latency.MeanUs, latency.MaxUs, .. percentiles.Select(one => (double?)latency.PercentilesUs[one])];
        }

        return text.ToString();
    }
}
