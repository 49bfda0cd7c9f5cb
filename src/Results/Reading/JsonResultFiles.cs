using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace ProtoBench.Results;

public static class LoadResultFile
{
    public static void Write(string path, LoadResult result) => File.WriteAllText(path, ToJson(result) + "\n");

    public static string ToJson(LoadResult result) => JsonSerializer.Serialize(result, ResultJson.Default.LoadResult);

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

public static class DuetResultFile
{
    /// <summary>Writes a result that was printed. The folder is created.</summary>
    /// <exception cref="UsageException">Thrown when the file cannot be written.</exception>
    public static void Write(string path, DuetResult result) => ResultPath.Write(path, () => File.WriteAllText(path, ToJson(result) + "\n"));

    public static string ToJson(DuetResult result) => JsonSerializer.Serialize(result, ResultJson.Default.DuetResult);

    public static DuetResult Parse(string json, string path) =>
        ResultJson.Parse(json, path, "duet", ResultJson.Default.DuetResult, result => (result.SchemaVersion, DuetResult.CurrentSchema), Fault);

    static string? Fault(DuetResult result)
    {
        if (result.Settings.Looks < 1 || !(result.Settings.Alpha is > 0 and < 1))
            return "settings: looks has to be at least 1, alpha between 0 and 1";
        if (result.Duets.GroupBy(pair => (Old: pair.Old.Cell, New: pair.New.Cell)).FirstOrDefault(group => group.Count() > 1) is { } twice)
            return $"the pair {twice.Key.Old} and {twice.Key.New} is there twice";
        if (result.Package is { } package && result.Duets.SelectMany(pair => (DuetSide[])[pair.Old, pair.New])
            .FirstOrDefault(side => !side.Parameters.ContainsKey(package)) is { } unknown)
            return $"{unknown.Cell} has no parameter {package}, whose versions the file compares";
        return result.Duets.Select(Fault).FirstOrDefault(fault => fault is not null);
    }

    static string? Fault(DuetPair pair)
    {
        var place = $"{pair.Old.Cell} and {pair.New.Cell}";
        if (!Positive(pair.Ratio) || pair.Processes.Any(process => !Positive(process.Ratio)))
            return $"{place}: a ratio that is not above 0";
        if (pair.Processes.Count == 0)
            return $"{place}: no process";
        if (pair.Low is null != pair.High is null || pair.Low > pair.Ratio || pair.High < pair.Ratio || pair.Low < 0)
            return $"{place}: the interval does not hold the ratio";
        if (pair.P is < 0 or > 1 || pair.CorrectedP is < 0 or > 1)
            return $"{place}: p is not between 0 and 1";
        if (pair.Clock is not ("cpu" or "wall"))
            return $"{place}: the clock is '{pair.Clock}', neither cpu nor wall";
        foreach (var (name, side) in new[] { ("old", pair.Old), ("new", pair.New) })
        {
            if (!(side.NanosecondsPerOperation >= 0 && double.IsFinite(side.NanosecondsPerOperation))
                || !(side.AllocatedBytesPerOperation >= 0 && double.IsFinite(side.AllocatedBytesPerOperation)))
                return $"{place}, {name}: a time or a number of bytes that is negative or not finite";
            if (side.Collections.Count != 3)
                return $"{place}, {name}: collections needs the counts of generation 0, 1 and 2";
        }

        return null;
    }

    static bool Positive(double value) => value > 0 && double.IsFinite(value);
}

[JsonSourceGenerationOptions(
    WriteIndented = true,
    NewLine = "\n",
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(LoadResult))]
[JsonSerializable(typeof(DuetResult))]
sealed partial class ResultJson : JsonSerializerContext
{
    internal static T Parse<T>(string json, string path, string kind, JsonTypeInfo<T> type, Func<T, (int Its, int Newest)> schema,
        Func<T, string?> faultOf)
    {
        T result;
        try
        {
            using var document = JsonDocument.Parse(json);
            if (JsonFaults.First(document.RootElement, figures: true) is { } damage)
                throw DamagedFileException.Of(path, $"damaged: {damage}");
            result = JsonSerializer.Deserialize(json, type) ?? throw new JsonException("it says null");
        }
        catch (JsonException e)
        {
            throw DamagedFileException.Of(path, $"not a {kind} result: {e.Message}", e);
        }

        var (its, newest) = schema(result);
        var fault = its < 1 ? $"a {kind} result without its schemaVersion"
            : its > newest ? $"schema version {its} is newer than this program, which reads up to {newest}"
            : faultOf(result);
        return fault is null ? result : throw DamagedFileException.Of(path, fault);
    }
}

/// <summary>Values that a generated reader accepts and no result file has: null in an array, and figures that are not finite.</summary>
static class JsonFaults
{
    public static string? First(JsonElement element, bool figures, string path = "$", bool inArray = false) => element.ValueKind switch
    {
        JsonValueKind.Null when inArray => $"{path} is null",
        JsonValueKind.Number when figures && !double.IsFinite(element.GetDouble()) => $"{path} is not finite",
        JsonValueKind.Array => element.EnumerateArray().Select((item, i) => First(item, figures, $"{path}[{i}]", inArray: true))
            .FirstOrDefault(sentence => sentence != null),
        JsonValueKind.Object => element.EnumerateObject().Select(item => First(item.Value, figures, $"{path}.{item.Name}"))
            .FirstOrDefault(sentence => sentence != null),
        _ => null,
    };
}
