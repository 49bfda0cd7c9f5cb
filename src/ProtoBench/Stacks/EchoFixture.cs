using System.Security.Cryptography.X509Certificates;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Transports.GrpcDotnet;

namespace ProtoBench.Stacks;

/// <summary>A host and a client of one stack in this process, and the calls between them.</summary>
abstract class EchoFixture : IAsyncDisposable
{
    /// <summary>Makes calls, so many at a time, and checks each echo.</summary>
    /// <param name="calls">How many in all: each caller makes the same number.</param>
    /// <returns>The number of calls.</returns>
    /// <exception cref="ArgumentException">The number of callers does not divide them.</exception>
    public abstract Task<long> CallAsync(int calls);

    /// <summary>What the client's connection turned out to be.</summary>
    public abstract RpcConnectionFacts Connection { get; }

    public abstract ValueTask DisposeAsync();

    /// <summary>A message's body: bytes that no two neighbours share.</summary>
    public static byte[] Body(int bytes) => [.. Enumerable.Range(0, bytes).Select(i => (byte)((i * 31) + 7))];

    /// <summary>Starts both sides, makes the first calls, and checks what was negotiated.</summary>
    /// <param name="transport">The transport.</param>
    /// <param name="codec">The messages.</param>
    /// <param name="bytes">Bytes of a body.</param>
    /// <param name="tls">TLS, or in the clear.</param>
    /// <param name="concurrency">Calls at a time.</param>
    /// <param name="streaming">Each of the callers holds one duplex stream; else each call is one of its own.</param>
    /// <exception cref="InvalidOperationException">The protocol, the encryption or
    /// the number of connections is not what the cell's name says.</exception>
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
        // each caller has its own: a slab message is not for two threads at once
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
            // HttpClient opens connections beside the call that asked for one,
            // so the host may see the last of them a moment after the calls
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

/// <summary>Bytes of an echo's body, as the published comparison spells them.</summary>
public sealed record EchoSize(int Bytes)
{
    /// <summary>1K and 64K.</summary>
    public static IReadOnlyList<EchoSize> All { get; } = [new(1 << 10), new(64 << 10)];

    public override string ToString() => $"{Bytes >> 10}K";
}
