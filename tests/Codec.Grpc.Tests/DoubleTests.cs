using Moq;
using NSubstitute;

namespace ProtoBench.Codec.Grpc.Tests;

/// <summary>Tests of code that uses a client, without a server: doubles of the generated client return calls of
/// <see cref="SlabTestCalls"/>.</summary>
public sealed class DoubleTests
{
    static readonly RpcException soldOut = new(new(StatusCode.FailedPrecondition, "sold out"), new Metadata { { "reason", "no tea" } });

    /// <summary>The code that is tested.</summary>
    sealed class Buyer(OrderDesk.OrderDeskClient desk)
    {
        public async Task<string> BuyAsync(string article)
        {
            using var order = Order.Rent();
            order.Value.SetArticle(article);
            using var call = desk.PlaceAsync(order, cancellationToken: TestContext.Current.CancellationToken);
            using var receipt = await call.ConfigureAwait(false);
            return receipt.Value.Text.ToString();
        }
    }

    sealed class FakeDesk : OrderDesk.OrderDeskClient
    {
        public string? Article { get; private set; }

        public override SlabUnaryCall<Receipt> PlaceAsync(Message<Order> request, CallOptions options)
        {
            Article = request.Value.Article.ToString();
            return SlabTestCalls.Unary<Receipt>(reply => reply.SetText("sold"));
        }
    }

    [Fact]
    public async Task A_subclass_of_the_client()
    {
        var desk = new FakeDesk();
        Assert.Equal("sold", await new Buyer(desk).BuyAsync("tea"));
        Assert.Equal("tea", desk.Article);
    }

    [Fact]
    public async Task A_substitute_of_NSubstitute()
    {
        var desk = Substitute.For<OrderDesk.OrderDeskClient>();
        desk.PlaceAsync(default, cancellationToken: Arg.Any<CancellationToken>()).ReturnsForAnyArgs(_ => SlabTestCalls.Unary<Receipt>(reply => reply.SetText("sold")));
        Assert.Equal("sold", await new Buyer(desk).BuyAsync("tea"));
    }

    [Fact]
    public async Task A_mock_of_Moq()
    {
        var desk = new Mock<OrderDesk.OrderDeskClient>();
        desk.Setup(one => one.PlaceAsync(It.IsAny<Message<Order>>(), null, null, It.IsAny<CancellationToken>()))
            .Returns(() => SlabTestCalls.Unary<Receipt>(reply => reply.SetText("sold")));
        Assert.Equal("sold", await new Buyer(desk.Object).BuyAsync("tea"));
    }

    [Fact]
    public async Task A_reply_that_comes_later_or_never()
    {
        var reply = new TaskCompletionSource<Message<Receipt>>();
        using var call = SlabTestCalls.Unary(reply.Task, new Metadata { { "a", "b" } });
        Assert.Equal("b", (await call.ResponseHeadersAsync).GetValue("a"));
        Assert.Throws<InvalidOperationException>(() => call.GetStatus());
        Assert.Throws<InvalidOperationException>(call.GetTrailers);
        reply.SetResult(Receipt("late"));
        using (var receipt = await call) Assert.Equal("late", receipt.Value.Text.ToString());
        Assert.Equal(StatusCode.OK, call.GetStatus().StatusCode);
        Assert.Empty(call.GetTrailers());
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => (await call).Dispose());

        using var failed = SlabTestCalls.Unary(Task.FromException<Message<Receipt>>(soldOut));
        Assert.Same(soldOut, await Assert.ThrowsAsync<RpcException>(async () => (await failed).Dispose()));
        Assert.Equal(StatusCode.FailedPrecondition, failed.GetStatus().StatusCode);
        Assert.Equal("no tea", failed.GetTrailers().GetValue("reason"));

