using Grpc.Core;

namespace ProtoBench.GrpcHost;

/// <summary>The callers of the benchmark service with one kind of messages. A call on a stream is one message.</summary>
/// <param name="messagesPerStream">The number of messages after which a stream is replaced by a new one; 0 for never.</param>
sealed class BenchmarkCallers<TRequest, TResponse>(BenchmarkMethods<TRequest, TResponse> methods, TRequest request,
    Func<TResponse, bool> isRight, int messagesPerStream, CancellationToken end)
    where TRequest : class
    where TResponse : class
{
    readonly BenchmarkMethods<TRequest, TResponse> methods = methods;
    readonly TRequest request = request;
    readonly Func<TResponse, bool> isRight = isRight;
    readonly int messagesPerStream = messagesPerStream;
    readonly CancellationToken end = end;

    public Caller On(GrpcDotnetClient client, Protocol.RpcType type) => type switch
    {
        Protocol.RpcType.Unary => new UnaryCaller(this, client),
        Protocol.RpcType.Streaming => new PingPongCaller(this, client),
        Protocol.RpcType.StreamingFromClient => new FromClientCaller(this, client),
        Protocol.RpcType.StreamingFromServer => new FromServerCaller(this, client),
        Protocol.RpcType.StreamingBothWays => new BothWaysCaller(this, client),
        _ => throw Invalid.Argument($"calls of type {(int)type} are not known here"),
    };

    abstract class BenchmarkCaller(BenchmarkCallers<TRequest, TResponse> callers, GrpcDotnetClient client) : Caller
    {
        protected BenchmarkCallers<TRequest, TResponse> Callers { get; } = callers;

        protected GrpcDotnetClient Client { get; } = client;

        /// <summary>The last response; null if a call has none.</summary>
        protected TResponse? Response { get; set; }

        public override bool Finish(bool deep) => Response is null || Callers.isRight(Response);
    }

    sealed class UnaryCaller(BenchmarkCallers<TRequest, TResponse> callers, GrpcDotnetClient client) : BenchmarkCaller(callers, client)
    {
        readonly Method<TRequest, TResponse> method = callers.methods.Unary;

        public override async ValueTask SendAsync(CancellationToken cancellationToken) =>
            Response = await Client.Invoker.AsyncUnaryCall(method, null, new(cancellationToken: cancellationToken), Callers.request);

        public override void Dispose()
        {
            // no call continues after its SendAsync
        }
    }

    /// <summary>A caller whose calls are messages of streams. After a failure the next call opens a new stream.</summary>
    abstract class StreamCaller<TStream>(BenchmarkCallers<TRequest, TResponse> callers, GrpcDotnetClient client)
        : BenchmarkCaller(callers, client)
        where TStream : class, IDisposable
    {
        TStream? stream;
        int messages;

        protected abstract TStream Open(CallOptions options);

        protected abstract ValueTask SendAsync(TStream on);

        protected abstract ValueTask CloseAsync(TStream on);

        public override async ValueTask SendAsync(CancellationToken cancellationToken)
        {
            try
            {
                stream ??= Open(new(cancellationToken: Callers.end));
                await SendAsync(stream);
                if (++messages == Callers.messagesPerStream)
                {
                    await CloseAsync(stream);
                    Dispose();
                }
            }
            catch
            {
                Dispose();
                throw;
            }
        }

        public override void Dispose()
        {
            stream?.Dispose();
            (stream, messages) = (null, 0);
        }

        protected static async ValueTask<TResponse> ReadAsync(IAsyncStreamReader<TResponse> responses) =>
            await responses.MoveNext(CancellationToken.None)
                ? responses.Current : throw new RpcException(new(StatusCode.Unavailable, "the server has ended the stream"));

        protected static async ValueTask EndAsync(IAsyncStreamReader<TResponse> responses)
        {
            while (await responses.MoveNext(CancellationToken.None))
            {
                // the message was not delivered before the stream ended
            }
        }
    }

    sealed class PingPongCaller(BenchmarkCallers<TRequest, TResponse> callers, GrpcDotnetClient client)
        : StreamCaller<AsyncDuplexStreamingCall<TRequest, TResponse>>(callers, client)
    {
        protected override AsyncDuplexStreamingCall<TRequest, TResponse> Open(CallOptions options) =>
            Client.Invoker.AsyncDuplexStreamingCall(Callers.methods.PingPong, null, options);

        protected override async ValueTask SendAsync(AsyncDuplexStreamingCall<TRequest, TResponse> on)
        {
            await on.RequestStream.WriteAsync(Callers.request);
            Response = await ReadAsync(on.ResponseStream);
        }

        protected override async ValueTask CloseAsync(AsyncDuplexStreamingCall<TRequest, TResponse> on)
        {
            await on.RequestStream.CompleteAsync();
            await EndAsync(on.ResponseStream);
        }
    }

    sealed class FromClientCaller(BenchmarkCallers<TRequest, TResponse> callers, GrpcDotnetClient client)
        : StreamCaller<AsyncClientStreamingCall<TRequest, TResponse>>(callers, client)
    {
        protected override AsyncClientStreamingCall<TRequest, TResponse> Open(CallOptions options) =>
            Client.Invoker.AsyncClientStreamingCall(Callers.methods.FromClient, null, options);

        protected override async ValueTask SendAsync(AsyncClientStreamingCall<TRequest, TResponse> on) =>
            await on.RequestStream.WriteAsync(Callers.request);

        protected override async ValueTask CloseAsync(AsyncClientStreamingCall<TRequest, TResponse> on)
        {
            await on.RequestStream.CompleteAsync();
            await on;
        }
    }

    sealed class FromServerCaller(BenchmarkCallers<TRequest, TResponse> callers, GrpcDotnetClient client)
        : StreamCaller<AsyncServerStreamingCall<TResponse>>(callers, client)
    {
        protected override AsyncServerStreamingCall<TResponse> Open(CallOptions options) =>
            Client.Invoker.AsyncServerStreamingCall(Callers.methods.FromServer, null, options, Callers.request);

        protected override async ValueTask SendAsync(AsyncServerStreamingCall<TResponse> on) =>
            Response = await ReadAsync(on.ResponseStream);

        // the server does not end the stream, so disposing the call cancels it
        protected override ValueTask CloseAsync(AsyncServerStreamingCall<TResponse> on) => default;
    }

    /// <summary>A stream on which both sides send as fast as they can. Received messages are counted as calls.</summary>
    sealed class BothWaysCaller(BenchmarkCallers<TRequest, TResponse> callers, GrpcDotnetClient client)
        : StreamCaller<AsyncDuplexStreamingCall<TRequest, TResponse>>(callers, client)
    {
        protected override AsyncDuplexStreamingCall<TRequest, TResponse> Open(CallOptions options)
        {
            var stream = Client.Invoker.AsyncDuplexStreamingCall(Callers.methods.BothWays, null, options);
            _ = Task.Run(() => WriteAsync(stream)); // on another thread, because writes may complete synchronously
            return stream;
        }

        protected override async ValueTask SendAsync(AsyncDuplexStreamingCall<TRequest, TResponse> on) =>
            Response = await ReadAsync(on.ResponseStream);

        protected override ValueTask CloseAsync(AsyncDuplexStreamingCall<TRequest, TResponse> on) => default;

        /// <summary>Writes until the stream ends. The reader gets the reason.</summary>
        async Task WriteAsync(AsyncDuplexStreamingCall<TRequest, TResponse> stream)
        {
            try
            {
                while (true)
                    await stream.RequestStream.WriteAsync(Callers.request);
            }
            catch (Exception e) when (e is RpcException or InvalidOperationException or OperationCanceledException or IOException)
            {
                // the stream has ended
            }
        }
    }
}
