using System.CommandLine;
using System.Text;

namespace ProtoBench.GrpcHost;

static class DriveCommand
{
    public static Command Create()
    {
        var scenarios = Arguments.Option<string>("--scenarios", "the scenarios, in the JSON form of qps_json_driver");
        scenarios.Required = true;
        var workers = Arguments.Option("--workers", "the workers as host:port, with commas between, those for servers first",
            result => result.Tokens.Single().Value.Split(','));
        workers.Required = true;
        var patience = Arguments.Option("--patience", "how long a worker may take for an answer", Arguments.Duration, TimeSpan.FromSeconds(30));
        var every = Arguments.Option(
            "--progress", "how often the workers are asked for their figures so far; none for never", Arguments.DurationOrNone,
            TimeSpan.FromSeconds(5));
        var file = Arguments.Option<string?>(
            "--out", "writes the result as JSON for compare and report; with several scenarios a file for each, r.1.json");
        var official = Arguments.Option<string?>("--scenario-result", "writes the official ScenarioResult, a line of JSON for each scenario");
        var quit = Arguments.Option<bool>("--quit", "ends the workers after the run");
        var command = new Command("drive",
            "Runs scenarios of gRPC's own benchmarks on workers of any language, and merges the histograms of the clients.")
        {
            scenarios, workers, patience, every, file, official, quit,
        };
        command.SetAction(async (parsed, cancellationToken) =>
        {
            foreach (var name in new[] { parsed.GetValue(file), parsed.GetValue(official) }.OfType<string>())
                ResultFiles.Check(name);
            var commandLine = string.Join(' ', parsed.Tokens.Select(token => token.Value));
            var all = Drive.Read(parsed.GetValue(scenarios)!);
            var busy = MachineLoad.Now();
            List<WorkerConnection> connections = [];
            try
            {
                foreach (var address in parsed.GetValue(workers)!)
                    connections.Add(new(address, parsed.GetValue(patience)));
                TimeSpan? step = parsed.GetValue(every) is var time && time == Timeout.InfiniteTimeSpan ? null : time;
                var drive = new Drive(connections, step, Console.Error);
                var exit = ExitCode.Done;
                var files = new ResultFiles();
                var lines = new StringBuilder();
                for (var i = 0; i < all.Count; i++)
                {
                    using var run = await drive.RunAsync(all[i], cancellationToken);
                    exit = Math.Max(exit, DriveResult.Print(Console.Out, run));
                    MachineLoad.Write(Console.Out, busy);
                    if (parsed.GetValue(official) is { } path)
                        await files.WriteAsync(path, lines.Append(DriveResult.ToOfficialJson(run)).AppendLine().ToString);
                    if (parsed.GetValue(file) is { } result)
                    {
                        var named = all.Count == 1 ? result : Numbered(result, i + 1);
                        var load = DriveResult.ToLoadResult(run, commandLine) with { OtherCores = busy };
                        if (await files.WriteAsync(named, () => LoadResultFile.ToJson(load) + "\n"))
                            await Console.Out.WriteLineAsync($"result: {named}");
                    }

                    if (cancellationToken.IsCancellationRequested)
                        return files.ExitCode(ExitCode.Stopped);
                    // a worker that failed is not used again
                    if (run.Faults.Count > 0)
                        break;
                }

                if (parsed.GetValue(quit))
                    await Task.WhenAll(connections.Select(QuitAsync));
                return files.ExitCode(exit);
            }
            finally
            {
                foreach (var connection in connections)
                    await connection.DisposeAsync();
            }
        });
        return command;
    }

    static async Task QuitAsync(WorkerConnection worker)
    {
        try
        {
            await worker.QuitAsync();
        }
        catch (WorkerFault e)
        {
            // The run has ended. Its report names the workers that were lost in it.
            await Console.Error.WriteLineAsync(e.Message);
        }
    }

    static string Numbered(string file, int number) => Path.ChangeExtension(file, number + Path.GetExtension(file));
}
