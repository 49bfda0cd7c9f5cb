using System.CommandLine;
using ProtoBench.Results;
using ProtoBench.Saving;

namespace ProtoBench.Verbs;

/// <summary><c>readme</c>: copies the tables of results/ into README.md and the pages under docs.</summary>
static class ReadmeVerb
{
    public static Command Create()
    {
        var check = new Option<bool>("--check") { Description = "change nothing; exit code 1 if a table differs from the one in results/" };
        var command = new Command("readme", "Copy the tables of results/ into README.md and the pages under docs") { check };
        command.SetAction(parsed => Guarded.Run(parsed, (output, error) =>
        {
            var root = Checkout.Root ?? Directory.GetCurrentDirectory();
            List<(string File, string Text)> changed =
                [.. from file in ReadmeTables.Files(root) let text = Refresh(root, file) where text is not null select (file, text)];
            if (changed.Count == 0)
            {
                output.WriteLine("README.md and docs have the tables of results/ already");
                return ExitCode.Done;
            }

            foreach (var (file, text) in changed)
            {
                if (parsed.GetValue(check))
                {
                    error.WriteLine($"ProtoBench: {file}: a table differs from the one in results/; the verb readme corrects it");
                    continue;
                }

                File.WriteAllText(Path.Combine(root, file), text);
                output.WriteLine($"{file}: tables copied");
            }

            return parsed.GetValue(check) ? ExitCode.Failed : ExitCode.Done;
        }));
        return command;
    }

    /// <summary>The new text of a file; null where it has the right tables.</summary>
    static string? Refresh(string root, string file)
    {
        var before = File.ReadAllText(Path.Combine(root, file));
        try
        {
            var after = ReadmeTables.Refresh(before, root);
            return after == before ? null : after;
        }
        catch (Exception e) when (e is InvalidDataException or FileNotFoundException or DirectoryNotFoundException)
        {
            throw new UsageException($"{file}: {e.Message}");
        }
    }
}
