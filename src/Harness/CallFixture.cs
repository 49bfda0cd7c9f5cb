namespace ProtoBench.Harness;

/// <summary>A service and its client in this process, with the messages of one library.</summary>
/// <remarks>Not thread-safe: one run at a time. The callers of a run work at the same time.</remarks>
public abstract class CallFixture : IAsyncDisposable
{
    Task[] callers = [];

    /// <summary>How long the calls took.</summary>
    public CallLatencies Latencies { get; } = new();

    /// <summary>Makes calls, and completes when all of them have their replies.</summary>
    /// <param name="calls">How many in all: each caller makes the same number, one after the other.</param>
    /// <param name="concurrency">How many callers there are.</param>
    /// <exception cref="ArgumentException">The number of callers does not divide that of the calls.</exception>
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

    /// <summary>Makes one call, and shows what either side read. The first call gets the first reply, and so on.</summary>
    /// <param name="request">Which request; after the last one the first one follows.</param>
    public abstract Task<ExchangedMessages> ExchangeAsync(int request);

    /// <summary>Ends both sides.</summary>
    public abstract ValueTask DisposeAsync();

    /// <summary>Makes calls one after the other, and adds each one's time to <see cref="Latencies"/>.</summary>
    /// <param name="caller">Which caller: each begins with another request.</param>
    /// <param name="calls">How many.</param>
    protected abstract Task RunCallerAsync(int caller, int calls);
}

/// <summary>What was read in a call, written again by the library that read it.</summary>
/// <param name="Request">What the service read.</param>
/// <param name="Reply">What the client read.</param>
public sealed record ExchangedMessages(ReadOnlyMemory<byte> Request, ReadOnlyMemory<byte> Reply);

/// <summary>A method of a service that the libraries are compared by.</summary>
/// <param name="Path">How gRPC addresses it: <c>acme.Orders/Place</c>.</param>
/// <param name="Benchmarks">The class with the cells. A parameter <c>Callers</c> is the number of calls at a time.</param>
/// <param name="ReplyParser">Google's parser of the reply.</param>
/// <param name="LoadReplies">Reads the replies.</param>
/// <param name="Libraries">The libraries, as <see cref="MeasuredLibrary.Name"/> spells them, and how the service is started with the
/// messages of each.</param>
public sealed record MeasuredMethod(string Path, Type Benchmarks, Google.Protobuf.MessageParser ReplyParser, Func<PayloadSet> LoadReplies,
    IReadOnlyDictionary<string, Func<Task<CallFixture>>> Libraries);
