using ProtoBench.Harness;

namespace ProtoBench.Tests;

public class ObjectCountTests
{
    [Theory]
    [InlineData(1_000, 0, 1, 0, "0")]
    [InlineData(1_000, 0, 1, 32, "unknown")] // bytes without objects: no trace was written
    [InlineData(0, 4_000, 4_000, 32, "unknown")] // no operations
    [InlineData(1_688_928, 11_841_000, 4_000, 224, "7")] // as measured: batches do not end with the iterations
    [InlineData(1_000, 6_200, 801, 224, "~6.20 ± 0.80")] // not settled by the batches: shown with its error
    [InlineData(1_000, 500, 1, 16, "~0.50")] // one of two operations allocates: no whole number
    [InlineData(100, 1_050_160, 2_001, 770_000, "~10,502 ± 20")] // large counts have no decimals
    public void A_count_says_how_sure_it_is(long operations, long objects, long batch, long bytes, string shown) =>
        Assert.Equal(shown, ObjectCount.Of(Reported(operations, ("T", objects, batch)), bytes).ToString());

    [Fact]
    public void What_the_runtime_allocates_meanwhile_is_not_the_operation_s() =>
        Assert.Equal("2", ObjectCount.Of(Reported(1_000, ("T", 2_000, 1), ("Timer", 4, 1)), 64).ToString());

    static AllocatedObjects Reported(long operations, params (string Type, long Objects, long Batch)[] types)
    {
        var objects = new AllocatedObjects();
        objects.AddOperations(operations);
        foreach (var (type, total, batch) in types)
        {
            for (var left = total; left > 0; left -= batch)
                objects.Add(type, Math.Min(left, batch));
        }

        return objects;
    }
}

public class CollectorCostTests
{
    [Fact]
    public void A_line_is_read_as_it_was_written()
    {
        var cost = new CollectorCost(12_345.5, 1.25, 310.75, 1L << 33);
        Assert.Equal(cost, CollectorCost.Parse(cost.ToString()));
    }

    [Fact]
    public void A_line_that_is_cut_short_is_no_figure() => Assert.Null(CollectorCost.Parse("// Collector: 1 2"));

    [Fact]
    public void A_meter_sees_operations_and_collections()
    {
        var meter = new CollectorCost.Meter();
        meter.Count(4);
        GC.Collect();
        var cost = meter.Read();
        Assert.True(cost is { Operations: > 0, PausePercent: > 0, PauseMicroseconds: > 0, WorkingSet: > 0 }, cost.ToString());
    }
}
