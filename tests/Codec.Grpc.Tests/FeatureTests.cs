using System.Buffers;
using System.IO.Compression;
using System.Security.Claims;
using System.Text.Encodings.Web;
using Google.Protobuf;
using Grpc.Core.Interceptors;
using Grpc.Health.V1;
using Grpc.Net.Client;
using Grpc.Net.Client.Configuration;
using Grpc.Net.Client.Web;
using Grpc.Reflection.V1Alpha;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using GoogleHealth = Grpc.Health.V1.Health;

namespace ProtoBench.Codec.Grpc.Tests;

public class FeatureTests
{
    static CancellationToken Test => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Metadata_and_trailers_travel_in_both_directions()
    {
        await using var host = await OrdersHost.StartAsync(map: app => app.MapGrpcService<ForeignPeerTests.EchoingDesk>());
        await ForeignPeerTests.CarryMetadataAsync(host.Client());
        await host.NothingIsOutstandingAsync();
    }

    [Fact]
    public async Task Interceptors_see_every_kind_of_call_on_both_sides()
    {
        var (client, server) = (new Log(), new Log());
        await using var host = await OrdersHost.StartAsync(options => options.Interceptors.Add<LogInterceptor>(server));
        var stub = host.Client(new LogInterceptor(client));
        using (var order = host.Order(count: 1))
        {
            (await stub.PlaceAsync(order)).Dispose();
            stub.Place(order, cancellationToken: Test).Dispose();
            using (var watch = stub.Watch(order))
            {
                Assert.True(await watch.ResponseStream.MoveNext(Test));
                Assert.False(await watch.ResponseStream.MoveNext(Test));
            }

            using (var upload = stub.Upload())
            {
                await upload.RequestStream.CompleteAsync();
                (await upload).Dispose();
            }

            using var chat = stub.Chat();
            await chat.RequestStream.CompleteAsync();
            Assert.False(await chat.ResponseStream.MoveNext(Test));
        }

        Assert.Equal(["unary Ada", "blocking Ada", "server streaming Ada", "client streaming", "duplex streaming"], client.Lines);
        Assert.Equal(["unary Ada", "unary Ada", "server streaming Ada", "client streaming", "duplex streaming"], server.Lines);
        await host.NothingIsOutstandingAsync();
    }

    sealed class Log
    {
        public List<string> Lines { get; } = [];

        public void Add<T>(string kind, T message) => Lines.Add($"{kind} {((GrpcMessage<Order>)(object)message!).Value.Customer}");
    }

    [Fact]
    public async Task An_interceptor_that_knows_no_type_reads_what_a_message_is_on_both_sides()
    {
        var (client, server) = (new List<string>(), new List<string>());
        await using var host = await OrdersHost.StartAsync(options => options.Interceptors.Add<Audit>(server));
        using (var order = host.Order(count: 300))
        {
            order.Value.MutableLimit().SetPrice(7);
            (await host.Client(new Audit(client)).PlaceAsync(order, cancellationToken: Test)).Dispose();
        }

        var google = new global::Orders.Order { Customer = "Ada", Article = "tea", Count = 300, Limit = new() { Price = 7 } };
        var expected = $"orders.Order, {google.CalculateSize()} bytes, {Convert.ToHexString(google.ToByteArray())}, "
            + $"{google.ToString().Replace(" ", "", StringComparison.Ordinal)}, "
            + "customer: \"Ada\" article: \"tea\" count: 300 limit { price: 7 }";
        Assert.Equal([expected], client);
        Assert.Equal([expected], server);
        await host.NothingIsOutstandingAsync();
    }

    sealed class Audit(List<string> lines) : Interceptor
    {
        public override AsyncUnaryCall<TResponse> AsyncUnaryCall<TRequest, TResponse>(TRequest request,
            ClientInterceptorContext<TRequest, TResponse> context, AsyncUnaryCallContinuation<TRequest, TResponse> continuation)
        {
            lines.Add(Line(Assert.IsType<GrpcMessage>(request, exactMatch: false)));
            return continuation(request, context);
        }

