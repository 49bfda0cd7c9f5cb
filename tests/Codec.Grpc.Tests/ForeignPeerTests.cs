using Grpc.Net.Client;
using ProtoBench.Allocators;
using Order = Orders.SlabProtobuf.Order;
using OrderDesk = Orders.SlabProtobuf.OrderDesk;
using Receipt = Orders.SlabProtobuf.Receipt;

namespace ProtoBench.Codec.Grpc.Tests;

/// <summary>Generated stubs and peers of other languages, in both directions: grpc-js with the messages of protobufjs (tests/node), and
/// grpcio with Python's protobuf (tests/python).</summary>
public class ForeignPeerTests
{
    const int cases = 14;

    static readonly byte[] bytes = [0, 255, 1];

    public static TheoryData<string> Languages => ["node", "python"];

    [Theory]
    [MemberData(nameof(Languages))]
    public async Task A_foreign_client_calls_our_service(string language)
    {
        await using var host = await OrdersHost.StartAsync(map: app => app.MapGrpcService<EchoingDesk>());
        await using var client = await StartAsync(language, "client", $"127.0.0.1:{host.Address.Port}");
        var (exitCode, output) = await client.EndAsync(TimeSpan.FromMinutes(10));
        Assert.True(exitCode == 0, output);
        Assert.Equal(cases, output.Split('\n').Count(line => line.StartsWith("ok ", StringComparison.Ordinal)));
        await host.NothingIsOutstandingAsync();
    }

    [Theory]
    [MemberData(nameof(Languages))]
    public async Task Our_client_calls_a_foreign_service(string language)
    {
        await using var server = await StartAsync(language, "server");
        var port = await server.Output.ReadLineAsync(TestContext.Current.CancellationToken).AsTask().WaitAsync(TimeSpan.FromMinutes(5));
        using var pool = new DiagnosticSlabPool(SlabPool.Create(new() { Name = "foreign calls" }), captureStacks: true);
        MessageSource.Pool = pool;
        try
        {
            using var channel = GrpcChannel.ForAddress("http://127.0.0.1:" + port);
            var client = new OrderDesk.OrderDeskClient(channel);
            await CallAllKindsAsync(client);
            await CarryMetadataAsync(client);
            await MissDeadlinesAsync(client);
            await FailAsync(client);
            pool.ThrowIfOutstanding();
        }
        finally
        {
            MessageSource.Pool = null;
        }
    }

    internal static async Task CallAllKindsAsync(OrderDesk.OrderDeskClient client)
    {
        var longText = string.Concat(Enumerable.Repeat("Zürich 東京 🐝 ", 10_000));
        (string, string, uint)[] orders = [("Ada", "tea", 3), ("", "", 0), (longText, "tea", uint.MaxValue)];
        foreach (var (customer, article, count) in orders)
        {
            using var order = NewOrder(customer, article, count);
            using var reply = await client.PlaceAsync(order, cancellationToken: TestContext.Current.CancellationToken);
            Assert.Equal(($"{customer}: {count} {article}", count), (reply.Value.Text.ToString(), reply.Value.Count));
            using var blocking = client.Place(order, cancellationToken: TestContext.Current.CancellationToken);
            Assert.Equal(reply.ToByteArray(), blocking.ToByteArray());
        }

        using (var upload = client.Upload())
        {
            for (var i = 1u; i <= 4; i++)
            {
                upload.RequestStream.Next.SetCustomer("Bob");
                upload.RequestStream.Next.SetCount(i);
                await upload.RequestStream.WriteAsync(TestContext.Current.CancellationToken);
            }

            await upload.RequestStream.CompleteAsync();
            using var reply = await upload;
            Assert.Equal(("Bob", 10u), (reply.Value.Text.ToString(), reply.Value.Count));
        }

        using (var order = NewOrder(count: 100))
        using (var watch = client.Watch(order))
        {
            var texts = new List<string>();
            await foreach (var receipt in watch.ResponseStream.ReadAllAsync(TestContext.Current.CancellationToken))
                texts.Add($"{receipt.Text} {receipt.Count}");
            Assert.Equal(Enumerable.Range(1, 100).Select(i => $"Ada: {i} {i}"), texts);
        }

        using var chat = client.Chat();
        for (var i = 1u; i <= 100; i++)
        {
            using var order = NewOrder("Eve", count: i);
            await chat.RequestStream.WriteAsync(order, TestContext.Current.CancellationToken);
            Assert.True(await chat.ResponseStream.MoveNext(TestContext.Current.CancellationToken));
            Assert.Equal($"Eve: {i}", chat.ResponseStream.Current.Text.ToString());
        }

        await chat.RequestStream.CompleteAsync();
        Assert.False(await chat.ResponseStream.MoveNext(TestContext.Current.CancellationToken));
        Assert.Equal(StatusCode.OK, chat.GetStatus().StatusCode);
    }

