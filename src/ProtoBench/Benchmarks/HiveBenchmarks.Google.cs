using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using ProtoBench.Allocators;
using ProtoBench.Buffers;
using ProtoBench.Gpb;

namespace ProtoBench.Benchmarks;

// Google.Protobuf in the hive's table. It is the reference, and the baseline of each category.

public partial class SerializeBenchmarks
{
    [Benchmark] public long SerializeRequestGoogle_MS() { var to = Sink.MS; GoogleMessages.Request.WriteTo(to); return to.Length; }
    [Benchmark] public long SerializeRequestGoogle_CS() { var to = Sink.CS; GoogleMessages.Request.WriteTo(to); return to.Length; }
    [Benchmark] public byte[] SerializeRequestGoogle_BA() => GoogleMessages.Request.ToByteArray();
    [Benchmark(Baseline = true)]
    public long SerializeRequestGoogle_BW() { var to = Sink.BW; GoogleMessages.Request.WriteTo(to); return to.WrittenCount; }
    [Benchmark] public long SerializeRequestGoogle_PW() { var to = Sink.PW; GoogleMessages.Request.WriteTo(to); return to.UnflushedBytes; }
    [Benchmark]
    public long SerializeRequestGoogle_BW_Cold()
    {
        var to = Sink.BW;
        GoogleMessages.ColdRequest.Next.WriteTo(to);
        return to.WrittenCount;
    }

    [Benchmark] public long SerializeRequestGoogle_MS_H() { var to = Sink.MS; GoogleMessages.RequestOnSlab.WriteTo(to); return to.Length; }

    [Benchmark] public long SerializeResponseGoogle_MS() { var to = Sink.MS; GoogleMessages.Response.WriteTo(to); return to.Length; }
    [Benchmark] public long SerializeResponseGoogle_CS() { var to = Sink.CS; GoogleMessages.Response.WriteTo(to); return to.Length; }
    [Benchmark] public byte[] SerializeResponseGoogle_BA() => GoogleMessages.Response.ToByteArray();
    [Benchmark(Baseline = true)]
    public long SerializeResponseGoogle_BW() { var to = Sink.BW; GoogleMessages.Response.WriteTo(to); return to.WrittenCount; }
    [Benchmark]
    public long SerializeResponseGoogle_PW()
    {
        var to = Sink.PW;
        GoogleMessages.Response.WriteTo(to);
        return to.UnflushedBytes;
    }

    [Benchmark]
    public long SerializeResponseGoogle_MS_H()
    {
        var to = Sink.MS;
        GoogleMessages.ResponseOnSlab.WriteTo(to);
        return to.Length;
    }

    [Benchmark(Baseline = true)]
    public long SerializeMixedGoogle_BW() { var to = Sink.BW; GoogleMessages.Mixed.WriteTo(to); return to.WrittenCount; }
}

public partial class MeasureBenchmarks
{
    [Benchmark(Baseline = true)] public long MeasureRequestGoogle() => GoogleMessages.Request.CalculateSize();
    [Benchmark] public long MeasureRequestGoogle_Cold() => GoogleMessages.ColdRequest.Next.CalculateSize();

    [Benchmark(Baseline = true)] public long MeasureResponseGoogle() => GoogleMessages.Response.CalculateSize();
}

public partial class MeasureSerializeBenchmarks
{
    [Benchmark(Baseline = true)]
    public long MeasureSerializeRequestGoogle_BW() => GoogleHive.MeasureSerialize(GoogleMessages.Request, Sink.BW);
    [Benchmark]
    public long MeasureSerializeRequestGoogle_BW_Cold() =>
        GoogleHive.MeasureSerialize(GoogleMessages.ColdRequest.Next, Sink.BW);
    [Benchmark] public long MeasureSerializeRequestGoogle_BW_H() => GoogleHive.MeasureSerialize(GoogleMessages.RequestOnSlab, Sink.BW);

