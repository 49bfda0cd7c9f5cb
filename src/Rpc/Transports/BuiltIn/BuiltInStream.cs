using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Clients;
using ProtoBench.Rpc.Connections;

namespace ProtoBench.Rpc.Transports.BuiltIn;

/// <summary>The client's side of a streaming call.</summary>
sealed class BuiltInStream<TRequest, TResponse> : IRpcStream<TRequest, TResponse>
{
    readonly RpcEndpoint endpoint;
    readonly RpcMethod<TRequest, TResponse> method;
    readonly RpcLimits limits;
    readonly RpcCallOptions? call;
    readonly CancellationTokenSource disposed;
    readonly CallDeadline deadline;
    readonly StreamingContent content;
    readonly HttpRequestMessage message;
    readonly Task<HttpResponseMessage> reply;
    MessageReader? reader;
    volatile bool ended;

    public BuiltInStream(BuiltInClient client, RpcEndpoint endpoint, RpcMethod<TRequest, TResponse> method, RpcLimits limits,
        RpcCallOptions? call, CancellationToken cancellationToken)
    {
        this.endpoint = endpoint;
        this.method = method;
        this.limits = limits;
        this.call = call;
        disposed = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        deadline = CallDeadline.Start(call?.Timeout, disposed.Token);
        content = new(deadline.Token);
        message = client.CreateRequest(method.Path, content, call);
        reply = SendAsync(client);
    }

    public async ValueTask<bool> WriteAsync(TRequest message)
    {
        if (ended || await content.Opened is not { } body)
            return false;
        using var frame = MessageFrame.Encode(method.Request, message, limits.MaxSendBytes);
        try
        {
            await body.WriteAsync(frame.WrittenMemory, deadline.Token);
            await body.FlushAsync(deadline.Token);
            return true;
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or ObjectDisposedException
            or HttpRequestException or InvalidOperationException)
        {
            // the reason is in the reply, so the read reports it
            content.Complete();
            return false;
        }
    }

    public ValueTask CompleteAsync()
    {
        content.Complete();
        return ValueTask.CompletedTask;
    }

    public async ValueTask<Received<TResponse>> ReadAsync()
    {
        if (ended)
            return default;
        try
        {
            reader ??= new(await reply, limits.MaxReceiveBytes);
            var received = await reader.ReadAsync(method.Response, deadline.Token);
            if (!received.HasMessage)
            {
                End();
                ReplyStatus.ThrowUnlessOk(await reply, call?.Trailers);
            }

            return received;
        }
        catch (Exception e)
        {
            End();
            if (e is RpcException)
                throw;
            throw TransportFailure.ToRpc(e, deadline, endpoint);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await disposed.CancelAsync();
        content.Complete();
        try
        {
            (await reply).Dispose();
        }
        catch (Exception)
        {
            // the reader was told, or nobody reads
        }

        reader?.Dispose();
        message.Dispose();
        deadline.Dispose();
        disposed.Dispose();
    }

    /// <summary>Once the reply has ended there is nobody to write to.</summary>
    void End()
    {
        ended = true;
        content.Complete();
    }

    async Task<HttpResponseMessage> SendAsync(BuiltInClient client)
    {
        try
        {
            return await client.SendAsync(message, call, deadline.Token);
        }
        catch
        {
            // a writer that waits for the connection must not wait for ever
            content.Complete();
            throw;
        }
    }
}
