using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Serialization;
using ProtoBench.GrpcHost.Hive;
using ProtoBench.GrpcHost.Hosting;
using ProtoBench.GrpcHost.Load;
using ProtoBench.GrpcHost.Runs;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Settings;

/// <summary>A request for a load, as a line of JSON.</summary>
sealed record LoadStep(string Codec, string Endpoint, string Payload, int Callers, double? Milliseconds, long? Calls);

/// <summary>The reply to it, as a line of JSON.</summary>
sealed record LoadAnswer(LoadFigures? Figures, string? Failure = null);

sealed record LoadFigures(double CallsPerSecond, double P99Us, double CpuUsPerCall);

/// <summary>The client of a setting in a separate process, because some settings are read when a process starts.</summary>
sealed class ClientProcess : IDisposable
{
    readonly Process process;

    /// <summary>Starts this program's hidden command <c>client</c>.</summary>
    public ClientProcess(IEnumerable<string> arguments, IReadOnlyDictionary<string, string> environment)
    {
        var info = HostProcess.ThisProgram(["client", .. arguments]);
        info.RedirectStandardError = false;
        foreach (var (name, value) in environment)
            info.Environment[name] = value;
        process = Process.Start(info)!;
    }

    /// <summary>Whether the process has ended or has not answered.</summary>
    public bool IsLost { get; private set; }

    /// <returns>The answer; one with a failure if the client ended or did not answer.</returns>
    public async Task<LoadAnswer> AskAsync(LoadStep step, TimeSpan patience, CancellationToken stop)
    {
        try
        {
            await process.StandardInput.WriteLineAsync(JsonSerializer.Serialize(step, StepJson.Default.LoadStep).AsMemory(), stop);
            await process.StandardInput.FlushAsync(stop);
            var line = await process.StandardOutput.ReadLineAsync(stop).AsTask().WaitAsync(patience, stop);
            IsLost = line is null;
            return line is null ? new(null, "the client's process has ended")
                : JsonSerializer.Deserialize(line, StepJson.Default.LoadAnswer)!;
        }
        catch (Exception e) when (e is TimeoutException or IOException or JsonException)
        {
            IsLost = true;
            return new(null, e is TimeoutException ? $"no answer within {patience.TotalSeconds:F0} s" : e.Message);
        }
    }

    public void Dispose()
    {
        process.Kill();
        process.Dispose();
    }

    /// <summary>Applies loads in the client process until the input ends.</summary>
    public static async Task ServeAsync(RpcTransport stack, RpcTuning tuning, bool duplex, int connections, TextReader input,
        TextWriter output, CancellationToken stop)
    {
        // sessions are kept for the life of the process, with their connections and the state of the windows
        Dictionary<(string Codec, string Endpoint, string Payload), LoadSession> sessions = [];
        using var cancellation = new RunCancellation(stop);
        while (!stop.IsCancellationRequested && await input.ReadLineAsync(CancellationToken.None) is { } line)
        {
            var step = JsonSerializer.Deserialize(line, StepJson.Default.LoadStep)!;
            var plan = new LoadPlan
            {
                Payload = step.Payload == "hive" ? HivePayload.Hive(Payloads.Hive.Items) : HivePayload.Small(),
                Requests = step.Calls,
                Duration = step.Milliseconds is { } length ? TimeSpan.FromMilliseconds(length) : null,
                Concurrency = step.Callers,
                Connections = connections,
                Timeout = TimeSpan.FromSeconds(60),
                Drain = TimeSpan.FromSeconds(20),
            };
            LoadAnswer answer;
            try
            {
                answer = await AnswerAsync(step, plan);
            }
            catch (Exception e) when (e is RunException or Grpc.Core.RpcException or OperationCanceledException)
            {
                answer = new(null, e.Message);
            }

            await output.WriteLineAsync(JsonSerializer.Serialize(answer, StepJson.Default.LoadAnswer).AsMemory(), CancellationToken.None);
            await output.FlushAsync(CancellationToken.None);
        }

        async Task<LoadAnswer> AnswerAsync(LoadStep step, LoadPlan plan)
        {
            if (!sessions.TryGetValue((step.Codec, step.Endpoint, step.Payload), out var session))
            {
                var variant = new Variant(stack, step.Codec, HiveServices.Roots[0]);
                var subject = new HiveSubject(variant, HostProcess.Parse(step.Endpoint, null), plan.Payload)
                {
                    Limits = new() { Tuning = tuning },
                    Duplex = duplex,
                };
                session = new(subject, plan);
                await session.ConnectAsync(stop);
                sessions[(step.Codec, step.Endpoint, step.Payload)] = session;
            }

            var round = await session.RunAsync(plan, cancellation, _ => { });
            var calls = round.Window.Calls;
            if (calls.Failed.Count > 0 || calls.Service.Count == 0)
                return new(null, $"{calls.Failed.Count} calls failed: {string.Join(", ", calls.FailedByStatus.Keys)}");
            return new(new(
                Math.Round(calls.Service.Count / round.Window.Seconds, 1), calls.Service.Percentile(99),
                Math.Round(round.Client.CpuUsPerCall + (round.Server?.CpuUsPerCall ?? 0), 1)));
        }
    }
}

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(LoadStep))]
[JsonSerializable(typeof(LoadAnswer))]
sealed partial class StepJson : JsonSerializerContext;
