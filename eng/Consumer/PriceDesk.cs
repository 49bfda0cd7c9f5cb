using Grpc.Core;
using Shop;

namespace Consumer;

/// <summary>Adds prices up.</summary>
public sealed class PriceDesk : Desk.DeskBase
{
    /// <inheritdoc/>
    public override ValueTask Place(Order request, Price reply, ServerCallContext context)
    {
        foreach (var one in request.Lines) reply.SetCents(reply.Cents + (one.Count * one.Price.Cents));
        return default;
    }
}
