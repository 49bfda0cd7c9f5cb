using System.CommandLine;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json.Nodes;

namespace ProtoBench.GrpcHost;

static class WorkerCommand
{
    public static Command Create()
    {
        var listen = Arguments.Option(
            "--listen", "the IP address to bind; 0.0.0.0 accepts drivers and clients from other machines", byDefault: "127.0.0.1");
        // workers of other languages have the names with underscores
        var driverPort = Arguments.Option("--driver-port --driver_port", "the port for the driver; 0 is a free one", Arguments.Port, 10000);
        var serverPort = Arguments.Option<int?>(
            "--server-port --server_port", "the port of the server under load, in place of the one that the driver asks for",
            result => Arguments.Port(result));
        var certificate = Arguments.Option<string?>(
            "--certificate", "the certificate of a server with TLS, as a PEM file; without it one is created for each server");
        var key = Arguments.Option<string?>("--key", "the private key of --certificate, as a PEM file");
        var hdr = Arguments.Option<string?>("--hdr", "appends the histogram of each client, with three digits, to an HdrHistogram log");
        var untilStdinEnds = new Option<bool>("--until-stdin-ends") { Hidden = true };
        var command = new Command("worker", "Waits for a driver of gRPC's own benchmarks, and is its server or client, until QuitWorker.")
        {
            listen, driverPort, serverPort, certificate, key, hdr, untilStdinEnds,
        };
        command.SetAction(async (parsed, cancellationToken) =>
        {
            if (parsed.GetValue(hdr) is { } file)
                ResultFiles.Check(file);
            using var pem = Certificate(parsed.GetValue(certificate), parsed.GetValue(key));
            var settings = new WorkerSettings(
                parsed.GetValue(listen)!, parsed.GetValue(driverPort), parsed.GetValue(serverPort), pem, parsed.GetValue(hdr));
            await using var worker = await Worker.StartAsync(settings, Console.Out);
            await Console.Out.WriteLineAsync(ChildProcess.Announce(worker.Endpoint));
            await Console.Out.FlushAsync(cancellationToken);
            await Task.WhenAny(
                worker.Quit,
                parsed.GetValue(untilStdinEnds)
                    ? ChildProcess.ParentEndsAsync() : Task.Delay(Timeout.Infinite, cancellationToken));
            return ExitCode.Done;
        });
        return command;
    }

    static X509Certificate2? Certificate(string? certificate, string? key)
    {
        if (certificate is null && key is null)
            return null;
        if (certificate is null || key is null)
            throw new UsageException("--certificate and --key go together");
        try
        {
            return X509Certificate2.CreateFromPemFile(certificate, key);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or CryptographicException or ArgumentException)
        {
            throw new UsageException($"{certificate} and {key}: {e.Message}", e);
        }
    }
}

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
                        if (await files.WriteAsync(named, () => LoadResultFile.ToJson(DriveResult.ToLoadResult(run, commandLine)) + "\n"))
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

static class MergeCommand
{
    public static Command Create()
    {
        var files = new Argument<string[]>("files") { Description = "HdrHistogram logs", Arity = ArgumentArity.OneOrMore };
        var output = Arguments.Option<string?>("--out", "writes the histograms as JSON");
        var command = new Command("merge",
            "Adds the histograms of HdrHistogram logs, such as --hdr writes, bucket by bucket: a row for each tag.") { files, output };
        command.SetAction(async parsed =>
        {
            if (parsed.GetValue(output) is { } name)
                ResultFiles.Check(name);
            var merged = new SortedDictionary<string, (LatencyHistogram Latencies, int Intervals)>(StringComparer.Ordinal);
            foreach (var file in parsed.GetValue(files)!)
                Add(file, merged);
            if (merged.Count == 0)
                throw new RunException(ExitCode.Failed, "no interval in these files");
            var tags = new JsonObject();
            foreach (var (tag, (latencies, intervals)) in merged)
            {
                var record = LatencyRecord.Of(latencies, [50, 90, 95, 99, 99.9]);
                await Console.Out.WriteLineAsync($"{(tag.Length == 0 ? "(no tag)" : tag)}: {intervals} intervals, {record.Count} calls, {string.Join(", ", record.PercentilesUs.Select(one => $"p{one.Key} {one.Value} μs"))}, max {record.MaxUs} μs");
                tags[tag] = new JsonObject
                {
                    ["intervals"] = intervals,
                    ["count"] = record.Count,
                    ["minUs"] = record.MinUs,
                    ["meanUs"] = record.MeanUs,
                    ["maxUs"] = record.MaxUs,
                    ["percentilesUs"] = new JsonObject(record.PercentilesUs.Select(one => KeyValuePair.Create(one.Key, (JsonNode?)one.Value))),
                    ["histogram"] = record.Histogram,
                };
            }

            var saved = new ResultFiles();
            await saved.WriteAsync(parsed.GetValue(output),
                () => new JsonObject { ["tags"] = tags }.ToJsonString(new() { WriteIndented = true }) + "\n");
            return saved.ExitCode(ExitCode.Done);
        });
        return command;
    }

    static void Add(string file, SortedDictionary<string, (LatencyHistogram Latencies, int Intervals)> merged)
    {
        try
        {
            foreach (var interval in HistogramLog.Read(File.ReadLines(file)))
            {
                var (all, count) = merged.TryGetValue(interval.Tag, out var known) ? known : (new(), 0);
                all.Add(interval.Histogram);
                merged[interval.Tag] = (all, count + 1);
            }
        }
        catch (Exception e) when (e is FormatException or IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"{file}: {e.Message}", e);
        }
    }
}
