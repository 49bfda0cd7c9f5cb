using ProtoBench.Diagnosers;

namespace ProtoBench.Tests.Diagnosers;

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
