using System.Net;
using Grpc.Net.Client;
using Microsoft.AspNetCore.Http;

namespace ProtoBench.Codec.Grpc.Tests;

public class FailureTests
{
    [Fact]
    public async Task A_request_that_is_malformed_is_internal_on_the_server()
    {
        await using (var ours = await OrdersHost.StartAsync())
        {
            foreach (var method in new[] { "Place", "Watch", "Upload", "Chat" })
            {
                Assert.Equal((StatusCode.Internal, "The message is malformed. Refused at byte 2: the input ends inside a field."),
                    await ours.PostAsync(method, OrdersHost.Frame(10, 5)));
            }

            await ours.NothingIsOutstandingAsync();
        }

        // grpc-dotnet does not know exceptions of a parser; gRPC's list of status codes says INTERNAL
        await using var google = await OrdersHost.StartAsync(map: app => app.MapGrpcService<GoogleDesk>());
        Assert.Equal((StatusCode.Unknown, "Exception was thrown by handler."), await google.PostAsync("Place", OrdersHost.Frame(10, 5)));
    }

    [Fact]
    public async Task A_reply_that_is_malformed_is_internal_on_the_client()
    {
        await using var host = await OrdersHost.StartAsync(map: app => app.MapPost("/orders.OrderDesk/{method}", async context =>
        {
            context.Response.ContentType = "application/grpc";
            await context.Response.Body.WriteAsync(OrdersHost.Frame(10, 5));
            context.Response.AppendTrailer("grpc-status", "0");
        }));
        using (var order = host.Order())
        {
            var failure = await OrdersHost.FailureOf(async () => (await host.Client().PlaceAsync(order)).Dispose());
            Assert.Equal((StatusCode.Internal, "The message is malformed. Refused at byte 2: the input ends inside a field."),
                (failure.StatusCode, failure.Status.Detail));
            using var watch = host.Client().Watch(order);
            failure = await OrdersHost.FailureOf(() => watch.ResponseStream.MoveNext(TestContext.Current.CancellationToken));
            Assert.Equal(StatusCode.Internal, failure.StatusCode);

            // Google's exception is an IOException, which grpc-dotnet takes for a lost connection
            var google = await OrdersHost.FailureOf(() => host.GoogleClient().PlaceAsync(new()).ResponseAsync);
            Assert.Equal(StatusCode.Unavailable, google.StatusCode);
        }

        await host.NothingIsOutstandingAsync();
    }

    /// <summary>grpc-dotnet completes the response on another thread when the deadline passes. What Kestrel then does to memory that the
    /// handler is writing is shown by HostileInputTests of Rpc.</summary>
    [Theory]
    [InlineData("application/grpc", "1H", true)]
    [InlineData("application/grpc", null, false)]
    [InlineData("application/grpc-web", "1H", false)]
    public async Task Of_a_response_with_a_deadline_the_first_to_use_it_is_the_only_one(string type, string? timeout, bool isOne)
    {
        var late = new TaskCompletionSource<Exception?>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var host = await OrdersHost.StartAsync(map: app =>
        {
            app.MapPost("/Handler", async context =>
            {
                context.Response.BodyWriter.GetSpan(1);
                await context.Response.CompleteAsync();
                await context.Response.WriteAsync("written");
            });
            app.MapPost("/Deadline", async context =>
            {
                await context.Response.CompleteAsync();
                late.SetResult(Record.Exception(() => context.Response.BodyWriter));
            });
        });
        Assert.Equal(isOne ? "written" : "", await SendAsync("Handler"));
        Assert.Equal("", await SendAsync("Deadline"));
        var refusal = await late.Task.WaitAsync(OrdersHost.Limit, TestContext.Current.CancellationToken);
        Assert.Equal(isOne, refusal is InvalidOperationException);

        async Task<string> SendAsync(string path)
        {
            using var http = new HttpClient();
            using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(host.Address, path))
            {
                Version = HttpVersion.Version20,
                VersionPolicy = HttpVersionPolicy.RequestVersionExact,
                Content = new ByteArrayContent([]) { Headers = { ContentType = new(type) } },
            };
            if (timeout is not null)
                request.Headers.Add("grpc-timeout", timeout);
            using var response = await http.SendAsync(request, TestContext.Current.CancellationToken);
            return await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        }
    }

    /// <summary>A reply that fails after it was read: more than one message, and a status that is not OK.</summary>
    [Theory]
    [InlineData(2, "0")]
    [InlineData(1, "9")]
    public async Task A_reply_that_was_read_and_that_nobody_gets_does_not_leak(int messages, string status)
    {
        await using var host = await OrdersHost.StartAsync(map: app => app.MapPost("/orders.OrderDesk/Place", async context =>
        {
            context.Response.ContentType = "application/grpc";
            for (var i = 0; i < messages; i++) await context.Response.Body.WriteAsync(OrdersHost.Frame([10, 3, .. "Ada"u8]));
            context.Response.AppendTrailer("grpc-status", status);
        }));
        using (var order = host.Order())
        {
            var failure = await OrdersHost.FailureOf(async () => (await host.Client().PlaceAsync(order)).Dispose());
            var google = await OrdersHost.FailureOf(() => host.GoogleClient().PlaceAsync(new()).ResponseAsync);
            Assert.Equal((google.StatusCode, google.Status.Detail), (failure.StatusCode, failure.Status.Detail));
        }

        await host.NothingIsOutstandingAsync(collects: true);
    }

    [Theory]
    [InlineData(100, 1_000_000)]
    [InlineData(1_000_000, 100)]
    public async Task Limits_of_size_have_the_status_and_text_of_Googles_stubs(int receives, int sends)
    {
        var failures = new List<(StatusCode, string)>();
        foreach (var ours in new[] { true, false })
        {
            await using var host = await OrdersHost.StartAsync(
                options => (options.MaxReceiveMessageSize, options.MaxSendMessageSize) = (receives, sends),
                map: app => _ = ours ? app.MapGrpcService<SlabDesk>() : app.MapGrpcService<GoogleDesk>());
            using (var order = host.Order(new('x', 200)))
            {
                var failure = await OrdersHost.FailureOf(async () => (await host.Client().PlaceAsync(order)).Dispose());
                failures.Add((failure.StatusCode, failure.Status.Detail));
            }

            await host.NothingIsOutstandingAsync();
        }

        Assert.Equal(failures[1], failures[0]);
        Assert.NotEqual(StatusCode.OK, failures[0].Item1);
    }

    [Theory]
    [InlineData(100, 1_000_000)]
    [InlineData(1_000_000, 100)]
    public async Task Limits_of_a_client_have_the_status_and_text_of_Googles_stubs(int receives, int sends)
    {
        var options = new GrpcChannelOptions { MaxReceiveMessageSize = receives, MaxSendMessageSize = sends };
        await using var host = await OrdersHost.StartAsync();
        using (var order = host.Order(new('x', 200)))
        {
            var failure = await OrdersHost.FailureOf(async () => (await host.Client(options).PlaceAsync(order)).Dispose());
            var google = await OrdersHost.FailureOf(() => new global::Orders.OrderDesk.OrderDeskClient(host.Channel(options))
                .PlaceAsync(new() { Customer = new('x', 200) }).ResponseAsync);
            Assert.Equal((google.StatusCode, google.Status.Detail), (failure.StatusCode, failure.Status.Detail));
        }

        await host.NothingIsOutstandingAsync();
    }
}
