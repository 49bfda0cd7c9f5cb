namespace ProtoBench.Results.Tests;

public class MachineLoadTests
{
    [Theory]
    [InlineData("0.40 0.30 0.20 1/200 4711", 0, null)]
    [InlineData("2.40 2.00 1.00 3/200 4711", 0, null)]
    [InlineData("19.60 8.00 1.00 3/200 4711", 1, 18.6)]
    [InlineData("3.00 2.00 1.00 3/200 4711", 1, 2.0)]
    [InlineData("4.00 2.00 1.00 3/200 4711", 3.5, null)] // calls use every core themselves
    [InlineData("nonsense", 0, null)]
    public void A_machine_is_busy_if_other_programs_leave_no_core(string loadavg, double own, double? others)
    {
        var found = MachineLoad.Others(loadavg, own, cores: 2);
        Assert.Equal(others is null, found is null);
        Assert.Equal(others ?? 0, found ?? 0, 6);
    }

    [Fact]
    public void The_number_is_named() => Assert.Equal("The machine was busy: load average 19 by other programs, on 2 cores.",
        MachineLoad.Sentence(18.6, 2));

    // one core for a long time is a load of 1, and half of it is left after 60 s * ln 2
    [Fact]
    public void The_own_load_is_an_average_over_a_minute_too()
    {
        Assert.Equal(1, MachineLoad.OwnLoad(0, 3_600, 3_600), 6);
        Assert.Equal(0.5, MachineLoad.OwnLoad(1, 0, 60 * Math.Log(2)), 6);
    }

    [Fact]
    public void The_busiest_moment_counts()
    {
        Queue<string> loads = new(["3.00 0 0", "100000.00 0 0", "0.10 0 0"]);
        var load = new MachineLoad(loads.Dequeue);
        load.Look();
        load.Look();
        Assert.InRange(load.Busy!.Value, 90_000, 100_000);
    }
}
