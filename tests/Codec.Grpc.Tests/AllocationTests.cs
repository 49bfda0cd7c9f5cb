using System.Buffers;
using Grpc.AspNetCore.Server.Model;
using Microsoft.Extensions.DependencyInjection;

namespace ProtoBench.Codec.Grpc.Tests;

public class AllocationTests
{
    const int calls = 400;

    /// <summary>Both sides are in one process. What is left is grpc-dotnet's and Kestrel's, and a small object for each message.</summary>
    [Fact]
    public async Task A_call_allocates_as_much_with_long_messages_as_with_short_ones()
    {
        await using var host = await OrdersHost.StartAsync(map: app => app.MapGrpcService<EchoDesk>());
        // recycled messages, as users have them
        MessageSource.Pool = null;
        var client = host.Client();
        var (small, large) = (long.MaxValue, long.MaxValue);
        using (var shorter = Order(10))
        using (var longer = Order(3000))
        {
            // The least of several rounds: a first use, a timer or a test runner allocates in the others.
            for (var round = 0; round < 10; round++)
            {
                small = Math.Min(small, await MeasureAsync(client, shorter));
                large = Math.Min(large, await MeasureAsync(client, longer));
            }
        }

        TestContext.Current.TestOutputHelper?.WriteLine($"{small} B a call with 10 bytes of text, {large} B with 3000");
        Assert.InRange(large - small, -500, 500);
    }

    /// <summary>Against a method that grpc-dotnet calls with objects that exist already.</summary>
    [Fact]
    public async Task A_call_allocates_at_most_200_bytes_of_ours_on_each_side()
    {
        await using var host = await OrdersHost.StartAsync(
            services: services => services.AddSingleton<IServiceMethodProvider<BareDesk>, BareMethods>(),
            map: app =>
            {
                app.MapGrpcService<EchoDesk>();
                app.MapGrpcService<BareDesk>();
            });
        MessageSource.Pool = null;
        var (client, bare) = (host.Client(), new BareClient(host.Channel()));
        var (ours, others) = (long.MaxValue, long.MaxValue);
        using var order = Order(10);
        for (var round = 0; round < 10; round++)
        {
            ours = Math.Min(ours, await MeasureAsync(client, order));
            others = Math.Min(others, await MeasureAsync(bare));
        }

        TestContext.Current.TestOutputHelper?.WriteLine($"{ours} B a call, {others} B without messages");

        // of the 400 bytes of both sides, the middleware and the execution context take about 100 in the other call too
        Assert.InRange(ours - others, 0, 300);
    }

    static async Task<long> MeasureAsync(BareClient client)
    {
        var before = GC.GetTotalAllocatedBytes(precise: true);
        for (var i = 0; i < calls; i++)
        {
            using var call = client.CallAsync();
            Assert.Same(BareMethods.Content, await call);
        }

        return (GC.GetTotalAllocatedBytes(precise: true) - before) / calls;
    }

    sealed class BareDesk;

    sealed class BareMethods : IServiceMethodProvider<BareDesk>
    {
        static readonly byte[] content = new byte[12];

        static readonly Marshaller<byte[]> marshaller = new(
            (bytes, context) =>
            {
                context.SetPayloadLength(bytes.Length);
                context.GetBufferWriter().Write(bytes);
                context.Complete();
            },
            _ => content);

        public static byte[] Content => content;

        public static Method<byte[], byte[]> Method { get; } = new(MethodType.Unary, "bare.Desk", "Call", marshaller, marshaller);

        public void OnServiceMethodDiscovery(ServiceMethodProviderContext<BareDesk> context) =>
            context.AddUnaryMethod(Method, [], (_, _, _) => Task.FromResult(Content));
    }

    /// <summary>As a generated client, whose base class wraps the invoker.</summary>
    sealed class BareClient : ClientBase<BareClient>
    {
        public BareClient(ChannelBase channel)
            : base(channel)
        {
        }

        BareClient(ClientBaseConfiguration configuration)
            : base(configuration)
        {
        }

        public AsyncUnaryCall<byte[]> CallAsync() => CallInvoker.AsyncUnaryCall(BareMethods.Method, null, default, BareMethods.Content);

        protected override BareClient NewInstance(ClientBaseConfiguration configuration) => new(configuration);
    }

    static Message<Order> Order(int length)
    {
        var message = Message<Order>.Rent();
        message.Value.SetCustomer(new string('x', length));
        return message;
    }

    static async Task<long> MeasureAsync(OrderDesk.OrderDeskClient client, Message<Order> order)
    {
        var before = GC.GetTotalAllocatedBytes(precise: true);
        for (var i = 0; i < calls; i++)
        {
            using var reply = await client.PlaceAsync(order);
            // Assert.Equal would allocate more than the call
            if (order.Value.Customer.Length != reply.Value.Text.Length) Assert.Fail("the reply has another length");
        }

        return (GC.GetTotalAllocatedBytes(precise: true) - before) / calls;
    }

    sealed class EchoDesk : OrderDesk.OrderDeskBase
    {
        public override ValueTask Place(Order request, Receipt reply, ServerCallContext context)
        {
            reply.SetText(request.Customer.Span);
            return default;
        }
    }
}
