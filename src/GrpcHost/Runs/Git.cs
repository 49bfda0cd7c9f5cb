using System.Diagnostics;

namespace ProtoBench.GrpcHost.Runs;

/// <summary>The git checkout in which this program was built, if there is one.</summary>
static class Git
{
    public static string? Commit { get; } = Ask("rev-parse", "HEAD");

    /// <summary>Whether nothing is changed that is not committed; null where that is not known.</summary>
    public static bool? Clean { get; } = Ask("status", "--porcelain") is { } changes ? changes.Length == 0 : null;

    static string? Ask(params string[] arguments)
    {
        try
        {
            using var git =
                Process.Start(
                    new ProcessStartInfo("git", ["-C", AppContext.BaseDirectory, .. arguments])
                    {
                        RedirectStandardOutput = true,
                        RedirectStandardError = true
                    })!;
            var said = git.StandardOutput.ReadToEnd();
            git.WaitForExit();
            return git.ExitCode == 0 ? said.Trim() : null;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return null;
        }
    }
}