    [Benchmark(Baseline = true)]
    public long MeasureSerializeResponseGoogle_BW() => GoogleHive.MeasureSerialize(GoogleMessages.Response, Sink.BW);
    [Benchmark] public long MeasureSerializeResponseGoogle_BW_H() => GoogleHive.MeasureSerialize(GoogleMessages.ResponseOnSlab, Sink.BW);
}

public partial class DeserializeBenchmarks
{
    // A recycled cell holds the message of its last operation. Each operation releases that message first.
    readonly Arena arena = new();
    readonly Lazy<Cold<byte[]>> cold = new(() => new(() => [.. Wire.Request.BA]));

    [Benchmark(Baseline = true)] public ForwardRequest DeserializeRequestGoogle_BA() => ForwardRequest.Parser.ParseFrom(Wire.Request.BA);
    [Benchmark] public ForwardRequest DeserializeRequestGoogle_MS() => ForwardRequest.Parser.ParseFrom(Wire.Request.MS);
    [Benchmark] public ForwardRequest DeserializeRequestGoogle_CS() => ForwardRequest.Parser.ParseFrom(Wire.Request.CS);
#if !NO_SPAN_PARSER // Google.Protobuf 3.15 does not parse spans
    [Benchmark] public ForwardRequest DeserializeRequestGoogle_ROM() => ForwardRequest.Parser.ParseFrom(Wire.Request.ROM.Span);
#endif
    [Benchmark] public ForwardRequest DeserializeRequestGoogle_ROS() => ForwardRequest.Parser.ParseFrom(Wire.Request.ROS);
    [Benchmark]
    public ForwardRequest DeserializeRequestGoogle_PR()
    {
        var from = Wire.Request.PR;
        from.TryRead(out var read);
        var message = ForwardRequest.Parser.ParseFrom(read.Buffer);
        from.AdvanceTo(read.Buffer.End);
        return message;
    }

    [Benchmark] public ForwardRequest DeserializeRequestGoogle_BA_Cold() => ForwardRequest.Parser.ParseFrom(cold.Value.Next);
    [Benchmark]
    public ForwardRequest DeserializeRequestGoogle_BA_H()
    {
        arena.Reset();
        return GoogleSlab.ParseRequest(Wire.Request.BA, arena);
    }

    [Benchmark]
    public ForwardRequest DeserializeRequestGoogle_MS_H()
    {
        arena.Reset();
        return GoogleSlab.ParseRequest(Wire.Request.MS, arena);
    }

    [Benchmark] public ForwardRequest DeserializeRequestGoogle_BA_A() => GoogleSlab.AliasRequest(Wire.Request.BA);
    [Benchmark]
    public GpbBytes.ForwardRequest DeserializeRequestGoogleBytes_BA() =>
        GpbBytes.ForwardRequest.Parser.ParseFrom(Wire.Request.BA);

    [Benchmark(Baseline = true)]
    public ForwardResponse DeserializeResponseGoogle_BA() => ForwardResponse.Parser.ParseFrom(Wire.Response.BA);
    [Benchmark] public ForwardResponse DeserializeResponseGoogle_MS() => ForwardResponse.Parser.ParseFrom(Wire.Response.MS);
    [Benchmark] public ForwardResponse DeserializeResponseGoogle_CS() => ForwardResponse.Parser.ParseFrom(Wire.Response.CS);
#if !NO_SPAN_PARSER
    [Benchmark] public ForwardResponse DeserializeResponseGoogle_ROM() => ForwardResponse.Parser.ParseFrom(Wire.Response.ROM.Span);
#endif
    [Benchmark] public ForwardResponse DeserializeResponseGoogle_ROS() => ForwardResponse.Parser.ParseFrom(Wire.Response.ROS);
    [Benchmark]
    public ForwardResponse DeserializeResponseGoogle_PR()
    {
        var from = Wire.Response.PR;
        from.TryRead(out var read);
        var message = ForwardResponse.Parser.ParseFrom(read.Buffer);
        from.AdvanceTo(read.Buffer.End);
        return message;
    }

    [Benchmark]
    public ForwardResponse DeserializeResponseGoogle_BA_H()
    {
        arena.Reset();
        return GoogleSlab.ParseResponse(Wire.Response.BA, arena);
    }

