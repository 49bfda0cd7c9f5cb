namespace ProtoBench.Results;

/// <summary>Represents a duet result as a file of a comparison. It has measured ratios and no cells.</summary>
static class DuetFacts
{
    public static ResultFile Of(DuetResult result, string path) => new()
    {
        Path = path,
        Cells = [],
        Facts = Of(result.Environment),
        Commit = Commit(result.Environment),
        Command = ResultText.Clean(result.Settings.CommandLine),
        Duet = result,
        Warnings =
        [
            .. result.Partial ? [$"{path}: the run was stopped early"] : Array.Empty<string>(),
            .. MachineLoad.Sentence(result.OtherCores, result.Environment.Process.Cores) is { } load
            ? [$"{path}: {load}"] : Array.Empty<string>(),
            .. result.Settings.Same
            ? [$"{path}: each cell was compared with itself, so every claim is a false one"] : Array.Empty<string>(),
            .. result.Duets.SelectMany(pair =>
                pair.Notes.Select(note => $"{path}: {Name(pair.Old)["method"]} and {Name(pair.New)["method"]}: {ResultText.Clean(note)}")),
            .. result.Failed.Select(failed =>
                $"{path}: {ResultText.Clean(failed.Old)} and {ResultText.Clean(failed.New)} failed: "
                    + $"{ResultText.Clean(failed.Reason.ReplaceLineEndings(" "))}"),
        ],
    };

    /// <summary>Returns the facts that should be equal for two builds that are compared.</summary>
    public static Dictionary<string, string> Of(DuetEnvironment environment) =>
        ResultText.Facts(
            [Suite.Fact(environment.Suite), .. environment.Process.Facts(), .. ResultText.Versions(environment.PackageVersions)]);

    public static string? Commit(DuetEnvironment environment) => ResultText.Commit(environment.Commit, environment.Clean);

    public static CellName Name(DuetSide side) => CellName.Benchmark(
        ResultText.Clean(side.Cell),
        ResultText.Clean(side.Type),
        ResultText.Clean(side.Method),
        side.Parameters.Select(parameter => KeyValuePair.Create(ResultText.Clean(parameter.Key), ResultText.Clean(parameter.Value))),
        job: null,
        side.Facts);
}
