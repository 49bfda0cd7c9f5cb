using System.Collections.Concurrent;
using System.Globalization;
using Google.Protobuf;
using ProtoBench.Allocators;
using ProtoBench.Codec;

namespace ProtoBench.Stress.Tests;

/// <summary>Built in random order with every setter, then used by many threads at once, written in many calls, released by other threads,
/// twice and late, with views that are held too long: the right value or the documented exception.</summary>
/// <remarks>The run of a few seconds has a fixed number of messages; PROTOBENCH_LONG=1 makes it a hundred times as many, and
/// PROTOBENCH_STRESS_SEED=n begins at another seed. The seed of a worker decides what it does; when, the machine does.</remarks>
public class MessageTests
{
    const int workers = 6;

    // Messages that are published at once: few, so that everybody meets everybody.
    const int places = 12;

    static readonly int messages = Environment.GetEnvironmentVariable("PROTOBENCH_LONG") == "1" ? 240_000 : 2_400;
    static readonly int firstSeed =
        int.TryParse(Environment.GetEnvironmentVariable("PROTOBENCH_STRESS_SEED"), CultureInfo.InvariantCulture, out var seed) ? seed : 1;

    [Theory]
    [InlineData("recycled")]
    [InlineData("plain")]
    [InlineData("clearing")]
    [InlineData("diagnostic")]
    public void Every_outcome_is_the_right_value_or_the_documented_exception(string kind)
    {
        using var pool = Pool(kind);
        var board = new Published?[places];
        var failures = new ConcurrentQueue<Exception>();
        var late = 0;
        var threads = Enumerable.Range(0, workers).Select(worker => new Thread(() =>
        {
            var workerSeed = (firstSeed * 1_000) + worker;
            try
            {
                _ = Interlocked.Add(ref late, Work(new(workerSeed), pool, board, failures));
            }
            catch (Exception e) when (e is not OutOfMemoryException)
            {
                failures.Enqueue(new InvalidOperationException($"{kind}, seed {workerSeed}: {e.Message}", e));
            }
        })).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        foreach (var published in board) published?.Release();
        if (failures.TryDequeue(out var first))
            Assert.Fail($"PROTOBENCH_STRESS_SEED={firstSeed}: {failures.Count + 1} workers failed, the first: {first}");
        Assert.True(late > 0, "nobody was late: the test has not tested");
        (pool as DiagnosticSlabPool)?.ThrowIfOutstanding();
    }

    /// <returns>How often it was late.</returns>
    static int Work(Random random, SlabPool? pool, Published?[] board, ConcurrentQueue<Exception> failures)
    {
        var late = 0;
        List<Published> remembered = [];
        for (var count = 0; count < messages / workers && failures.IsEmpty; count++)
        {
            var published = Build(random, pool);
            remembered.Add(published);
            if (remembered.Count > 20)
            {
                var forgotten = random.Next(20);
                remembered[forgotten].Release();
                remembered.RemoveAt(forgotten);
            }

            Volatile.Write(ref board[random.Next(places)], published);
            for (var use = random.Next(30); use > 0; use--)
            {
                var other = random.Next(4) == 0 ? remembered[random.Next(remembered.Count)] : Volatile.Read(ref board[random.Next(places)]);
                if (other is not null && !other.Use(random)) late++;
            }

            // Each is released when it is forgotten, and most of them before as well.
            if (count % 2 == 0) remembered[random.Next(remembered.Count)].Release();
            if (random.Next(50) == 0) RecycledMessages.Trim();
        }

        remembered.ForEach(published => published.Release());
        return late;
    }

    static Published Build(Random random, SlabPool? pool)
    {
        var message = pool is null ? SlabProtobuf.Zoo.Rent() : Message<SlabProtobuf.Zoo>.Rent(pool);
        var builder = new TwinBuilder(random, message.Value);
        for (var step = random.Next(60); step > 0; step--) builder.Step();
        var wire = builder.Zoo.ToByteArray();
        Assert.Equal(wire, message.ToByteArray());
        if (random.Next(3) > 0) return new(message, wire, builder.Twins());

        // Read instead of built; what was built is late from now on.
        var views = builder.Twins();
        message.Parse(wire);
        foreach (var view in views) Assert.Throws<ObjectDisposedException>(() => view.Bytes());
        return new(message, wire, [new(() => message.Value.ToByteArray(), builder.Zoo)]);
    }

    static SlabPool? Pool(string kind) => kind switch
    {
        "recycled" => null,
        "plain" => SlabPool.Create(new() { SlabSize = 16_384 }),
        "clearing" => SlabPool.Create(new() { SlabSize = 16_384, ClearOnReturn = true }),
        _ => new DiagnosticSlabPool(SlabPool.Create(new() { SlabSize = 16_384 })),
    };
}
