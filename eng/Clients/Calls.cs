using Grpc.Core;
using Orders.SlabProtobuf;

/// <summary>What each client does.</summary>
static class Calls
{
    /// <summary>Makes a unary call, a call with a stream of replies, and, if they are possible, calls with a stream of requests.</summary>
    /// <returns>What the service has answered, on one line.</returns>
    public static async Task<string> MakeAsync(OrderDesk.OrderDeskClient client, bool hasRequestStreams)
    {
        var answers = new List<string>();
        using var order = Order.Rent();
        order.Value.SetCustomer("Ada");
        order.Value.SetArticle("tea");
        order.Value.SetCount(2);
        using (var receipt = await client.PlaceAsync(order)) answers.Add(receipt.Value.Text.ToString());
        using (var watch = client.Watch(order))
        {
            await foreach (var receipt in watch.ResponseStream.ReadAllAsync()) answers.Add(receipt.Text.ToString());
        }

        if (!hasRequestStreams) return string.Join(", ", answers);
        using (var upload = client.Upload())
        {
            for (var i = 1u; i <= 3; i++)
            {
                upload.RequestStream.Next.SetCount(i);
                await upload.RequestStream.WriteAsync();
            }

            await upload.RequestStream.CompleteAsync();
            using var receipt = await upload;
            answers.Add($"{receipt.Value.Text}: {receipt.Value.Count}");
        }

        using (var chat = client.Chat())
        {
            await chat.RequestStream.WriteAsync(order);
            await chat.RequestStream.CompleteAsync();
            while (await chat.ResponseStream.MoveNext(CancellationToken.None)) answers.Add($"chat: {chat.ResponseStream.Current.Text}");
        }

        return string.Join(", ", answers);
    }
}
