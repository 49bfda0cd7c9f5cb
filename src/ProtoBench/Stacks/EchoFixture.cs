using System.Security.Cryptography.X509Certificates;
using ProtoBench.Rpc;

namespace ProtoBench;

abstract class EchoFixture : IAsyncDisposable
{
    /// <summary>Makes concurrent calls and checks each echo.</summary>
    public abstract Task<long> CallAsync(int calls);

    public abstract RpcConnectionFacts Connection { get; }

    public abstract ValueTask DisposeAsync();

    public static byte[] Body(int bytes) => [.. Enumerable.Range(0, bytes).Select(i => (byte)((i * 31) + 7))];

    /// <summary>Starts both sides, makes the first calls, and checks the negotiated protocol.</summary>
    /// <param name="streaming">Whether each caller has one duplex stream instead of a call for each message.</param>
    public static async Task<EchoFixture> StartAsync<T>(RpcTransport transport, EchoCodec<T> codec, int bytes, bool tls, int concurrency,
        bool streaming = false)
    {
        const int firstCalls = 4;
        var certificate = tls ? SelfSignedCertificate.Create() : null;
        var method = new RpcMethod<T, T>("/EchoPkg.Echo/Echo", codec.Marshaller, codec.Marshaller);
        var handler = streaming
            ? RpcHandler.Stream(method, async stream =>
            {
                while (await stream.ReadAsync() is { HasMessage: true } next)
                {
                    var reply = codec.Reply(next.Message);
                    await stream.WriteAsync(reply);
                    codec.Marshaller.Release(reply);
                    codec.Marshaller.Release(next.Message);
                }
            })
            : codec.Handler(RpcHandler.Unary(method, (request, _) => new(codec.Reply(request))));
        var server = await transport.StartAsync(new(), [handler], null, certificate);
        var fixture =
            new Fixture<T>(server, transport.Connect(server.Endpoint, connections: concurrency), certificate, method, codec, Body(bytes),
                concurrency, streaming);
        try
        {
            await fixture.CallAsync(firstCalls * concurrency);
            await fixture.CheckConnectionsAsync(transport, tls);
            return fixture;
        }
        catch
        {
            await fixture.DisposeAsync();
            throw;
        }
    }

    sealed class Fixture<T>(
        IRpcServer server, IRpcClient client, X509Certificate2? certificate, RpcMethod<T, T> method, EchoCodec<T> codec, byte[] body,
            int concurrency, bool streaming) : EchoFixture
    {
        // one for each caller, because a slab message must not be used by two threads at the same time
        readonly T[] requests = [.. Enumerable.Range(0, concurrency).Select(_ => codec.Create(body))];
        readonly GrpcDotnetStream<T, T>[] streams =
            streaming ? [.. Enumerable.Range(0, concurrency).Select(_ => ((GrpcDotnetClient)client).Stream(method))] : [];
        readonly Func<T, ValueTask<T>> send = codec.Send(client, method);
        readonly Task[] callers = new Task[concurrency];

        public override RpcConnectionFacts Connection => client.Connection;

        public override async Task<long> CallAsync(int calls)
        {
            if (calls % callers.Length != 0)
                throw new ArgumentException($"{calls} calls cannot be shared out to {callers.Length} callers", nameof(calls));
            for (var caller = 0; caller < callers.Length; caller++)
                callers[caller] = streaming
                    ? StreamAsync(streams[caller], requests[caller], calls / callers.Length)
                    : UnaryAsync(requests[caller], calls / callers.Length);
            foreach (var caller in callers)
                await caller;
            return calls;
        }

        public override async ValueTask DisposeAsync()
        {
            foreach (var stream in streams)
                await stream.DisposeAsync();
            await client.DisposeAsync();
            await server.DisposeAsync();
            certificate?.Dispose();
            foreach (var request in requests)
                codec.Marshaller.Release(request);
        }

        public async Task CheckConnectionsAsync(RpcTransport transport, bool tls)
        {
            // HttpClient opens connections asynchronously, so the host may accept the last of them shortly after the calls
            var limit = Task.Delay(TimeSpan.FromMinutes(1));
            while (server.ConnectionsAccepted != client.Connection.Opened && !limit.IsCompleted)
                await Task.Yield();
            var facts = client.Connection;
            var most = transport is { Multiplexed: true, HasLibraryDefaults: false } ? 1 : concurrency;
            if (facts.Protocol != transport.Protocol || facts.Tls is not null != tls || facts.Opened < 1 || facts.Opened > most
                || server.ConnectionsAccepted != facts.Opened)
                throw new InvalidOperationException(
                    $"{facts.Opened} connections opened and {server.ConnectionsAccepted} accepted of at most {most}, over "
                        + $"{facts.Protocol} {facts.Tls}, where {transport.Protocol}{(tls ? " under TLS" : "")} was asked for");
        }

        async Task UnaryAsync(T request, int calls)
        {
            for (var call = 0; call < calls; call++)
                Check(await send(request));
        }

        async Task StreamAsync(GrpcDotnetStream<T, T> stream, T request, int calls)
        {
            for (var call = 0; call < calls; call++)
            {
                await stream.WriteAsync(request);
                var reply = await stream.ReadAsync();
                Check(reply.HasMessage ? reply.Message : throw new InvalidOperationException("the stream has ended"));
            }
        }

        void Check(T reply)
        {
            var same = codec.BodyOf(reply).SequenceEqual(body);
            codec.Marshaller.Release(reply);
            if (!same)
                throw new InvalidOperationException("the echo is not what was sent");
        }
    }
}

public sealed record EchoSize(int Bytes)
{
    public static IReadOnlyList<EchoSize> All { get; } = [new(1 << 10), new(64 << 10)];

    public override string ToString() => $"{Bytes >> 10}K";
}
