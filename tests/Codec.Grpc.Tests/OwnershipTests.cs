using System.Runtime.CompilerServices;
using Grpc.Core.Interceptors;
using Microsoft.Extensions.DependencyInjection;

namespace ProtoBench.Codec.Grpc.Tests;

public class OwnershipTests
{
    static CancellationToken Test => TestContext.Current.CancellationToken;

    sealed class Kept
    {
        public Order Request { get; set; }

        public Receipt Reply { get; set; }

        public SlabStreamWriter<Receipt>? Writer { get; set; }

        public Message<Order> Taken { get; set; }
    }

    sealed class KeepingDesk(Kept kept) : SlabDesk
    {
        public override async ValueTask Place(Order request, Receipt reply, ServerCallContext context)
        {
            await base.Place(request, reply, context);
            (kept.Request, kept.Reply) = (request, reply);
        }

        public override async Task Chat(SlabStreamReader<Order> requests, SlabStreamWriter<Receipt> replies, ServerCallContext context)
        {
            Assert.Throws<InvalidOperationException>(() => requests.Current);
            Assert.True(await requests.MoveNext(context.CancellationToken));
            var first = requests.Current;
            kept.Taken = requests.TakeCurrent();
            Assert.Throws<InvalidOperationException>(() => requests.Current);
            Assert.True(await requests.MoveNext(context.CancellationToken));
            Assert.Equal("1", first.Customer.ToString());
            var second = requests.Current;
            Assert.False(await requests.MoveNext(context.CancellationToken));
            Assert.Throws<ObjectDisposedException>(() => second.Customer);
            _ = replies.Next;
            kept.Writer = replies;
        }
    }

    sealed class ForgetfulDesk : SlabDesk
    {
        public override async Task Watch(Order request, SlabStreamWriter<Receipt> replies, ServerCallContext context)
        {
            replies.Next.SetText("written");
            await replies.WriteAsync(context.CancellationToken);
            replies.Next.SetText("forgotten");
        }

        public override Task Chat(SlabStreamReader<Order> requests, SlabStreamWriter<Receipt> replies, ServerCallContext context)
        {
            replies.Next.SetText("forgotten");
            return Task.CompletedTask;
        }
    }

    [Fact]
    public async Task A_stream_that_ends_before_its_next_message_was_written_fails()
    {
        await using var host = await OrdersHost.StartAsync(options => options.EnableDetailedErrors = true,
            map: app => app.MapGrpcService<ForgetfulDesk>());
        using (var order = host.Order())
        using (var watch = host.Client().Watch(order))
        {
            Assert.True(await watch.ResponseStream.MoveNext(Test));
            var failure = await OrdersHost.FailureOf(() => watch.ResponseStream.MoveNext(Test));
            Assert.Contains("Next of the stream of orders.Receipt was filled and not written", failure.Status.Detail, StringComparison.Ordinal);
        }

        using (var chat = host.Client().Chat())
        {
            var failure = await OrdersHost.FailureOf(() => chat.ResponseStream.MoveNext(Test));
            Assert.Contains("filled and not written", failure.Status.Detail, StringComparison.Ordinal);
        }

        using (var upload = host.Client().Upload())
        {
            upload.RequestStream.Next.SetCount(2);
            var refusal = await Assert.ThrowsAsync<InvalidOperationException>(() => upload.RequestStream.CompleteAsync());
            Assert.Contains("orders.Order", refusal.Message, StringComparison.Ordinal);
            await upload.RequestStream.WriteAsync(Test);
            _ = upload.RequestStream.Next;
            await upload.RequestStream.CompleteAsync();
            using var reply = await upload;
            Assert.Equal(2u, reply.Value.Count);
        }

        await host.NothingIsOutstandingAsync();
    }

