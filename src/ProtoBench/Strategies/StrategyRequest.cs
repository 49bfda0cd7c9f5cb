using ProtoBench.Payloads;

namespace ProtoBench.Strategies;

/// <summary>A decoded request whose every memory decision is a type argument,
/// so that two strategies differ in one decision and in nothing else.</summary>
/// <remarks>Not thread-safe.</remarks>
sealed class StrategyRequest<TLeaf, TLeaves, TItems> : IStrategyRequest
    where TLeaves : struct, ILeafSource<TLeaf>
    where TItems : struct, IItemStore<TLeaf>
{
    readonly TLeaves leaves = new();
    readonly TItems items = new();
    TLeaf? traceId;
    TLeaf? context;
    bool parsed;

    public void Parse(ReadOnlySpan<byte> wire)
    {
        var visitor = new Visitor { Request = this, Wire = wire };
        HiveWalk.Request(wire, ref visitor);
        parsed = true;
    }

    public void Release()
    {
        if (!parsed)
            return;
        parsed = false;
        leaves.Release(traceId!);
        leaves.Release(context!);
        for (var i = 0; i < items.Count; i++)
        {
            var item = items.Get(i);
            leaves.Release(item.Id);
            leaves.Release(item.Context);
        }

        items.Clear();
        leaves.ReleaseAll();
    }

    public Fingerprint Fingerprint()
    {
        var fingerprint = Payloads.Fingerprint.Empty.Leaf(leaves.Read(traceId!));
        for (var i = 0; i < items.Count; i++)
            fingerprint = fingerprint.Item().Leaf(leaves.Read(items.Get(i).Id)).Leaf(leaves.Read(items.Get(i).Context));
        return fingerprint.Leaf(leaves.Read(context!));
    }

    ref struct Visitor : IHiveVisitor
    {
        public required StrategyRequest<TLeaf, TLeaves, TItems> Request;
        public required ReadOnlySpan<byte> Wire;

        public readonly void RootLeaf(int field, int offset, int length)
        {
            var leaf = Request.leaves.Keep(Wire.Slice(offset, length));
            if (field == 1)
                Request.traceId = leaf;
            else
                Request.context = leaf;
        }

        public readonly void RequestItem(int offset, int length, int idOffset, int idLength, int contextOffset, int contextLength) =>
            Request.items.Add(Request.leaves.Keep(Wire.Slice(idOffset, idLength)),
                Request.leaves.Keep(Wire.Slice(contextOffset, contextLength)));

        public readonly void RootNumber(int field, long value)
        {
        }

        public readonly void ResponseItem(int offset, int length, float result, int extraOffset, int extraLength)
        {
        }
    }
}

/// <summary>A request decoded under one memory strategy, as cells and tests hold it.</summary>
public interface IStrategyRequest
{
    /// <summary>Decodes; the request is empty before.</summary>
    void Parse(ReadOnlySpan<byte> wire);

    /// <summary>Gives everything back; does nothing on an empty request.</summary>
    void Release();

    /// <summary>Counts and checksums everything in the message.</summary>
    Fingerprint Fingerprint();
}
