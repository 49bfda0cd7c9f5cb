namespace ProtoBench.Codec.Grpc.Tests;

public class CallTests
{
    public static TheoryData<bool> Servers => [true, false];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Our_client_calls_every_kind_of_method(bool ours)
    {
        await using var host = await StartAsync(ours);
        await ForeignPeerTests.CallAllKindsAsync(host.Client());
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
