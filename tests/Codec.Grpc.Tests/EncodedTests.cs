using Google.Protobuf;
using Grpc.Core.Interceptors;
using Microsoft.Extensions.DependencyInjection;
using NSubstitute;

namespace ProtoBench.Codec.Grpc.Tests;

/// <summary>Requests and replies that exist already: as bytes, or as a message that many calls share.</summary>
public class EncodedTests
{
    static readonly byte[] sold = new global::Orders.Receipt { Text = "sold", Count = 7 }.ToByteArray();
    static readonly byte[] tea = new global::Orders.Order { Customer = "Ada", Article = "tea", Count = 2 }.ToByteArray();

    static CancellationToken Test => TestContext.Current.CancellationToken;

    sealed class Owner : IDisposable
    {
        int disposals;

        public int Disposals => Volatile.Read(ref disposals);

        public void Dispose() => Interlocked.Increment(ref disposals);
    }

    /// <summary>The article says what is sent.</summary>
    sealed class Cache : SlabDesk
    {
        public List<Owner> Owners { get; } = [];

        public Message<Receipt> Shared { get; set; }

        public ServerCallContext? Ended { get; private set; }

        public override ValueTask Place(Order request, Receipt reply, ServerCallContext context)
        {
            reply.SetText("not sent");
            switch (request.Article.ToString())
            {
                case "shared":
                    context.SetReply(reply, Shared, Added());
                    break;
                case "wrong":
                    context.SetReply(reply, new byte[] { 0xFF });
                    break;
                case "another type":
                    context.SetReply(request, tea);
                    break;
                case "twice":
                    context.SetReply(reply, new byte[] { 0xFF }, Added());
                    context.SetReply(reply, sold, Added());
                    break;
                case Article.Throws:
                    context.SetReply(reply, sold, Added());
                    throw new RpcException(new(StatusCode.NotFound, "after the reply was set"));
                default:
                    Ended = context;
                    context.SetReply(reply, sold, Added());
                    break;
            }

            return default;
        }

        public override async ValueTask Upload(SlabStreamReader<Order> requests, Receipt reply, ServerCallContext context)
        {
            await foreach (var order in requests.ReadAllAsync()) Assert.Equal("Ada", order.Customer.ToString());
            context.SetReply(reply, sold, Added());
        }

        public override async Task Watch(Order request, SlabStreamWriter<Receipt> replies, ServerCallContext context)
        {
            for (var i = 0; i < request.Count; i++) await replies.WriteAsync(sold, context.CancellationToken);
        }

        Owner Added()
        {
            lock (Owners) Owners.Add(new());
            return Owners[^1];
        }
    }

    sealed class Log : Interceptor
    {
        public List<string> Replies { get; } = [];

        public override async Task<TResponse> UnaryServerHandler<TRequest, TResponse>(
            TRequest request, ServerCallContext context, UnaryServerMethod<TRequest, TResponse> continuation)
        {
            var reply = await continuation(request, context);
            var message = Assert.IsType<GrpcMessage>(reply, exactMatch: false);
            Replies.Add($"{message.FullName}, {message.CalculateSize()} bytes: {message.ToJson()}");
            return reply;
        }
    }

    static Task<OrdersHost> StartAsync(Cache cache, Log? log = null) => OrdersHost.StartAsync(
        options => { if (log is not null) options.Interceptors.Add<Log>(); },
        services => { services.AddSingleton(cache); if (log is not null) services.AddSingleton(log); },
        app => app.MapGrpcService<Cache>());

    static async Task<StatusCode> StatusOfAsync(OrderDesk.OrderDeskClient client, Message<Order> order) =>
        (await OrdersHost.FailureOf(async () => (await client.PlaceAsync(order)).Dispose())).StatusCode;

