using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Servers;

namespace ProtoBench.Rpc.Tests.Servers;

public class PartialBudgetTests
{
    [Fact]
    public void What_exceeds_it_is_refused_and_changes_nothing()
    {
        var budget = new PartialBudget(100);
        budget.Change(0, 60);
        budget.Change(0, 40);
        Assert.Equal(RpcStatus.ResourceExhausted, Assert.Throws<RpcException>(() => budget.Change(40, 41)).Status);
        Assert.Equal(100, budget.Used);
        budget.Change(60, 0);
        budget.Change(40, 100);
        Assert.Equal(100, budget.Used);
    }

    [Fact]
    public void Many_at_a_time_get_no_more_than_there_is_and_give_all_of_it_back()
    {
        var budget = new PartialBudget(1_000);
        var granted = 0L;
        Parallel.For(0, 100_000, i =>
        {
            var bytes = (i % 700) + 1;
            try
            {
                budget.Change(0, bytes);
            }
            catch (RpcException)
            {
                return;
            }

            Assert.InRange(Interlocked.Add(ref granted, bytes), 1, 1_000);
            Interlocked.Add(ref granted, -bytes);
            budget.Change(bytes, 0);
        });
        Assert.Equal(0, budget.Used);
    }
}
