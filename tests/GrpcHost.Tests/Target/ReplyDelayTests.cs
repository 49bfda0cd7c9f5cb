using System.Diagnostics;

namespace ProtoBench.GrpcHost.Tests;

public class ReplyDelayTests
{
    // A timer counts whole milliseconds, and Linux advances its clock every 4 ms.
    [Theory]
    [InlineData(0.4)]
    [InlineData(2.5)]
    [InlineData(21.3)]
    public async Task A_delay_is_never_shorter_than_it_was_asked_for(double milliseconds)
    {
        var asked = TimeSpan.FromMilliseconds(milliseconds);
        var delay = new ReplyDelay(asked, isExponential: false, seed: 1);
        var took = await Task.WhenAll(Enumerable.Range(0, 100).Select(_ => Task.Run(async () =>
        {
            var began = Stopwatch.GetTimestamp();
            await delay.WaitAsync(CancellationToken.None);
            return Stopwatch.GetElapsedTime(began);
        })));
        Assert.All(took, one => Assert.True(one >= asked, $"{one.TotalMilliseconds} ms"));
    }

    [Fact]
    public async Task Callers_with_different_delays_wait_at_the_same_time()
    {
        double[] asked = [19, 7, 0.3, 45, 12, 0.05];
        var took = await Task.WhenAll(asked.Select(milliseconds =>
            DelayThread.Shared.WaitAsync(TimeSpan.FromMilliseconds(milliseconds), CancellationToken.None).AsTask()))
            .WaitAsync(TimeSpan.FromMinutes(5));
        Assert.All(took.Zip(asked), one => Assert.True(one.First.TotalMilliseconds >= one.Second, $"{one}"));
    }

    [Fact]
    public async Task A_delay_that_is_cancelled_ends()
    {
        using var cancellation = new CancellationTokenSource();
        var hours = DelayThread.Shared.WaitAsync(TimeSpan.FromHours(1), cancellation.Token).AsTask();
        var moment = DelayThread.Shared.WaitAsync(TimeSpan.FromMilliseconds(19), cancellation.Token).AsTask();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => hours.WaitAsync(TimeSpan.FromMinutes(5)));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => moment.WaitAsync(TimeSpan.FromMinutes(5)));
    }

    [Fact]
    public async Task What_was_reached_is_said()
    {
        var delay = new ReplyDelay(TimeSpan.FromMilliseconds(1.5), isExponential: false, seed: 1);
        Assert.Null(delay.Reached);
        await delay.WaitAsync(CancellationToken.None);
        await delay.WaitAsync(CancellationToken.None);
        Assert.Matches(@"^delay of 2 replies: [1-9]\d*\.\d{3} ms on average, 1\.500 ms were asked for$", delay.Reached);
    }
}
