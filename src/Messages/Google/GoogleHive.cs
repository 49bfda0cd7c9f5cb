using System.Buffers;
using System.Text;
using Google.Protobuf;
using ProtoBench.Payloads;

namespace ProtoBench.Gpb;

public static class GoogleHive
{
    /// <summary>The work of a gRPC marshaller: it computes the size, writes the message, and checks that both agree.</summary>
    public static long MeasureSerialize(IMessage message, ArrayBufferWriter<byte> writer)
    {
        var size = message.CalculateSize();
        var before = writer.WrittenCount;
        message.WriteTo(writer);
        var written = writer.WrittenCount - before;
        return written == size ? written : throw new InvalidOperationException($"measured {size} bytes, wrote {written}");
    }

    /// <summary>Returns the sum of first byte, last byte and length of every leaf.</summary>
    public static long ReadAll(this ForwardRequest request)
    {
        long sum = ReadAll(request.TraceId) + ReadAll(request.RequestContextInfo.Span);
        var items = request.ItemRequests; // whose enumerator is an object
        for (var i = 0; i < items.Count; i++)
            sum += ReadAll(items[i].ItemId) + ReadAll(items[i].ItemContext.Span);
        return sum;
    }

    /// <summary>Returns the sum of first byte, last byte and length of every leaf, and of every number.</summary>
    public static long ReadAll(this ForwardResponse response)
    {
        var sum = response.RouteLatencyInUs + response.RouteStartTimeInTicks;
        var items = response.ItemResponses;
        for (var i = 0; i < items.Count; i++)
            sum += (long)items[i].Result + ReadAll(items[i].ExtraResult.Span);
        return sum;
    }

    public static Fingerprint Fingerprint(this ForwardRequest request)
    {
        var fingerprint = Payloads.Fingerprint.Empty.Leaf(Encoding.UTF8.GetBytes(request.TraceId));
        foreach (var item in request.ItemRequests)
            fingerprint = fingerprint.Item().Leaf(Encoding.UTF8.GetBytes(item.ItemId)).Leaf(item.ItemContext.Span);
        return fingerprint.Leaf(request.RequestContextInfo.Span);
    }

    public static Fingerprint Fingerprint(this GpbBytes.ForwardRequest request)
    {
        var fingerprint = Payloads.Fingerprint.Empty.Leaf(Encoding.UTF8.GetBytes(request.TraceId));
        foreach (var item in request.ItemRequests)
            fingerprint = fingerprint.Item().Leaf(item.ItemId.Span).Leaf(item.ItemContext.Span);
        return fingerprint.Leaf(request.RequestContextInfo.Span);
    }

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
