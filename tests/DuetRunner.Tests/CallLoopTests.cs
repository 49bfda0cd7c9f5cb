using System.Reflection;

namespace ProtoBench.DuetRunner.Tests;

public class CallLoopTests
{
    [Theory]
    [InlineData(nameof(CountingBenchmarks.Count), 7)]
    [InlineData(nameof(CountingBenchmarks.CountLaterAsync), 3)]
    [InlineData(nameof(CountingBenchmarks.CountInValueTaskAsync), 3)]
    [InlineData(nameof(CountingBenchmarks.CountInValueTaskOfAsync), 3)]
    [InlineData(nameof(CountingBenchmarks.Count), 0)]
    public void A_method_is_called_that_often_and_its_task_is_waited_for(string method, long calls)
    {
        var target = new CountingBenchmarks();
        CallLoops.Of(typeof(CountingBenchmarks).GetMethod(method)!)(target, [], calls);
        Assert.Equal(calls, target.Calls);
    }

    [Fact]
    public void Arguments_are_passed()
    {
        var target = new CountingBenchmarks { Size = 4 };
        CallLoops.Of(typeof(CountingBenchmarks).GetMethod(nameof(CountingBenchmarks.Say))!)(target, ["yes"], 2);
        Assert.Equal("yes4 yes4 ", target.Seen);
    }

    [Theory]
    [InlineData(nameof(Shapes.Small), 11)]
    [InlineData(nameof(Shapes.Large), 12)]
    [InlineData(nameof(Shapes.Real), 13)]
    [InlineData(nameof(Shapes.Static), 14)]
    public void Results_of_any_shape_are_dropped(string method, int mark)
    {
        var target = new Shapes();
        CallLoops.Of(typeof(Shapes).GetMethod(method, BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static)!)(target,
            method == nameof(Shapes.Static) ? [3, 2.5] : [], 5);
        Assert.Equal(5 * mark, Shapes.Sum - target.Before);
    }

    [Fact]
    public void What_a_cell_throws_comes_out_as_it_is() =>
        Assert.Equal("this cell is broken",
            Assert.Throws<InvalidOperationException>(() =>
                CallLoops.Of(typeof(CountingBenchmarks).GetMethod(nameof(CountingBenchmarks.Throw))!)(new CountingBenchmarks(), [],
                    1)).Message);

    [Theory]
    [InlineData(nameof(CountingBenchmarks.Count), false)]
    [InlineData(nameof(CountingBenchmarks.CountLaterAsync), true)]
    [InlineData(nameof(CountingBenchmarks.CountInValueTaskOfAsync), true)]
    public void It_is_known_which_cells_wait(string method, bool waits) =>
        Assert.Equal(waits, CallLoops.Waits(typeof(CountingBenchmarks).GetMethod(method)!));

#pragma warning disable CA1822 // cells are instance methods
    sealed class Shapes
    {
        public static int Sum { get; private set; }

        public int Before { get; } = Sum;

        internal (byte First, short Second) Small() => ((byte)(Sum += 11), 0);

        internal (decimal, decimal, string) Large() => (Sum += 12, 0, "");

        internal double Real() => Sum += 13;

        internal static string Static(int one, double other)
        {
            Sum += one == 3 && other == 2.5 ? 14 : 0;
            return "";
        }
    }
#pragma warning restore CA1822
}