    internal static async Task CarryMetadataAsync(OrderDesk.OrderDeskClient client)
    {
        using var order = NewOrder();
        using var call = client.PlaceAsync(order, new Metadata { { "x-text", "a b" }, { "x-some-bin", bytes } },
            cancellationToken: TestContext.Current.CancellationToken);
        var headers = await call.ResponseHeadersAsync;
        (await call.ResponseAsync).Dispose();
        Assert.Equal(StatusCode.OK, call.GetStatus().StatusCode);
        Assert.All((Metadata[])[headers, call.GetTrailers()], metadata =>
        {
            Assert.Equal("a b", metadata.GetValue("x-text"));
            Assert.Equal(bytes, metadata.GetValueBytes("x-some-bin"));
        });
    }

    static async Task MissDeadlinesAsync(OrderDesk.OrderDeskClient client)
    {
        using var order = NewOrder(article: "hangs");
        var stop = TestContext.Current.CancellationToken;
        var failure = await OrdersHost.FailureOf(async () =>
            (await client.PlaceAsync(order, deadline: DateTime.UtcNow.AddSeconds(1), cancellationToken: stop)).Dispose());
        Assert.Equal(StatusCode.DeadlineExceeded, failure.StatusCode);
        using var watch = client.Watch(order, deadline: DateTime.UtcNow.AddSeconds(1), cancellationToken: stop);
        Assert.Equal(StatusCode.DeadlineExceeded, (await OrdersHost.FailureOf(() => ReadAllAsync(watch.ResponseStream))).StatusCode);
    }

    static async Task FailAsync(OrderDesk.OrderDeskClient client)
    {
        using var order = NewOrder(article: "refuses");
        Refused(await OrdersHost.FailureOf(async () => (await client.PlaceAsync(order)).Dispose()));
        Refused(await OrdersHost.FailureOf(() => Task.Run(() => client.Place(order).Dispose())));
        using (var upload = client.Upload())
        {
            await upload.RequestStream.WriteAsync(order, TestContext.Current.CancellationToken);
            Refused(await OrdersHost.FailureOf(async () => (await upload).Dispose()));
        }

        using (var watch = client.Watch(order))
            Refused(await OrdersHost.FailureOf(() => ReadAllAsync(watch.ResponseStream)));
        using var chat = client.Chat();
        await chat.RequestStream.WriteAsync(order, TestContext.Current.CancellationToken);
        Refused(await OrdersHost.FailureOf(() => ReadAllAsync(chat.ResponseStream)));
    }

    static void Refused(RpcException failure)
    {
        Assert.Equal((StatusCode.FailedPrecondition, "sold out"), (failure.StatusCode, failure.Status.Detail));
        Assert.Equal("sold out", failure.Trailers.GetValue("reason"));
    }

    static async Task ReadAllAsync(SlabStreamReader<Receipt> replies)
    {
        while (await replies.MoveNext(TestContext.Current.CancellationToken))
        {
            // the end is what is looked at
        }
    }

    static Message<Order> NewOrder(string customer = "Ada", string article = "tea", uint count = 1)
    {
        var message = MessageSource.Rent<Order>();
        message.Value.SetCustomer(customer);
        message.Value.SetArticle(article);
        message.Value.SetCount(count);
        return message;
    }

    // Python reads the description that the generated code has
    static readonly string descriptor = Convert.ToBase64String(global::Orders.SlabProtobuf.OrdersReflection.Descriptor.SerializedData.Span);

    static Task<ScriptProcess> StartAsync(string language, string role, params string[] arguments) => language == "node"
        ? Node.StartAsync($"orders-{role}.mjs", arguments)
        : Python.StartAsync($"orders_{role}.py", [descriptor, .. arguments]);

    internal sealed class EchoingDesk : SlabDesk
    {
        public override async ValueTask Place(Order request, Receipt reply, ServerCallContext context)
        {
            var metadata = context.RequestHeaders.Where(entry => entry.Key.StartsWith("x-", StringComparison.Ordinal)).ToList();
            var headers = new Metadata();
            foreach (var entry in metadata)
            {
                headers.Add(entry);
                context.ResponseTrailers.Add(entry);
            }

            await context.WriteResponseHeadersAsync(headers);
            await base.Place(request, reply, context);
        }
    }
}
