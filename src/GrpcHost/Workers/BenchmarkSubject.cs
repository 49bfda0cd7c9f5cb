using System.Buffers;
using Grpc.Core;
using ProtoBench.GrpcHost.Protocol;

namespace ProtoBench.GrpcHost;

/// <summary>A method of the benchmark service: ready bytes on the event loop, and messages on grpc-dotnet, where a call on a stream is one
/// message.</summary>
/// <param name="reply">A valid reply. Others have the same size.</param>
/// <param name="end">Cancels the streams.</param>
sealed class BenchmarkSubject<TRequest, TResponse>(RpcEndpoint endpoint, RpcTransport stack, ClientConfig config,
    RpcMethod<TRequest, TResponse> method, TRequest request, TResponse reply, CancellationToken end)
    : TargetSubject(endpoint, Benchmark.Method(config.RpcType), new([new("", Bytes(method.Request, request))], null), null)
{
    readonly RpcMethod<TRequest, TResponse> method = method;
    readonly TRequest request = request;
    readonly RpcType type = config.RpcType;
    readonly int messagesPerStream = config.MessagesPerStream;
    readonly CancellationToken end = end;
    readonly int size = method.Response.Measure(reply);
    // a server may leave out a payload without bytes
    readonly bool mayBeEmpty = config.PayloadConfig.SimpleParams is { RespSize: 0 };

    public override RpcTransport Stack => stack;

    // a client's stream has one reply to all of its requests
    protected override bool IsRight(long messages, long bytes) =>
        type == RpcType.StreamingFromClient || bytes == size * messages || (bytes == 0 && mayBeEmpty);

    public override Caller Call(IRpcClient client, RpcCallOptions? call, CallCounters counters) =>
        type == RpcType.Unary ? new UnaryCaller(this, client) : new StreamCaller(this, (GrpcDotnetClient)client);

    static ReadOnlyMemory<byte> Bytes(Rpc.Marshaller<TRequest> marshaller, TRequest request)
    {
        var bytes = new ArrayBufferWriter<byte>();
        marshaller.Write(request, marshaller.Measure(request), bytes);
        return bytes.WrittenMemory;
    }

    sealed class UnaryCaller(BenchmarkSubject<TRequest, TResponse> subject, IRpcClient client) : Caller
    {
        TResponse? response;

        public override async ValueTask SendAsync(CancellationToken cancellationToken) =>
            response = await client.UnaryAsync(subject.method, subject.request, null, cancellationToken);

        public override bool Finish(bool deep) => subject.IsRight(1, subject.method.Response.Measure(response!));
    }

    /// <summary>After a failure the next call opens a new stream.</summary>
    sealed class StreamCaller(BenchmarkSubject<TRequest, TResponse> subject, GrpcDotnetClient client) : Caller
    {
        // otherwise the server sends without being asked, and a stream ends when it is cancelled
        readonly bool writes = subject.type is RpcType.Streaming or RpcType.StreamingFromClient;
        readonly bool reads = subject.type != RpcType.StreamingFromClient;
        GrpcDotnetStream<TRequest, TResponse>? stream;
        TResponse? response;
        int messages;

        public override async ValueTask SendAsync(CancellationToken cancellationToken)
        {
            try
            {
                stream ??= await OpenAsync();
                var isOpen = !writes || await stream.WriteAsync(subject.request);
                if (isOpen && reads)
                    (isOpen, response) = await stream.ReadAsync();
                if (!isOpen || ++messages == subject.messagesPerStream)
                    await EndAsync();
                if (!isOpen)
                    throw new RpcException(new(StatusCode.Unavailable, "the server has ended the stream"));
            }
            catch
            {
                await CloseAsync();
                throw;
            }
        }

        public override bool Finish(bool deep) => !reads || subject.IsRight(1, subject.method.Response.Measure(response!));

        public override async ValueTask DisposeAsync()
        {
            try
            {
                await EndAsync();
            }
            catch (RpcException)
            {
                await CloseAsync(); // the calls are over
            }

            await base.DisposeAsync();
        }

        async ValueTask<GrpcDotnetStream<TRequest, TResponse>> OpenAsync()
        {
            var opened = client.Stream(subject.method, null, subject.end);
            if (subject.type == RpcType.StreamingFromServer)
            {
                await opened.WriteAsync(subject.request);
                await opened.CompleteAsync();
            }
            else if (subject.type == RpcType.StreamingBothWays)
            {
                _ = Task.Run(() => WriteAsync(opened)); // on another thread, because writes may complete synchronously
            }

            return opened;
        }

        async Task WriteAsync(GrpcDotnetStream<TRequest, TResponse> opened)
        {
            while (await opened.WriteAsync(subject.request))
            {
                // until the stream has ended
            }
        }

        /// <summary>Ends a stream after the server has handled its messages. Throws its status.</summary>
        async ValueTask EndAsync()
        {
            if (writes && stream is not null)
            {
                await stream.CompleteAsync();
                while ((await stream.ReadAsync()).HasMessage)
                {
                    // the reply to a client's stream
                }
            }

            await CloseAsync();
        }

        async ValueTask CloseAsync()
        {
            if (stream is not null)
                await stream.DisposeAsync();
            (stream, messages) = (null, 0);
        }
    }
}
