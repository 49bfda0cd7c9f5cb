using System.Buffers;
using System.Collections.Concurrent;
using System.Text;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Marshallers;

namespace ProtoBench.Rpc.Transports.Sockets;

/// <summary>A client's connection and its calls in progress. Thread-safe.</summary>
sealed class SocketSession : IAsyncDisposable
{
    readonly ConcurrentDictionary<uint, Waiting> waiting = new();
    readonly SocketLink link;
    readonly Task reading;
    RpcException? lost;
    uint last;

    public SocketSession(SocketLink link)
    {
        this.link = link;
        reading = ReadAsync();
    }

    public bool IsOpen => link.IsOpen && Volatile.Read(ref lost) is null;

    public async ValueTask<TResponse> CallAsync<TRequest, TResponse>(
        byte[] path, RpcMethod<TRequest, TResponse> method, TRequest request, CancellationToken cancellationToken)
    {
        var number = Interlocked.Increment(ref last);
        var call = new Waiting<TResponse>(method.Response);
        waiting[number] = call;
        if (Volatile.Read(ref lost) is { } failure)
            call.Fail(failure); // lost between the caller's look and the entry above: nobody else would end this call
        var sent = false;
        try
        {
            if (!link.TryTakeTurn())
                await link.TakeTurnAsync(cancellationToken);
            // The message is in the connection's buffer when this has returned. Sending
            // it may take longer than the call: that is the connection's matter.
            var writing = link.WriteAsync(number, SocketFrameKind.Request, path, method.Request, request);
            sent = true;
            using var given = cancellationToken.UnsafeRegister(static (call, token) => ((Waiting<TResponse>)call!).Cancel(token), call);
            if (!writing.IsCompletedSuccessfully && await Task.WhenAny(writing, call.Answer) == writing)
                await writing;
            return await call.Answer;
        }
        catch
        {
            call.Drop();
            throw;
        }
        finally
        {
            // no answer has come
            if (waiting.TryRemove(number, out _) && sent && IsOpen)
                _ = TryTellAsync(number);
        }
    }

    public async ValueTask DisposeAsync()
    {
        link.Close();
        await reading;
    }

    /// <summary>Tells the server that the call is cancelled.</summary>
    async Task TryTellAsync(uint call)
    {
        try
        {
            await link.CancelAsync(call);
        }
        catch (Exception)
        {
            // the connection is lost, which tells it too
        }
    }

    async Task ReadAsync()
    {
        try
        {
            await link.ReadAsync(frame =>
            {
                // a call that was given up is not there any more: its late answer is dropped
                if (waiting.TryRemove(frame.Call, out var call))
                    call.Take(frame);
            });
            lost = new(RpcStatus.Unavailable, "the host closed the connection");
        }
        catch (RpcException e)
        {
            lost = e;
        }
        catch (Exception e)
        {
            lost = new(RpcStatus.Unavailable, "the connection is lost", e);
        }

        link.Close();
        foreach (var call in waiting.Values)
            call.Fail(lost);
        await link.DisposeAsync();
    }

    abstract class Waiting
    {
        public abstract void Take(SocketFrame frame);

        public abstract void Fail(RpcException why);
    }

    sealed class Waiting<TResponse>(Marshaller<TResponse> marshaller) : Waiting
    {
        readonly TaskCompletionSource<TResponse> answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<TResponse> Answer => answer.Task;

        public override void Take(SocketFrame frame)
        {
            if (frame.Refusal is { } refusal)
                Fail(refusal);
            else if (frame.Kind == SocketFrameKind.Failure)
                Fail(FailureOf(frame.Body));
            else if (frame.Kind == SocketFrameKind.Response)
                Decode(frame.Body);
            else
                Fail(new(RpcStatus.Internal, "the host sent what only clients send"));
        }

        public override void Fail(RpcException why) => answer.TrySetException(why);

        public void Cancel(CancellationToken token) => answer.TrySetCanceled(token);

        /// <summary>The call has failed: releases its response if it has arrived or arrives later.</summary>
        public void Drop()
        {
            if (!answer.TrySetCanceled() && answer.Task.IsCompletedSuccessfully)
                marshaller.Release(answer.Task.Result);
        }

        void Decode(in ReadOnlySequence<byte> payload)
        {
            try
            {
                var message = marshaller.Read(payload);
                if (!answer.TrySetResult(message))
                    marshaller.Release(message);
            }
            catch (Exception e)
            {
                Fail(new(RpcStatus.Internal, "malformed message: the reply cannot be decoded", e));
            }
        }

        static RpcException FailureOf(in ReadOnlySequence<byte> body)
        {
            var reader = new SequenceReader<byte>(body);
            return reader.TryRead(out var status) && status != 0 && Enum.IsDefined((RpcStatus)status)
                ? new((RpcStatus)status, Encoding.UTF8.GetString(reader.UnreadSequence))
                : new(RpcStatus.Internal, "the host sent a failure without a status");
        }
    }
}