        public override Task<TResponse> UnaryServerHandler<TRequest, TResponse>(
            TRequest request, ServerCallContext context, UnaryServerMethod<TRequest, TResponse> continuation)
        {
            lines.Add(Line(Assert.IsType<GrpcMessage>(request, exactMatch: false)));
            return continuation(request, context);
        }

        static string Line(GrpcMessage message)
        {
            var bytes = new ArrayBufferWriter<byte>();
            message.WriteTo(bytes);
            return $"{message.FullName}, {message.CalculateSize()} bytes, {Convert.ToHexString(bytes.WrittenSpan)}, {message.ToJson()}, {message}";
        }
    }

    sealed class LogInterceptor(Log log) : Interceptor
    {
        public override TResponse BlockingUnaryCall<TRequest, TResponse>(TRequest request,
            ClientInterceptorContext<TRequest, TResponse> context, BlockingUnaryCallContinuation<TRequest, TResponse> continuation)
        {
            log.Add("blocking", request);
            return continuation(request, context);
        }

        public override AsyncUnaryCall<TResponse> AsyncUnaryCall<TRequest, TResponse>(TRequest request,
            ClientInterceptorContext<TRequest, TResponse> context, AsyncUnaryCallContinuation<TRequest, TResponse> continuation)
        {
            log.Add("unary", request);
            return continuation(request, context);
        }

        public override AsyncServerStreamingCall<TResponse> AsyncServerStreamingCall<TRequest, TResponse>(TRequest request,
            ClientInterceptorContext<TRequest, TResponse> context, AsyncServerStreamingCallContinuation<TRequest, TResponse> continuation)
        {
            log.Add("server streaming", request);
            return continuation(request, context);
        }

        public override AsyncClientStreamingCall<TRequest, TResponse> AsyncClientStreamingCall<TRequest, TResponse>(
            ClientInterceptorContext<TRequest, TResponse> context, AsyncClientStreamingCallContinuation<TRequest, TResponse> continuation)
        {
            log.Lines.Add("client streaming");
            return continuation(context);
        }

        public override AsyncDuplexStreamingCall<TRequest, TResponse> AsyncDuplexStreamingCall<TRequest, TResponse>(
            ClientInterceptorContext<TRequest, TResponse> context, AsyncDuplexStreamingCallContinuation<TRequest, TResponse> continuation)
        {
            log.Lines.Add("duplex streaming");
            return continuation(context);
        }

        public override Task<TResponse> UnaryServerHandler<TRequest, TResponse>(
            TRequest request, ServerCallContext context, UnaryServerMethod<TRequest, TResponse> continuation)
        {
            log.Add("unary", request);
            return continuation(request, context);
        }

        public override Task ServerStreamingServerHandler<TRequest, TResponse>(TRequest request,
            IServerStreamWriter<TResponse> responseStream, ServerCallContext context,
            ServerStreamingServerMethod<TRequest, TResponse> continuation)
        {
            log.Add("server streaming", request);
            return continuation(request, responseStream, context);
        }

        public override Task<TResponse> ClientStreamingServerHandler<TRequest, TResponse>(IAsyncStreamReader<TRequest> requestStream,
            ServerCallContext context, ClientStreamingServerMethod<TRequest, TResponse> continuation)
        {
            log.Lines.Add("client streaming");
            return continuation(requestStream, context);
        }

        public override Task DuplexStreamingServerHandler<TRequest, TResponse>(IAsyncStreamReader<TRequest> requestStream,
            IServerStreamWriter<TResponse> responseStream, ServerCallContext context,
            DuplexStreamingServerMethod<TRequest, TResponse> continuation)
        {
            log.Lines.Add("duplex streaming");
            return continuation(requestStream, responseStream, context);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Attributes_of_type_and_method_reach_the_endpoint(bool onType)
    {
        await using var host = await OrdersHost.StartAsync(
            services: services =>
            {
                services.AddAuthentication("test").AddScheme<AuthenticationSchemeOptions, HeaderAuthentication>("test", null);
                services.AddAuthorization();
            },
            map: app =>
            {
                app.UseAuthentication();
                app.UseAuthorization();
                if (onType) app.MapGrpcService<GuardedDesk>();
                else app.MapGrpcService<GuardedMethodDesk>();
            });
        var client = host.Client();
        using (var order = host.Order(count: 1))
        {
            Assert.Equal(StatusCode.Unauthenticated,
                (await OrdersHost.FailureOf(async () => (await client.PlaceAsync(order)).Dispose())).StatusCode);
            (await client.PlaceAsync(order, new Metadata { { "user", "Ada" } })).Dispose();

            // the type guards every method but the one that says otherwise; the method's attribute guards that method only
            using var watch = client.Watch(order);
            Assert.True(await watch.ResponseStream.MoveNext(Test));
        }

        await host.NothingIsOutstandingAsync(collects: true);
    }

    [Authorize]
    sealed class GuardedDesk : SlabDesk
    {
        [AllowAnonymous]
        public override Task Watch(Order request, SlabStreamWriter<Receipt> replies, ServerCallContext context) =>
            base.Watch(request, replies, context);
    }

    sealed class GuardedMethodDesk : SlabDesk
    {
        [Authorize]
        public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) => base.Place(request, reply, context);
    }

