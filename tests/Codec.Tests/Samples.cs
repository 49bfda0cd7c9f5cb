using Google.Protobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>Messages as Google.Protobuf writes them.</summary>
static class Samples
{
    /// <summary>Sub-items with 64 bytes each, and 32 KiB in the root behind them.</summary>
    public static byte[] Hive(int items = 3_500) => new Gpb.ForwardRequest
    {
        TraceId = "0af7651916cd43dd8448eb211c80319c",
        ItemRequests = { Enumerable.Range(0, items).Select(Item) },
        RequestContextInfo = ByteString.CopyFrom(new byte[32 * 1024]),
    }.ToByteArray();

    /// <summary>The same content with the fields of the root in another order, and an unknown field in each tenth item.</summary>
    public static byte[] MixedHive()
    {
        using var stream = new MemoryStream();
        var output = new CodedOutputStream(stream);
        for (var i = 0; i < 3_500; i++)
        {
            byte[] unknown = i % 10 == 0 ? [0x98, 0x06, 0x01] : []; // field 99: 1
            output.WriteTag(Gpb.ForwardRequest.ItemRequestsFieldNumber, WireFormat.WireType.LengthDelimited);
            output.WriteBytes(ByteString.CopyFrom([.. unknown, .. Item(i).ToByteArray()]));
            if (i != 1_000) continue;
            output.WriteRawTag(0x1A);
            output.WriteBytes(ByteString.CopyFrom(new byte[32 * 1024]));
        }

        output.WriteRawTag(0x0A);
        output.WriteString("0af7651916cd43dd8448eb211c80319c");
        output.Flush();
        return stream.ToArray();
    }

    /// <summary>A message of three numbers.</summary>
    public static byte[] Small() => new Gpb.Small { Id = 12_345, Value = 2.5, Flag = true }.ToByteArray();

    static Gpb.ForwardPerItemRequest Item(int i) => new() { ItemId = $"Item_{i}", ItemContext = ByteString.CopyFrom(new byte[64]) };
}
