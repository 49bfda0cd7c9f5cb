using System.Diagnostics.Metrics;

namespace ProtoBench.Allocators;

public class SlabMeterTests
{
    const int instruments = 11;

    [Fact]
    public void The_meter_says_what_the_snapshot_says()
    {
        var options = new SlabPoolOptions { Name = "metered", SlabSize = 1024, MaxBytes = 4096 };
        using var pool = SlabPool.Create(options with { ExhaustionBehavior = ExhaustionBehavior.AllocateUnpooled });
        pool.Return(pool.Rent());
        pool.Trim();
        pool.Return(pool.Rent());
        using var arena = new Arena(pool);
        arena.Rent(100);
        arena.Rent(2000);
        var allocator = new SliceAllocator(pool);
        var slice = allocator.Rent(24);
        pool.Return(pool.Rent());
        using var namesake = SlabPool.Create(options);
        namesake.Return(namesake.Rent());

        // 1,024 + 2,048 + 1,024 lent, and a slab beyond the cap that went as it came; 1,024 idle in the namesake.
        Assert.Equal(
            """
            protobench.slab.held By 5120
            protobench.slab.idle By 1024
            protobench.slab.lent {slab} 3
            protobench.slab.live By 2124
            protobench.slab.oversize {slab} 1
            protobench.slab.rents {slab} 7
            protobench.slab.slack By 1972
            protobench.slab.slices {slice} 1
            protobench.slab.stranded {slab} 0
            protobench.slab.trims {slab} 1
            protobench.slab.unpooled {slab} 1
            """,
            Read("metered"));
        slice.Release();
        allocator.Dispose();
    }

    static string Read(string pool)
    {
        var lines = new List<string>();
        using var published = new CountdownEvent(instruments);
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (instrument.Meter.Name != "ProtoBench.Allocators") return;
                listener.EnableMeasurementEvents(instrument);
                published.Signal();
            },
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            foreach (var tag in tags)
            {
                if (tag.Key == "protobench.slab.pool" && Equals(tag.Value, pool)) lines.Add($"{instrument.Name} {instrument.Unit} {value}");
            }
        });
        listener.Start();
        Assert.True(published.Wait(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken));
        listener.RecordObservableInstruments();
        return string.Join(Environment.NewLine, lines.Order(StringComparer.Ordinal));
    }
}