    sealed class HeaderAuthentication(IOptionsMonitor<AuthenticationSchemeOptions> options, ILoggerFactory logger, UrlEncoder encoder)
        : AuthenticationHandler<AuthenticationSchemeOptions>(options, logger, encoder)
    {
        protected override Task<AuthenticateResult> HandleAuthenticateAsync() => Task.FromResult(
            Request.Headers["user"] is [{ } user]
                ? AuthenticateResult.Success(new(new(new ClaimsIdentity([new Claim("name", user)], "test")), "test"))
                : AuthenticateResult.NoResult());
    }

    /// <summary>A method with the name of a stub's, which the stub's callers do not reach, has no say.</summary>
    [Fact]
    public async Task A_method_that_hides_the_stubs_method_is_not_served()
    {
        await using var host = await OrdersHost.StartAsync(map: app =>
        {
            app.MapGrpcService<HidingDesk>();
            var endpoint = ((IEndpointRouteBuilder)app).DataSources.SelectMany(source => source.Endpoints)
                .Single(endpoint => endpoint.DisplayName!.Contains("Place", StringComparison.Ordinal));
            Assert.Empty(endpoint.Metadata.OfType<ObsoleteAttribute>());
        });
        using var order = host.Order();
        using var reply = await host.Client().PlaceAsync(order);
        Assert.Equal("Ada: 3 tea", reply.Value.Text.ToString());
    }

    sealed class HidingDesk : SlabDesk
    {
        [Obsolete("hides")]
        public new ValueTask Place(Order request, Receipt reply, ServerCallContext context) => throw new NotSupportedException();
    }

    [Fact]
    public async Task The_client_factory_makes_clients()
    {
        await using var host = await OrdersHost.StartAsync();
        var services = new ServiceCollection();
        services.AddGrpcClient<OrderDesk.OrderDeskClient>(options => options.Address = host.Address);
        await using var provider = services.BuildServiceProvider();
        using var order = host.Order();
        using var reply = await provider.GetRequiredService<OrderDesk.OrderDeskClient>().PlaceAsync(order);
        Assert.Equal(3u, reply.Value.Count);
    }

    /// <summary>The service calls itself by a client of the factory, which configures everything: an interceptor, metadata, and the
    /// deadline and the cancellation of the call that the service serves.</summary>
    [Fact]
    public async Task A_client_of_the_factory_has_the_deadline_of_the_call_that_is_served()
    {
        var seen = new List<string?>();
        await using var host = await OrdersHost.StartAsync(services: services => services
            .AddGrpcClient<OrderDesk.OrderDeskClient>((provider, options) => options.Address = new(provider.GetRequiredService<IServer>()
                .Features.Get<IServerAddressesFeature>()!.Addresses.Single()))
            .AddInterceptor(() => new HostInterceptor(seen.Add))
            .AddCallCredentials((_, metadata) =>
            {
                metadata.Add("token", "secret");
                return Task.CompletedTask;
            })
            .ConfigureChannel(options => options.UnsafeUseInsecureChannelCallCredentials = true)
            .EnableCallContextPropagation(), map: app => app.MapGrpcService<ForwardingDesk>());
        var deadline = DateTime.UtcNow.AddHours(1);
        using (var order = host.Order(article: ForwardingDesk.Forward))
        using (var reply = await host.Client().PlaceAsync(order, deadline: deadline, cancellationToken: Test))
        {
            Assert.Equal("secret", reply.Value.Text.ToString());
            Assert.InRange(reply.Value.Count, 3_000u, 3_601u);
        }

        Assert.Single(seen);
        using (var order = host.Order(article: ForwardingDesk.Forward))
        using (var reply = await host.Client().PlaceAsync(order, cancellationToken: Test)) Assert.Equal(uint.MaxValue, reply.Value.Count);
        await host.NothingIsOutstandingAsync();
    }

