using System.Text.Json;
using System.Text.Json.Serialization;

namespace ProtoBench.Results;

/// <summary>Reads and writes <see cref="LoadResult"/> as JSON.</summary>
public static class LoadResultFile
{
    /// <summary>Writes a result, over what was there.</summary>
    /// <param name="path">The file to write.</param>
    /// <param name="result">The result.</param>
    public static void Write(string path, LoadResult result) => File.WriteAllText(path, ToJson(result) + "\n");

    /// <summary>A result as JSON text, indented.</summary>
    /// <param name="result">The result.</param>
    public static string ToJson(LoadResult result) => JsonSerializer.Serialize(result, LoadResultJson.Default.LoadResult);

    /// <summary>Reads a result and checks it.</summary>
    /// <param name="path">The file to read.</param>
    /// <exception cref="DamagedFileException">It cannot be read, is no load
    /// result, is of a newer schema, or contradicts itself.</exception>
    public static LoadResult Read(string path) => Parse(ResultText.Read(path), path);

    /// <summary>Reads a result from JSON text and checks it.</summary>
    /// <param name="json">The text.</param>
    /// <param name="path">Where it comes from, for the message.</param>
    /// <exception cref="DamagedFileException">It is no load result, is of a newer schema, or contradicts itself.</exception>
    public static LoadResult Parse(string json, string path)
    {
        LoadResult result;
        try
        {
            using var document = JsonDocument.Parse(json);
            if ((JsonFaults.NullElement(document.RootElement) ?? JsonFaults.NotFinite(document.RootElement)) is { } damage)
                throw DamagedFileException.Of(path, $"damaged: {damage}");
            result = JsonSerializer.Deserialize(json, LoadResultJson.Default.LoadResult) ?? throw new JsonException("it says null");
        }
        catch (JsonException e)
        {
            throw DamagedFileException.Of(path, "not a load result: " + e.Message, e);
        }

        return Fault(result) is { } fault ? throw DamagedFileException.Of(path, fault) : result;
    }

    static string? Fault(LoadResult result)
    {
        if (result.SchemaVersion < 1)
            return "a load result without its schemaVersion";
        if (result.SchemaVersion > LoadResult.CurrentSchema)
            return $"schema version {result.SchemaVersion} is newer than this program, which reads up to {LoadResult.CurrentSchema}";
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
        foreach (var (name, latency) in new[] { ("response", round.Response), ("service", round.Service), ("failed", round.Failed),
            ("scheduleLag", round.ScheduleLag) })
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

/// <summary>The generated reader and writer.</summary>
[JsonSourceGenerationOptions(
    WriteIndented = true,
    NewLine = "\n",
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    RespectNullableAnnotations = true,
#if NET10_0_OR_GREATER
    AllowDuplicateProperties = false,
#endif
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(LoadResult))]
sealed partial class LoadResultJson : JsonSerializerContext;
