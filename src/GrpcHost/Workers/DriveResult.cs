using Google.Protobuf;
using Grpc.Core;
using ProtoBench.GrpcHost.Protocol;

namespace ProtoBench.GrpcHost;

static class DriveResult
{
    const string notKnown = "not known";

    static readonly double[] percentiles = [50, 90, 95, 99, 99.9];

    /// <summary>Returns the official form, as a line of JSON.</summary>
    public static string ToOfficialJson(ScenarioRun run) => JsonFormatter.Default.Format(run.ToMessage());

    /// <summary>The form that <c>compare</c> and <c>report</c> read. Facts that a worker does not report are "not known".</summary>
    public static LoadResult ToLoadResult(ScenarioRun run, string commandLine)
    {
        var config = run.Scenario.ClientConfig;
        var (total, failed) = (run.Total, run.Failed);
        var open = run.Offered is not null;
        var reasons = run.Checks();
        var latency = LatencyRecord.Of(run.Merge().ToLatency(), percentiles);
        var extras = config.ClientType == ClientType.OtherClient ? Extras.Of(config.ChannelArgs) : null;
        var hive = extras is null ? null : HivePayload.Hive(extras.Items);
        var generic = config.PayloadConfig?.BytebufParams;
        var simple = config.PayloadConfig?.SimpleParams;
        return new()
        {
            StartedAt = run.Start!.Value,
            Partial = run.Faults.Count > 0,
            Environment = new()
            {
                Client = Process(Cores(run.Clients.Select(client => (client.Worker.Host, client.Worker.Cores)))),
                Server = Process(Cores(run.Servers.Select(server => (server.Worker.Host, server.Cores)))),
            },
            Settings = new()
            {
                CommandLine = commandLine,
                Client = config.ChannelArgs.LastOrDefault(argument => argument.Name == Extras.ClientArgument)?.StrValue,
                Loop = open ? "open" : "closed",
                Arrivals = open ? "poisson" : null,
                RatePerSecond = run.Offered,
                Concurrency = open ? null : config.ClientChannels * config.OutstandingRpcsPerChannel,
                RoundSeconds = run.Scenario.BenchmarkSeconds,
                MaxInFlight = open ? config.ClientChannels * config.OutstandingRpcsPerChannel : null,
                Connections = config.ClientChannels,
                Rounds = 1,
                WarmupSeconds = run.Scenario.WarmupSeconds,
            },
            Variants =
            [
                new()
                {
                    Name = run.Scenario.Name,
                    Stack = "grpc workers",
                    Codec = extras?.Codec ?? (generic is null ? "simple" : "raw"),
                    Transport = new()
                    {
                        Protocol = "HTTP/2",
                        Socket = "tcp",
                        Tls = config.SecurityParams is null ? null : notKnown,
                        ConnectionsOpened = config.ClientChannels,
                        RequestBytes = hive?.Request.Length ?? generic?.ReqSize ?? simple?.ReqSize ?? 0,
                        ResponseBytes = hive?.ReadyResponse.Length ?? generic?.RespSize ?? simple?.RespSize ?? 0,
                        PayloadSha256 = hive?.Sha256,
                    },
                    Rounds =
                    [
                        new()
                        {
                            Position = 0,
                            DurationSeconds = run.Qps > 0 ? total / run.Qps : run.Scenario.BenchmarkSeconds,
                            Attempted = total + failed.Values.Sum(),
                            Succeeded = total,
                            FailedByStatus = failed.ToDictionary(one => ((StatusCode)one.Key).ToString(), one => one.Value),
                            Service = latency,
                            Response = open ? latency : null,
                        },
                    ],
                    Verdict = new() { Valid = reasons.Count == 0, Reasons = reasons, Notes = run.Notes() },
                },
            ],
        };
    }

    public static int Print(TextWriter output, ScenarioRun run)
    {
        var reasons = run.Checks();
        var latencies = run.Merge();
        output.WriteLine();
        output.WriteLine($"{run.Scenario.Name}: {(reasons.Count == 0 ? "VALID" : "INVALID")}");
        foreach (var reason in reasons)
            output.WriteLine($"  INVALID {reason}");
        foreach (var note in run.Notes())
            output.WriteLine($"  note: {note}");
        output.WriteLine($"  {run.Total} calls, {run.Qps:0.##} a second");
        foreach (var percentile in percentiles.Where(_ => run.Total > 0))
        {
            var few = latencies.Count < LatencyHistogram.CountNeeded(percentile)
                ? $" (too few calls: needs {LatencyHistogram.CountNeeded(percentile):N0})" : "";
            output.WriteLine($"  {percentile + "%",-5} latency in Us: {latencies.Percentile(percentile) / 1e3:0.#}{few}");
        }

        return reasons.Count == 0 ? ExitCode.Done : run.Total == 0 ? ExitCode.Failed : ExitCode.Invalid;
    }

    // workers of one machine share its cores
    static int Cores(IEnumerable<(string Host, int Cores)> workers) =>
        workers.GroupBy(worker => worker.Host).Sum(host => host.Max(worker => worker.Cores));

    static ProcessEnvironment Process(int cores) =>
        new() { Runtime = notKnown, GcMode = notKnown, Cpu = notKnown, Cores = cores, Os = notKnown, Architecture = notKnown };
}
