using System.Buffers;
using System.Text;
using ProtoBench.Payloads;
using ProtoBuf.Meta;

namespace ProtoBench.Pbn;

public static class ProtobufNetHive
{
    public static long Measure<T>(TypeModel model, T message)
    {
        using var measured = model.Measure(message);
        return measured.Length;
    }

    /// <summary>The work of protobuf-net.Grpc's marshaller: it measures, writes, and checks that both agree.</summary>
    public static long MeasureSerialize<T>(TypeModel model, T message, ArrayBufferWriter<byte> writer)
    {
        using var measured = model.Measure(message);
        var before = writer.WrittenCount;
        measured.Serialize(writer);
        var written = writer.WrittenCount - before;
        return written == measured.Length
            ? written : throw new InvalidOperationException($"measured {measured.Length} bytes, wrote {written}");
    }

    public static long ReadAll(this ForwardRequest request)
    {
        long sum = ReadAll(request.TraceId) + ReadAll(request.RequestContextInfo);
        foreach (var item in request.ItemRequests)
            sum += ReadAll(item.ItemId) + ReadAll(item.ItemContext);
        return sum;
    }

    public static long ReadAll(this SlabRequest request)
    {
        long sum = ReadAll(request.TraceId.Span) + ReadAll(request.RequestContextInfo.Span);
        foreach (ref var item in request.ItemRequests)
            sum += ReadAll(item.ItemId.Span) + ReadAll(item.ItemContext.Span);
        return sum;
    }

    public static long ReadAll(this SlabResponse response)
    {
        var sum = response.RouteLatencyInUs + response.RouteStartTimeInTicks;
        foreach (ref var item in response.ItemResponses)
            sum += (long)item.Result + ReadAll(item.ExtraResult.Span);
        return sum;
    }

    public static long ReadAll(this ForwardResponse response)
    {
        var sum = response.RouteLatencyInUs + response.RouteStartTimeInTicks;
        foreach (var item in response.ItemResponses)
            sum += (long)item.Result + ReadAll(item.ExtraResult);
        return sum;
    }

    public static Fingerprint Fingerprint(this ForwardRequest request)
    {
        var fingerprint = Payloads.Fingerprint.Empty.Leaf(Encoding.UTF8.GetBytes(request.TraceId));
        foreach (var item in request.ItemRequests)
            fingerprint = fingerprint.Item().Leaf(Encoding.UTF8.GetBytes(item.ItemId)).Leaf(item.ItemContext);
        return fingerprint.Leaf(request.RequestContextInfo);
    }

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
