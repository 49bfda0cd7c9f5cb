using Grpc.Core;

namespace Orders;

/// <summary>The service with Google's messages: a reply is made and returned.</summary>
sealed class GoogleDesk : OrderDesk.OrderDeskBase
{
    public override Task<Receipt> Place(Order request, ServerCallContext context) =>
        Task.FromResult(new Receipt
        {
            Text = $"{request.Count} {request.Article} for {request.Customer}, at most {request.Limit?.Price ?? 0} cents",
            Count = request.Count,
        });

    public override async Task Watch(Order request, IServerStreamWriter<Receipt> responseStream, ServerCallContext context)
    {
        for (var i = 1u; i <= request.Count; i++)
            await responseStream.WriteAsync(new Receipt { Text = $"{request.Article} number {i}", Count = i }, context.CancellationToken);
    }

    public override async Task<Receipt> Upload(IAsyncStreamReader<Order> requestStream, ServerCallContext context)
    {
        var count = 0u;
        await foreach (var order in requestStream.ReadAllAsync(context.CancellationToken)) count += order.Count;
        return new Receipt { Text = "all orders", Count = count };
    }

    public override async Task Chat(
        IAsyncStreamReader<Order> requestStream, IServerStreamWriter<Receipt> responseStream, ServerCallContext context)
    {
        await foreach (var order in requestStream.ReadAllAsync(context.CancellationToken))
            await responseStream.WriteAsync(new Receipt { Text = order.Article, Count = order.Count }, context.CancellationToken);
    }
}