    [Benchmark]
    public ForwardResponse DeserializeResponseGoogle_MS_H()
    {
        arena.Reset();
        return GoogleSlab.ParseResponse(Wire.Response.MS, arena);
    }

    [Benchmark] public ForwardResponse DeserializeResponseGoogle_BA_A() => GoogleSlab.AliasResponse(Wire.Response.BA);

    [Benchmark(Baseline = true)] public ForwardRequest DeserializeMixedGoogle_BA() => ForwardRequest.Parser.ParseFrom(Wire.Mixed.BA);
}

public partial class DeserializeTouchBenchmarks
{
    readonly Lazy<Cold<byte[]>> cold = new(() => new(() => [.. Wire.Request.BA]));

    [Benchmark(Baseline = true)]
    public long DeserializeTouchRequestGoogle_BA() => ForwardRequest.Parser.ParseFrom(Wire.Request.BA).ReadAll();
    [Benchmark] public long DeserializeTouchRequestGoogle_BA_Cold() => ForwardRequest.Parser.ParseFrom(cold.Value.Next).ReadAll();

    [Benchmark(Baseline = true)]
    public long DeserializeTouchResponseGoogle_BA() => ForwardResponse.Parser.ParseFrom(Wire.Response.BA).ReadAll();
}

public partial class DeserializeStringsBenchmarks
{
    [Benchmark(Baseline = true)]
    public long DeserializeStringsRequestGoogle_BA() => ForwardRequest.Parser.ParseFrom(Wire.Request.BA).ReadAll();
#if !NO_SPAN_PARSER
    [Benchmark]
    public long DeserializeStringsRequestGoogle_ROM() => ForwardRequest.Parser.ParseFrom(Wire.Request.ROM.Span).ReadAll();
#endif

    [Benchmark(Baseline = true)]
    public long DeserializeStringsResponseGoogle_BA() => ForwardResponse.Parser.ParseFrom(Wire.Response.BA).ReadAll();
#if !NO_SPAN_PARSER
    [Benchmark]
    public long DeserializeStringsResponseGoogle_ROM() => ForwardResponse.Parser.ParseFrom(Wire.Response.ROM.Span).ReadAll();
#endif

    [Benchmark(Baseline = true)] public long DeserializeStringsMixedGoogle_BA() => ForwardRequest.Parser.ParseFrom(Wire.Mixed.BA).ReadAll();
}

/// <summary>Has the messages that the serializing cells of Google.Protobuf write. Each is created when a cell of this process first uses
/// it.</summary>
static class GoogleMessages
{
    public static ForwardRequest Request => OfRequest.Value;

    public static ForwardResponse Response => OfResponse.Value;

    public static ForwardRequest Mixed => OfMixed.Value;

    public static ForwardRequest RequestOnSlab => OfRequestOnSlab.Value;

    public static ForwardResponse ResponseOnSlab => OfResponseOnSlab.Value;

    public static Cold<ForwardRequest> ColdRequest => OfColdRequest.Value;

    static class OfRequest
    {
        public static readonly ForwardRequest Value = ForwardRequest.Parser.ParseFrom(Wire.Request.BA);
    }

    static class OfResponse
    {
        public static readonly ForwardResponse Value = ForwardResponse.Parser.ParseFrom(Wire.Response.BA);
    }

    static class OfMixed
    {
        public static readonly ForwardRequest Value = ForwardRequest.Parser.ParseFrom(Wire.Mixed.BA);
    }

    static class OfRequestOnSlab
    {
        public static readonly ForwardRequest Value = GoogleSlab.ParseRequest(Wire.Request.BA, new Arena());
    }

    static class OfResponseOnSlab
    {
        public static readonly ForwardResponse Value = GoogleSlab.ParseResponse(Wire.Response.BA, new Arena());
    }

    static class OfColdRequest
    {
        public static readonly Cold<ForwardRequest> Value = new(() => ForwardRequest.Parser.ParseFrom(Wire.Request.BA));
    }
}
