namespace ProtoBench.DuetRunner.Tests;

public class MeasuringTurnTests
{
    [Fact]
    public async Task One_measures_at_a_time()
    {
        var name = $"protobench-test-{Guid.NewGuid():N}";
        var (inside, most) = (0, 0);
        await Task.WhenAll(Enumerable.Range(0, 4)
            .Select(_ => Task.Factory.StartNew(Take, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)));
        Assert.Equal((0, 1), (inside, most));

        void Take()
        {
            for (var i = 0; i < 200; i++)
            {
                using var turn = MeasuringTurn.Await(name);
                most = Math.Max(most, Interlocked.Increment(ref inside));
                Thread.Yield();
                Interlocked.Decrement(ref inside);
            }
        }
    }

    [Fact]
    public async Task The_turn_of_a_runner_that_ended_without_giving_it_back_is_taken()
    {
        var name = $"protobench-test-{Guid.NewGuid():N}";
        using var keep = new Mutex(initiallyOwned: false, name);
        var thread = new Thread(() => MeasuringTurn.Await(name));
        thread.Start();
        thread.Join();
        await Task.Factory.StartNew(() => MeasuringTurn.Await(name).Dispose(), CancellationToken.None, TaskCreationOptions.LongRunning,
            TaskScheduler.Default).WaitAsync(TimeSpan.FromMinutes(2), TestContext.Current.CancellationToken);
    }

    [Fact]
    public void A_single_runner_waits_for_nobody() => MeasuringTurn.Await(null).Dispose();
}
