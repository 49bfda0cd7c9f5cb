using System.ComponentModel;
using System.Diagnostics;

namespace ProtoBench.Results;

public static class Git
{
    // Runs write saved tables and the pages that show them. These files do not change what is measured.
    static readonly string[] measuredFiles =
        ["--", ":(top)", ":(top,exclude)results", ":(top,exclude)README.md", ":(top,exclude)docs/*.md", ":(top,exclude)docs/*.svg"];

    /// <returns>The full hash; null if <paramref name="folder"/> is not in a checkout, or git is not installed.</returns>
    public static string? Commit(string folder) => Ask(folder, "rev-parse", "HEAD");

    /// <summary>Whether the measured files are unchanged since the commit. results/, README.md, and the pages and pictures in docs/ are
    /// ignored, because runs write them. New files count as changes, unless git ignores them.</summary>
    /// <returns>Null if <paramref name="folder"/> is not in a checkout, or git is not installed.</returns>
    public static bool? IsClean(string folder) =>
        Ask(folder, ["status", "--porcelain", .. measuredFiles]) is { } changes ? changes.Length == 0 : null;

    /// <returns>The output of git without surrounding white space; null if the command fails or git is not installed.</returns>
    public static string? Ask(string folder, params string[] arguments)
    {
        try
        {
            using var git =
                Process.Start(
                    new ProcessStartInfo("git", ["-C", folder, .. arguments])
                    {
                        RedirectStandardOutput = true,
                        RedirectStandardError = true
                    })!;
            var error = git.StandardError.ReadToEndAsync();
            var said = git.StandardOutput.ReadToEnd();
            git.WaitForExit();
            _ = error.GetAwaiter().GetResult();
            return git.ExitCode == 0 ? said.Trim() : null;
        }
        catch (Win32Exception)
        {
            return null;
        }
    }
}
