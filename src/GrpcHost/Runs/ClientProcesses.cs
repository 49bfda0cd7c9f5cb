using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Google.Protobuf;
using ProtoBench.GrpcHost.Control;
using ProtoBench.GrpcHost.Hive;
using ProtoBench.GrpcHost.Hosting;
using ProtoBench.GrpcHost.Load;
using ProtoBench.Results;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost.Runs;

readonly record struct ProcessShare(int Index, int Of)
{
    /// <summary>Parses a share such as <c>1/4</c>.</summary>
    public static ProcessShare Parse(string text)
    {
        var parts = text.Split('/');
        return new(int.Parse(parts[0], CultureInfo.InvariantCulture), int.Parse(parts[1], CultureInfo.InvariantCulture));
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Index}/{Of}");

    public LoadPlan Apply(LoadPlan plan) => plan with
    {
        Processes = 1,
        Concurrency = (int)Part(plan.Concurrency),
        Connections = (int)Part(plan.Connections),
        MaxInFlight = (int)Math.Max(1, Part(plan.MaxInFlight)),
        Requests = plan.Requests is { } requests ? Part(requests) : null,
        Rate = plan.Rate / Of,
        Seed = plan.Seed + Index,
    };

    long Part(long whole) => (whole / Of) + (Index < whole % Of ? 1 : 0);
}

/// <summary>Several processes of this program as one client. Each has a part of the connections, the callers and the schedule. Their
/// histograms are added.</summary>
sealed class ClientProcesses(LoadSubject subject, LoadPlan plan) : LoadClient
{
    readonly List<Process> processes = [];
    WorkerReply[] last = [];

    public override IReadOnlyList<RpcConnectionFacts> Connections => [.. last.SelectMany(reply => reply.Connections)];

    public override async Task<TimeSpan> ConnectAsync(RpcCallOptions firstCall, CancellationToken cancellationToken)
    {
        for (var i = 0; i < plan.Processes; i++)
        {
            string[] arguments = [.. plan.Arguments, "--worker", new ProcessShare(i, plan.Processes).ToString()];
            processes.Add(Process.Start(HostProcess.ThisProgram(arguments))!);
        }

        last = await RepliesAsync(cancellationToken);
        return last[0].FirstCall;
    }

    public override async Task<ClockFacts> MeasureClockAsync()
    {
        await Task.CompletedTask;
        return last[0].Clock!;
    }

    public override async Task<Window> LoadAsync(LoadPlan plan, RunCancellation cancellation, Action<Func<long>> started)
    {
        foreach (var process in processes)
            await process.StandardInput.WriteLineAsync(JsonSerializer.Serialize(new WorkerRound(plan.Requests, plan.Duration)));
        // a process that is stopped reports its partial result
        await using var stop = cancellation.Token.Register(CloseInputs);
        last = await RepliesAsync(default);
        return Merge([.. last.Select(reply => reply.Round!)], plan.Rate is not null, plan.Duration is null || plan.Requests is not null);
    }

    public override HostSnapshot Snapshot(CallCounters counters)
    {
        var sum = new HostSnapshot();
        foreach (var reply in last)
        {
            var one = HostSnapshot.Parser.ParseFrom(reply.Snapshot);
            sum.AllocatedBytes += one.AllocatedBytes;
            sum.Gen0Collections += one.Gen0Collections;
            sum.Gen1Collections += one.Gen1Collections;
            sum.Gen2Collections += one.Gen2Collections;
            sum.GcPauseNs += one.GcPauseNs;
            sum.CpuNs += one.CpuNs;
            sum.LockContentions += one.LockContentions;
            sum.SlicesOutstanding += one.SlicesOutstanding;
            sum.WorkingSet += one.WorkingSet;
            sum.CommittedHeap += one.CommittedHeap;
            sum.CompiledMethods += one.CompiledMethods;
            sum.Decoded += one.Decoded;
            sum.Encoded += one.Encoded;
        }

        return sum;
    }

    public override async ValueTask DisposeAsync()
    {
        CloseInputs();
        foreach (var process in processes)
        {
            try
            {
                await process.WaitForExitAsync().WaitAsync(TimeSpan.FromSeconds(10));
            }
            catch (TimeoutException)
            {
                process.Kill();
            }

            process.Dispose();
        }
    }

    /// <summary>Adds the windows of processes that ran at the same time.</summary>
    internal static Window Merge(IReadOnlyList<WorkerWindow> windows, bool open, bool byCount)
    {
        var all = new CallStatistics();
        foreach (var window in windows)
            all.Add(window.Calls.Decode());
        var calls = all.Service.Count + all.Failed.Count;
        // The rate is the sum of the rates. If a number of calls ends the load, it ends with the last call.
        var rate = windows.Sum(window => (window.Calls.Service.Count + window.Calls.Failed.Count) / (double)window.LengthNs);
        var length = open || byCount || calls == 0 ? windows.Max(window => window.LengthNs) : (long)Math.Round(calls / rate);
        return new(all, length, windows.Sum(window => window.Attempted), windows.Sum(window => window.Skipped),
            windows.Max(window => window.LargestBacklog), windows.Sum(window => window.InFlight * window.LengthNs / length),
            windows.Any(window => window.Partial))
        {
            MostInFlight = windows.Sum(window => window.MostInFlight),
            LoopBusy = windows.Average(window => window.LoopBusy),
        };
    }

