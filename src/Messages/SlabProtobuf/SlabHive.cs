using System.Buffers;
using ProtoBench.Codec;
using ProtoBench.Payloads;

namespace ProtoBench.SlabProtobuf;

public static class SlabHive
{
    public static long MeasureSerialize<T>(Message<T> message, ArrayBufferWriter<byte> writer)
        where T : struct, ISlabMessage<T>
    {
        var size = message.CalculateSize();
        var before = writer.WrittenCount;
        message.WriteTo(writer);
        var written = writer.WrittenCount - before;
        return written == size ? written : throw new InvalidOperationException($"measured {size} bytes, wrote {written}");
    }

    public static long ReadAll(this ForwardRequest request)
    {
        long sum = ReadAll(request.TraceId.Span) + ReadAll(request.RequestContextInfo.Span);
        foreach (var item in request.ItemRequests)
            sum += ReadAll(item.ItemId.Span) + ReadAll(item.ItemContext.Span);
        return sum;
    }

    public static long ReadAll(this ForwardResponse response)
    {
        var sum = response.RouteLatencyInUs + response.RouteStartTimeInTicks;
        foreach (var item in response.ItemResponses)
            sum += (long)item.Result + ReadAll(item.ExtraResult.Span);
        return sum;
    }

    /// <summary>As <see cref="ReadAll(ForwardRequest)"/>, with .NET strings. Leaves must be ASCII for the same sum.</summary>
    public static long ReadAllStrings(this ForwardRequest request)
    {
        long sum = ReadAll(request.TraceId.ToString()) + ReadAll(request.RequestContextInfo.Span);
        foreach (var item in request.ItemRequests)
            sum += ReadAll(item.ItemId.ToString()) + ReadAll(item.ItemContext.Span);
        return sum;
    }

    public static long ReadAllStrings(this ForwardRequest request, Utf8StringPool pool)
    {
        long sum = ReadAll(request.TraceId.ToString(pool)) + ReadAll(request.RequestContextInfo.Span);
        foreach (var item in request.ItemRequests)
            sum += ReadAll(item.ItemId.ToString(pool)) + ReadAll(item.ItemContext.Span);
        return sum;
    }

    public static Fingerprint Fingerprint(this ForwardRequest request)
    {
        var fingerprint = Payloads.Fingerprint.Empty.Leaf(request.TraceId.Span);
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