    [Fact]
    public async Task Bytes_are_a_reply_and_their_owner_is_disposed_when_the_call_ends()
    {
        var cache = new Cache();
        await using var host = await StartAsync(cache);
        var client = host.Client();
        using (var order = host.Order())
        {
            using (var reply = await client.PlaceAsync(order)) Assert.Equal(("sold", 7u), (reply.Value.Text.ToString(), reply.Value.Count));
            using (var reply = await client.PlaceAsync(order, deadline: DateTime.UtcNow + OrdersHost.Limit))
                Assert.Equal("sold", reply.Value.Text.ToString());
        }

        using (var upload = client.Upload())
        {
            await upload.RequestStream.WriteAsync(tea, Test);
            await upload.RequestStream.CompleteAsync();
            using var reply = await upload;
            Assert.Equal("sold", reply.Value.Text.ToString());
        }

        using (var order = host.Order(article: "twice"))
        using (var reply = await client.PlaceAsync(order)) Assert.Equal("sold", reply.Value.Text.ToString());
        using (var order = host.Order(article: Article.Throws))
            Assert.Equal(StatusCode.NotFound, await StatusOfAsync(client, order));
        using (var order = host.Order(article: "another type"))
            Assert.Equal(StatusCode.Unknown, await StatusOfAsync(client, order));
        using (var order = host.Order(article: "wrong"))
            Assert.Equal(StatusCode.Internal, await StatusOfAsync(client, order));
        await host.NothingIsOutstandingAsync();
        using var limit = new CancellationTokenSource(OrdersHost.Limit);
        while (cache.Owners.Exists(owner => owner.Disposals == 0)) await Task.Delay(1, limit.Token);
        Assert.Equal(6, cache.Owners.Count);
        Assert.All(cache.Owners, owner => Assert.Equal(1, owner.Disposals));
    }

    [Fact]
    public async Task An_interceptor_reads_the_reply_that_is_sent()
    {
        var log = new Log();
        await using var host = await StartAsync(new(), log);
        using (var order = host.Order())
        using (var reply = await host.Client().PlaceAsync(order)) Assert.Equal("sold", reply.Value.Text.ToString());
        Assert.Equal($$"""orders.Receipt, {{sold.Length}} bytes: {"text":"sold","count":7}""", Assert.Single(log.Replies));

        // what cannot be read fails the call of a service that logs, and nothing is left
        using (var order = host.Order(article: "wrong"))
            Assert.Equal(StatusCode.Unknown, await StatusOfAsync(host.Client(), order));
        await host.NothingIsOutstandingAsync();
    }

    [Fact]
    public async Task Many_calls_share_a_message()
    {
        var cache = new Cache();
        await using var host = await StartAsync(cache);
        using var shared = Message<Receipt>.Rent(host.Pool);
        shared.Value.SetText("shared");
        cache.Shared = shared;
        var client = host.Client();
        await Task.WhenAll(Enumerable.Range(0, 8).Select(async _ =>
        {
            using var order = host.Order(article: "shared");
            for (var i = 0; i < 50; i++)
            {
                using var reply = await client.PlaceAsync(order);
                Assert.Equal("shared", reply.Value.Text.ToString());
            }
        }));
        Assert.Equal("shared", shared.Value.Text.ToString());
        shared.Dispose();
        await host.NothingIsOutstandingAsync();

        // released too early: an error, and never other bytes
        using (var order = host.Order(article: "shared"))
            Assert.Equal(StatusCode.Unknown, await StatusOfAsync(client, order));
    }

    [Fact]
    public async Task Bytes_are_a_request()
    {
        await using var host = await OrdersHost.StartAsync();
        var client = host.Client();
        using (var reply = await client.PlaceAsync(tea)) Assert.Equal("Ada: 2 tea", reply.Value.Text.ToString());
        using (var reply = client.Place(tea, new CallOptions(deadline: DateTime.UtcNow + OrdersHost.Limit)))
            Assert.Equal("Ada: 2 tea", reply.Value.Text.ToString());
        using (var watch = client.Watch(tea))
        {
            Assert.True(await watch.ResponseStream.MoveNext(Test));
            Assert.Equal("Ada: 1", watch.ResponseStream.Current.Text.ToString());
        }

        var failure = await OrdersHost.FailureOf(async () => (await client.PlaceAsync(new byte[] { 0xFF })).Dispose());
        Assert.Equal(StatusCode.Internal, failure.StatusCode);
        await host.NothingIsOutstandingAsync();
    }

    [Fact]
    public async Task A_stream_of_replies_is_bytes()
    {
        await using var host = await StartAsync(new());
        using var order = host.Order(count: 3);
        using var watch = host.Client().Watch(order);
        var count = 0;
        await foreach (var receipt in watch.ResponseStream.ReadAllAsync(Test))
        {
            Assert.Equal("sold", receipt.Text.ToString());
            count++;
        }

        Assert.Equal(3, count);
    }

    /// <summary>A channel of a test, which keeps the request.</summary>
    sealed class FakeInvoker : CallInvoker
    {
        public object? Request { get; private set; }

        public Action<SerializationContext>? Serialize { get; private set; }

