using System.Text.Json;
using System.Text.Json.Nodes;

namespace ProtoBench.Results;

public static class DuetResultFile
{
    /// <summary>Writes a result that was printed. The folder is created.</summary>
    /// <exception cref="UsageException">Thrown when the file cannot be written.</exception>
    public static void Write(string path, DuetResult result) => ResultPath.Write(path, () => File.WriteAllText(path, ToJson(result) + "\n"));

    public static string ToJson(DuetResult result) => JsonSerializer.Serialize(result, ResultJson.Default.DuetResult);

    /// <summary>Returns the node of a result, which is saved with its table.</summary>
    public static JsonObject ToNode(DuetResult result) => JsonSerializer.SerializeToNode(result, ResultJson.Default.DuetResult)!.AsObject();

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
