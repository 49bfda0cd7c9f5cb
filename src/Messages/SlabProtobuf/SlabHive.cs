using System.Buffers;
using ProtoBench.Codec;
using ProtoBench.Payloads;

namespace ProtoBench.SlabProtobuf;

/// <summary>The calls on the slab codec's hive messages that are longer than a line.</summary>
public static class SlabHive
{
    /// <summary>What a gRPC marshaller does: computes the size, writes, and checks that both agree.</summary>
    /// <returns>The bytes written.</returns>
    /// <exception cref="InvalidOperationException">The message wrote another number of bytes than it had computed.</exception>
    public static long MeasureSerialize<T>(Message<T> message, ArrayBufferWriter<byte> writer)
        where T : struct, ISlabMessage<T>
    {
        var size = message.CalculateSize();
        var before = writer.WrittenCount;
        message.WriteTo(writer);
        var written = writer.WrittenCount - before;
        return written == size ? written : throw new InvalidOperationException($"measured {size} bytes, wrote {written}");
    }

    /// <summary>First byte, last byte and length of every leaf, summed.</summary>
    public static long ReadAll(this ForwardRequest request)
    {
        long sum = ReadAll(request.TraceId.Span) + ReadAll(request.RequestContextInfo.Span);
        foreach (var item in request.ItemRequests)
            sum += ReadAll(item.ItemId.Span) + ReadAll(item.ItemContext.Span);
        return sum;
    }

    /// <summary>First byte, last byte and length of every leaf, and every number, summed.</summary>
    public static long ReadAll(this ForwardResponse response)
    {
        var sum = response.RouteLatencyInUs + response.RouteStartTimeInTicks;
        foreach (var item in response.ItemResponses)
            sum += (long)item.Result + ReadAll(item.ExtraResult.Span);
        return sum;
    }

    /// <summary>As <see cref="ReadAll(ForwardRequest)"/>, with every string field made
    /// a .NET string first. Its leaves must be ASCII for the same sum.</summary>
    public static long ReadAllStrings(this ForwardRequest request)
    {
        long sum = ReadAll(request.TraceId.ToString()) + ReadAll(request.RequestContextInfo.Span);
        foreach (var item in request.ItemRequests)
            sum += ReadAll(item.ItemId.ToString()) + ReadAll(item.ItemContext.Span);
        return sum;
    }

    /// <summary>As <see cref="ReadAllStrings(ForwardRequest)"/>, with the strings of a pool.</summary>
    public static long ReadAllStrings(this ForwardRequest request, Utf8StringPool pool)
    {
        long sum = ReadAll(request.TraceId.ToString(pool)) + ReadAll(request.RequestContextInfo.Span);
        foreach (var item in request.ItemRequests)
            sum += ReadAll(item.ItemId.ToString(pool)) + ReadAll(item.ItemContext.Span);
        return sum;
    }

    /// <summary>Counts and checksums everything in <paramref name="request"/>.</summary>
    public static Fingerprint Fingerprint(this ForwardRequest request)
    {
        var fingerprint = Payloads.Fingerprint.Empty.Leaf(request.TraceId.Span);
        foreach (var item in request.ItemRequests)
            fingerprint = fingerprint.Item().Leaf(item.ItemId.Span).Leaf(item.ItemContext.Span);
        return fingerprint.Leaf(request.RequestContextInfo.Span);
    }

    /// <summary>Counts and checksums everything in <paramref name="response"/>.</summary>
    public static Fingerprint Fingerprint(this ForwardResponse response)
    {
        var fingerprint = Payloads.Fingerprint.Empty;
        foreach (var item in response.ItemResponses)
            fingerprint = fingerprint.Item().Value(BitConverter.SingleToUInt32Bits(item.Result)).Leaf(item.ExtraResult.Span);
        return fingerprint.Value((ulong)response.RouteLatencyInUs).Value((ulong)response.RouteStartTimeInTicks);
    }

    static int ReadAll(string leaf) => leaf.Length == 0 ? 0 : leaf[0] + leaf[^1] + leaf.Length;

    static int ReadAll(ReadOnlySpan<byte> leaf) => leaf.IsEmpty ? 0 : leaf[0] + leaf[^1] + leaf.Length;
}