    /// <summary>Answers with the token and the remaining seconds of the call that it has forwarded to itself.</summary>
    sealed class ForwardingDesk(OrderDesk.OrderDeskClient desk) : SlabDesk
    {
        public const string Forward = "forward";

        public override async ValueTask Place(Order request, Receipt reply, ServerCallContext context)
        {
            if (request.Article.ToString() == Forward)
            {
                using var order = Message<Order>.Rent();
                using var receipt = await desk.PlaceAsync(order, cancellationToken: Test);
                reply.CopyFrom(receipt.Value);
                return;
            }

            reply.SetText(context.RequestHeaders.GetValue("token") ?? "");
            reply.SetCount(context.Deadline == DateTime.MaxValue ? uint.MaxValue : (uint)(context.Deadline - DateTime.UtcNow).TotalSeconds);
        }
    }

    [Fact]
    public async Task A_client_for_another_host_name_calls_with_it()
    {
        await using var host = await OrdersHost.StartAsync();
        var seen = "";
        var client = host.Client(new HostInterceptor(name => seen = name)).WithHost("other.example");
        using var order = host.Order();
        (await client.PlaceAsync(order)).Dispose();
        Assert.Equal("other.example", seen);
    }

    sealed class HostInterceptor(Action<string?> see) : Interceptor
    {
        public override AsyncUnaryCall<TResponse> AsyncUnaryCall<TRequest, TResponse>(TRequest request,
            ClientInterceptorContext<TRequest, TResponse> context, AsyncUnaryCallContinuation<TRequest, TResponse> continuation)
        {
            see(context.Host);
            return continuation(request, context);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Retries_and_hedging_send_the_request_again(bool hedging)
    {
        var failures = 2;
        await using var host = await OrdersHost.StartAsync(
            services: services => services.AddSingleton(new Failures(() => Interlocked.Decrement(ref failures) >= 0)),
            map: app => app.MapGrpcService<FailingDesk>());
        var method = new MethodConfig { Names = { MethodName.Default } };
        if (hedging)
            method.HedgingPolicy = new()
            {
                MaxAttempts = 3,
                HedgingDelay = TimeSpan.Zero,
                NonFatalStatusCodes = { StatusCode.Unavailable },
            };
        else
            method.RetryPolicy = new()
            {
                MaxAttempts = 5,
                InitialBackoff = TimeSpan.FromMilliseconds(1),
                MaxBackoff = TimeSpan.FromMilliseconds(1),
                BackoffMultiplier = 1,
                RetryableStatusCodes = { StatusCode.Unavailable },
            };
        var client = host.Client(new GrpcChannelOptions { ServiceConfig = new() { MethodConfigs = { method } } });
        using (var order = host.Order())
        using (var reply = await client.PlaceAsync(order))
        {
            Assert.Equal("Ada: 3 tea", reply.Value.Text.ToString());
        }

        Assert.True(failures < 0);
        await host.NothingIsOutstandingAsync(collects: true);
    }

    sealed record Failures(Func<bool> IsNext);

    sealed class FailingDesk(Failures failures) : SlabDesk
    {
        public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) =>
            failures.IsNext() ? throw new RpcException(new(StatusCode.Unavailable, "busy")) : base.Place(request, reply, context);
    }

