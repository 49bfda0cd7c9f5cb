using Grpc.Core;
using ProtoBench.Codec.Grpc;

namespace Orders.SlabProtobuf;

/// <summary>The service with slab messages: a reply is filled, and the call releases all messages.</summary>
sealed class SlabDesk : OrderDesk.OrderDeskBase
{
    public override ValueTask Place(Order request, Receipt reply, ServerCallContext context)
    {
        reply.SetText($"{request.Count} {request.Article} for {request.Customer}, at most {request.Limit.Price} cents");
        reply.SetCount(request.Count);
        return default;
    }

    public override async Task Watch(Order request, SlabStreamWriter<Receipt> replies, ServerCallContext context)
    {
        for (var i = 1u; i <= request.Count; i++)
        {
            replies.Next.SetText($"{request.Article} number {i}");
            replies.Next.SetCount(i);
            await replies.WriteAsync(context.CancellationToken);
        }
    }

    public override async ValueTask Upload(SlabStreamReader<Order> requests, Receipt reply, ServerCallContext context)
    {
        var count = 0u;
        await foreach (var order in requests.ReadAllAsync(context.CancellationToken)) count += order.Count;
        reply.SetText("all orders");
        reply.SetCount(count);
    }

    public override async Task Chat(SlabStreamReader<Order> requests, SlabStreamWriter<Receipt> replies, ServerCallContext context)
    {
        await foreach (var order in requests.ReadAllAsync(context.CancellationToken))
        {
            replies.Next.SetText(order.Article);
            replies.Next.SetCount(order.Count);
            await replies.WriteAsync(context.CancellationToken);
        }
    }
}
