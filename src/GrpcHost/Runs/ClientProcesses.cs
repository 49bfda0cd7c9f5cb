using Grpc.Core;
using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost;

/// <summary>Each process has a part of the connections, the callers and the schedule. Their histograms are added.</summary>
sealed class ClientProcesses(LoadSubject subject, LoadPlan plan, IReadOnlyList<ClientProcess> processes) : LoadClient
{
    readonly int[] clients = new int[processes.Count];
    IReadOnlyList<RpcConnectionFacts> connections = [];

    public override IReadOnlyList<RpcConnectionFacts> Connections => connections;

    public static LoadPlan Share(LoadPlan plan, int index, int of)
    {
        return plan with
        {
            Processes = 1,
            Concurrency = (int)Part(plan.Concurrency),
            Connections = (int)Part(plan.Connections),
            MaxInFlight = (int)Math.Max(1, Part(plan.MaxInFlight)),
            Requests = plan.Requests is { } requests ? Part(requests) : null,
            RateAtEnd = plan.RateAtEnd / of,
            Rate = plan.Rate / of,
            Seed = plan.Seed + index,
        };

        long Part(long whole) => (whole / of) + (index < whole % of ? 1 : 0);
    }

    public override async Task<ClientStart> StartAsync(CancellationToken cancellationToken)
    {
        LoadPlan[] shares = [.. processes.Select((_, i) => Share(plan, i, processes.Count))];
        var ready = await AskAsync(ControlService.Connect,
            i => new()
            {
                Plan = shares[i].ToMessage(),
                Codec = subject.Codec,
                Endpoint = subject.Endpoint.ToString(),
                Payload = plan.Payload.Name,
                Addresses = { AddressesOf(i) },
            },
            cancellationToken);
        for (var i = 0; i < ready.Length; i++)
            clients[i] = ready[i].Client;
        Took(ready.SelectMany(one => one.Connections), ready.Select(one => one.Replies));
        return ready[0].ToStart() with { Overhead = Sum(ready.Select(one => one.Overhead)) };

        IEnumerable<string> AddressesOf(int process) =>
            subject.Endpoint.OfConnection(shares.Take(process).Sum(share => share.Connections)).Addresses?.Select(one => $"{one}") ?? [];
    }

    public override async Task<HostSnapshot> WarmUpAsync(LoadPlan plan, RunCancellation cancellation) =>
        Sum((await LoadAsync(plan, warmUp: true, cancellation)).Select(load => load.After));

    public override async Task<MeasuredCalls> MeasureAsync(LoadPlan plan, RunCancellation cancellation, Action<LiveCalls> started)
    {
        var rounds = await LoadAsync(plan, warmUp: false, cancellation);
        return new(RoundRecord.Sum([.. rounds.Select(round => LoadResultFile.ParseRound(round.Record))], plan),
            Sum(rounds.Select(round => round.Before)), Sum(rounds.Select(round => round.After)));
    }

    // the processes belong to the one that has started them
    public override ValueTask DisposeAsync() => default;

    async Task<ClientRound[]> LoadAsync(LoadPlan plan, bool warmUp, RunCancellation cancellation)
    {
        // a process that is stopped answers with its partial result
        await using var stop = cancellation.Token.Register(() => _ = AskAsync(ControlService.Stop, _ => new(), CancellationToken.None));
        var rounds = await AskAsync(ControlService.Load,
            i => new() { Client = clients[i], Plan = Share(plan, i, processes.Count).ToMessage(), WarmUp = warmUp },
            CancellationToken.None);
        Took(rounds.SelectMany(one => one.Connections), rounds.Select(one => one.Replies));
        return rounds;
    }

    static HostSnapshot Sum(IEnumerable<HostSnapshot> snapshots)
    {
        var sum = new HostSnapshot();
        foreach (var snapshot in snapshots)
        {
            foreach (var field in HostSnapshot.Descriptor.Fields.InDeclarationOrder())
                field.Accessor.SetValue(sum, (long)field.Accessor.GetValue(sum) + (long)field.Accessor.GetValue(snapshot));
        }

        return sum;
    }

    async Task<TReply[]> AskAsync<TRequest, TReply>(RpcMethod<TRequest, TReply> method, Func<int, TRequest> request,
        CancellationToken cancellationToken) =>
        await Task.WhenAll(processes.Select((process, i) => process.AskAsync(method, request(i), cancellationToken)));

    void Took(IEnumerable<ConnectionFacts> opened, IEnumerable<IEnumerable<long>> replies)
    {
        connections = [.. opened.Select(ClientMessages.ToFacts)];
        foreach (var counts in replies)
            subject.CountReplies([.. counts]);
    }
}

/// <param name="patience">The maximum time until an answer; null for any time.</param>
sealed class ClientProcess(ChildProcess process, TimeSpan? patience) : IAsyncDisposable
{
    // an hour of seconds has more than 4 MB
    readonly GrpcDotnetClient control = new(process.Endpoint, new() { MaxReceiveBytes = int.MaxValue });

    /// <summary>Whether it has ended or has not answered in time.</summary>
    public bool IsLost { get; private set; }

    public int Id => process.Id;

    public static async Task<ClientProcess> StartAsync(IEnumerable<string> arguments,
        IReadOnlyDictionary<string, string>? environment = null, TimeSpan? patience = null) =>
        new(await ChildProcess.StartAsync(arguments, environment: environment), patience);

    public async Task<TReply> AskAsync<TRequest, TReply>(RpcMethod<TRequest, TReply> method, TRequest request,
        CancellationToken cancellationToken)
    {
        try
        {
            return await control.UnaryAsync(method, request, patience is null ? null : new() { Timeout = patience }, cancellationToken);
        }
        catch (RpcException e) when (e.ToFailure() is { } failure)
        {
            throw failure;
        }
        catch (RpcException e)
        {
            IsLost = true;
            throw new RunException(ExitCode.Failed, e.StatusCode == StatusCode.DeadlineExceeded
                ? $"a client process did not answer within {patience!.Value.TotalSeconds:F0} s" : $"a client process was lost: {e.Message}", e);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await control.DisposeAsync();
        await process.DisposeAsync();
    }
}
