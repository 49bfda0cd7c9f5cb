using ProtoBench.Gpb.Sets;
using static ProtoBench.DataSets.Draw;

namespace ProtoBench.DataSets;

/// <summary>2,000 spans of four services.</summary>
public readonly partial struct TelemetrySet : IDataSet<Telemetry, SlabProtobuf.Sets.Telemetry, PlainTelemetry>
{
    const int services = 4;
    const int spans = 500;

    public static Telemetry Generate(Random random) => new() { Sources = { Many(services, service => Source(random, service)) } };

    static TelemetrySource Source(Random random, int service)
    {
        var time = 1_793_491_200_000_000_000ul;
        return new()
        {
            Resource =
            {
                Text("service.name", $"{random.Word()}-{service}"), Text("service.instance.id", random.Hex(16)),
                Text("telemetry.sdk.language", "dotnet"), Number("process.pid", random.Next(1, 100_000)),
            },
            Scopes =
            {
                new TelemetryScope
                {
                    Name = "http.server", Version = "1.12.0", Spans = { Many(spans, _ => Span(random, time += (ulong)random.Next(5_000_000))) },
                },
            },
        };
    }

    static TraceSpan Span(Random random, ulong start)
    {
        var isServer = random.Chance(0.3);
        var hasFailed = random.Chance(0.05);
        var span = new TraceSpan
        {
            TraceId = random.Bytes(16),
            SpanId = random.Bytes(8),
            Name = $"{random.Pick<string>(["GET", "POST"])} /{random.Word()}/{{id}}",
            Kind = isServer ? SpanKind.Server : random.Pick<SpanKind>([SpanKind.Internal, SpanKind.Client]),
            Start = start,
            End = start + (ulong)random.Next(100_000_000),
            Attributes =
            {
                Text("http.request.method", "GET"), Text("url.path", $"/{random.Word()}/{random.Next(100_000)}"),
                Number("http.response.status_code", hasFailed ? 500 : 200), Text("server.address", $"{random.Word()}.example"),
                Number("server.port", 443), Flag("cache.hit", random.Chance(0.5)), Real("queue.wait_ms", random.Double(0, 20)),
                Text("user_agent.original", "ProtoBench/1.0"),
            },
            Events =
            {
                Many(hasFailed ? 1 : random.Chance(0.2) ? 2 : 0, _ => new SpanEvent
                {
                    Time = start + 1_000, Name = hasFailed ? "exception" : "retry",
                    Attributes = { Text("message", random.Words(3, 9)), Number("attempt", random.Next(1, 4)) },
                }),
            },
            Status = new() { Outcome = hasFailed ? SpanOutcome.Error : SpanOutcome.Unset },
        };
        if (!isServer) span.ParentId = random.Bytes(8);
        if (hasFailed) span.Status.Message = random.Words(2, 6);
        return span;
    }

    static SpanAttribute Text(string key, string value) => new() { Key = key, Value = new() { Text = value } };

    static SpanAttribute Number(string key, long value) => new() { Key = key, Value = new() { Number = value } };

    static SpanAttribute Flag(string key, bool value) => new() { Key = key, Value = new() { Flag = value } };

    static SpanAttribute Real(string key, double value) => new() { Key = key, Value = new() { Real = value } };
}
