using System.Text.Json.Nodes;
using Grpc.Core;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using ProtoBench.GrpcHost.Protocol;

namespace ProtoBench.GrpcHost;

/// <summary>A process that a driver uses as a server or as a client: <c>grpc.testing.WorkerService</c>.</summary>
sealed class Worker : IAsyncDisposable
{
    readonly IRpcServer server;
    readonly Service service;

    Worker(IRpcServer server, Service service) => (this.server, this.service) = (server, service);

    public RpcEndpoint Endpoint => server.Endpoint;

    public Task Quit => service.Quit.Task;

    public static async Task<Worker> StartAsync(WorkerSettings settings, TextWriter output)
    {
        var service = new Service(settings, output);
        var listen = new RpcEndpoint { Host = settings.Listen, Port = settings.DriverPort };
        try
        {
            return new(await GrpcDotnetServer.StartAsync(listen, [new Handler(service), new HealthAndReflection()]), service);
        }
        catch (Exception e) when (e is IOException or System.Net.Sockets.SocketException or FormatException)
        {
            throw new RunException(e is FormatException ? ExitCode.Usage : ExitCode.Failed, $"cannot listen on {listen}: {e.Message}", e);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await server.DisposeAsync();
        service.Dispose();
    }

    sealed class Handler(Service service) : GrpcHostServices
    {
        public override void Bind(GrpcDotnetBinder binder) => binder.Publish(WorkerService.Descriptor);

        public override void Add(IServiceCollection services) => services.AddSingleton(service).AddGrpc();

        public override void Map(IEndpointRouteBuilder app) => app.MapGrpcService<Service>();
    }

    sealed class Service(WorkerSettings settings, TextWriter output) : WorkerService.WorkerServiceBase, IDisposable
    {
        // the figures of a process are valid for one scenario at a time
        readonly SemaphoreSlim busy = new(1);
        readonly DateTimeOffset began = DateTimeOffset.Now;

        public TaskCompletionSource Quit { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public void Dispose() => busy.Dispose();

        public override async Task RunServer(IAsyncStreamReader<ServerArgs> requestStream, IServerStreamWriter<ServerStatus> responseStream,
            ServerCallContext context)
        {
            var setup = await NextAsync(requestStream) is { ArgtypeCase: ServerArgs.ArgtypeOneofCase.Setup } first
                ? first.Setup : throw Invalid.Argument("the first message is not a setup");
            using var turn = Take();
            await using var worker = await WorkerServer.StartAsync(setup, settings);
            await responseStream.WriteAsync(new() { Stats = worker.Stats(reset: false), Port = worker.Port, Cores = worker.Cores });
            ServerStats? last = null;
            while (await NextAsync(requestStream) is { } next)
            {
                if (next.ArgtypeCase != ServerArgs.ArgtypeOneofCase.Mark)
                    throw Invalid.Argument("a message after the setup is not a mark");
                last = worker.Stats(next.Mark.Reset);
                await responseStream.WriteAsync(new() { Stats = last, Port = worker.Port, Cores = worker.Cores });
            }

            await worker.DisposeAsync();
            Print("server", ("calls", worker.Handled), ("seconds", last?.TimeElapsed ?? 0),
                ("cpu", last is null ? 0 : (last.TimeUser + last.TimeSystem) / last.TimeElapsed));
        }

        public override async Task RunClient(IAsyncStreamReader<ClientArgs> requestStream, IServerStreamWriter<ClientStatus> responseStream,
            ServerCallContext context)
        {
            var setup = await NextAsync(requestStream) is { ArgtypeCase: ClientArgs.ArgtypeOneofCase.Setup } first
                ? first.Setup : throw Invalid.Argument("the first message is not a setup");
            using var turn = Take();
            await using var worker = await WorkerClient.StartAsync(setup);
            await responseStream.WriteAsync(new() { Stats = worker.Stats(reset: false) });
            ClientStats? last = null;
            while (await NextAsync(requestStream) is { } next)
            {
                if (next.ArgtypeCase != ClientArgs.ArgtypeOneofCase.Mark)
                    throw Invalid.Argument("a message after the setup is not a mark");
                last = worker.Stats(next.Mark.Reset);
                await responseStream.WriteAsync(new() { Stats = last });
            }

            await worker.DisposeAsync();
            if (worker.LastWindow is { } window && settings.Hdr is { } file)
                WriteHistogram(file, window.Latencies, window.Length);
            var histogram = QpsHistogram.Of(setup.HistogramParams);
            if (last is not null)
                histogram.Add(last.Latencies);
            Print("client", ("calls", worker.Answered), ("seconds", last?.TimeElapsed ?? 0), ("measured", histogram.Count),
                ("rps", last is null ? 0 : histogram.Count / last.TimeElapsed), ("latency/50", histogram.Percentile(50) / 1e3),
                ("latency/99", histogram.Percentile(99) / 1e3), ("latency/99.9", histogram.Percentile(99.9) / 1e3),
                ("cpu", last is null ? 0 : (last.TimeUser + last.TimeSystem) / last.TimeElapsed));
        }

        public override Task<CoreResponse> CoreCount(CoreRequest request, ServerCallContext context) =>
            Task.FromResult(new CoreResponse { Cores = Environment.ProcessorCount });

        public override Task<Protocol.Void> QuitWorker(Protocol.Void request, ServerCallContext context)
        {
            Quit.TrySetResult();
            return Task.FromResult(new Protocol.Void());
        }

        /// <summary>Reads the next message; null at the end, with which the driver ends a scenario.</summary>
        static async Task<T?> NextAsync<T>(IAsyncStreamReader<T> requests)
            where T : class
        {
            return await requests.MoveNext(CancellationToken.None) ? requests.Current : null;
        }

        Turn Take() => busy.Wait(0) ? new(busy)
            : throw new RpcException(new(StatusCode.ResourceExhausted, "the worker is busy with another scenario"));

        /// <summary>Prints a line that crank's agent reads from the output of a job.</summary>
        void Print(string role, params (string Name, double Value)[] figures)
        {
            var time = DateTime.UtcNow.ToString("O");
            var metadata = figures.Select(figure => (JsonNode)new JsonObject
            {
                ["source"] = "ProtoBench",
                ["name"] = $"worker/{role}/{figure.Name}",
                ["aggregate"] = "Last",
                ["reduce"] = figure.Name is "calls" or "measured" or "rps" ? "Sum" : "Max",
                ["format"] = "n2",
                ["shortDescription"] = $"{role} {figure.Name}",
                ["longDescription"] = $"{role}: {Meaning(figure.Name)}",
            });
            var measurements = figures.Select(figure => (JsonNode)new JsonObject
            {
                ["timestamp"] = time,
                ["name"] = $"worker/{role}/{figure.Name}",
                ["value"] = double.IsFinite(figure.Value) ? figure.Value : 0,
            });
            var statistics = new JsonObject { ["metadata"] = new JsonArray([.. metadata]), ["measurements"] = new JsonArray([.. measurements]) };
            output.WriteLine($"#StartJobStatistics\n{statistics.ToJsonString()}\n#EndJobStatistics");
            output.Flush();
        }

        static string Meaning(string figure) => figure switch
        {
            "calls" => "calls since the start of the scenario",
            "seconds" => "length of the measured window",
            "measured" => "calls in the measured window",
            "rps" => "calls per second in the measured window",
            "cpu" => "processors used in the measured window",
            _ => "percentile in microseconds, of the histogram of the protocol",
        };

        void WriteHistogram(string file, LatencyHistogram latencies, TimeSpan length)
        {
            try
            {
                var isNew = !File.Exists(file);
                using var writer = new StreamWriter(file, append: true);
                if (isNew)
                    HistogramLog.WriteHeader(writer, began);
                HistogramLog.WriteInterval(writer, "client", DateTimeOffset.Now - began - length, length, latencies);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // the driver gets the figures all the same
                Console.Error.WriteLine($"{file}: the histogram was not saved: {e.Message}");
            }
        }

        sealed class Turn(SemaphoreSlim busy) : IDisposable
        {
            public void Dispose() => busy.Release();
        }
    }
}
