using ProtoBench.Rpc.Calls;
using Core = Grpc.Core;

namespace ProtoBench.Rpc.Transports.GrpcDotnet;

/// <summary>The client's side of a streaming call.</summary>
sealed class GrpcDotnetStream<TRequest, TResponse>(
    GrpcDotnetClient client, Core.AsyncDuplexStreamingCall<BoxedMessage<TRequest>, BoxedMessage<TResponse>> stream,
        RpcMethod<TRequest, TResponse> method, RpcLimits limits, RpcCallOptions? call,
    CancellationToken cancellationToken)
    : IRpcStream<TRequest, TResponse>
{
    readonly CallMessageOwner messages = new();
    bool headersRead;
    volatile bool ended;

    public async ValueTask<bool> WriteAsync(TRequest message)
    {
        if (ended)
            return false;
        // grpc-dotnet would fail this write only, and leave the reader waiting
        if (limits.MaxSendBytes < int.MaxValue && method.Request.Measure(message) is var size && size > limits.MaxSendBytes)
            throw new RpcException(RpcStatus.ResourceExhausted,
                $"a message of {size} bytes is larger than the limit of {limits.MaxSendBytes}");
        try
        {
            await stream.RequestStream.WriteAsync(new BoxedMessage<TRequest>(method.Request, message));
            return true;
        }
        catch (Exception e) when (IsEnd(e))
        {
            return false;
        }
    }

    public async ValueTask CompleteAsync()
    {
        try
        {
            await stream.RequestStream.CompleteAsync();
        }
        catch (Exception e) when (IsEnd(e))
        {
            // the call has ended already, and the reader is told how
        }
    }

    public async ValueTask<Received<TResponse>> ReadAsync()
    {
        if (ended)
            return default;
        if (method.Response.Recycles)
            messages.Enter();
        try
        {
            if (!headersRead && call?.ResponseHeaders is { } headers)
                GrpcDotnetTypes.CopyTo(await stream.ResponseHeadersAsync, headers);
            headersRead = true;
            var more = await stream.ResponseStream.MoveNext(CancellationToken.None);
            client.Replied();
            if (more)
            {
                var received = stream.ResponseStream.Current;
                if (method.Response.Recycles)
                    CallMessageOwner.Take(received);
                return new(true, received.Message);
            }

            ended = true;
            if (call?.Trailers is { } trailers)
                GrpcDotnetTypes.CopyTo(stream.GetTrailers(), trailers);
            return default;
        }
        catch (Core.RpcException e)
        {
            ended = true;
            throw GrpcDotnetClient.Failure(e, call, cancellationToken);
        }
    }

    public ValueTask DisposeAsync()
    {
        ended = true;
        stream.Dispose();
        messages.Dispose();
        return ValueTask.CompletedTask;
    }

    /// <summary>The reason is in the reply, so the read reports it.</summary>
    static bool IsEnd(Exception failure) =>
        failure is Core.RpcException or InvalidOperationException or OperationCanceledException or IOException;
}
