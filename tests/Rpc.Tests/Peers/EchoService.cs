using System.Buffers;
using System.Text;

namespace ProtoBench.Rpc.Tests;

/// <summary>What every peer of these tests answers. tests/node/server.mjs is the same service on grpc-js.</summary>
sealed class EchoService
{
    static readonly ArrayMarshaller raw = new();
    int waiting;
    int cancelled;
    int ignored;

    public static RpcMethod<RawMessage, RawMessage> Echo { get; } = Method("Echo");
    public static RpcMethod<RawMessage, RawMessage> Fail { get; } = Method("Fail");
    public static RpcMethod<RawMessage, RawMessage> Throw { get; } = Method("Throw");
    public static RpcMethod<RawMessage, RawMessage> Wait { get; } = Method("Wait");
    public static RpcMethod<RawMessage, RawMessage> Ignore { get; } = Method("Ignore");
    public static RpcMethod<RawMessage, RawMessage> Duplex { get; } = Method("Duplex");
    public static RpcMethod<RawMessage, RawMessage> Collect { get; } = Method("Collect");
    public static RpcMethod<RawMessage, RawMessage> Expand { get; } = Method("Expand");
    public static RpcMethod<RawMessage, RawMessage> FailAfter { get; } = Method("FailAfter");

    public TaskCompletionSource Released { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public IEnumerable<RpcHandler> Handlers =>
    [
        RpcHandler.Unary(Echo, (request, call) =>
        {
            foreach (var entry in call.RequestHeaders.Where(entry => entry.Key.StartsWith("x-", StringComparison.Ordinal)))
            {
                call.ResponseHeaders.Add(entry);
                call.Trailers.Add(entry);
            }

            return new(Message(request.Bytes.ToArray()));
        }),
        RpcHandler.Unary(Fail, (request, _) =>
        {
            var trailers = new Metadata();
            trailers.Add("x-reason", "asked to");
            var text = Text(request).Split(':', 2);
            throw RpcFailure.Of((StatusCode)int.Parse(text[0]), text[1], trailers: trailers);
        }),
        RpcHandler.Unary<RawMessage, RawMessage>(Throw, (_, _) => throw new InvalidOperationException("secret")),
        RpcHandler.Unary(Wait, async (request, call) =>
        {
            Interlocked.Increment(ref waiting);
            try
            {
                await Task.Delay(Timeout.Infinite, call.CancellationToken);
            }
            finally
            {
                Interlocked.Increment(ref cancelled);
            }

            return Message([]);
        }),
        RpcHandler.Unary(Method("Waiting"), (_, _) => new(Message($"{Waiting}"))),
        RpcHandler.Unary(Ignore, async (_, _) =>
        {
            Interlocked.Increment(ref ignored);
            await Released.Task;
            return Message([]);
        }),
        RpcHandler.Stream(Duplex, async stream =>
        {
            while (await stream.ReadAsync() is { HasMessage: true } next)
            {
                await stream.WriteAsync(next.Message);
                raw.Release(next.Message);
            }
        }),
        RpcHandler.Stream(Collect, async stream =>
        {
            var (count, total) = (0, 0);
            while (await stream.ReadAsync() is { HasMessage: true } next)
            {
                count++;
                total += next.Message.Bytes.Length;
                raw.Release(next.Message);
            }

            await stream.WriteAsync(Message($"{count} {total}"));
        }),
        RpcHandler.Stream(Expand, async stream =>
        {
            var numbers = Text((await stream.ReadAsync()).Message).Split(' ').Select(text => int.Parse(text)).ToArray();
            var message = new byte[numbers[1]];
            for (var i = 0; i < numbers[0]; i++)
                await stream.WriteAsync(Message(message));
        }),
        RpcHandler.Stream(FailAfter, async stream =>
        {
            var first = await stream.ReadAsync();
            await stream.WriteAsync(first.Message);
            throw RpcFailure.Of(StatusCode.Aborted, "after one message");
        }),
    ];

    public static RawMessage Message(byte[] bytes) => new(bytes);

    public static RawMessage Message(string text) => new(Encoding.UTF8.GetBytes(text));

    public static string Text(RawMessage message) => Encoding.UTF8.GetString(message.Bytes.Span);

    /// <summary>How many handlers of <see cref="Wait"/> have begun.</summary>
    public int Waiting => Volatile.Read(ref waiting);

    public int Cancelled => Volatile.Read(ref cancelled);

    public int Ignored => Volatile.Read(ref ignored);

    static RpcMethod<RawMessage, RawMessage> Method(string name) => new("/test.Echo/" + name, raw, raw);

    /// <summary>Messages that nobody needs to release, so that what these tests forget is no slice that others count.</summary>
    sealed class ArrayMarshaller : Marshaller<RawMessage>
    {
        public override int Measure(RawMessage message) => message.Bytes.Length;

        public override void Write(RawMessage message, int size, IBufferWriter<byte> output) => output.Write(message.Bytes.Span);

        public override RawMessage Read(in ReadOnlySequence<byte> payload) => new(payload.ToArray());

        public override void Release(RawMessage message)
        {
        }
    }
}

/// <summary>Messages lie in counted slices: what these handlers read they release, however they end.</summary>
static class PooledService
{
    static readonly RawMarshaller raw = new();

    public static RpcMethod<RawMessage, RawMessage> Echo { get; } = Method("Echo");
    public static RpcMethod<RawMessage, RawMessage> Wait { get; } = Method("Wait");
    public static RpcMethod<RawMessage, RawMessage> Throw { get; } = Method("Throw");
    public static RpcMethod<RawMessage, RawMessage> EchoStream { get; } = Method("EchoStream");
    public static RpcMethod<RawMessage, RawMessage> EchoThenThrow { get; } = Method("EchoThenThrow");

    public static IEnumerable<RpcHandler> Handlers =>
    [
        RpcHandler.Unary(Echo, (request, _) => new(Copy(request))),
        RpcHandler.Unary(Wait, async (request, call) =>
        {
            await Task.Delay(Timeout.Infinite, call.CancellationToken);
            return Copy(request);
        }),
        RpcHandler.Unary<RawMessage, RawMessage>(Throw, (_, _) => throw new InvalidOperationException("as asked")),
        RpcHandler.Stream(EchoStream, async stream =>
        {
            while (await EchoOneAsync(stream))
            {
            }
        }),
        RpcHandler.Stream(EchoThenThrow, async stream =>
        {
            await EchoOneAsync(stream);
            throw new InvalidOperationException("as asked");
        }),
    ];

    static async ValueTask<bool> EchoOneAsync(RpcServerStream<RawMessage, RawMessage> stream)
    {
        var next = await stream.ReadAsync();
        if (!next.HasMessage)
            return false;
        try
        {
            await stream.WriteAsync(next.Message);
            return true;
        }
        finally
        {
            raw.Release(next.Message);
        }
    }

    /// <summary>A response is built anew, in memory of its own.</summary>
    static RawMessage Copy(RawMessage message) => raw.Read(new(message.Bytes));

    static RpcMethod<RawMessage, RawMessage> Method(string name) => new("/test.Pooled/" + name, raw, raw);
}
