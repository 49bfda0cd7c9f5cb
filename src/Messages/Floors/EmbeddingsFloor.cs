namespace ProtoBench.Floors;

/// <summary>The lower bound of <see cref="DataSets.EmbeddingsSet"/>.</summary>
public sealed unsafe class EmbeddingsFloor() : SetFloor(1 << 20)
{
    readonly Item[] items = new Item[256];
    Slice model;
    uint promptTokens;
    int count;

    public override long Touch()
    {
        var sum = Sum(model) + promptTokens;
        foreach (ref readonly var item in items.AsSpan(0, count))
            sum += Sum(item.Id) + Sum(In<float>(item.Vector));
        return sum;
    }

    private protected override void Read(byte* p, byte* end)
    {
        (model, promptTokens, count) = (default, 0, 0);
        if (p < end && *p == 10) model = Text(ref p, end);
        while (p < end && *p == 18)
            p = ReadItem(p, end, ref items[count++]);
        if (p < end && *p == 24) promptTokens = (uint)Number(ref p);
        End(p, end);
    }

    byte* ReadItem(byte* p, byte* end, ref Item item)
    {
        end = Message(ref p, end);
        item = default;
        if (p < end && *p == 10) item.Id = Text(ref p, end);
        if (p < end && *p == 18) item.Vector = Packed(ref p, end, sizeof(float));
        return End(p, end);
    }

    private protected override byte* Write(byte* to)
    {
        PutSlice(ref to, 10, model);
        foreach (ref readonly var item in items.AsSpan(0, count))
        {
            var content = Open(ref to, 18, 2);
            PutSlice(ref to, 10, item.Id);
            PutSlice(ref to, 18, item.Vector);
            Close(ref to, content, 2);
        }

        PutNumber(ref to, 24, promptTokens);
        return to;
    }

    struct Item
    {
        public Slice Id, Vector;
    }
}
