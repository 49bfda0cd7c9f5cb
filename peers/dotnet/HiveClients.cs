using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Grpc.Net.Client;
using ProtoBench.GrpcHost;
using ProtoBench.Payloads;
using ProtoBench.Rpc;

namespace ProtoBench.Peers;

/// <summary>The clients of GrpcHost, which call a host of any language: grpc-dotnet with Google's and with slab messages, and the event
/// loop. Each has one connection.</summary>
[SuppressMessage("Reliability", "CA2000", Justification = "a connection lasts as long as the process")]
[SuppressMessage("Reliability", "CA2025", Justification = "the task is waited for")]
sealed class HiveClients(string folder)
{
    static readonly HivePayload payload = HivePayload.Hive(Hive.Items);
    static readonly RunCancellation never = new(CancellationToken.None);

    // they stay connected until the process ends
    readonly List<LoadClient> connected = [];

    public IEnumerable<Way> Ways(string host, string callers)
    {
        var port = File.ReadAllText(Path.Combine(folder, host + ".port"));
        var endpoint = new RpcEndpoint { Port = int.Parse(port, CultureInfo.InvariantCulture) };
        var grpcDotnet = Way.VersionOf(typeof(GrpcChannel));
        yield return Of("Google", grpcDotnet, StackClient.Name, "google");
        yield return Of("Slab", grpcDotnet, StackClient.Name, "slab");
        yield return Of("event loop", Way.VersionOf(typeof(EventLoop)), EventLoopClient.Name, "slab");

        Way Of(string library, string version, string client, string codec)
        {
            var plan = new LoadPlan
            {
                Client = client,
                Concurrency = int.Parse(callers, CultureInfo.InvariantCulture),
                Payload = payload,
                Timeout = TimeSpan.FromMinutes(1),
            };
            var subject = new HiveSubject(new(RpcTransports.All[0], codec, HiveServices.Roots[0]), endpoint, payload);
            connected.Add(LocalClient.Create(subject, plan));
            var own = connected[^1];
            own.StartAsync(CancellationToken.None).GetAwaiter().GetResult();
            return new(library, version, "call", payload.Request.Length, seconds => Nanoseconds(own, plan, seconds));
        }
    }

    static double Nanoseconds(LoadClient client, LoadPlan plan, double seconds)
    {
        var measured = client.MeasureAsync(plan with { Duration = TimeSpan.FromSeconds(seconds) }, never, _ => { });
        var round = measured.GetAwaiter().GetResult().Round;
        if (round.FailedCalls > 0)
            throw new InvalidOperationException(string.Join(", ", round.FailedByStatus.Keys));
        // on a busy machine no call may end in a short time
        return round.Succeeded == 0 ? Nanoseconds(client, plan, 2 * seconds) : round.DurationSeconds * 1e9 / round.Succeeded;
    }
}
