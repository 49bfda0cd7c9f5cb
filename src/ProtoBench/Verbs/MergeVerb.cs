using System.CommandLine;

namespace ProtoBench;

/// <summary>Represents <c>merge</c>, which makes one result of the shards of several machines.</summary>
static class MergeVerb
{
    public static Command Create()
    {
        var name = new Argument<string>("name") { Description = "the NAME that the shards were saved with" };
        var command = new Command("merge", "Make one result and one table of the shards of a run (--shard 2/3 --save NAME)") { name };
        command.SetAction(async parsed =>
        {
            var (cpu, table, result, failed) = ShardFiles.Merge(ShardFiles.Root, parsed.GetValue(name)!);
            var output = parsed.InvocationConfiguration.Output;
            await output.WriteLineAsync(table.About[^1]);
            await output.WriteLineAsync($"Saved:   {Saved.Write(cpu, parsed.GetValue(name)!, table, result)}");
            if (failed > 0)
                await output.WriteLineAsync($"{failed} of {table.Rows.Count} cells failed");
            return failed > 0 ? ExitCode.Failed : ExitCode.Done;
        });
        return command;
    }
}