    [Fact]
    public async Task Late_use_on_the_server_throws_and_a_message_that_was_taken_lives_on()
    {
        var kept = new Kept();
        await using var host = await OrdersHost.StartAsync(services: services => services.AddSingleton(kept),
            map: app => app.MapGrpcService<KeepingDesk>());
        using (var order = host.Order()) (await host.Client().PlaceAsync(order)).Dispose();
        await host.NothingIsOutstandingAsync();
        Assert.Contains("Orders.SlabProtobuf.Order", Assert.Throws<ObjectDisposedException>(() => kept.Request.Customer).Message,
            StringComparison.Ordinal);
        Assert.Contains("Orders.SlabProtobuf.Receipt", Assert.Throws<ObjectDisposedException>(() => kept.Reply.SetCount(1)).Message,
            StringComparison.Ordinal);

        using (var chat = host.Client().Chat())
        {
            foreach (var customer in new[] { "1", "2" })
            {
                using var order = host.Order(customer);
                await chat.RequestStream.WriteAsync(order, Test);
            }

            await chat.RequestStream.CompleteAsync();
            Assert.False(await chat.ResponseStream.MoveNext(Test));
        }

        Assert.Equal("1", kept.Taken.Value.Customer.ToString());
        Assert.NotEmpty(host.Pool.Outstanding());
        kept.Taken.Dispose();
        await host.NothingIsOutstandingAsync();
        Assert.Throws<ObjectDisposedException>(() => kept.Writer!.Next);
        using var late = Receipt.Rent();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => kept.Writer!.WriteAsync(late));
    }

    [Theory]
    [InlineData(Article.Throws, StatusCode.Unknown)]
    [InlineData(Article.Refuses, StatusCode.FailedPrecondition)]
    [InlineData(Article.Hangs, StatusCode.DeadlineExceeded)]
    public async Task A_call_that_fails_releases_its_messages(string article, StatusCode status)
    {
        await using var host = await OrdersHost.StartAsync();
        var client = host.Client();

        // the deadline is part of the case that hangs; the others are over long before it
        DateTime Deadline() => DateTime.UtcNow + (article == Article.Hangs ? TimeSpan.FromMilliseconds(200) : OrdersHost.Limit);

        using (var order = host.Order(article: article))
        {
            Assert.Equal(status,
                (await OrdersHost.FailureOf(async () => (await client.PlaceAsync(order, deadline: Deadline())).Dispose())).StatusCode);
            Assert.Equal(status, Assert.Throws<RpcException>(() => client.Place(order, deadline: Deadline())).StatusCode);
            using (var watch = client.Watch(order, deadline: Deadline()))
                Assert.Equal(status, (await OrdersHost.FailureOf(() => watch.ResponseStream.MoveNext(Test))).StatusCode);
            using (var upload = client.Upload(deadline: Deadline()))
            {
                Assert.Equal(status, (await OrdersHost.FailureOf(async () =>
                {
                    await upload.RequestStream.WriteAsync(order, Test);
                    (await upload).Dispose();
                })).StatusCode);
            }

            using var chat = client.Chat(deadline: Deadline());
            Assert.Equal(status, (await OrdersHost.FailureOf(async () =>
            {
                await chat.RequestStream.WriteAsync(order, Test);
                await chat.ResponseStream.MoveNext(Test);
            })).StatusCode);
        }

        await host.NothingIsOutstandingAsync();
    }

    [Fact]
    public async Task A_request_may_be_released_when_the_await_has_ended_and_a_reply_is_taken_once()
    {
        await using var host = await OrdersHost.StartAsync();
        var order = host.Order();
        using var call = host.Client().PlaceAsync(order, cancellationToken: Test);
        using var reply = await call;
        order.Dispose();
        call.Dispose();
        Assert.Equal("Ada: 3 tea", reply.Value.Text.ToString());
        Assert.Throws<ObjectDisposedException>(() => call.GetAwaiter().GetResult());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => call.ResponseAsync);
    }

    [Fact]
    public async Task A_reply_that_arrived_and_that_nobody_asked_for_is_released_with_its_call()
    {
        await using var host = await OrdersHost.StartAsync();
        var message = Message<Receipt>.Rent(host.Pool);
        message.Value.SetText("arrived");
        var reply = new ReceivedMessage<Receipt>(message);
        var call = new SlabUnaryCall<Receipt>(
            new(Task.FromResult<GrpcMessage<Receipt>>(reply), Task.FromResult(new Metadata()), () => Status.DefaultSuccess, () => [],
                () => { }),
            new LentMessage<Order>(default));
        Assert.NotEmpty(host.Pool.Outstanding());
        call.Dispose();
        Assert.Empty(host.Pool.Outstanding());
        Assert.Throws<ObjectDisposedException>(() => call.GetAwaiter().GetResult());
        GC.KeepAlive(reply);
    }

    [Fact]
    public async Task A_reply_that_was_taken_is_not_the_finalizers_any_more()
    {
        await using var host = await OrdersHost.StartAsync();
        using var reply = Taken(host);
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Assert.Equal("taken", reply.Value.Text.ToString());
    }

    /// <summary>Nothing refers to the object that the reply was in when this has returned.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    static Message<Receipt> Taken(OrdersHost host)
    {
        var message = Message<Receipt>.Rent(host.Pool);
        message.Value.SetText("taken");
        return new ReceivedMessage<Receipt>(message).Take();
    }

    [Fact]
    public async Task A_call_that_is_not_awaited_and_not_disposed_does_not_leak()
    {
        await using var host = await OrdersHost.StartAsync();
        using (var order = host.Order())
        {
            for (var i = 0; i < 20; i++) await StartAsync(host.Client(), order);
        }

        await host.NothingIsOutstandingAsync(collects: true);
    }

    static Task<Metadata> StartAsync(OrderDesk.OrderDeskClient client, Message<Order> order) =>
        client.PlaceAsync(order, cancellationToken: Test).ResponseHeadersAsync;

    [Fact]
    public async Task A_reader_that_stops_early_leaves_nothing()
    {
        await using var host = await OrdersHost.StartAsync();
        using (var order = host.Order(count: 1000))
        using (var watch = host.Client().Watch(order))
        {
            Assert.True(await watch.ResponseStream.MoveNext(Test));
            var first = watch.ResponseStream.Current;
            watch.Dispose();
            Assert.Throws<ObjectDisposedException>(() => first.Text);
        }

        await host.NothingIsOutstandingAsync(collects: true);
    }

    [Fact]
    public async Task A_write_uses_its_message_until_it_was_awaited_and_no_longer()
    {
        await using var host = await OrdersHost.StartAsync();
        using (var chat = host.Client().Chat())
        {
            chat.RequestStream.Next.SetCustomer("Ada");
            var write = chat.RequestStream.WriteAsync(Test);
            await write;
            Assert.Equal(0, chat.RequestStream.Next.Customer.Length);
            Assert.True(await chat.ResponseStream.MoveNext(Test));
            Assert.Equal("Ada: 0", chat.ResponseStream.Current.Text.ToString());
        }

        var lent = new LentMessage<Order>(host.Order());
        lent.End();
        Assert.Throws<OperationCanceledException>(() => lent.Write(null!));
        lent.Dispose();
        Assert.NotEmpty(host.Pool.Outstanding());
        lent.Message.Dispose();
        await host.NothingIsOutstandingAsync();
    }

    [Theory]
    [InlineData("before")]
    [InlineData("after")]
    [InlineData("null")]
    [InlineData("replaces")]
    public async Task Messages_are_released_whatever_an_interceptor_does(string what)
    {
        await using var host = await OrdersHost.StartAsync(options => options.Interceptors.Add<Meddler>(what));
        using (var order = host.Order())
        {
            var call = async () =>
            {
                using var reply = await host.Client().PlaceAsync(order, cancellationToken: Test);
                return reply.Value.Text.ToString();
            };
            if (what == "replaces") Assert.Equal("another reply to another order", await call());
            else Assert.Equal(what == "null" ? StatusCode.Cancelled : StatusCode.Unknown, (await OrdersHost.FailureOf(call)).StatusCode);
        }

        await host.NothingIsOutstandingAsync();
    }

    sealed class Meddler(string what) : Interceptor
    {
        public override async Task<TResponse> UnaryServerHandler<TRequest, TResponse>(
            TRequest request, ServerCallContext context, UnaryServerMethod<TRequest, TResponse> continuation)
        {
            if (what == "before") throw new InvalidOperationException("an interceptor that throws");
            if (what == "replaces")
            {
                var order = new GrpcMessage<Order>(MessageSource.Rent<Order>());
                order.Value.SetCustomer("another order");
                var served = await continuation((TRequest)(object)order, context);
                Assert.Contains("another order", served.ToString(), StringComparison.Ordinal);
                var reply = new GrpcMessage<Receipt>(MessageSource.Rent<Receipt>());
                reply.Value.SetText("another reply to another order");
                return (TResponse)(object)reply;
            }

            var response = await continuation(request, context);
            Assert.Contains("Ada", request.ToString(), StringComparison.Ordinal);
            if (what == "after") throw new InvalidOperationException("an interceptor that throws");
            return what == "null" ? null! : response;
        }
    }

    [Theory]
    [InlineData("tea")]
    [InlineData(Article.Throws)]
    [InlineData(Article.Refuses)]
    public async Task Another_source_gets_back_every_message_of_a_server(string article)
    {
        const int calls = 3;
        var (orders, receipts) = (new Source<Order>(), new Source<Receipt>());
        await using var host = await OrdersHost.StartAsync(services: services => services.AddSingleton(
            new SlabMethod<Order, Receipt>(MethodType.Unary, "orders.OrderDesk", "Place", orders.Counted(), receipts.Counted())));
        var succeeded = 0;
        using (var order = host.Order(article: article))
        {
            for (var i = 0; i < calls; i++)
            {
                using var call = host.Client().PlaceAsync(order, cancellationToken: Test);
                if (await Record.ExceptionAsync(async () => (await call).Dispose()) is null) succeeded++;
            }
        }

        await host.NothingIsOutstandingAsync();
        Assert.Equal(article == "tea" ? calls : 0, succeeded);
        Assert.Equal((calls, calls, calls), (orders.Rented, orders.Marshalled, orders.Released));
        Assert.Equal((calls, succeeded, calls), (receipts.Rented, receipts.Marshalled, receipts.Released));
    }

    sealed class Source<T>
        where T : struct, ISlabMessage<T>
    {
        int rented;
        int marshalled;
        int released;

        public int Rented => Volatile.Read(ref rented);

        public int Marshalled => Volatile.Read(ref marshalled);

        public int Released => Volatile.Read(ref released);

        public MessageSource<T> Counted() => new(
            () => Count(ref rented, MessageSource.Rent<T>()),
            message => Count(ref released, message).Dispose(),
            inner => new(
                (message, context) => inner.ContextualSerializer(Count(ref marshalled, message), context),
                context => Count(ref marshalled, inner.ContextualDeserializer(context))));

        static TValue Count<TValue>(ref int counter, TValue value)
        {
            Interlocked.Increment(ref counter);
            return value;
        }
    }

    /// <summary>A frame behind the request, half a frame, and a body that ends in the middle: nobody gets the message.</summary>
    [Fact]
    public async Task A_request_that_is_read_and_never_served_is_released()
    {
        await using var host = await OrdersHost.StartAsync();
        var frame = OrdersHost.Frame([10, 3, .. "Ada"u8]);
        Assert.Equal((StatusCode.OK, ""), await host.PostAsync("Place", frame));
        Assert.Equal((StatusCode.Internal, "Additional data after the message received."), await host.PostAsync("Place", [.. frame, .. frame]));
        Assert.Equal(StatusCode.Internal, (await host.PostAsync("Place", [.. frame, 0])).Status);
        Assert.Equal(StatusCode.Internal, (await host.PostAsync("Place", frame[..^1])).Status);
        Assert.Equal(StatusCode.Unknown, (await host.PostAsync("Upload", [.. frame, .. OrdersHost.Frame([10, 3, .. "Bob"u8])])).Status);
        await host.NothingIsOutstandingAsync();
    }
}
