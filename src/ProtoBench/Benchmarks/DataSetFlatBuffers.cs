using System.Buffers;
using BenchmarkDotNet.Attributes;
using Google.FlatBuffers;
using ProtoBench.Harness;

namespace ProtoBench.Benchmarks;

// A FlatBuffers message is its bytes: there is no object to read into or to forward, so there is no Deserialize and no Forward. Serialize
// and Make write the plain values with the builder. The bytes are not verified (how-each-is-called.md).
public abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>
{
    const int builderBytes = 1 << 16;

    FlatBufferBuilder ForFlat => field ??= new(builderBytes);

    static ComparedLibrary ComparedFlatBuffers => OfOwnFormat("FlatBuffers", "Google.FlatBuffers", typeof(FlatBufferBuilder),
        BuildFlat, bytes => TSet.ReadFlat(new ByteBuffer(bytes)));

    static byte[] BuildFlat(TPlain plain)
    {
        var builder = new FlatBufferBuilder(builderBytes);
        TSet.WriteFlat(builder, plain);
        return builder.SizedByteArray();
    }

    [Benchmark, BenchmarkCategory("SerializeSet"), Measures("FlatBuffers")]
    public long SerializeSetFlatBuffers()
    {
        TSet.WriteFlat(ForFlat, content.Plain.Next);
        return FlatTo();
    }

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("FlatBuffers")]
    public long DeserializeTouchSetFlatBuffers() => TSet.TouchFlat(new ByteBuffer(content.FlatBuffers.Next));

    [Benchmark, BenchmarkCategory("MakeSet"), Measures("FlatBuffers")]
    public long MakeSetFlatBuffers()
    {
        TSet.WriteFlat(ForFlat, content.Source.Next);
        return FlatTo();
    }

    [Benchmark, BenchmarkCategory("MakeNewSet"), Measures("FlatBuffers")]
    public long MakeNewSetFlatBuffers()
    {
        TSet.WriteFlatNew(ForFlat, content.Source.Next);
        return FlatTo();
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("FlatBuffers")]
    public long ServeSetFlatBuffers()
    {
        var request = new ByteBuffer(content.FlatBuffers.Next);
        var sum = TSet.TouchFlatThird(request);
        TSet.ReplyFlat(ForFlat, request);
        FlatTo();
        return sum;
    }

    // A builder writes from the end of its own array. A transport has a buffer of its own, to which every library writes here.
    long FlatTo()
    {
        var (to, bytes) = (To, ForFlat.DataBuffer);
        ReadOnlySpan<byte> message = bytes.ToArraySegment(bytes.Position, bytes.Length - bytes.Position);
        to.Write(message);
        return message.Length;
    }

    sealed partial class Content
    {
        public Cycle<byte[]> FlatBuffers => field ??= new([.. Messages.Select(one => BuildFlat(ToPlain(one)))]);
    }
}