    async Task<WorkerReply[]> RepliesAsync(CancellationToken cancellationToken)
    {
        var replies = new List<WorkerReply>();
        foreach (var process in processes)
        {
            if (await process.StandardOutput.ReadLineAsync(cancellationToken) is not { } line)
            {
                var error = (await process.StandardError.ReadToEndAsync(cancellationToken)).Trim();
                await process.WaitForExitAsync(cancellationToken);
                throw new RunException(process.ExitCode == ExitCode.Done ? ExitCode.Failed : process.ExitCode,
                    error.Length > 0 ? error : "a client process ended before its round");
            }

            replies.Add(JsonSerializer.Deserialize<WorkerReply>(line)!);
            subject.CountReplies(replies[^1].Replies);
        }

        return [.. replies];
    }

    void CloseInputs()
    {
        foreach (var process in processes)
        {
            try
            {
                process.StandardInput.Close();
            }
            catch (Exception e) when (e is IOException or InvalidOperationException)
            {
                // the process has ended
            }
        }
    }
}

/// <summary>The load in a client process. It makes the rounds that the parent requests, until its input ends.</summary>
sealed class ClientWorker(LoadSubject subject, LoadPlan plan, TextReader input, TextWriter output)
{
    readonly CallCounters counters = new(false);

    /// <summary>Runs until the input ends.</summary>
    public async Task<int> RunAsync(CancellationToken cancellationToken)
    {
        await using var client = LoadSession.NewClient(subject, plan, counters);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var options = new RpcCallOptions { Timeout = LoadSession.FirstTimeout(plan) };
        var firstCall = await LoadSession.ConnectAsync(client, subject, options, cancellationToken);
        using var cancellation = new RunCancellation(stop.Token);
        await client.CompileAsync(cancellation);
        var clock = plan.Rate is null ? null : await client.MeasureClockAsync();
        await ReplyAsync(null);
        // the input is read ahead, because its end stops a round
        var next = ReadAsync();
        var atEnd = Task.CompletedTask;
        while (await next is { } line)
        {
            next = ReadAsync();
#pragma warning disable CA2025 // the last task is awaited, and the others have ended by then
            atEnd = StopAtEndAsync(next);
#pragma warning restore CA2025
            var round = JsonSerializer.Deserialize<WorkerRound>(line)!;
            var share = plan with { Requests = round.Requests is null ? null : plan.Requests, Duration = round.Duration };
            await ReplyAsync(WorkerWindow.Of(await client.LoadAsync(share, cancellation, _ => { })));
        }

        await atEnd;
        return ExitCode.Done;

        // the reader of the console blocks even in its asynchronous methods
        Task<string?> ReadAsync() => Task.Run(input.ReadLine, CancellationToken.None);

        async Task StopAtEndAsync(Task<string?> line)
        {
            if (await line is null)
                await stop.CancelAsync();
        }

        async Task ReplyAsync(WorkerWindow? round)
        {
            var snapshot = ProcessSnapshot.Take(counters, 0, collect: false).ToByteArray();
            var reply = new WorkerReply(firstCall, clock, [.. client.Connections], snapshot, subject.TakeReplies(), round);
            await output.WriteLineAsync(JsonSerializer.Serialize(reply));
            await output.FlushAsync(cancellationToken);
        }
    }
}

/// <summary>The request for a round. A client process knows its own share of the calls.</summary>
sealed record WorkerRound(long? Requests, TimeSpan? Duration);

sealed record WorkerReply(TimeSpan FirstCall, ClockFacts? Clock, RpcConnectionFacts[] Connections, byte[] Snapshot, long[] Replies,
    WorkerWindow? Round);

/// <summary>A <see cref="Window"/> that is sent between processes.</summary>
sealed record WorkerWindow(WorkerCalls Calls, long LengthNs, long Attempted, long Skipped, long LargestBacklog, double InFlight,
    bool Partial, int MostInFlight, double? LoopBusy)
{
    public static WorkerWindow Of(Window window) => new(WorkerCalls.Of(window.Calls), window.LengthNs, window.Attempted, window.Skipped,
        window.LargestBacklog, window.InFlight, window.Partial, window.MostInFlight,
        window.LoopBusy);
}

/// <summary>Represents <see cref="CallStatistics"/> that are sent between processes.</summary>
sealed record WorkerCalls(LatencyRecord Service, LatencyRecord Response, LatencyRecord Failed, LatencyRecord Lag,
    Dictionary<string, long> FailedByStatus, Dictionary<string, string> FailureMessages, long SentLate, long CheckedNs, double BusyNs)
{
    public static WorkerCalls Of(CallStatistics calls) => new(LatencyRecord.Of(calls.Service, []), LatencyRecord.Of(calls.Response, []),
        LatencyRecord.Of(calls.Failed, []), LatencyRecord.Of(calls.Lag, []), calls.FailedByStatus, calls.FailureMessages,
        calls.SentLate, calls.CheckedNs, calls.BusyNs);

    public CallStatistics Decode() => new(Service.Decode(), Response.Decode(), Failed.Decode(), Lag.Decode(), FailedByStatus,
        FailureMessages, SentLate, CheckedNs, BusyNs);
}
