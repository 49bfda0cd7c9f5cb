using BenchmarkDotNet.Attributes;
using ProtoBench.Gpb;

namespace ProtoBench.Benchmarks;

/// <summary>
/// Bytes to a message, then the first byte, the last byte and the length of every leaf: a decoder that only remembers where things are has to show them here.
/// Each cell returns the sum, which is the same in all libraries.
/// </summary>
public partial class DeserializeTouchBenchmarks
{
    readonly Lazy<Cold<byte[]>> cold = new(() => new(() => [.. Wire.Request.BA]));

    [Benchmark(Baseline = true)] public long DeserializeTouchRequestGoogle_BA() => ForwardRequest.Parser.ParseFrom(Wire.Request.BA).Touch();
    [Benchmark] public long DeserializeTouchRequestGoogle_BA_Cold() => ForwardRequest.Parser.ParseFrom(cold.Value.Next).Touch();

    [Benchmark(Baseline = true)] public long DeserializeTouchResponseGoogle_BA() => ForwardResponse.Parser.ParseFrom(Wire.Response.BA).Touch();
}
