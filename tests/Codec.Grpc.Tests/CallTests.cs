namespace ProtoBench.Codec.Grpc.Tests;

public class CallTests
{
    public static TheoryData<bool> Servers => [true, false];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Our_client_calls_every_kind_of_method(bool ours)
    {
        await using var host = await StartAsync(ours);
        var client = host.Client();
        using (var order = host.Order())
        {
            using var reply = await client.PlaceAsync(order, cancellationToken: TestContext.Current.CancellationToken);
            Assert.Equal(("Ada: 3 tea", 3u), (reply.Value.Text.ToString(), reply.Value.Count));
            using var blocking = client.Place(order, cancellationToken: TestContext.Current.CancellationToken);
            Assert.Equal("Ada: 3 tea", blocking.Value.Text.ToString());

            using var watch = client.Watch(order);
            var texts = new List<string>();
            await foreach (var receipt in watch.ResponseStream.ReadAllAsync(TestContext.Current.CancellationToken))
                texts.Add(receipt.Text.ToString());
            Assert.Equal(["Ada: 1", "Ada: 2", "Ada: 3"], texts);
        }

        using (var upload = client.Upload())
        {
            for (var i = 1u; i <= 4; i++)
            {
                var order = upload.RequestStream.Next;
                order.SetCustomer("Bob");
                order.SetCount(i);
                await upload.RequestStream.WriteAsync(TestContext.Current.CancellationToken);
            }

            await upload.RequestStream.CompleteAsync();
            using var reply = await upload;
            Assert.Equal(("Bob", 10u), (reply.Value.Text.ToString(), reply.Value.Count));
        }

        using (var chat = client.Chat())
        {
            for (var i = 1u; i <= 3; i++)
            {
                using var order = host.Order("Eve", count: i);
                await chat.RequestStream.WriteAsync(order, TestContext.Current.CancellationToken);
                Assert.True(await chat.ResponseStream.MoveNext(TestContext.Current.CancellationToken));
                Assert.Equal($"Eve: {i}", chat.ResponseStream.Current.Text.ToString());
            }

            await chat.RequestStream.CompleteAsync();
            Assert.False(await chat.ResponseStream.MoveNext(TestContext.Current.CancellationToken));
            Assert.Equal(StatusCode.OK, chat.GetStatus().StatusCode);
        }

        await host.NothingIsOutstandingAsync();
    }

    [Fact]
    public async Task Googles_client_calls_every_kind_of_our_methods()
    {
        await using var host = await OrdersHost.StartAsync();
        var client = host.GoogleClient();
        var order = new global::Orders.Order { Customer = "Ada", Article = "tea", Count = 3 };
        Assert.Equal("Ada: 3 tea", (await client.PlaceAsync(order)).Text);
        using (var watch = client.Watch(order))
        {
            var texts = await watch.ResponseStream.ReadAllAsync(TestContext.Current.CancellationToken).Select(receipt => receipt.Text)
                .ToListAsync(TestContext.Current.CancellationToken);
            Assert.Equal(["Ada: 1", "Ada: 2", "Ada: 3"], texts);
        }

        using (var upload = client.Upload())
        {
            for (var i = 1u; i <= 4; i++) await upload.RequestStream.WriteAsync(new() { Customer = "Bob", Count = i });
            await upload.RequestStream.CompleteAsync();
            Assert.Equal(10u, (await upload).Count);
        }

        using (var chat = client.Chat())
        {
            await chat.RequestStream.WriteAsync(order);
            Assert.True(await chat.ResponseStream.MoveNext(TestContext.Current.CancellationToken));
            Assert.Equal("Ada: 3", chat.ResponseStream.Current.Text);
            await chat.RequestStream.CompleteAsync();
            Assert.False(await chat.ResponseStream.MoveNext(TestContext.Current.CancellationToken));
        }

        await host.NothingIsOutstandingAsync();
    }

    [Fact]
    public async Task Methods_that_a_service_does_not_override_are_unimplemented()
    {
        await using var host = await OrdersHost.StartAsync(map: app => app.MapGrpcService<EmptyDesk>());
        var client = host.Client();
        using var order = host.Order();
        var failure = await OrdersHost.FailureOf(async () => (await client.PlaceAsync(order)).Dispose());
        Assert.Equal(StatusCode.Unimplemented, failure.StatusCode);
        using var watch = client.Watch(order);
        Assert.Equal(StatusCode.Unimplemented,
            (await OrdersHost.FailureOf(() => watch.ResponseStream.MoveNext(TestContext.Current.CancellationToken))).StatusCode);
    }

    static Task<OrdersHost> StartAsync(bool ours) =>
        OrdersHost.StartAsync(map: ours ? null : app => app.MapGrpcService<GoogleDesk>());

    sealed class EmptyDesk : OrderDesk.OrderDeskBase;
}
