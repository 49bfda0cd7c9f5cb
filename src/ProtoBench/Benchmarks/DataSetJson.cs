using System.Text;
using System.Text.Json;
using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using ProtoBench.Codec;
using ProtoBench.Harness;

namespace ProtoBench.Benchmarks;

/// <summary>How messages become JSON, as UTF-8 in a buffer that is reused, and are read from it.</summary>
public abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>
{
    StreamWriter? text;

    /// <summary>Gets the JSON that Google writes.</summary>
    public string Json => JsonFormatter.Default.Format(content.Google.Next);

    [Benchmark(Baseline = true), BenchmarkCategory("JsonSet"), Measures("Google")]
    public long JsonSetGoogle()
    {
        stream.SetLength(0);
        text ??= new(stream);
        JsonFormatter.Default.Format(content.Google.Next, text);
        text.Flush();
        return stream.Length;
    }

    [Benchmark, BenchmarkCategory("JsonSet"), Measures("Slab")]
    public long JsonSetSlab() { var to = To; content.Slab.Next.Value.WriteJson(to); return to.WrittenCount; }

    // The plain classes with the contract that the build generates for them: other names and no strings for 64-bit numbers.
    [Benchmark, BenchmarkCategory("JsonSet"), Measures("SystemTextJson")]
    public long JsonSetSystemTextJson()
    {
        var to = To;
        json ??= new(to, new() { SkipValidation = true });
        json.Reset(to);
        JsonSerializer.Serialize(json, content.Plain.Next, TSet.Json);
        return to.WrittenCount;
    }

    // The parser takes text, and a service gets bytes.
    [Benchmark(Baseline = true), BenchmarkCategory("JsonReadSet"), Measures("Google")]
    public TGoogle JsonReadSetGoogle() => TSet.Parser.ParseJson(Encoding.UTF8.GetString(content.ProtoJson.Next));

    [Benchmark, BenchmarkCategory("JsonReadSet"), Measures("Slab")]
    public Message<TSlab> JsonReadSetSlab() { Renew(); last.ParseJson(content.ProtoJson.Next); return last; }

    // What System.Text.Json writes: other names and no strings for 64-bit numbers.
    [Benchmark, BenchmarkCategory("JsonReadSet"), Measures("SystemTextJson")]
    public TPlain JsonReadSetSystemTextJson() => JsonSerializer.Deserialize(content.SystemTextJson.Next, TSet.Json)!;

    long? JsonBytes(string cell) => cell switch
    {
        nameof(JsonReadSetGoogle) or nameof(JsonReadSetSlab) => content.ProtoJson.Next.Length,
        nameof(JsonSetGoogle) => JsonSetGoogle(),
        nameof(JsonSetSlab) => JsonSetSlab(),
        _ => null,
    };

    sealed partial class Content
    {
        /// <summary>What Google writes.</summary>
        public Cycle<byte[]> ProtoJson => field ??=
            new([.. Messages.Select(bytes => Encoding.UTF8.GetBytes(JsonFormatter.Default.Format(TSet.Parser.ParseFrom(bytes))))]);
    }
}
