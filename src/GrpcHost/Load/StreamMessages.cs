namespace ProtoBench.GrpcHost;

/// <summary>The messages of streams. Not thread-safe.</summary>
sealed class StreamMessages
{
    public long Sent { get; set; }

    public long Received { get; set; }

    /// <summary>The times from one message to the next, of replies where these stream, otherwise of requests.</summary>
    public LatencyHistogram Between { get; } = new();

    /// <summary>The times from a message to its answer, which is the reply with the same number.</summary>
    public LatencyHistogram ToAnswer { get; } = new();

    public void Add(PackedMessages other)
    {
        (Sent, Received) = (Sent + other.Sent, Received + other.Received);
        Between.Add(other.Between);
        ToAnswer.Add(other.ToAnswer);
    }

    public void Clear()
    {
        (Sent, Received) = (0, 0);
        Between.Clear();
        ToAnswer.Clear();
    }

    public PackedMessages Pack() => new(Sent, Received, Between.Pack(), ToAnswer.Pack());
}

/// <summary>The content of <see cref="StreamMessages"/>. Immutable.</summary>
sealed record PackedMessages(long Sent, long Received, PackedHistogram Between, PackedHistogram ToAnswer)
{
    public StreamMessages Unpack()
    {
        var messages = new StreamMessages();
        messages.Add(this);
        return messages;
    }
}
