using Google.Protobuf;
using Google.Protobuf.Reflection;
using Grpc.Core;
using ProtoBench.GrpcHost.Protocol;

namespace ProtoBench.GrpcHost;

/// <summary><c>grpc.testing.BenchmarkService</c>: the methods and messages of both sides.</summary>
static class Benchmark
{
    /// <summary>The largest body, so that a peer cannot request a size that uses all memory.</summary>
    public const int LargestBody = 256 * 1024 * 1024;

    static readonly ServiceDescriptor service = BenchmarkServiceReflection.Descriptor.Services[0];
    static byte[] zeros = [];

    public static Rpc.Marshaller<SimpleRequest> Requests { get; } = new GoogleMarshaller<SimpleRequest>();

    public static Rpc.Marshaller<SimpleResponse> Responses { get; } = new GoogleMarshaller<SimpleResponse>();

    /// <summary>For both messages without a codec, which the protocol calls generic.</summary>
    public static Rpc.Marshaller<ReadOnlyMemory<byte>> Bytes { get; } = new BytesMarshaller();

    /// <exception cref="RpcException">INVALID_ARGUMENT for an unknown type.</exception>
    public static TargetMethod Method(RpcType type)
    {
        if (!Enum.IsDefined(type))
            throw Invalid.Argument($"calls of type {(int)type} are not known here");
        var method = service.Methods[(int)type]; // in the order of the types
        return new($"{service.FullName}/{method.Name}", method.IsServerStreaming, method.IsClientStreaming);
    }

    public static RpcMethod<TRequest, TResponse> Method<TRequest, TResponse>(
        RpcType type, Rpc.Marshaller<TRequest> requests, Rpc.Marshaller<TResponse> responses) =>
        new("/" + Method(type).Path, requests, responses) { Service = service };

    /// <exception cref="RpcException">INVALID_ARGUMENT for a negative size, or one above <see cref="LargestBody"/>.</exception>
    public static SimpleResponse Response(int size) => new() { Payload = Payload(size) };

    /// <summary>Creates a payload with a body of zeros. All payloads share the same bytes.</summary>
    public static Payload Payload(int size)
    {
        if (size is < 0 or > LargestBody)
            throw Invalid.Argument($"a body of {size} bytes: from 0 to {LargestBody} are possible");
        var bytes = zeros;
        if (bytes.Length < size)
            zeros = bytes = new byte[size];
        return new() { Body = UnsafeByteOperations.UnsafeWrap(bytes.AsMemory(0, size)) };
    }

    /// <summary>Creates the server's side of all methods. It counts the messages that it answers: of a client's stream those that it reads,
    /// and of other streams those that it writes.</summary>
    /// <param name="answer">Returns the response to a request; the default value is the request of a stream without requests.</param>
    public static RpcHandler[] Serve<TRequest, TResponse>(Rpc.Marshaller<TRequest> requests, Rpc.Marshaller<TResponse> responses,
        Func<TRequest?, TResponse> answer, CallCounters counters, CancellationToken stop)
    {
        return
        [
            RpcHandler.Unary(Method(RpcType.Unary, requests, responses), (request, _) => new(Answer(request))),
            Stream(RpcType.Streaming, async stream =>
            {
                while (await stream.ReadAsync() is { HasMessage: true, Message: var request })
                    await stream.WriteAsync(Answer(request));
            }),
            Stream(RpcType.StreamingFromClient, async stream =>
            {
                TRequest? last = default;
                while (await stream.ReadAsync() is { HasMessage: true, Message: var request })
                {
                    counters.CountHandled(0);
                    last = request;
                }

                await stream.WriteAsync(answer(last));
            }),
            Stream(RpcType.StreamingFromServer,
                async stream => await WriteAsync(stream, (await stream.ReadAsync()).Message, stream.Call.CancellationToken)),
            Stream(RpcType.StreamingBothWays, async stream =>
            {
                if (await stream.ReadAsync() is not { HasMessage: true, Message: var first })
                    return;
                using var ended = CancellationTokenSource.CreateLinkedTokenSource(stream.Call.CancellationToken);
                var writing = WriteAsync(stream, first, ended.Token);
                try
                {
                    while ((await stream.ReadAsync()).HasMessage)
                    {
                        // only what is written counts
                    }
                }
                finally
                {
                    await ended.CancelAsync();
                    await writing;
                }
            }),
        ];

        RpcHandler Stream(RpcType type, Func<RpcServerStream<TRequest, TResponse>, ValueTask> serve) =>
            RpcHandler.Stream(Method(type, requests, responses), serve);

        TResponse Answer(TRequest? request)
        {
            counters.CountHandled(0);
            return answer(request);
        }

        async Task WriteAsync(RpcServerStream<TRequest, TResponse> stream, TRequest? request, CancellationToken ended)
        {
            while (!stop.IsCancellationRequested && !ended.IsCancellationRequested)
            {
                try
                {
                    await stream.WriteAsync(Answer(request));
                }
                catch (Exception e) when (e is OperationCanceledException or InvalidOperationException or IOException)
                {
                    return; // the client has disconnected, which is the normal end of such a stream
                }
            }
        }
    }
}

static class Invalid
{
    public static RpcException Argument(string message) => new(new(StatusCode.InvalidArgument, message));
}