        public override AsyncUnaryCall<TResponse> AsyncUnaryCall<TRequest, TResponse>(
            Method<TRequest, TResponse> method, string? host, CallOptions options, TRequest request)
        {
            Request = request;
            Serialize = context => method.RequestMarshaller.ContextualSerializer(request, context);
            var reply = Receipt.Rent();
            reply.Value.SetText(Assert.IsType<GrpcMessage>(request, exactMatch: false).ToJson());
            var response = (TResponse)(object)new GrpcMessage<Receipt>(reply);
            return new(Task.FromResult(response), Task.FromResult(new Metadata()), () => Status.DefaultSuccess, () => [], () => { });
        }

        public override TResponse BlockingUnaryCall<TRequest, TResponse>(
            Method<TRequest, TResponse> method, string? host, CallOptions options, TRequest request) => throw new NotSupportedException();

        public override AsyncServerStreamingCall<TResponse> AsyncServerStreamingCall<TRequest, TResponse>(
            Method<TRequest, TResponse> method, string? host, CallOptions options, TRequest request) => throw new NotSupportedException();

        public override AsyncClientStreamingCall<TRequest, TResponse> AsyncClientStreamingCall<TRequest, TResponse>(
            Method<TRequest, TResponse> method, string? host, CallOptions options) => throw new NotSupportedException();

        public override AsyncDuplexStreamingCall<TRequest, TResponse> AsyncDuplexStreamingCall<TRequest, TResponse>(
            Method<TRequest, TResponse> method, string? host, CallOptions options) => throw new NotSupportedException();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_fake_invoker_gets_the_request_and_cannot_write_it_after_the_call(bool isEncoded)
    {
        var invoker = new FakeInvoker();
        var client = new OrderDesk.OrderDeskClient(invoker);
        using var order = Order.Rent();
        order.Value.SetArticle("tea");
        using (var reply = await (isEncoded ? client.PlaceAsync(order.ToByteArray()) : client.PlaceAsync(order)))
            Assert.Equal("""{"article":"tea"}""", reply.Value.Text.ToString());
        Assert.IsType<GrpcMessage<Order>>(invoker.Request, exactMatch: false);
        Assert.Throws<OperationCanceledException>(() => invoker.Serialize!(Substitute.For<SerializationContext>()));
    }

    [Fact]
    public async Task A_method_is_tested_without_a_host()
    {
        using var order = Order.Rent();
        var context = Substitute.For<ServerCallContext>();
        var cache = new Cache();
        using (var reply = await SlabTestCalls.InvokeAsync<Order, Receipt>(cache.Place, order, context))
            Assert.Equal("sold", reply.Value.Text.ToString());
        Assert.Equal(1, Assert.Single(cache.Owners).Disposals);
        using (var reply = await SlabTestCalls.InvokeAsync<Order, Receipt>(new SlabDesk().Place, order, context))
            Assert.Equal(": 0 ", reply.Value.Text.ToString());
        order.Value.SetArticle("wrong");
        await Assert.ThrowsAsync<WireFormatException>(() => SlabTestCalls.InvokeAsync<Order, Receipt>(cache.Place, order, context));

        // without a call, or after it
        using var alone = Receipt.Rent();
        var owner = new Owner();
        Assert.Throws<ArgumentNullException>(() => ((ServerCallContext)null!).SetReply(alone.Value, sold));
        Assert.Contains("InvokeAsync",
            Assert.Throws<InvalidOperationException>(() => context.SetReply(alone.Value, sold, owner)).Message, StringComparison.Ordinal);
        Assert.Equal(1, owner.Disposals);
    }

    sealed class Late : SlabDesk
    {
        public TaskCompletionSource Over { get; } = new();

        public Task<Exception?>? After { get; private set; }

        public List<Owner> Owners { get; } = [new(), new()];

        public override ValueTask Place(Order request, Receipt reply, ServerCallContext context)
        {
            After = SetAsync();
            return default;

            async Task<Exception?> SetAsync()
            {
                await Over.Task;
                using var message = Receipt.Rent();
                Assert.Throws<OperationCanceledException>(() => context.SetReply(reply, message, Owners[0]));
                return Record.Exception(() => context.SetReply(reply, sold, Owners[1]));
            }
        }
    }

    [Fact]
    public async Task After_the_call_it_is_refused()
    {
        var desk = new Late();
        await using var host = await OrdersHost.StartAsync(services: services => services.AddSingleton(desk),
            map: app => app.MapGrpcService<Late>());
        using (var order = host.Order()) (await host.Client().PlaceAsync(order)).Dispose();
        await host.NothingIsOutstandingAsync();
        desk.Over.SetResult();
        Assert.IsType<OperationCanceledException>(await desk.After!);
        Assert.All(desk.Owners, owner => Assert.Equal(1, owner.Disposals));
    }
}
