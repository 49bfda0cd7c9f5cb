using System.CommandLine;

namespace ProtoBench;

static class ReadmeVerb
{
    public static Command Create()
    {
        var check = Arguments.Option<bool>("--check", "change nothing; exit code 1 if a table or a picture differs from results/");
        var command = new Command("readme", "Copy the tables of results/ into README.md and the pages under docs, and draw their pictures") { check };
        command.SetAction(async (parsed, stop) =>
        {
            var (output, error) = (parsed.InvocationConfiguration.Output, parsed.InvocationConfiguration.Error);
            var root = Checkout.Root ?? Directory.GetCurrentDirectory();
            List<(string File, string Text)> changed =
                [.. from file in ReadmeTables.Files(root) let text = Refresh(root, file) where text is not null select (file, text)];
            foreach (var picture in ReadmeTables.Files(root)
                .SelectMany(file => ReadmePicture.In(File.ReadAllText(Path.Combine(root, file)))).Distinct())
            {
                var (path, drawn) = (Path.Combine(root, picture.File), await picture.DrawAsync(root));
                if (!File.Exists(path) || await File.ReadAllTextAsync(path, stop) != drawn)
                    changed.Add((picture.File, drawn));
            }

            if (changed.Count == 0)
            {
                await output.WriteLineAsync("README.md and docs have the tables and pictures of results/ already");
                return ExitCode.Done;
            }

            foreach (var (file, text) in changed)
            {
                if (parsed.GetValue(check))
                {
                    await error.WriteLineAsync($"ProtoBench: {file}: it differs from results/; the verb readme corrects it");
                    continue;
                }

                await File.WriteAllTextAsync(Path.Combine(root, file), text, CancellationToken.None);
                await output.WriteLineAsync($"{file}: renewed");
            }

            return parsed.GetValue(check) ? ExitCode.Failed : ExitCode.Done;
        });
        return command;
    }

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
