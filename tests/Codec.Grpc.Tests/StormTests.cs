using System.Collections.Concurrent;
using Grpc.Core.Interceptors;
using Grpc.Net.Client;
using Grpc.Net.Client.Configuration;

namespace ProtoBench.Codec.Grpc.Tests;

public class StormTests
{
    const int callers = 16;
    const int callsOfEach = 60;

    static readonly string[] articles = ["tea", "tea", "tea", Article.Throws, Article.Refuses, Article.Hangs];

    [Theory]
    [InlineData(1, false)]
    [InlineData(2, false)]
    [InlineData(3, true)]
    [InlineData(4, true)]
    public async Task No_message_is_left_and_no_call_saw_the_bytes_of_another(int seed, bool recycles)
    {
        var wrong = new ConcurrentQueue<string>();
        await using (var host = await OrdersHost.StartAsync(options => options.Interceptors.Add<ThrowingInterceptor>()))
        {
            if (recycles) MessageSource.Pool = null;
            var clients = new[] { host.Client(), host.Client(Config(hedging: false)), host.Client(Config(hedging: true)) };
            await Task.WhenAll(Enumerable.Range(0, callers).Select(caller => Task.Run(async () =>
            {
                var random = new Random((seed * 1000) + caller);
                for (var i = 0; i < callsOfEach; i++)
                {
                    try
                    {
                        await CallAsync(host, clients[random.Next(clients.Length)], random, $"{caller}-{i}-{new string('x', random.Next(3000))}")
                            .WaitAsync(2 * OrdersHost.Limit);
                    }
                    catch (Xunit.Sdk.XunitException e)
                    {
                        wrong.Enqueue(e.Message);
                    }
                    catch (TimeoutException)
                    {
                        wrong.Enqueue($"call {i} of caller {caller} did not end");
                    }
                    catch (Exception e) when (e is not NullReferenceException)
                    {
                        // one of the ways in which a call ends
                    }
                }
            }))).WaitAsync(2 * OrdersHost.Limit, TestContext.Current.CancellationToken);
            await host.NothingIsOutstandingAsync(collects: true);
        }

        Assert.True(wrong.IsEmpty, $"seed {seed}: {string.Join(Environment.NewLine, wrong)}");
    }

    static async Task CallAsync(OrdersHost host, OrderDesk.OrderDeskClient client, Random random, string customer)
    {
        using var cancel = new CancellationTokenSource();
        using var order = host.Order(customer, articles[random.Next(articles.Length)], (uint)random.Next(1, 20));
        var hangs = order.Value.Article.ToString() == Article.Hangs;
        var deadline = DateTime.UtcNow + (hangs || random.Next(3) == 0 ? TimeSpan.FromMilliseconds(random.Next(40)) : OrdersHost.Limit);
        if (random.Next(4) == 0) cancel.CancelAfter(random.Next(20));
        var options = new CallOptions(deadline: deadline, cancellationToken: cancel.Token);
        if (random.Next(8) == 0) options = options.WithHeaders(new() { { "throws", random.Next(2) == 0 ? "before" : "after" } });
        switch (random.Next(7))
        {
            case 0:
                using (var reply = client.Place(order, options)) Check(reply.Value, customer);
                break;
            case 1:
                using (var reply = await client.PlaceAsync(order, options)) Check(reply.Value, customer);
                break;
            case 2: // the reply is not awaited, and the call is sometimes not even disposed
                var call = client.PlaceAsync(order, options);
                if (random.Next(2) == 0) call.Dispose();
                else await call.ResponseHeadersAsync;
                break;
            case 3:
                using (var watch = client.Watch(order, options))
                {
                    var most = random.Next(20);
                    for (var i = 0; i < most && await watch.ResponseStream.MoveNext(cancel.Token); i++)
                        Check(watch.ResponseStream.Current, customer);
                }

                break;
            case 4:
                using (var upload = client.Upload(options))
                {
                    for (var i = random.Next(10); i >= 0; i--) await upload.RequestStream.WriteAsync(order, cancel.Token);
                    if (random.Next(3) == 0) break; // aborted in the middle
                    await upload.RequestStream.CompleteAsync();
                    using var reply = await upload;
                    Check(reply.Value, customer);
                }

                break;
            case 5:
                using (var chat = client.Chat(options))
                {
                    for (var i = random.Next(10); i >= 0; i--)
                    {
                        var next = chat.RequestStream.Next;
                        next.SetCustomer(customer);
                        await chat.RequestStream.WriteAsync(cancel.Token);
                        if (random.Next(3) == 0) continue; // a reply that is read later, or never
                        Assert.True(await chat.ResponseStream.MoveNext(cancel.Token));
                        Check(chat.ResponseStream.Current, customer);
                        if (random.Next(4) == 0) chat.ResponseStream.TakeCurrent().Dispose();
                    }
                }

                break;
            default: // bytes that are no call
                var frame = OrdersHost.Frame([10, 3, .. "Ada"u8]);
                await host.PostAsync("Place", random.Next(3) switch { 0 => [.. frame, .. frame], 1 => frame[..^1], _ => OrdersHost.Frame(10, 9) });
                break;
        }
    }

    static void Check(Receipt receipt, string customer)
    {
        var text = receipt.Text.ToString();
        if (!text.StartsWith(customer, StringComparison.Ordinal)) Assert.Fail($"'{text}' is no reply to '{customer}'");
    }

    static GrpcChannelOptions Config(bool hedging)
    {
        // hedging of grpc-dotnet 2.85 loses messages of a stream of requests now and then, with Google's stubs too
        var method = new MethodConfig();
        foreach (var name in hedging ? ["Place", "Watch"] : new[] { "Place", "Watch", "Upload", "Chat" })
            method.Names.Add(new() { Service = "orders.OrderDesk", Method = name });
        if (hedging)
            method.HedgingPolicy = new()
            {
                MaxAttempts = 3,
                HedgingDelay = TimeSpan.FromMilliseconds(1),
                NonFatalStatusCodes = { StatusCode.Unknown },
            };
        else
            method.RetryPolicy = new()
            {
                MaxAttempts = 3,
                InitialBackoff = TimeSpan.FromMilliseconds(1),
                MaxBackoff = TimeSpan.FromMilliseconds(1),
                BackoffMultiplier = 1,
                RetryableStatusCodes = { StatusCode.Unknown, StatusCode.FailedPrecondition },
            };
        return new() { ServiceConfig = new() { MethodConfigs = { method } } };
    }

    sealed class ThrowingInterceptor : Interceptor
    {
        public override async Task<TResponse> UnaryServerHandler<TRequest, TResponse>(
            TRequest request, ServerCallContext context, UnaryServerMethod<TRequest, TResponse> continuation)
        {
            var when = context.RequestHeaders.GetValue("throws");
            if (when == "before") throw new InvalidOperationException("an interceptor that throws");
            var response = await continuation(request, context);
            return when == "after" ? throw new InvalidOperationException("an interceptor that throws") : response;
        }
    }
}
