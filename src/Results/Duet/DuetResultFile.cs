using System.Text.Json;
using System.Text.Json.Serialization;

namespace ProtoBench.Results;

/// <summary>Reads and writes <see cref="DuetResult"/> as JSON.</summary>
public static class DuetResultFile
{
    /// <summary>Writes a result, over what was there.</summary>
    /// <param name="path">The file to write.</param>
    /// <param name="result">The result.</param>
    public static void Write(string path, DuetResult result) => File.WriteAllText(path, ToJson(result) + "\n");

    /// <summary>A result as JSON text, indented.</summary>
    /// <param name="result">The result.</param>
    public static string ToJson(DuetResult result) => JsonSerializer.Serialize(result, DuetResultJson.Default.DuetResult);

    /// <summary>Reads a result and checks it.</summary>
    /// <param name="path">The file to read.</param>
    /// <exception cref="DamagedFileException">It cannot be read, is no duet
    /// result, is of a newer schema, or contradicts itself.</exception>
    public static DuetResult Read(string path) => Parse(ResultText.Read(path), path);

    /// <summary>Reads a result from JSON text and checks it.</summary>
    /// <param name="json">The text.</param>
    /// <param name="path">Where it comes from, for the message.</param>
    /// <exception cref="DamagedFileException">It is no duet result, is of a newer schema, or contradicts itself.</exception>
    public static DuetResult Parse(string json, string path)
    {
        DuetResult result;
        try
        {
            result = JsonSerializer.Deserialize(json, DuetResultJson.Default.DuetResult) ?? throw new JsonException("it says null");
        }
        catch (JsonException e)
        {
            throw DamagedFileException.Of(path, "not a duet result: " + e.Message, e);
        }

        return Fault(result) is { } fault ? throw DamagedFileException.Of(path, fault) : result;
    }

    static string? Fault(DuetResult result)
    {
        if (result.SchemaVersion < 1)
            return "a duet result without its schemaVersion";
        if (result.SchemaVersion > DuetResult.CurrentSchema)
            return $"schema version {result.SchemaVersion} is newer than this program, which reads up to {DuetResult.CurrentSchema}";
        if (result.Settings.Looks < 1 || !(result.Settings.Alpha is > 0 and < 1))
            return "settings: looks has to be at least 1, alpha between 0 and 1";
        if (result.Duets.Any(pair => pair is null))
            return "a pair that is null";
        if (result.Duets.GroupBy(pair => (Old: pair.Old.Cell, New: pair.New.Cell)).FirstOrDefault(group => group.Count() > 1) is { } twice)
            return $"the pair {twice.Key.Old} and {twice.Key.New} is there twice";
        return result.Duets.Select(Fault).FirstOrDefault(fault => fault is not null);
    }

    static string? Fault(DuetPair pair)
    {
        var place = $"{pair.Old.Cell} and {pair.New.Cell}";
        if (!Positive(pair.Ratio) || pair.Processes.Any(process => process is null || !Positive(process.Ratio)))
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
[JsonSerializable(typeof(DuetResult))]
sealed partial class DuetResultJson : JsonSerializerContext;
