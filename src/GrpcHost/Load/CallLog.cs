using System.Collections.Concurrent;

namespace ProtoBench.GrpcHost;

/// <summary>Writes each call of a run to a file while it runs. The threads that end calls fill blocks, and one thread writes them, so
/// that a call costs a copy and nothing is kept.</summary>
sealed class CallLog : IAsyncDisposable
{
    // If the disk is slower than the calls, these blocks of 320 KB wait, and then the calls do. No line is lost.
    const int mostBlocks = 32;

    readonly BlockingCollection<Block> full = new(mostBlocks);
    readonly ConcurrentBag<Block> empty = [];
    readonly CallFile file;
    readonly Task written;
    Exception? failure;

    CallLog(CallFile file)
    {
        this.file = file;
        written = Task.Factory.StartNew(WriteBlocks, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    /// <returns>Null if the plan has no file for the calls.</returns>
    public static CallLog? Start(LoadPlan plan) =>
        plan.Files.Calls is { } path ? new(CallFile.Create(path, plan.Files.CallsFormat ?? CallFile.FormatOf(path)!)) : null;

    /// <summary>Writes what is left and closes the file. To be called after the last round.</summary>
    /// <exception cref="IOException">Thrown if the file could not be written.</exception>
    public async Task CompleteAsync(LoadResult result)
    {
        full.CompleteAdding();
        await written;
        if (failure is not null)
            throw new IOException(failure.Message, failure);
        file.Complete(result);
    }

    public async ValueTask DisposeAsync()
    {
        full.CompleteAdding();
        await written;
        file.Dispose();
        full.Dispose();
    }

    Block Take() => empty.TryTake(out var block) ? block : new();

    void WriteBlocks()
    {
        foreach (var block in full.GetConsumingEnumerable())
        {
            try
            {
                // after a failure the blocks are still taken, because the calls would wait for ever
                if (failure is null)
                    file.Write(block.Round!, block.Calls.AsSpan(0, block.Count));
            }
            catch (Exception e) when (ResultPath.IsUnwritable(e))
            {
                failure = e;
            }

            block.Count = 0;
            empty.Add(block);
        }
    }

    /// <summary>Takes the calls of one thread or lock. Not thread-safe.</summary>
    public sealed class Part(CallLog log, RoundLog round)
    {
        Block? block;

        public void Add(in EndedCall call)
        {
            block ??= log.Take();
            block.Round = round;
            block.Calls[block.Count++] = call;
            if (block.Count == block.Calls.Length)
                Flush();
        }

        public void Flush()
        {
            if (block is not null)
                log.full.Add(block);
            block = null;
        }
    }

    sealed class Block
    {
        public EndedCall[] Calls { get; } = new EndedCall[8192];

        public int Count { get; set; }

        public RoundLog? Round { get; set; }
    }
}

/// <summary>The calls of a round in a <see cref="CallLog"/>.</summary>
/// <param name="Number">From 1.</param>
/// <param name="Start">The time of the load's clock, in nanoseconds, at <paramref name="At"/>.</param>
sealed record RoundLog(CallLog Log, string Variant, int Number, long Start = 0, DateTimeOffset At = default)
{
    /// <summary>Begins the part of a thread or lock.</summary>
    public CallLog.Part Begin() => new(Log, this);

    public DateTimeOffset TimeOf(long time) => At.AddTicks((time - Start) / 100);
}

/// <param name="End">When the call ended, by the load's clock in nanoseconds.</param>
/// <param name="Latency">Nanoseconds since it was due.</param>
/// <param name="Lag">Nanoseconds from when it was due to when it was sent.</param>
/// <param name="Status">Null for OK.</param>
readonly record struct EndedCall(long End, long Latency, long Lag, string? Status, string? Message);
