namespace ProtoBench.Results.Tests;

public class MachineLoadTests
{
    // two cores for ten seconds
    [Theory]
    [InlineData(0, 0, null)]
    [InlineData(20, 20, null)] // a build of this program, or calls that use every core themselves
    [InlineData(20, 10, null)] // others have a core, and so has this program
    [InlineData(20, 5, 1.5)]
    [InlineData(20, 0.5, 1.95)]
    [InlineData(10, 0, null)]
    public void A_machine_is_busy_if_other_programs_leave_no_core(double all, double own, double? others)
    {
        var found = MachineLoad.Others(new(100, 1_000, 50, 2), new(110, 1_000 + all, 50 + own, 2));
        Assert.Equal(others is null, found is null);
        Assert.Equal(others ?? 0, found ?? 0, 6);
    }

    [Fact]
    public void The_number_is_named() =>
        Assert.Equal("The machine was busy: other programs used 1.9 of 2 cores.", MachineLoad.Sentence(1.93, 2));

    [Fact]
    public void The_busiest_interval_counts_and_one_that_is_too_short_is_added_to_the_next()
    {
        Queue<MachineLoad.Reading?> readings = new([new(0, 0, 0, 2), new(1, 2, 0.5, 2), new(1.01, 2.02, 0.5, 2), new(2, 2, 0.5, 2)]);
        var load = new MachineLoad(readings.Dequeue);
        for (var i = 0; i < 3; i++)
            load.Look();
        Assert.Empty(readings);
        Assert.Equal(1.5, load.Busy!.Value, 6);
    }

    // the form of proc(5); the fields after the name: state, ppid, ..., utime, stime, cutime, cstime
    [Fact]
    public void Children_and_their_children_are_no_other_programs()
    {
        using var proc = new TempFolder();
        File.WriteAllText(proc.File("stat"),
            "cpu  1000 200 300 99999 88888 40 5 77777 0 0\ncpu0 1 1 1 1 1 1 1 0 0 0\ncpu1 1 1 1 1 1 1 1 0 0 0\nintr 1\n");
        Put(1, 0, "systemd", 500);
        Put(10, 1, "ProtoBench", 10);
        Put(11, 10, "a name) with (more", 20);
        Put(12, 11, "dotnet", 30);
        Put(20, 1, "other", 60);
        Directory.CreateDirectory(proc.File("13")); // has ended
        Directory.CreateDirectory(proc.File("sys"));
        var reading = MachineLoad.Reading.Of(proc.Path, process: 10)!.Value;
        Assert.Equal(15.45, reading.All, 6);
        Assert.Equal(0.78, reading.Own, 6);
        Assert.Equal(2, reading.Cores);
        Assert.Null(MachineLoad.Reading.Of(proc.File("absent"), 1));

        void Put(int id, int parent, string name, int ticks)
        {
            Directory.CreateDirectory(proc.File($"{id}"));
            File.WriteAllText(Path.Combine(proc.File($"{id}"), "stat"),
                $"{id} ({name}) S {parent} 1 1 0 -1 4194560 1 2 3 4 {ticks} 1 2 3 20 0 1 0 6 7 8\n");
        }
    }
}
