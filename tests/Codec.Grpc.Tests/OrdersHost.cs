using System.Net;
using Grpc.AspNetCore.Server;
using Grpc.Core.Interceptors;
using Grpc.Net.Client;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using ProtoBench.Allocators;

namespace ProtoBench.Codec.Grpc.Tests;

/// <summary>A host on a free port, and the pool that all messages of its calls are in.</summary>
sealed class OrdersHost : IAsyncDisposable
{
    public static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    readonly WebApplication app;
    readonly List<GrpcChannel> channels = [];

    OrdersHost(WebApplication app, DiagnosticSlabPool pool) => (this.app, Pool) = (app, pool);

    public DiagnosticSlabPool Pool { get; }

    public Uri Address => new(app.Urls.Single());

    /// <param name="map">Maps what the host serves; without it the slab service.</param>
    public static async Task<OrdersHost> StartAsync(Action<GrpcServiceOptions>? configure = null,
        Action<IServiceCollection>? services = null, Action<WebApplication>? map = null, HttpProtocols protocols = HttpProtocols.Http2)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = protocols));
        builder.Services.AddGrpc(configure ?? (_ => { })).AddSlabMessages();
        services?.Invoke(builder.Services);
        var app = builder.Build();
        if (map is null) app.MapGrpcService<SlabDesk>();
        else map(app);
        await app.StartAsync();
        var pool = new DiagnosticSlabPool(SlabPool.Create(new() { Name = "calls" }), captureStacks: true);
        MessageSource.Pool = pool;
        return new(app, pool);
    }

    public GrpcChannel Channel(GrpcChannelOptions? options = null) => Channel(Address, options ?? new());

    public GrpcChannel Channel(Uri address, GrpcChannelOptions options)
    {
        var channel = GrpcChannel.ForAddress(address, options);
        channels.Add(channel);
        return channel;
    }

    public OrderDesk.OrderDeskClient Client(GrpcChannelOptions? options = null) => new(Channel(options));

    public OrderDesk.OrderDeskClient Client(params Interceptor[] interceptors) => new(Channel().Intercept(interceptors));

    public global::Orders.OrderDesk.OrderDeskClient GoogleClient() => new(Channel());

    public Message<Order> Order(string customer = "Ada", string article = "tea", uint count = 3)
    {
        var message = Message<Order>.Rent(Pool);
        var order = message.Value;
        order.SetCustomer(customer);
        order.SetArticle(article);
        order.SetCount(count);
        return message;
    }

    public static Task<RpcException> FailureOf(Func<Task> call) => Assert.ThrowsAsync<RpcException>(call);

    public async Task<(StatusCode Status, string Text)> PostAsync(string method, params byte[] body)
    {
        using var http = new HttpClient
        {
            DefaultRequestVersion = HttpVersion.Version20,
            DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };
        using var content = new ByteArrayContent(body);
        content.Headers.ContentType = new("application/grpc");
        using var response = await http.PostAsync(new Uri(Address, "/orders.OrderDesk/" + method), content);
        await response.Content.ReadAsByteArrayAsync();
        var headers = response.TrailingHeaders.Contains("grpc-status") ? response.TrailingHeaders : response.Headers;
        var text = headers.TryGetValues("grpc-message", out var values) ? Uri.UnescapeDataString(values.Single()) : "";
        return ((StatusCode)int.Parse(headers.GetValues("grpc-status").Single()), text);
    }

    public static byte[] Frame(params byte[] message) => [0, 0, 0, (byte)(message.Length >> 8), (byte)message.Length, .. message];

    /// <summary>Waits until every message was released, which on the server may be after the client has its reply.</summary>
    /// <param name="collects">Whether the garbage collector has to find some of them.</param>
    public async Task NothingIsOutstandingAsync(bool collects = false)
    {
        using var limit = new CancellationTokenSource(Limit);
        while (Pool.Outstanding().Count > 0 && !limit.IsCancellationRequested)
        {
            if (collects)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }

            await Task.Delay(1);
        }

        Pool.ThrowIfOutstanding();
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var channel in channels) channel.Dispose();
        await app.StopAsync();
        await app.DisposeAsync();
        MessageSource.Pool = null;
        Pool.Dispose();
    }
}