    [Fact]
    public async Task Messages_are_compressed_in_both_directions()
    {
        var encodings = "";
        await using var host = await OrdersHost.StartAsync(
            options => (options.ResponseCompressionAlgorithm, options.ResponseCompressionLevel) = ("gzip", CompressionLevel.Fastest),
            map: app =>
            {
                app.Use(async (context, next) =>
                {
                    await next(context);
                    encodings = $"{context.Request.Headers["grpc-encoding"]}, {context.Response.Headers["grpc-encoding"]}";
                });
                app.MapGrpcService<SlabDesk>();
            });
        using (var order = host.Order(new('x', 5000)))
        using (var reply = await host.Client().PlaceAsync(order, new Metadata { { "grpc-internal-encoding-request", "gzip" } }))
        {
            Assert.Equal(new string('x', 5000) + ": 3 tea", reply.Value.Text.ToString());
        }

        await host.NothingIsOutstandingAsync();
        Assert.Equal("gzip, gzip", encodings);
    }

    [Fact]
    public async Task gRPC_Web_carries_unary_calls_and_streams_of_replies()
    {
        await using var host = await OrdersHost.StartAsync(protocols: HttpProtocols.Http1, map: app =>
        {
            app.UseGrpcWeb(new() { DefaultEnabled = true });
            app.MapGrpcService<SlabDesk>();
        });
        using var handler = new GrpcWebHandler(GrpcWebMode.GrpcWebText, new HttpClientHandler());
        var client = host.Client(new GrpcChannelOptions { HttpHandler = handler, HttpVersion = new(1, 1) });
        using (var order = host.Order(count: 2))
        {
            using var reply = await client.PlaceAsync(order);
            Assert.Equal("Ada: 2 tea", reply.Value.Text.ToString());
            using var watch = client.Watch(order);
            var counts = await watch.ResponseStream.ReadAllAsync(Test).Select(receipt => receipt.Count).ToListAsync(Test);
            Assert.Equal([1u, 2u], counts);
        }

        await host.NothingIsOutstandingAsync();
    }

    [Fact]
    public async Task Health_and_reflection_work_beside_it()
    {
        await using var host = await OrdersHost.StartAsync(
            services: services =>
            {
                services.AddGrpcHealthChecks();
                services.AddGrpcReflection();
            },
            map: app =>
            {
                app.MapGrpcService<SlabDesk>();
                app.MapGrpcHealthChecksService();
                app.MapGrpcReflectionService();
            });
        var health = await new GoogleHealth.HealthClient(host.Channel()).CheckAsync(new());
        Assert.NotEqual(HealthCheckResponse.Types.ServingStatus.ServiceUnknown, health.Status);
        using var reflection = new ServerReflection.ServerReflectionClient(host.Channel()).ServerReflectionInfo();
        await reflection.RequestStream.WriteAsync(new() { ListServices = "" });
        Assert.True(await reflection.ResponseStream.MoveNext(Test));
        Assert.Contains("orders.OrderDesk", reflection.ResponseStream.Current.ListServicesResponse.Service.Select(service => service.Name));
        await reflection.RequestStream.CompleteAsync();
    }

    [Fact]
    public async Task Cancellation_reaches_the_service_and_ends_the_call()
    {
        var signals = new Signals();
        await using var host = await OrdersHost.StartAsync(services: services => services.AddSingleton(signals),
            map: app => app.MapGrpcService<ListeningDesk>());
        using (var cancel = CancellationTokenSource.CreateLinkedTokenSource(Test))
        using (var order = host.Order())
        {
            var call = host.Client().PlaceAsync(order, cancellationToken: cancel.Token);
            await signals.Serving.Task.WaitAsync(OrdersHost.Limit, Test);
            await cancel.CancelAsync();
            Assert.Equal(StatusCode.Cancelled, (await OrdersHost.FailureOf(async () => (await call).Dispose())).StatusCode);
        }

        await signals.Cancelled.Task.WaitAsync(OrdersHost.Limit, Test);
        await host.NothingIsOutstandingAsync(collects: true);
    }

    sealed class Signals
    {
        public TaskCompletionSource Serving { get; } = new();

        public TaskCompletionSource Cancelled { get; } = new();
    }

    sealed class ListeningDesk(Signals signals) : SlabDesk
    {
        public override async ValueTask Place(Order request, Receipt reply, ServerCallContext context)
        {
            signals.Serving.TrySetResult();
            await using var registration = context.CancellationToken.Register(() => signals.Cancelled.TrySetResult());
            await signals.Cancelled.Task;
        }
    }
}
