using System.Text.Json;
using System.Text.Json.Nodes;

namespace ProtoBench.Results;

public static class LoadResultFile
{
    public static void Write(string path, LoadResult result) => File.WriteAllText(path, ToJson(result) + "\n");

    public static string ToJson(LoadResult result) => JsonSerializer.Serialize(result, ResultJson.Default.LoadResult);

    /// <summary>Returns the node of a result, which is saved with its table.</summary>
    public static JsonObject ToNode(LoadResult result) => JsonSerializer.SerializeToNode(result, ResultJson.Default.LoadResult)!.AsObject();

    /// <summary>Returns a round, as a process of the client sends it to the one that has started it.</summary>
    public static string ToJson(LoadRound round) => JsonSerializer.Serialize(round, ResultJson.Default.LoadRound);

    public static LoadRound ParseRound(string json) => JsonSerializer.Deserialize(json, ResultJson.Default.LoadRound)!;

    public static LoadResult Read(string path) => Parse(ResultText.Read(path), path);

    public static LoadResult Parse(string json, string path) =>
        ResultJson.Parse(json, path, "load", ResultJson.Default.LoadResult, result => (result.SchemaVersion, LoadResult.CurrentSchema), Fault);

    static string? Fault(LoadResult result)
    {
        if (result.Variants.Count == 0)
            return "a load result without a variant";
        if (result.Variants.GroupBy(variant => ResultText.Clean(variant.Name), StringComparer.Ordinal)
            .FirstOrDefault(group => group.Count() > 1) is { } twice)
            return $"variant {twice.Key} is there twice";
        return result.Variants.SelectMany(variant => variant.Rounds.Select(round => Fault(variant.Name, round)))
            .FirstOrDefault(fault => fault != null);
    }

    static string? Fault(string variant, LoadRound round)
    {
        var place = $"variant {variant}, round at position {round.Position}";
        if (!(round.DurationSeconds > 0 && double.IsFinite(round.DurationSeconds)))
            return $"{place}: the duration is {round.DurationSeconds} s";
        if (round.Attempted < 0 || round.Succeeded < 0 || round.Skipped < 0 || round.FailedByStatus.Values.Any(count => count < 0))
            return $"{place}: a negative number of calls";
        if (round.Client?.GcCollections is { Count: not 3 } || round.Server?.GcCollections is { Count: not 3 })
            return $"{place}: gcCollections needs the counts of generation 0, 1 and 2";
        if (round.Service.Count != round.Succeeded)
            return $"{place}: {round.Succeeded} calls succeeded, but {round.Service.Count} have a service time";
        (string, LatencyRecord?)[] latencies =
        [
            ("response", round.Response), ("service", round.Service), ("failed", round.Failed), ("scheduleLag", round.ScheduleLag),
            .. round.Seconds?.Select(one => ($"second {one.Second}", (LatencyRecord?)one.Latency)) ?? [],
        ];
        foreach (var (name, latency) in latencies)
        {
            if (latency != null && Fault(latency) is { } fault)
                return $"{place}, {name}: {fault}";
        }

        return null;
    }

    static string? Fault(LatencyRecord latency)
    {
        try
        {
            var counted = latency.Decode().Count;
            return counted == latency.Count ? null : $"the histogram has {counted} calls, but count says {latency.Count}";
        }
        catch (FormatException e)
        {
            return e.Message;
        }
    }
}
