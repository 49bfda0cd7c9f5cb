using System.Diagnostics.Metrics;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;

namespace ProtoBench.GrpcHost;

/// <summary>Sends the figures of the rounds to an OpenTelemetry collector. They are read from the statistics, so that no call costs
/// more.</summary>
sealed class LoadMetrics : IDisposable
{
    static readonly double[] quantiles = [0.5, 0.9, 0.99, 0.999, 1];

    readonly Meter meter = new("ProtoBench.Load");
    readonly MeterProvider provider;
    readonly Uri endpoint;
    readonly Lock gate = new();
    readonly Dictionary<string, long[]> ended = [];
    (string Variant, LiveCalls Calls)? running;

    LoadMetrics(Uri endpoint)
    {
        this.endpoint = endpoint;
        meter.CreateObservableCounter("protobench.load.calls", () => Counts(0, "succeeded", "failed"), "{call}", "Calls that have ended");
        meter.CreateObservableCounter("protobench.load.messages", () => Counts(2, "sent", "received"), "{message}",
            "Messages of streams, up to the last second");
        meter.CreateObservableGauge("protobench.load.calls.in_flight", InFlight, "{call}", "Calls in progress");
        meter.CreateObservableGauge("protobench.load.latency", () => Quantiles(second => second.Response), "s",
            "Quantiles of the calls of the last second");
        meter.CreateObservableGauge("protobench.load.messages.between", () => Quantiles(second => second.Messages?.Between), "s",
            "Quantiles of the times between messages of the last second");
        meter.CreateObservableGauge("protobench.load.messages.to_answer", () => Quantiles(second => second.Messages?.ToAnswer), "s",
            "Quantiles of the times from a message to its answer of the last second");
        provider = Sdk.CreateMeterProviderBuilder().AddMeter(meter.Name)
            .AddOtlpExporter((exporter, reader) =>
            {
                exporter.Protocol = OtlpExportProtocol.HttpProtobuf;
                // the exporter takes an address in code as it is
                exporter.Endpoint = endpoint.AbsolutePath == "/" ? new(endpoint, "v1/metrics") : endpoint;
                // the default of a minute is longer than most rounds
                reader.PeriodicExportingMetricReaderOptions.ExportIntervalMilliseconds ??= 1_000;
            })
            .Build();
    }

    public static LoadMetrics? Start(LoadPlan plan) => plan.Otlp is { } endpoint ? new(endpoint) : null;

    public void Begin(string variant, LiveCalls calls)
    {
        lock (gate)
            running = (variant, calls);
    }

    /// <param name="record">Of the round that has begun.</param>
    public void End(LoadRound record)
    {
        lock (gate)
        {
            if (running is not { } round)
                return;
            ended[round.Variant] = Sum(round.Variant,
                [record.Succeeded, record.FailedCalls, record.Messages?.Sent ?? 0, record.Messages?.Received ?? 0]);
            running = null;
        }
    }

    /// <summary>Sends the last figures.</summary>
    public void Dispose()
    {
        // the exporter itself is silent about failures
        if (!provider.ForceFlush(10_000))
            Console.Error.WriteLine($"--otlp: {endpoint} did not take the figures");
        provider.Dispose();
        meter.Dispose();
    }

    /// <param name="counts">As in <see cref="LiveCalls.Counts"/>.</param>
    long[] Sum(string variant, long[] counts) =>
        ended.GetValueOrDefault(variant) is { } before ? [.. before.Zip(counts, (one, more) => one + more)] : counts;

    /// <param name="first">The place of two counts in <see cref="LiveCalls.Counts"/>.</param>
    List<Measurement<long>> Counts(int first, params string[] outcomes)
    {
        lock (gate)
        {
            var all = new Dictionary<string, long[]>(ended);
            if (running is var (variant, calls))
                all[variant] = Sum(variant, calls.Counts);
            // calls without streams have no messages
            return [.. from one in all
                       where first == 0 || one.Value[first] > 0
                       from i in Enumerable.Range(0, 2)
                       select new Measurement<long>(one.Value[first + i], new("variant", one.Key), new("outcome", outcomes[i]))];
        }
    }

    List<Measurement<int>> InFlight()
    {
        lock (gate)
            return running is var (variant, calls) ? [new(calls.InFlight, new KeyValuePair<string, object?>("variant", variant))] : [];
    }

    List<Measurement<double>> Quantiles(Func<EndedCalls, PackedHistogram?> of)
    {
        lock (gate)
        {
            if (running is not var (variant, calls) || calls.LastSecond() is not { } second || of(second) is not { Count: > 0 } packed)
                return [];
            var latencies = packed.Unpack();
            return [.. quantiles.Select(quantile => new Measurement<double>(
                latencies.Percentile(quantile * 100) / 1e6, new("variant", variant), new("quantile", quantile)))];
        }
    }
}