/// <summary>What the tests call, with slab messages. The article of an order says what goes wrong.</summary>
class SlabDesk : OrderDesk.OrderDeskBase
{
    public override async ValueTask Place(Order request, Receipt reply, ServerCallContext context)
    {
        await Article.ActAsync(request.Article.ToString(), context);
        reply.SetText($"{request.Customer}: {request.Count} {request.Article}");
        reply.SetCount(request.Count);
    }

    public override async Task Watch(Order request, SlabStreamWriter<Receipt> replies, ServerCallContext context)
    {
        for (var i = 1u; i <= request.Count; i++)
        {
            await Article.ActAsync(request.Article.ToString(), context);
            replies.Next.SetText($"{request.Customer}: {i}");
            replies.Next.SetCount(i);
            await replies.WriteAsync(context.CancellationToken);
        }
    }

    public override async ValueTask Upload(SlabStreamReader<Order> requests, Receipt reply, ServerCallContext context)
    {
        var (customer, sum) = ("", 0u);
        await foreach (var order in requests.ReadAllAsync())
        {
            await Article.ActAsync(order.Article.ToString(), context);
            if (customer.Length > 0) Assert.Equal(customer, order.Customer.ToString());
            (customer, sum) = (order.Customer.ToString(), sum + order.Count);
        }

        reply.SetText(customer);
        reply.SetCount(sum);
    }

    public override async Task Chat(SlabStreamReader<Order> requests, SlabStreamWriter<Receipt> replies, ServerCallContext context)
    {
        await foreach (var order in requests.ReadAllAsync())
        {
            await Article.ActAsync(order.Article.ToString(), context);
            replies.Next.SetText($"{order.Customer}: {order.Count}");
            replies.Next.SetCount(order.Count);
            await replies.WriteAsync(context.CancellationToken);
        }
    }
}

sealed class GoogleDesk : global::Orders.OrderDesk.OrderDeskBase
{
    public override async Task<global::Orders.Receipt> Place(global::Orders.Order request, ServerCallContext context)
    {
        await Article.ActAsync(request.Article, context);
        return new() { Text = $"{request.Customer}: {request.Count} {request.Article}", Count = request.Count };
    }

    public override async Task Watch(
        global::Orders.Order request, IServerStreamWriter<global::Orders.Receipt> responseStream, ServerCallContext context)
    {
        for (var i = 1u; i <= request.Count; i++) await responseStream.WriteAsync(new() { Text = $"{request.Customer}: {i}", Count = i });
    }

    public override async Task<global::Orders.Receipt> Upload(
        IAsyncStreamReader<global::Orders.Order> requestStream, ServerCallContext context)
    {
        var receipt = new global::Orders.Receipt();
        await foreach (var order in requestStream.ReadAllAsync())
            (receipt.Text, receipt.Count) = (order.Customer, receipt.Count + order.Count);
        return receipt;
    }

    public override async Task Chat(IAsyncStreamReader<global::Orders.Order> requestStream,
        IServerStreamWriter<global::Orders.Receipt> responseStream, ServerCallContext context)
    {
        await foreach (var order in requestStream.ReadAllAsync())
            await responseStream.WriteAsync(new() { Text = $"{order.Customer}: {order.Count}", Count = order.Count });
    }
}

static class Article
{
    public const string Throws = "throws";
    public const string Refuses = "refuses";
    public const string Hangs = "hangs";

    public static async Task ActAsync(string article, ServerCallContext context)
    {
        switch (article)
        {
            case Throws:
                throw new InvalidOperationException("a handler that throws");
            case Refuses:
                throw new RpcException(new(StatusCode.FailedPrecondition, "sold out"), new Metadata { { "reason", "sold out" } });
            case Hangs:
                await Task.Delay(Timeout.Infinite, context.CancellationToken);
                break;
            default:
                await Task.Yield();
                break;
        }
    }
}
