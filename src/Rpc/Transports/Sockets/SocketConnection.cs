using System.Buffers;
using System.Collections.Frozen;
using System.Text;
using ProtoBench.Rpc.Calls;

namespace ProtoBench.Rpc.Transports.Sockets;

/// <summary>One connection of a server and its calls in progress. The reader never
/// waits for a call, so that it notices when the peer disconnects.</summary>
sealed class SocketConnection(SocketLink link, FrozenDictionary<string, RpcHandler> handlers, RpcLimits limits)
{
    // for handlers that were told to end, and for a peer that was told that nothing follows
    static readonly TimeSpan patience = TimeSpan.FromSeconds(1);

    readonly FrozenDictionary<string, RpcHandler>.AlternateLookup<ReadOnlySpan<char>> methods =
        handlers.GetAlternateLookup<ReadOnlySpan<char>>();
    readonly TaskCompletionSource read = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // guards itself and the two below
    readonly Dictionary<uint, SocketServerCall> calls = [];
    TaskCompletionSource? idle;
    bool stopping;

    /// <summary>Serves the connection until it ends and its last call has ended. Never fails: a peer that disconnects or sends invalid
    /// bytes ends its own connection only.</summary>
    public async Task ServeAsync()
    {
        try
        {
            await link.ReadAsync(Take);
        }
        catch (Exception)
        {
            // the peer left in the middle, or does not keep to the protocol
        }

        link.Close();
        var ending = WhenIdle();
        foreach (var call in UnderWay())
            call.Cancel();
        read.SetResult();
        await ending;
        await link.DisposeAsync();
    }

    /// <summary>Refuses new calls, waits for those under way, and closes the connection.</summary>
    /// <param name="limit">Fires when the calls that are still under way are to be cancelled.</param>
    public async Task StopAsync(CancellationToken limit)
    {
        var ending = WhenIdle();
        await ending.WaitAsync(limit).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        var telling = Task.WhenAll(UnderWay().Select(call => call.GiveUpAsync()));
        await Task.WhenAll(telling, ending).WaitAsync(patience, CancellationToken.None)
            .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        link.EndSending();
        await read.Task.WaitAsync(patience, CancellationToken.None).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        link.Close();
    }

    /// <summary>A call has ended.</summary>
    public void End(SocketServerCall call)
    {
        lock (calls)
        {
            calls.Remove(call.Number);
            if (calls.Count == 0)
                idle?.TrySetResult();
        }
    }

    /// <summary>Accepts no more calls, and completes when the last call in progress has ended.</summary>
    Task WhenIdle()
    {
        lock (calls)
        {
            stopping = true;
            idle ??= new(TaskCreationOptions.RunContinuationsAsynchronously);
            if (calls.Count == 0)
                idle.TrySetResult();
            return idle.Task;
        }
    }

    SocketServerCall[] UnderWay()
    {
        lock (calls)
            return [.. calls.Values];
    }

    void Take(SocketFrame frame)
    {
        if (frame.Kind == SocketFrameKind.Cancel)
            Cancel(frame.Call);
        else if (frame.Kind != SocketFrameKind.Request)
            throw new RpcException(RpcStatus.Internal, "a host takes requests only");
        else if ((frame.Refusal ?? Begin(frame)) is { } refusal)
            Refuse(frame.Call, refusal);
    }

    /// <returns>Why the call is refused; null if it has started.</returns>
    RpcException? Begin(in SocketFrame frame)
    {
        var body = new SequenceReader<byte>(frame.Body);
        if (!body.TryRead(out var pathLength) || !body.TryReadExact(pathLength, out var utf8))
            throw new RpcException(RpcStatus.Internal, "a request without a path");
        Span<char> path = stackalloc char[pathLength];
        var letters = Encoding.UTF8.GetChars(utf8, path);
        methods.TryGetValue(path[..letters], out var handler);
        SocketServerCall call;
        lock (calls)
        {
            if (stopping)
                return new(RpcStatus.Unavailable, "the host stops");
            if (calls.Count >= limits.MaxStreamsPerConnection)
                return new(RpcStatus.ResourceExhausted, $"more than {limits.MaxStreamsPerConnection} calls at a time on one connection");
            if (calls.ContainsKey(frame.Call))
                throw new RpcException(RpcStatus.Internal, "two calls with the same number");
            call = new(this, link, frame.Call, handler, body.UnreadSequence);
            calls.Add(frame.Call, call);
        }

        // Beside the reader, which would not hear of a cancellation while a handler computes. The local queue is this thread's own: where
        // the reader waits for more, as it does after a single request, the same thread runs the handler next.
        ThreadPool.UnsafeQueueUserWorkItem(call, preferLocal: true);
        return null;
    }

    /// <summary>The call is unknown where its answer is on the way.</summary>
    void Cancel(uint number)
    {
        SocketServerCall? call;
        lock (calls)
            calls.TryGetValue(number, out call);
        call?.Cancel();
    }

    void Refuse(uint call, RpcException refusal)
    {
        _ = link.FailAsync(call, refusal.Status, refusal.Message).ContinueWith(
            static failed => _ = failed.Exception, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously,
                TaskScheduler.Default);
    }
}
