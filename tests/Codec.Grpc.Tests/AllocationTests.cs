namespace ProtoBench.Codec.Grpc.Tests;

public class AllocationTests
{
    const int calls = 400;

    /// <summary>Both sides are in one process. What is left is grpc-dotnet's and Kestrel's, and a small object for each message.</summary>
    [Fact]
    public async Task A_call_allocates_as_much_with_long_messages_as_with_short_ones()
    {
        await using var host = await OrdersHost.StartAsync(map: app => app.MapGrpcService<EchoDesk>());
        // recycled messages, as users have them
        MessageSource.Pool = null;
        var client = host.Client();
        var (small, large) = (long.MaxValue, long.MaxValue);
        using (var shorter = Order(10))
        using (var longer = Order(3000))
        {
            // The least of several rounds: a first use, a timer or a test runner allocates in the others.
            for (var round = 0; round < 10; round++)
            {
                small = Math.Min(small, await MeasureAsync(client, shorter));
                large = Math.Min(large, await MeasureAsync(client, longer));
            }
        }

        TestContext.Current.TestOutputHelper?.WriteLine($"{small} B a call with 10 bytes of text, {large} B with 3000");
        Assert.InRange(large - small, -500, 500);
    }

    static Message<Order> Order(int length)
    {
        var message = Message<Order>.Rent();
        message.Value.SetCustomer(new string('x', length));
        return message;
    }

    static async Task<long> MeasureAsync(OrderDesk.OrderDeskClient client, Message<Order> order)
    {
        var before = GC.GetTotalAllocatedBytes(precise: true);
        for (var i = 0; i < calls; i++)
        {
            using var reply = await client.PlaceAsync(order);
            Assert.Equal(order.Value.Customer.Length, reply.Value.Text.Length);
        }

        return (GC.GetTotalAllocatedBytes(precise: true) - before) / calls;
    }

    sealed class EchoDesk : OrderDesk.OrderDeskBase
    {
        public override ValueTask Place(Order request, Receipt reply, ServerCallContext context)
        {
            reply.SetText(request.Customer.Span);
            return default;
        }
    }
}
