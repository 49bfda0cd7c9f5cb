using Google.Protobuf;
using Grpc.Core;
using ProtoBench.GrpcHost.Protocol;

namespace ProtoBench.GrpcHost;

/// <summary><c>grpc.testing.BenchmarkService</c> with one kind of messages, called and served by grpc-dotnet directly.</summary>
sealed class BenchmarkMethods<TRequest, TResponse>(Grpc.Core.Marshaller<TRequest> requests, Grpc.Core.Marshaller<TResponse> responses)
    where TRequest : class
    where TResponse : class
{
    public Method<TRequest, TResponse> Unary => Method(MethodType.Unary, "UnaryCall");

    public Method<TRequest, TResponse> PingPong => Method(MethodType.DuplexStreaming, "StreamingCall");

    public Method<TRequest, TResponse> FromClient => Method(MethodType.ClientStreaming, "StreamingFromClient");

    public Method<TRequest, TResponse> FromServer => Method(MethodType.ServerStreaming, "StreamingFromServer");

    public Method<TRequest, TResponse> BothWays => Method(MethodType.DuplexStreaming, "StreamingBothWays");

    Method<TRequest, TResponse> Method(MethodType type, string name) => new(type, BenchmarkMethods.Service, name, requests, responses);
}

static class BenchmarkMethods
{
    public const string Service = "grpc.testing.BenchmarkService";

    /// <summary>The largest body, so that a peer cannot request a size that uses all memory.</summary>
    public const int LargestBody = 256 * 1024 * 1024;

    static byte[] zeros = [];

    public static BenchmarkMethods<SimpleRequest, SimpleResponse> Simple { get; } = new(Of<SimpleRequest>(), Of<SimpleResponse>());

    /// <summary>The methods with bytes and without a codec, which the protocol calls generic.</summary>
    public static BenchmarkMethods<byte[], byte[]> Generic { get; } = new(bytes, bytes);

    static Grpc.Core.Marshaller<byte[]> bytes => Marshallers.Create<byte[]>(
        static (message, context) => context.Complete(message), static context => context.PayloadAsNewBuffer());

    /// <exception cref="RpcException">INVALID_ARGUMENT for a negative size, or one above <see cref="LargestBody"/>.</exception>
    public static SimpleResponse Response(int size) => new() { Payload = Payload(size) };

    /// <summary>Creates a payload with a body of zeros. All payloads share the same bytes.</summary>
    public static Payload Payload(int size)
    {
        if (size is < 0 or > LargestBody)
            throw new RpcException(new(StatusCode.InvalidArgument, $"a body of {size} bytes: from 0 to {LargestBody} are possible"));
        var bytes = zeros;
        if (bytes.Length < size)
            zeros = bytes = new byte[size];
        return new() { Body = UnsafeByteOperations.UnsafeWrap(bytes.AsMemory(0, size)) };
    }

    static Grpc.Core.Marshaller<T> Of<T>()
        where T : IMessage<T>, new()
    {
        var parser = new MessageParser<T>(static () => new T());
        return Marshallers.Create<T>(
            static (message, context) =>
            {
                context.SetPayloadLength(message.CalculateSize());
                message.WriteTo(context.GetBufferWriter());
                context.Complete();
            },
            context => parser.ParseFrom(context.PayloadAsReadOnlySequence()));
    }
}

static class Invalid
{
    public static RpcException Argument(string message) => new(new(StatusCode.InvalidArgument, message));
}
