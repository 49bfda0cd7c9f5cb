using System.ComponentModel;
using System.Diagnostics;

namespace ProtoBench.Results;

/// <summary>What a result says of the checkout that it was measured in.</summary>
public static class Git
{
    // Saved tables, and the pages that show them, are written by the runs themselves. They are no part of what is measured.
    static readonly string[] measuredFiles =
        ["--", ":(top)", ":(top,exclude)results", ":(top,exclude)README.md", ":(top,exclude)docs/*.md"];

    /// <summary>The commit that is checked out.</summary>
    /// <param name="folder">The checkout, or a folder in it.</param>
    /// <returns>The full hash; null where <paramref name="folder"/> is in no checkout, or git is not installed.</returns>
    public static string? Commit(string folder) => Ask(folder, "rev-parse", "HEAD");

    /// <summary>
    /// Whether the files that decide what is measured are those of the commit. Not among them are results/, README.md and the pages under
    /// docs/, which the runs of a measuring session change one after another. New files count, unless they are ignored.
    /// </summary>
    /// <param name="folder">The checkout, or a folder in it.</param>
    /// <returns>Null where <paramref name="folder"/> is in no checkout, or git is not installed.</returns>
    public static bool? IsClean(string folder) =>
        Ask(folder, ["status", "--porcelain", .. measuredFiles]) is { } changes ? changes.Length == 0 : null;

    /// <summary>Runs a git command.</summary>
    /// <param name="folder">The folder that it runs in.</param>
    /// <param name="arguments">The command and its arguments.</param>
    /// <returns>What git says, without white space at the ends; null where it fails or is not installed.</returns>
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
