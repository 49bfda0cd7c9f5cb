using System.Buffers;
using BenchmarkDotNet.Attributes;
using ProtoBench.Harness;
using ProtoBench.Pbn;
using ProtoBuf;
using ProtoBuf.Meta;

namespace ProtoBench.Benchmarks;

/// <summary>protobuf-net with the default model, which writes its serializers with Reflection.Emit at the first call.</summary>
static class ProtobufNetRuntimeLibrary
{
    public static MeasuredLibrary Entry { get; } = ProtobufNetLibrary.Entry with
    {
        Cell = "PBNRuntime",
        Label = "protobuf-net, runtime model",
        Order = 11,
        Buffers = ["MS", "ROM", "BW"],
        MemoryForms = [],
        ColorGroups = null,
        Codec = ProtobufNetLibrary.Entry.Codec! with
        {
            ParseRequest = static bytes => Serializer.Deserialize<ForwardRequest>((ReadOnlyMemory<byte>)bytes),
            ParseResponse = static bytes => Serializer.Deserialize<ForwardResponse>((ReadOnlyMemory<byte>)bytes),
            Write = static message =>
            {
                using var stream = new MemoryStream();
                Serializer.NonGeneric.Serialize(stream, message);
                return stream.ToArray();
            },
        },
    };
}

public partial class SerializeBenchmarks
{
    [Benchmark]
    public long SerializeRequestPBNRuntime_MS() { var to = Sink.MS; Serializer.Serialize(to, PbnMessages.Request); return to.Length; }
    [Benchmark]
    public long SerializeRequestPBNRuntime_BW() { var to = Sink.BW; Serializer.Serialize(to, PbnMessages.Request); return to.WrittenCount; }

    [Benchmark]
    public long SerializeResponsePBNRuntime_MS() { var to = Sink.MS; Serializer.Serialize(to, PbnMessages.Response); return to.Length; }
    [Benchmark]
    public long SerializeResponsePBNRuntime_BW()
    {
        var to = Sink.BW;
        Serializer.Serialize(to, PbnMessages.Response);
        return to.WrittenCount;
    }
}

public partial class MeasureBenchmarks
{
    [Benchmark] public long MeasureRequestPBNRuntime() => ProtobufNetHive.Measure(RuntimeTypeModel.Default, PbnMessages.Request);

    [Benchmark] public long MeasureResponsePBNRuntime() => ProtobufNetHive.Measure(RuntimeTypeModel.Default, PbnMessages.Response);
}

public partial class MeasureSerializeBenchmarks
{
    [Benchmark]
    public long MeasureSerializeRequestPBNRuntime_BW() =>
        ProtobufNetHive.MeasureSerialize(RuntimeTypeModel.Default, PbnMessages.Request, Sink.BW);

    [Benchmark]
    public long MeasureSerializeResponsePBNRuntime_BW() =>
        ProtobufNetHive.MeasureSerialize(RuntimeTypeModel.Default, PbnMessages.Response, Sink.BW);
}

public partial class DeserializeBenchmarks
{
    [Benchmark] public ForwardRequest DeserializeRequestPBNRuntime_ROM() => Serializer.Deserialize<ForwardRequest>(Wire.Request.ROM);
    [Benchmark] public ForwardRequest DeserializeRequestPBNRuntime_MS() => Serializer.Deserialize<ForwardRequest>(Wire.Request.MS);

    [Benchmark] public ForwardResponse DeserializeResponsePBNRuntime_ROM() => Serializer.Deserialize<ForwardResponse>(Wire.Response.ROM);
    [Benchmark] public ForwardResponse DeserializeResponsePBNRuntime_MS() => Serializer.Deserialize<ForwardResponse>(Wire.Response.MS);
}

public partial class DeserializeTouchBenchmarks
{
    [Benchmark] public long DeserializeTouchRequestPBNRuntime_ROM() => Serializer.Deserialize<ForwardRequest>(Wire.Request.ROM).ReadAll();

    [Benchmark]
    public long DeserializeTouchResponsePBNRuntime_ROM() => Serializer.Deserialize<ForwardResponse>(Wire.Response.ROM).ReadAll();
}

public partial class DeserializeStringsBenchmarks
{
    [Benchmark] public long DeserializeStringsRequestPBNRuntime_ROM() => Serializer.Deserialize<ForwardRequest>(Wire.Request.ROM).ReadAll();

    [Benchmark]
    public long DeserializeStringsResponsePBNRuntime_ROM() => Serializer.Deserialize<ForwardResponse>(Wire.Response.ROM).ReadAll();
}

public abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>
{
    static ComparedLibrary ComparedPBNRuntime => OfPlain("PBNRuntime", "protobuf-net's runtime model", typeof(Serializer),
        ByRuntimeModel, bytes => Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)bytes));

    // protobuf-net's generator writes the serializers of Model in the build. The default model writes its own at the first call.
    [Benchmark, BenchmarkCategory("SerializeSet"), Measures("PBNRuntime")]
    public long SerializeSetPBNRuntime() { stream.SetLength(0); Serializer.Serialize(stream, content.Plain.Next); return stream.Length; }

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("PBNRuntime")]
    public TPlain DeserializeSetPBNRuntime() => Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)content.PBN.Next);

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("PBNRuntime")]
    public long DeserializeTouchSetPBNRuntime() => TSet.Touch(Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)content.PBN.Next));

    [Benchmark, BenchmarkCategory("MakeSet"), Measures("PBNRuntime")]
    public long MakeSetPBNRuntime()
    {
        stream.SetLength(0);
        Serializer.Serialize(stream, TSet.MakePlain(content.Source.Next));
        return stream.Length;
    }

    [Benchmark, BenchmarkCategory("MakeNewSet"), Measures("PBNRuntime")]
    public long MakeNewSetPBNRuntime()
    {
        stream.SetLength(0);
        Serializer.Serialize(stream, TSet.MakePlainNew(content.Source.Next));
        return stream.Length;
    }

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("PBNRuntime")]
    public long ForwardSetPBNRuntime()
    {
        stream.SetLength(0);
        Serializer.Serialize(stream, Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)content.PBN.Next));
        return stream.Length;
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("PBNRuntime")]
    public long ServeSetPBNRuntime()
    {
        var request = Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)content.PBN.Next);
        var sum = TSet.TouchThird(request);
        stream.SetLength(0);
        Serializer.Serialize(stream, TSet.Reply(request));
        return sum;
    }

    static byte[] ByRuntimeModel(TPlain plain)
    {
        var to = new ArrayBufferWriter<byte>();
        Serializer.Serialize(to, plain);
        return to.WrittenSpan.ToArray();
    }
}
