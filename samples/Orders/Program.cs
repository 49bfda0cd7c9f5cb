using System.Net;
using Grpc.Core;
using Grpc.Core.Interceptors;
using Grpc.Net.Client;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Orders;
using Orders.SlabProtobuf;

// Both services, each on a port of its own: they have the same paths.
await using var google = await StartAsync(services => services.AddGrpc(), app => app.MapGrpcService<GoogleDesk>());
await using var slab = await StartAsync(services => services.AddGrpc(options => options.Interceptors.Add<CallCounter>()).AddSlabMessages(),
    app => app.MapGrpcService<SlabDesk>());

foreach (var (name, app) in new[] { ("Google's service", google), ("the slab service", slab) })
{
    Console.WriteLine($"{name}:");
    using var channel = GrpcChannel.ForAddress(app.Urls.Single());
    await CallAsync(new Orders.SlabProtobuf.OrderDesk.OrderDeskClient(channel.Intercept(new CallerMetadata())));
}

using (var channel = GrpcChannel.ForAddress(slab.Urls.Single()))
{
    var receipt = await new Orders.OrderDesk.OrderDeskClient(channel).PlaceAsync(new() { Customer = "Ada", Article = "tea", Count = 2 });
    Console.WriteLine($"Google's client calls the slab service: {receipt.Text}");
}

Console.WriteLine($"the interceptor of the slab service saw {CallCounter.Calls} unary calls");

static async Task CallAsync(Orders.SlabProtobuf.OrderDesk.OrderDeskClient client)
{
    // The caller owns the request and the reply.
    using var request = Orders.SlabProtobuf.Order.Rent();
    var order = request.Value;
    order.SetCustomer("Ada");
    order.SetArticle("tea");
    order.SetCount(2);
    order.MutableLimit().SetPrice(900);

    using (var reply = await client.PlaceAsync(request, deadline: DateTime.UtcNow.AddMinutes(1)))
        Console.WriteLine($"  unary: {reply.Value.Text}");

    try
    {
        using var late = await client.PlaceAsync(request, deadline: DateTime.UtcNow);
        Console.WriteLine("  a deadline that has passed: a reply came nevertheless");
    }
    catch (RpcException e)
    {
        Console.WriteLine($"  a deadline that has passed: {e.StatusCode}");
    }

    // What a stream reads belongs to the stream, until the next read.
    using (var watch = client.Watch(request))
    {
        var texts = new List<string>();
        await foreach (var receipt in watch.ResponseStream.ReadAllAsync()) texts.Add(receipt.Text.ToString());
        Console.WriteLine($"  server streaming: {string.Join(", ", texts)}");
    }

    // A writer has a message to fill, which is empty again after each write.
    using (var upload = client.Upload())
    {
        for (var i = 1u; i <= 3; i++)
        {
            upload.RequestStream.Next.SetCount(i);
            await upload.RequestStream.WriteAsync();
        }

        await upload.RequestStream.CompleteAsync();
        using var reply = await upload;
        Console.WriteLine($"  client streaming: {reply.Value.Count} of {reply.Value.Text}");
    }

    using (var chat = client.Chat())
    {
        var answers = new List<string>();
        foreach (var article in new[] { "tea", "milk" })
        {
            chat.RequestStream.Next.SetArticle(article);
            await chat.RequestStream.WriteAsync();
            await chat.ResponseStream.MoveNext(CancellationToken.None);
            answers.Add(chat.ResponseStream.Current.Text.ToString());
        }

        await chat.RequestStream.CompleteAsync();
        while (await chat.ResponseStream.MoveNext(CancellationToken.None)) answers.Add(chat.ResponseStream.Current.Text.ToString());
        Console.WriteLine($"  duplex streaming: {string.Join(", ", answers)}");
    }
}

static async Task<WebApplication> StartAsync(Action<IServiceCollection> services, Action<WebApplication> map)
{
    var builder = WebApplication.CreateSlimBuilder();
    builder.Logging.ClearProviders();
    builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2));
    services(builder.Services);
    var app = builder.Build();
    map(app);
    await app.StartAsync();
    return app;
}

/// <summary>An interceptor of a client. It adds metadata, and does not look at messages.</summary>
sealed class CallerMetadata : Interceptor
{
    public override AsyncUnaryCall<TResponse> AsyncUnaryCall<TRequest, TResponse>(TRequest request,
        ClientInterceptorContext<TRequest, TResponse> context, AsyncUnaryCallContinuation<TRequest, TResponse> continuation)
    {
        var options = context.Options.WithHeaders(new() { { "caller", "sample" } });
        return continuation(request, new(context.Method, context.Host, options));
    }
}

/// <summary>An interceptor of a service.</summary>
sealed class CallCounter : Interceptor
{
    static int calls;

    public static int Calls => calls;

    public override Task<TResponse> UnaryServerHandler<TRequest, TResponse>(
        TRequest request, ServerCallContext context, UnaryServerMethod<TRequest, TResponse> continuation)
    {
        Interlocked.Increment(ref calls);
        return continuation(request, context);
    }
}
