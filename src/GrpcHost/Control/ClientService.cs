using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost;

/// <summary>Makes calls in a process of its own, as <see cref="ClientProcesses"/> ask it through the control service.</summary>
sealed class ClientService(Func<ClientSetup, LoadSubject> subjectOf, RunCancellation cancellation, Action stop)
{
    // clients are kept for the life of the process, with their connections and the state of the windows
    readonly List<(LoadSubject Subject, LoadClient Client)> clients = [];

    /// <summary>Until the parent closes the input: after Ctrl-C, which is here too, it still asks for what was measured.</summary>
    public static async Task<int> RunAsync(Func<ClientSetup, LoadSubject> subjectOf, CancellationToken cancellationToken)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        using var cancellation = new RunCancellation(stop.Token);
        var service = new ClientService(subjectOf, cancellation, stop.Cancel);
        await using (var server = await GrpcDotnetServer.StartAsync(new(), service.Handlers))
        {
            await Console.Out.WriteLineAsync(ChildProcess.Announce(server.Endpoint));
            await Console.Out.FlushAsync(CancellationToken.None);
            await ChildProcess.ParentEndsAsync();
            await stop.CancelAsync();
        }

        foreach (var (_, client) in service.clients)
            await client.DisposeAsync();
        return ExitCode.Done;
    }

    IEnumerable<RpcHandler> Handlers =>
    [
        RpcHandler.Unary(ControlService.Connect, (setup, _) => AnswerAsync(() => ConnectAsync(setup))),
        RpcHandler.Unary(ControlService.Load, (load, _) => AnswerAsync(() => LoadAsync(load))),
        RpcHandler.Unary(ControlService.Stop, (_, _) =>
        {
            stop();
            return new(new StopReply());
        }),
    ];

    static async ValueTask<T> AnswerAsync<T>(Func<Task<T>> answer)
    {
        try
        {
            return await answer();
        }
        catch (RunException e)
        {
            throw e.ToStatus();
        }
    }

    async Task<ClientReady> ConnectAsync(ClientSetup setup)
    {
        var plan = setup.Plan.ToPlan();
        var subject = subjectOf(setup);
        var client = LocalClient.Create(subject, plan);
        int number;
        lock (clients)
        {
            number = clients.Count;
            clients.Add((subject, client));
        }

        var ready = (await client.StartAsync(cancellation.Token)).ToMessage();
        ready.Client = number;
        ready.Connections.Add(client.Connections.Select(ClientMessages.ToMessage));
        ready.Replies.Add(subject.TakeReplies());
        return ready;
    }

    async Task<ClientRound> LoadAsync(ClientLoad load)
    {
        var (subject, client) = clients[load.Client];
        var plan = load.Plan.ToPlan();
        var answer = new ClientRound();
        if (load.WarmUp)
        {
            answer.After = await client.WarmUpAsync(plan, cancellation);
        }
        else
        {
            (var round, answer.Before, answer.After) = await client.MeasureAsync(plan, cancellation, _ => { });
            answer.Record = LoadResultFile.ToJson(round);
        }

        answer.Connections.Add(client.Connections.Select(ClientMessages.ToMessage));
        answer.Replies.Add(subject.TakeReplies());
        return answer;
    }
}
