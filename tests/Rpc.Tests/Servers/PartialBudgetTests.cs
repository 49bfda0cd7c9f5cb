namespace ProtoBench.Rpc.Tests;

public class PartialBudgetTests
{
    [Fact]
    public void What_exceeds_it_is_refused_and_changes_nothing()
    {
        using var budget = new PartialBudget(new() { MaxPartialBytes = 100 });
        var (one, other) = (new Holder(), new Holder());
        budget.Change(one, 0, 60);
        budget.Change(other, 0, 40);
        Assert.Equal(StatusCode.ResourceExhausted, Assert.Throws<RpcException>(() => budget.Change(other, 40, 41)).StatusCode);
        Assert.Equal(100, budget.Used);
        budget.Change(one, 60, 0);
        budget.Change(other, 40, 100);
        Assert.Equal(100, budget.Used);
    }

    [Fact]
    public void Many_at_a_time_get_no_more_than_there_is_and_give_all_of_it_back()
    {
        using var budget = new PartialBudget(new() { MaxPartialBytes = 1_000 });
        var granted = 0L;
        Parallel.For(0, 100_000, i =>
        {
            var (holder, bytes) = (new Holder(), (i % 700) + 1);
            try
            {
                budget.Change(holder, 0, bytes);
            }
            catch (RpcException)
            {
                return;
            }

            Assert.InRange(Interlocked.Add(ref granted, bytes), 1, 1_000);
            Interlocked.Add(ref granted, -bytes);
            budget.Change(holder, bytes, 0);
        });
        Assert.Equal(0, budget.Used);
    }

    [Fact]
    public async Task Only_what_is_held_for_too_long_expires()
    {
        using var budget = new PartialBudget(new() { PartialTimeout = TimeSpan.FromMilliseconds(20) });
        var (stays, comesAndGoes) = (new Holder(), new Holder());
        budget.Change(stays, 0, 10);
        budget.Change(comesAndGoes, 0, 10);
        budget.Change(comesAndGoes, 10, 0);
        await TransportFixture.UntilAsync(() => stays.Expired >= 2);
        Assert.Equal(0, comesAndGoes.Expired);
    }

    sealed class Holder : IPartialHolder
    {
        int expired;

        public int Expired => Volatile.Read(ref expired);

        public void Expire() => Interlocked.Increment(ref expired);
    }
}
