using System.CommandLine;
using ProtoBench.Results;
using ProtoBench.Saving;

namespace ProtoBench.Verbs;

/// <summary><c>readme</c>: puts the tables of results/ into README.md again.</summary>
static class ReadmeVerb
{
    public static Command Create()
    {
        var check = new Option<bool>("--check") { Description = "change nothing; exit code 1 if a table in README.md is not the one in results/" };
        var command = new Command("readme", "put the tables of results/ into README.md again") { check };
        command.SetAction(parsed => Guarded.Run(parsed, (output, error) =>
        {
            var root = Checkout.Root ?? Directory.GetCurrentDirectory();
            var path = Path.Combine(root, "README.md");
            var before = File.ReadAllText(path);
            string after;
            try
            {
                after = ReadmeTables.Refresh(before, file => File.ReadAllText(Path.Combine(root, file)));
            }
            catch (Exception e) when (e is InvalidDataException or FileNotFoundException)
            {
                throw new UsageException($"README.md: {e.Message}");
            }

            if (before == after)
            {
                output.WriteLine("README.md has the tables of results/ already");
                return ExitCode.Done;
            }

            if (parsed.GetValue(check))
            {
                error.WriteLine("ProtoBench: a table in README.md is not the one in results/; the verb readme puts it right");
                return ExitCode.Failed;
            }

            File.WriteAllText(path, after);
            output.WriteLine("README.md: tables refreshed");
            return ExitCode.Done;
        }));
        return command;
    }
}
