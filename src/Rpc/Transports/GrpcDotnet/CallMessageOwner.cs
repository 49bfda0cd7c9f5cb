namespace ProtoBench.Rpc.Transports.GrpcDotnet;

/// <summary>Owns the recycled messages of one call while they are inside grpc-dotnet. That library does not release messages: it drops a
/// request that it has read if the call fails before the handler runs, and it writes a response after the handler has returned. A message
/// stays here until it is taken; the others are released when the call ends. Thread-safe.</summary>
sealed class CallMessageOwner : IDisposable
{
    // a deserializer has no reference to its call, but it runs in the execution context of the call
    static readonly AsyncLocal<CallMessageOwner?> current = new();

    readonly List<BoxedMessage> kept = [];
    bool ended;

    /// <summary>Makes this the owner for the execution context of the calling asynchronous method.</summary>
    public CallMessageOwner Enter()
    {
        current.Value = this;
        return this;
    }

    /// <summary>Makes the current call the owner of a message.</summary>
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

    /// <summary>Removes a message from the current call: the caller owns it now.</summary>
    public static void Take(BoxedMessage message)
    {
        var messages = current.Value!;
        lock (messages.kept)
            messages.kept.Remove(message);
    }

    /// <summary>Removes a message from the current call, by the message without its box: the caller owns it now.</summary>
    public static void TakeMessage<T>(T message)
        where T : class
    {
        var messages = current.Value!;
        lock (messages.kept)
            messages.kept.RemoveAll(kept => kept is BoxedMessage<T> box && ReferenceEquals(box.Message, message));
    }

    /// <summary>Releases the messages that were not taken. A message that is kept later is released at once.</summary>
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
