namespace ProtoBench.Rpc.Transports.GrpcDotnet;

/// <summary>The recycled messages of one call that are inside grpc-dotnet. It knows no owners: it drops a message that it has read when the call fails before it is
/// handed on, and writes a response after its handler has returned. So this owns them until somebody takes them, and releases the rest when the call ends. Thread-safe.</summary>
sealed class CallMessageOwner : IDisposable
{
    // a deserializer is told nothing of the call it works for, but it runs in the call's flow
    static readonly AsyncLocal<CallMessageOwner?> current = new();

    readonly List<BoxedMessage> kept = [];
    bool ended;

    /// <summary>Makes this the messages of whatever the calling asynchronous method does from here on.</summary>
    public CallMessageOwner Enter()
    {
        current.Value = this;
        return this;
    }

    /// <summary>Gives a message into the messages of the call that runs here.</summary>
    /// <exception cref="OperationCanceledException">The call has ended; the message was released.</exception>
    public static void Keep(BoxedMessage message)
    {
        var messages = current.Value ?? throw new InvalidOperationException("a recycled message outside of any call");
        lock (messages.kept)
        {
            if (!messages.ended)
            {
                messages.kept.Add(message);
                return;
            }
        }

        message.Release();
        throw new OperationCanceledException("the call has ended");
    }

    /// <summary>Hands a message to its new owner, out of the messages of the call that runs here.</summary>
    public static void Take(BoxedMessage message)
    {
        var messages = current.Value!;
        lock (messages.kept)
            messages.kept.Remove(message);
    }

    public void Dispose()
    {
        lock (kept)
        {
            ended = true;
            foreach (var message in kept)
                message.Release();
            kept.Clear();
        }
    }
}
