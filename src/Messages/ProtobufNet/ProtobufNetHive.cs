using System.Buffers;
using System.Text;
using ProtoBench.Payloads;
using ProtoBuf;

namespace ProtoBench.Pbn;

/// <summary>The calls on protobuf-net's hive messages that are longer than a line.</summary>
public static class ProtobufNetHive
{
    /// <summary>Computes the size without writing.</summary>
    /// <returns>Bytes.</returns>
    public static long Measure<T>(T message)
    {
        using var measured = Serializer.Measure(message);
        return measured.Length;
    }

    /// <summary>What protobuf-net.Grpc's marshaller does: measures, writes, and checks that both agree.</summary>
    /// <returns>The bytes written.</returns>
    /// <exception cref="InvalidOperationException">The message wrote another number of bytes than it had measured.</exception>
    public static long MeasureSerialize<T>(T message, ArrayBufferWriter<byte> writer)
    {
        using var measured = Serializer.Measure(message);
        var before = writer.WrittenCount;
        measured.Serialize(writer);
        var written = writer.WrittenCount - before;
        return written == measured.Length ? written : throw new InvalidOperationException($"measured {measured.Length} bytes, wrote {written}");
    }

    /// <summary>First byte, last byte and length of every leaf, summed.</summary>
    public static long Touch(this ForwardRequest request)
    {
        long sum = Touch(request.TraceId) + Touch(request.RequestContextInfo);
        foreach (var item in request.ItemRequests)
            sum += Touch(item.ItemId) + Touch(item.ItemContext);
        return sum;
    }

    /// <summary>First byte, last byte and length of every leaf, and every number, summed.</summary>
    public static long Touch(this ForwardResponse response)
    {
        var sum = response.RouteLatencyInUs + response.RouteStartTimeInTicks;
        foreach (var item in response.ItemResponses)
            sum += (long)item.Result + Touch(item.ExtraResult);
        return sum;
    }

    /// <summary>Counts and checksums everything in <paramref name="request"/>.</summary>
    public static Census Census(this ForwardRequest request)
    {
        var census = Payloads.Census.Empty.Leaf(Encoding.UTF8.GetBytes(request.TraceId));
        foreach (var item in request.ItemRequests)
            census = census.Item().Leaf(Encoding.UTF8.GetBytes(item.ItemId)).Leaf(item.ItemContext);
        return census.Leaf(request.RequestContextInfo);
    }

    /// <summary>Counts and checksums everything in <paramref name="response"/>.</summary>
    public static Census Census(this ForwardResponse response)
    {
        var census = Payloads.Census.Empty;
        foreach (var item in response.ItemResponses)
            census = census.Item().Value(BitConverter.SingleToUInt32Bits(item.Result)).Leaf(item.ExtraResult);
        return census.Value((ulong)response.RouteLatencyInUs).Value((ulong)response.RouteStartTimeInTicks);
    }

    static int Touch(string leaf) => leaf.Length == 0 ? 0 : leaf[0] + leaf[^1] + leaf.Length;

    static int Touch(byte[]? leaf) => leaf is null or [] ? 0 : leaf[0] + leaf[^1] + leaf.Length;
}
