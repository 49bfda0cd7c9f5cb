using Google.Protobuf;
using ProtoBench.Gpb;

namespace ProtoBench.Benchmarks;

/// <summary>A message of exactly so many bytes: items of the hive's shape, and the root's own bytes for the rest.</summary>
public sealed record MessageSize(int Bytes)
{
    /// <summary>From here on an array lives on the large object heap, and garbage is collected only with generation 2.</summary>
    public const int LargeObject = 85_000;

    const int itemBytes = 74; // with an id of four digits

    /// <summary>Makes the message.</summary>
    public ForwardRequest Message()
    {
        const int rest = 16;
        var context = ByteString.CopyFrom(new byte[64]);
        var message = new ForwardRequest();
        for (var size = 0; size + itemBytes + rest <= Bytes; size += itemBytes)
            message.ItemRequests.Add(new ForwardPerItemRequest { ItemId = "1000", ItemContext = context });
        for (var fill = Bytes - message.CalculateSize(); message.CalculateSize() != Bytes; fill--)
            message.RequestContextInfo = ByteString.CopyFrom(new byte[fill]);
        return message;
    }

    public override string ToString() =>
        (Bytes >= 1 << 20 ? $"{Bytes >> 20} MiB" : Bytes % 1_024 == 0 ? $"{Bytes >> 10} KiB" : $"{Bytes} B")
            + (Bytes >= LargeObject ? " LOH" : "");
}
