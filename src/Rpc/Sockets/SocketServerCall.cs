using System.Buffers;

namespace ProtoBench.Rpc.Sockets;

/// <summary>One call on the server: a request, and a response or a failure.</summary>
sealed class SocketServerCall(SocketLink link, uint number, ReadOnlySequence<byte> payload, CancellationToken closed) : RpcMessageCall
{
    ReadOnlySequence<byte> payload = payload;
    bool read;
    bool answered;

    public override RpcMetadata RequestHeaders { get; } = new();

    public override CancellationToken Stop => closed;

    /// <summary>Runs the handler to its end and sends what it threw. Never fails: a connection that is gone has its own end.</summary>
    public async Task RunAsync(RpcHandler? handler, SemaphoreSlim slots)
    {
        try
        {
            await AnswerAsync(handler);
        }
        catch (RpcException e)
        {
            await TryFailAsync(e.Status, e.Message);
        }
        catch (Exception)
        {
            // what a handler throws is not for the caller's eyes
            await TryFailAsync(RpcStatus.Unknown, "the handler failed");
        }
        finally
        {
            slots.Release();
        }
    }

    /// <summary>The handler has not read yet, and the connection's buffer is about to be used again.</summary>
    public void KeepPayload()
    {
        if (!read)
            payload = new(payload.ToArray());
    }

    public override ValueTask<Received<T>> ReadAsync<T>(Marshaller<T> marshaller)
    {
        if (read)
            return default;
        try
        {
            read = true;
            return new(new Received<T>(true, marshaller.Read(payload)));
        }
        catch (Exception e)
        {
            throw new RpcException(RpcStatus.Internal, "malformed message: the request cannot be decoded", e);
        }
    }

    public override async ValueTask WriteAsync<T>(Marshaller<T> marshaller, T message, bool last = false)
    {
        if (!last)
            throw new RpcException(RpcStatus.Unimplemented, "this transport has no streams");
        await link.WriteAsync(number, SocketFrameKind.Response, null, marshaller, message);
        answered = true;
    }

    ValueTask AnswerAsync(RpcHandler? handler) => handler?.RunAsync(this) ?? throw new RpcException(RpcStatus.Unimplemented, "no such method");

    async Task TryFailAsync(RpcStatus status, string text)
    {
        try
        {
            if (!answered)
                await link.FailAsync(number, status, text);
        }
        catch (Exception)
        {
            // the caller is gone
        }
    }
}
