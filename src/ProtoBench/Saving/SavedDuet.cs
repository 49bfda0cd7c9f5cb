using System.Globalization;
using ProtoBench.Results;

namespace ProtoBench.Saving;

/// <summary>Saves the result of a duet with the saved tables.</summary>
static class SavedDuet
{
    /// <summary>Writes NAME.md and NAME.json under results/.</summary>
    /// <param name="name">The name.</param>
    /// <param name="result">The figures.</param>
    /// <param name="table">The table, as Markdown.</param>
    /// <returns>The path of the table, from the root of the checkout.</returns>
    public static string Write(string name, DuetResult result, string table)
    {
        var folder = Path.Combine("results", SavedTable.FolderOf(result.Environment.Process.Cpu));
        var root = Checkout.Root ?? Directory.GetCurrentDirectory();
        Directory.CreateDirectory(Path.Combine(root, folder));
        var path = Path.Combine(folder, name + ".md");
        File.WriteAllText(Path.Combine(root, path), $"{Head(result)}\n{table}");
        DuetResultFile.Write(Path.Combine(root, Path.ChangeExtension(path, ".json")), result);
        return path;
    }

    /// <summary>Returns the lines above a saved table: day, commit, machine, packages and command, as in other saved tables.</summary>
    internal static string Head(DuetResult result)
    {
        var environment = result.Environment;
        var process = environment.Process;
        var commit = (environment.Commit ?? "unknown") + (environment.Clean == false ? ", with changes that are not committed" : "");
        return string.Create(CultureInfo.InvariantCulture,
            $"""
            - {result.StartedAt.UtcDateTime:yyyy-MM-dd}, commit {commit}
            - {process.Cpu}, {process.Cores} cores, {process.Runtime}, {process.GcMode} GC
            - {PackageList.Of(environment.PackageVersions)}
            - `{result.Settings.CommandLine}`

            """);
    }
}
