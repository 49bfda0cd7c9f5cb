using ProtoBench.Diagnosers;

namespace ProtoBench.Tests.Diagnosers;

/// <summary>From what the runtime reports to what a table shows.</summary>
public class ObjectCountTests
{
    [Theory]
    [InlineData(0, 0, "0")]
    [InlineData(0, 32, "unknown")] // bytes without objects: no trace was written
    public void No_objects(long objects, long bytes, string shown) =>
        Assert.Equal(shown, ObjectCount.Of(Reported(1_000, ("T", objects, 1)), bytes).ToString());

    [Fact]
    public void No_operations_are_unknown() => Assert.Equal("unknown", ObjectCount.Of(Reported(0, ("T", 4_000, 4_000)), 32).ToString());

    /// <summary>As measured: 7 objects in 1,688,928 operations, reported in batches of up to 4,000.</summary>
    [Fact]
    public void Batches_that_do_not_end_with_the_iterations_leave_a_whole_number() =>
        Assert.Equal("7", ObjectCount.Of(Reported(1_688_928, ("T", 11_841_000, 4_000)), 224).ToString());

    [Fact]
    public void One_that_the_batches_do_not_settle_is_shown_with_its_error() =>
        Assert.Equal("~6.20 ± 0.80", ObjectCount.Of(Reported(1_000, ("T", 6_200, 801)), 224).ToString());

    /// <summary>Half an object an operation is no whole number: one of two operations allocates.</summary>
    [Fact]
    public void A_half_is_not_rounded() => Assert.Equal("~0.50", ObjectCount.Of(Reported(1_000, ("T", 500, 1)), 16).ToString());

    [Fact]
    public void What_the_runtime_allocates_meanwhile_is_not_the_operation_s() =>
        Assert.Equal("2", ObjectCount.Of(Reported(1_000, ("T", 2_000, 1), ("Timer", 4, 1)), 64).ToString());

    [Fact]
    public void Large_counts_have_no_decimals() =>
        Assert.Equal("~10,502 ± 20", ObjectCount.Of(Reported(100, ("T", 1_050_160, 2_001)), 770_000).ToString());

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
