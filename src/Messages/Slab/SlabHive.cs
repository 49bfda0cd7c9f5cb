using System.Buffers;
using ProtoBench.Codec;
using ProtoBench.Payloads;

namespace ProtoBench.Slab;

/// <summary>The calls on the slab codec's hive messages that are longer than a line.</summary>
public static class SlabHive
{
    /// <summary>What a gRPC marshaller does: computes the size, writes, and checks that both agree.</summary>
    /// <returns>The bytes written.</returns>
    /// <exception cref="InvalidOperationException">The message wrote another number of bytes than it had computed.</exception>
    public static long MeasureSerialize<T>(Message<T> message, ArrayBufferWriter<byte> writer)
        where T : struct, IMessage<T>
    {
        var size = message.CalculateSize();
        var before = writer.WrittenCount;
        message.WriteTo(writer);
        var written = writer.WrittenCount - before;
        return written == size ? written : throw new InvalidOperationException($"measured {size} bytes, wrote {written}");
    }

    /// <summary>First byte, last byte and length of every leaf, summed.</summary>
    public static long Touch(this ForwardRequest request)
    {
        long sum = Touch(request.TraceId.Span) + Touch(request.RequestContextInfo.Span);
        foreach (var item in request.ItemRequests)
            sum += Touch(item.ItemId.Span) + Touch(item.ItemContext.Span);
        return sum;
    }

    /// <summary>First byte, last byte and length of every leaf, and every number, summed.</summary>
    public static long Touch(this ForwardResponse response)
    {
        var sum = response.RouteLatencyInUs + response.RouteStartTimeInTicks;
        foreach (var item in response.ItemResponses)
            sum += (long)item.Result + Touch(item.ExtraResult.Span);
        return sum;
    }

    /// <summary>As <see cref="Touch(ForwardRequest)"/>, with every string field made a .NET string first. Its leaves must be ASCII for the same sum.</summary>
    public static long TouchStrings(this ForwardRequest request)
    {
        long sum = Touch(request.TraceId.ToString()) + Touch(request.RequestContextInfo.Span);
        foreach (var item in request.ItemRequests)
            sum += Touch(item.ItemId.ToString()) + Touch(item.ItemContext.Span);
        return sum;
    }

    /// <summary>Counts and checksums everything in <paramref name="request"/>.</summary>
    public static Census Census(this ForwardRequest request)
    {
        var census = Payloads.Census.Empty.Leaf(request.TraceId.Span);
        foreach (var item in request.ItemRequests)
            census = census.Item().Leaf(item.ItemId.Span).Leaf(item.ItemContext.Span);
        return census.Leaf(request.RequestContextInfo.Span);
    }

    /// <summary>Counts and checksums everything in <paramref name="response"/>.</summary>
    public static Census Census(this ForwardResponse response)
    {
        var census = Payloads.Census.Empty;
        foreach (var item in response.ItemResponses)
            census = census.Item().Value(BitConverter.SingleToUInt32Bits(item.Result)).Leaf(item.ExtraResult.Span);
        return census.Value((ulong)response.RouteLatencyInUs).Value((ulong)response.RouteStartTimeInTicks);
    }

    static int Touch(string leaf) => leaf.Length == 0 ? 0 : leaf[0] + leaf[^1] + leaf.Length;

    static int Touch(ReadOnlySpan<byte> leaf) => leaf.IsEmpty ? 0 : leaf[0] + leaf[^1] + leaf.Length;
}
