using System.CommandLine;

namespace ProtoBench.Verbs;

/// <summary><c>readme</c>: puts the tables of results/ into README.md again.</summary>
static class ReadmeVerb
{
    public static Command Create()
    {
        var check = new Option<bool>("--check") { Description = "change nothing; exit code 1 if a table in README.md is not the one in results/" };
        var command = new Command("readme", "put the tables of results/ into README.md again") { check };
        command.SetAction(parsed =>
        {
            var root = Checkout.Root ?? Directory.GetCurrentDirectory();
            var path = Path.Combine(root, "README.md");
            var before = File.ReadAllText(path);
            var after = ReadmeTables.Refresh(before, file => File.ReadAllText(Path.Combine(root, file)));
            if (before == after)
            {
                Console.WriteLine("README.md has the tables of results/ already");
                return ExitCode.Done;
            }

            if (parsed.GetValue(check))
            {
                Console.Error.WriteLine("ProtoBench: a table in README.md is not the one in results/; the verb readme puts it right");
                return ExitCode.Failed;
            }

            File.WriteAllText(path, after);
            Console.WriteLine("README.md: tables refreshed");
            return ExitCode.Done;
        });
        return command;
    }
}
