using System.Diagnostics;

namespace ProtoBench.Duet;

/// <summary>Asks git about a checkout.</summary>
static class Git
{
    /// <summary>What git says, without the line's end; null where it fails or is not installed.</summary>
    /// <param name="folder">The checkout.</param>
    /// <param name="arguments">The command.</param>
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
        catch (System.ComponentModel.Win32Exception)
        {
            return null;
        }
    }
}
