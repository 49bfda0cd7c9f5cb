using System.Buffers;
using System.Text;
using ProtoBench.Payloads;
using ProtoBuf;

namespace ProtoBench.Pbn;

/// <summary>Has functions for protobuf-net's hive messages that are longer than one line.</summary>
public static class ProtobufNetHive
{
    /// <summary>Computes the size without writing.</summary>
    public static long Measure<T>(T message)
    {
        using var measured = Serializer.Measure(message);
        return measured.Length;
    }

    /// <summary>Does the work of protobuf-net.Grpc's marshaller: it measures, writes, and checks that both agree.</summary>
    /// <exception cref="InvalidOperationException">Thrown when the number of bytes differs from the measured size.</exception>
    public static long MeasureSerialize<T>(T message, ArrayBufferWriter<byte> writer)
    {
        using var measured = Serializer.Measure(message);
        var before = writer.WrittenCount;
        measured.Serialize(writer);
        var written = writer.WrittenCount - before;
        return written == measured.Length
            ? written : throw new InvalidOperationException($"measured {measured.Length} bytes, wrote {written}");
    }

    /// <summary>Returns the sum of first byte, last byte and length of every leaf.</summary>
    public static long ReadAll(this ForwardRequest request)
    {
        long sum = ReadAll(request.TraceId) + ReadAll(request.RequestContextInfo);
        foreach (var item in request.ItemRequests)
            sum += ReadAll(item.ItemId) + ReadAll(item.ItemContext);
        return sum;
    }

    /// <summary>Returns the sum of first byte, last byte and length of every leaf.</summary>
    public static long ReadAll(this SlabRequest request)
    {
        long sum = ReadAll(request.TraceId.Span) + ReadAll(request.RequestContextInfo.Span);
        foreach (ref var item in request.ItemRequests)
            sum += ReadAll(item.ItemId.Span) + ReadAll(item.ItemContext.Span);
        return sum;
    }

    /// <summary>Returns the sum of first byte, last byte and length of every leaf, and of every number.</summary>
    public static long ReadAll(this SlabResponse response)
    {
        var sum = response.RouteLatencyInUs + response.RouteStartTimeInTicks;
        foreach (ref var item in response.ItemResponses)
            sum += (long)item.Result + ReadAll(item.ExtraResult.Span);
        return sum;
    }

    /// <summary>Returns the sum of first byte, last byte and length of every leaf, and of every number.</summary>
    public static long ReadAll(this ForwardResponse response)
    {
        var sum = response.RouteLatencyInUs + response.RouteStartTimeInTicks;
        foreach (var item in response.ItemResponses)
            sum += (long)item.Result + ReadAll(item.ExtraResult);
        return sum;
    }

    /// <summary>Returns a count and checksum of the content of <paramref name="request"/>.</summary>
    public static Fingerprint Fingerprint(this ForwardRequest request)
    {
        var fingerprint = Payloads.Fingerprint.Empty.Leaf(Encoding.UTF8.GetBytes(request.TraceId));
        foreach (var item in request.ItemRequests)
            fingerprint = fingerprint.Item().Leaf(Encoding.UTF8.GetBytes(item.ItemId)).Leaf(item.ItemContext);
        return fingerprint.Leaf(request.RequestContextInfo);
    }

    /// <summary>Returns a count and checksum of the content of <paramref name="response"/>.</summary>
    public static Fingerprint Fingerprint(this ForwardResponse response)
    {
        var fingerprint = Payloads.Fingerprint.Empty;
        foreach (var item in response.ItemResponses)
            fingerprint = fingerprint.Item().Value(BitConverter.SingleToUInt32Bits(item.Result)).Leaf(item.ExtraResult);
        return fingerprint.Value((ulong)response.RouteLatencyInUs).Value((ulong)response.RouteStartTimeInTicks);
    }

    static int ReadAll(string leaf) => leaf.Length == 0 ? 0 : leaf[0] + leaf[^1] + leaf.Length;

    static int ReadAll(byte[]? leaf) => ReadAll(leaf.AsSpan());

    static int ReadAll(ReadOnlySpan<byte> leaf) => leaf.IsEmpty ? 0 : leaf[0] + leaf[^1] + leaf.Length;
}
