using Grpc.Core;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using ProtoBench.GrpcHost.Protocol;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests;

/// <summary>A worker that makes no call, and says what a test wants. It answers well unless told otherwise.</summary>
sealed class FakeWorker : WorkerService.WorkerServiceBase, IAsyncDisposable
{
    IRpcServer? host;

    /// <summary>What a client answers to its message with this number: 0 is the setup.</summary>
    public Func<int, Answer<ClientStatus>, Task> Client { get; init; } = (_, answer) => answer.WriteAsync(Calls(100));

    public Func<int, Answer<ServerStatus>, Task> Server { get; init; } = (_, answer) => answer.WriteAsync(Listening());

    public Func<Answer<ClientStatus>, Task> End { get; init; } = _ => Task.CompletedTask;

    public int Asked { get; private set; }

    public string Address => $"127.0.0.1:{host!.Endpoint.Port}";

    /// <summary>So many calls of a millisecond, in a window of a second.</summary>
    public static ClientStatus Calls(int count, double elapsed = 1, double cpu = 0.1)
    {
        var histogram = QpsHistogram.Of(null);
        for (var i = 0; i < count; i++)
            histogram.Record(1e6);
        return new()
        {
            Stats = new()
            {
                Latencies = histogram.ToMessage(),
                TimeElapsed = elapsed,
                TimeUser = cpu,
                RequestResults = { new RequestResultCount { Count = count } },
            },
        };
    }

    public static ServerStatus Listening() => new() { Port = 5, Cores = 4, Stats = new() { TimeElapsed = 1, TimeUser = 0.5 } };

    public async Task<FakeWorker> StartAsync()
    {
        host = await GrpcDotnetServer.StartAsync(new(), [new Handler(this)]);
        return this;
    }

    public override async Task RunClient(IAsyncStreamReader<ClientArgs> requestStream, IServerStreamWriter<ClientStatus> responseStream,
        ServerCallContext context)
    {
        var answer = new Answer<ClientStatus>(responseStream, context);
        for (Asked = 0; await requestStream.MoveNext(CancellationToken.None); Asked++)
            await Client(Asked, answer);
        await End(answer);
    }

    public override async Task RunServer(IAsyncStreamReader<ServerArgs> requestStream, IServerStreamWriter<ServerStatus> responseStream,
        ServerCallContext context)
    {
        for (var number = 0; await requestStream.MoveNext(CancellationToken.None); number++)
            await Server(number, new(responseStream, context));
    }

    public override Task<CoreResponse> CoreCount(CoreRequest request, ServerCallContext context) =>
        Task.FromResult(new CoreResponse { Cores = 2 });

    public ValueTask DisposeAsync() => host?.DisposeAsync() ?? default;

    sealed class Handler(FakeWorker worker) : GrpcHostServices
    {
        public override void Add(IServiceCollection services) => services.AddSingleton(worker).AddGrpc();

        public override void Map(IEndpointRouteBuilder app) => app.MapGrpcService<FakeWorker>();
    }
}

sealed class Answer<TStatus>(IServerStreamWriter<TStatus> responses, ServerCallContext context)
{
    public Task WriteAsync(TStatus status) => responses.WriteAsync(status);

    /// <summary>Says nothing until the driver gives up.</summary>
    public Task HangAsync()
    {
        var ended = new TaskCompletionSource();
        context.CancellationToken.Register(ended.SetResult);
        return ended.Task;
    }

    public async Task LateAsync(TimeSpan time, TStatus status)
    {
        await Task.Delay(time, context.CancellationToken); // what is simulated is the delay of a worker
        await WriteAsync(status);
    }

    /// <summary>Closes the connection, as a machine does that goes down.</summary>
    public Task DieAsync()
    {
        context.GetHttpContext().Features.Get<Microsoft.AspNetCore.Connections.Features.IConnectionLifetimeFeature>()!.Abort();
        return HangAsync();
    }
}
