using System.Text;

namespace ProtoBench.Payloads;

/// <summary>One root and thousands of sub-items, each with a small byte buffer. Every call returns the same bytes.</summary>
public static class Hive
{
    public const int Items = 3_500;

    public const int RequestBytes = 290_699;

    public const int ResponseBytes = 143_513;

    /// <summary>The size of <see cref="Mixed"/> in bytes, shuffled or regular.</summary>
    public const int MixedBytes = 306_443;

    const int contextBytes = 64;
    const int extraBytes = 32;
    const int rootContextBytes = 32 * 1024;

    /// <summary>The seed of all random content: the trace id, and all of <see cref="Mixed"/>.</summary>
    const int seed = 20220528;

    /// <summary>Sub-items whose <c>itemContext</c> is 64 times 'b', and 32 KiB of 'a' in the root.</summary>
    public static byte[] Request(int items = Items)
    {
        var context = Encoding.ASCII.GetBytes(new string('b', contextBytes));
        var request = new WireBytes().Text(1, TraceId());
        for (var i = 0; i < items; i++)
            request.Message(2, new WireBytes().Text(1, Id(i)).Bytes(2, context));
        return request.Text(3, RootContext()).ToArray();
    }

    /// <summary>Only sub-items in the root, whose <c>itemContext</c> has <paramref name="leafBytes"/> bytes.</summary>
    public static byte[] Shape(int items, int leafBytes)
    {
        var context = new byte[leafBytes];
        var request = new WireBytes();
        for (var i = 0; i < items; i++)
        {
            var item = new WireBytes().Text(1, Id(i));
            request.Message(2, leafBytes == 0 ? item : item.Bytes(2, context));
        }

        return request.ToArray();
    }

    /// <summary>Sub-items with a float and 32 bytes each, and two int64 in the root.</summary>
    public static byte[] Response(int items = Items)
    {
        const ulong latencyInUs = 3_500;
        const ulong startTimeInTicks = 638_000_000_000_000_000; // 60 bits, like DateTime.Ticks of this century: nine bytes on the wire
        var extra = Encoding.ASCII.GetBytes(new string('c', extraBytes));
        var response = new WireBytes();
        for (var i = 0; i < items; i++)
            response.Message(1, new WireBytes().Fixed32(1, BitConverter.SingleToUInt32Bits(100f / (i + 1))).Bytes(2, extra));
        return response.Varint(2, latencyInUs).Varint(3, startTimeInTicks).ToArray();
    }

    /// <summary>Favours no reader: the request's items and about its bytes, leaves of 0 to 1 KiB, 5 % unknown fields, any order.</summary>
    public static byte[] Mixed(MixedOrder order = MixedOrder.Shuffled)
    {
        var random = new Random(seed);
        var fields = new List<WireBytes>();
        for (var i = 0; i < Items; i++)
            fields.Add(new WireBytes().Message(2, MixedItem(random, i, order)));

        var trace = new WireBytes().Text(1, TraceId());
        var context = new WireBytes().Text(3, RootContext());
        if (order == MixedOrder.Shuffled)
        {
            fields.Insert(random.Next(fields.Count), context);
            fields.Insert(random.Next(fields.Count), trace);
        }
        else
        {
            fields.Insert(0, trace);
            fields.Add(context);
        }

        return Join(fields).ToArray();
    }

    static WireBytes MixedItem(Random random, int i, MixedOrder order)
    {
        var context = new byte[LeafLength(random)];
        random.NextBytes(context);
        var id = new WireBytes().Text(1, Id(i));
        var leaf = context.Length == 0 ? new WireBytes() : new WireBytes().Bytes(2, context); // proto3 does not write empty fields

        // An item has two known fields, and one item in ten has an unknown one: 5 % of the fields.
        var unknown = random.Next(10) == 0 ? Unknown(random) : new WireBytes();
        WireBytes[] fields = [id, leaf, unknown];
        var shuffled = fields.ToArray();
        random.Shuffle(shuffled);
        return order switch
        {
            MixedOrder.Shuffled => Join(shuffled),
            MixedOrder.Regular => Join(fields),
            _ => Join([id, leaf]),
        };
    }

    static WireBytes Join(IEnumerable<WireBytes> fields) => fields.Aggregate(new WireBytes(), (all, field) => all.Append(field));

    /// <summary>Log-uniform between 1/1024 and 1024, rounded down: half are 0, and the mean is 74 bytes as in the hive.</summary>
    static int LeafLength(Random random) => (int)Math.Pow(2, (random.NextDouble() * 20) - 10);

    static WireBytes Unknown(Random random)
    {
        var field = random.Next(15, 3_000);
        return random.Next(4) switch
        {
            0 => new WireBytes().Varint(field, (ulong)random.NextInt64()),
            1 => new WireBytes().Fixed32(field, (uint)random.Next()),
            2 => new WireBytes().Fixed64(field, (ulong)random.NextInt64()),
            _ => new WireBytes().Bytes(field, new byte[random.Next(32)]),
        };
    }

    static string Id(int i) => i.ToString();

    static string TraceId()
    {
        Span<byte> id = stackalloc byte[16];
        new Random(seed).NextBytes(id);
        return Convert.ToHexStringLower(id);
    }

    static string RootContext() => new string('a', rootContextBytes) + "end";
}

/// <summary>The order of the same content.</summary>
public enum MixedOrder
{
    /// <summary>Fields in any order with unknown fields among them, for readers.</summary>
    Shuffled,

    /// <summary>Known fields by number, then the unknown ones, as a writer that keeps unknown fields writes them.</summary>
    Regular,

    /// <summary>Known fields by number only, as a writer that drops unknown fields writes them.</summary>
    KnownOnly,
}