        using var canceled = SlabTestCalls.Unary(Task.FromCanceled<Message<Receipt>>(new(canceled: true)));
        Assert.Equal(StatusCode.Cancelled, canceled.GetStatus().StatusCode);
        using var broken = SlabTestCalls.Unary(Task.FromException<Message<Receipt>>(new IOException("broken")));
        Assert.Equal(StatusCode.Unknown, broken.GetStatus().StatusCode);
    }

    [Theory]
    [InlineData(null, 1)]
    [InlineData(true, 1)]
    [InlineData(false, 0)]
    public async Task ConfigureAwait_decides_where_the_code_continues(bool? continueOnCapturedContext, int posts)
    {
        var reply = new TaskCompletionSource<Message<Receipt>>();
        var context = new CountingContext();
        var done = Task.Run(async () =>
        {
            SynchronizationContext.SetSynchronizationContext(context);
            var call = SlabTestCalls.Unary(reply.Task);
            var awaiting = AwaitAsync(call);
            reply.SetResult(Receipt("late"));
            await awaiting.ConfigureAwait(false);
        }, TestContext.Current.CancellationToken);
        await done.WaitAsync(OrdersHost.Limit, TestContext.Current.CancellationToken);
        Assert.Equal(posts, context.Posts);

        async Task AwaitAsync(SlabUnaryCall<Receipt> call)
        {
            using var receipt = continueOnCapturedContext is { } captured ? await call.ConfigureAwait(captured) : await call;
        }
    }

    sealed class CountingContext : SynchronizationContext
    {
        int posts;

        public int Posts => posts;

        public override void Post(SendOrPostCallback d, object? state)
        {
            Interlocked.Increment(ref posts);
            base.Post(d, state);
        }
    }

    [Fact]
    public async Task A_stream_of_requests()
    {
        var articles = new List<string>();
        using var call = SlabTestCalls.ClientStreaming<Order, Receipt>(order => articles.Add(order.Article.ToString()),
            Task.FromResult(Receipt("all")));
        foreach (var article in (string[])["tea", "milk"])
        {
            call.RequestStream.Next.SetArticle(article);
            await call.RequestStream.WriteAsync(TestContext.Current.CancellationToken);
        }

        await call.RequestStream.CompleteAsync();
        using (var receipt = await call.ConfigureAwait(true)) Assert.Equal("all", receipt.Value.Text.ToString());
        Assert.Equal(["tea", "milk"], articles);
        await Assert.ThrowsAsync<InvalidOperationException>(() => call.RequestStream.WriteAsync(TestContext.Current.CancellationToken));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.RequestStream.WriteAsync(new CancellationToken(canceled: true)));
    }

    [Fact]
    public async Task A_stream_of_replies_that_ends_with_an_error()
    {
        using var call = SlabTestCalls.ServerStreaming(Replies());
        var texts = new List<string>();
        var e = await Assert.ThrowsAsync<RpcException>(async () =>
        {
            await foreach (var receipt in call.ResponseStream.ReadAllAsync(TestContext.Current.CancellationToken))
                texts.Add(receipt.Text.ToString());
        });
        Assert.Equal(["one", "two"], texts);
        Assert.Equal(StatusCode.FailedPrecondition, e.StatusCode);
        Assert.Equal(e.Status, call.GetStatus());

        static async IAsyncEnumerable<Message<Receipt>> Replies()
        {
            yield return Receipt("one");
            await Task.Yield();
            yield return Receipt("two");
            throw soldOut;
        }
    }

    [Fact]
    public async Task A_disposed_call_cancels_its_replies_and_releases_the_last_one()
    {
        var canceled = new TaskCompletionSource();
        var call = SlabTestCalls.DuplexStreaming<Order, Receipt>(_ => { }, Replies());
        Assert.True(await call.ResponseStream.MoveNext(TestContext.Current.CancellationToken));
        var reading = call.ResponseStream.MoveNext(TestContext.Current.CancellationToken);
        call.Dispose();
        call.Dispose();
        await canceled.Task.WaitAsync(OrdersHost.Limit, TestContext.Current.CancellationToken);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading);

        async IAsyncEnumerable<Message<Receipt>> Replies(
            [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken token = default)
        {
            yield return Receipt("one");
            try
            {
                await Task.Delay(Timeout.Infinite, token);
            }
            finally
            {
                canceled.SetResult();
            }
        }
    }

    [Fact]
    public async Task A_method_of_a_service_with_both_streams()
    {
        var texts = new List<string>();
        Message<Order>[] orders = [MakeOrder("Ada", 2), MakeOrder("Bob", 3)];
        await new SlabDesk().Chat(SlabTestCalls.Reader(orders.ToAsyncEnumerable()),
            SlabTestCalls.Writer<Receipt>(receipt => texts.Add(receipt.Text.ToString())), Substitute.For<ServerCallContext>());
        Assert.Equal(["Ada: 2", "Bob: 3"], texts);
        Assert.Throws<ObjectDisposedException>(() => orders[0].Value);
    }

    static Message<Receipt> Receipt(string text)
    {
        var message = Orders.SlabProtobuf.Receipt.Rent();
        message.Value.SetText(text);
        return message;
    }

    static Message<Order> MakeOrder(string customer, uint count)
    {
        var message = Order.Rent();
        message.Value.SetCustomer(customer);
        message.Value.SetCount(count);
        return message;
    }
}
