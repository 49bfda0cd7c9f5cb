namespace ProtoBench.Harness;

/// <summary>Represents a service and its client in this process, with the messages of one library.</summary>
/// <remarks>Not thread-safe: one run at a time. The callers of a run work concurrently.</remarks>
public abstract class CallFixture : IAsyncDisposable
{
    Task[] callers = [];

    /// <summary>Gets the times of the calls.</summary>
    public CallLatencies Latencies { get; } = new();

    /// <summary>Makes calls, and completes when all of them have their replies.</summary>
    /// <param name="calls">The total number of calls. Each caller makes the same number, one after the other.</param>
    /// <param name="concurrency">The number of callers.</param>
    /// <exception cref="ArgumentException">Thrown when the number of callers does not divide that of the calls.</exception>
    public async Task CallAsync(int calls, int concurrency)
    {
        if (calls < 1 || concurrency < 1 || calls % concurrency != 0)
            throw new ArgumentException($"{calls} calls cannot be shared out to {concurrency} callers", nameof(concurrency));
        if (callers.Length != concurrency)
            callers = new Task[concurrency];
        for (var caller = 0; caller < callers.Length; caller++)
            callers[caller] = RunCallerAsync(caller, calls / concurrency);
        foreach (var caller in callers)
            await caller.ConfigureAwait(false);
    }

    /// <summary>Makes one call, and returns the messages that both sides read. The first call has the first reply, and so on.</summary>
    /// <param name="request">The index of the request. The first one follows the last one.</param>
    public abstract Task<ExchangedMessages> ExchangeAsync(int request);

    /// <summary>Stops both sides.</summary>
    public abstract ValueTask DisposeAsync();

    /// <summary>Makes calls one after the other, and adds their times to <see cref="Latencies"/>.</summary>
    /// <param name="caller">The index of the caller. Each begins with another request.</param>
    /// <param name="calls">The number of calls.</param>
    protected abstract Task RunCallerAsync(int caller, int calls);
}

/// <summary>Represents the messages that were read in a call, written again by the library that read them.</summary>
/// <param name="Request">The request that the service read.</param>
/// <param name="Reply">The reply that the client read.</param>
public sealed record ExchangedMessages(ReadOnlyMemory<byte> Request, ReadOnlyMemory<byte> Reply);

/// <summary>Represents a method of a service with which the libraries are compared.</summary>
/// <param name="Path">Its path in gRPC: <c>acme.Orders/Place</c>.</param>
/// <param name="Benchmarks">The class with the cells. A parameter <c>Callers</c> is the number of concurrent calls.</param>
/// <param name="ReplyParser">Google's parser of the reply.</param>
/// <param name="LoadReplies">Reads the replies.</param>
/// <param name="Libraries">The libraries by <see cref="ComparedLibrary.Name"/>, with functions that start the service with the messages of
/// each.</param>
public sealed record MeasuredMethod(string Path, Type Benchmarks, Google.Protobuf.MessageParser ReplyParser, Func<PayloadSet> LoadReplies,
    IReadOnlyDictionary<string, Func<Task<CallFixture>>> Libraries);
