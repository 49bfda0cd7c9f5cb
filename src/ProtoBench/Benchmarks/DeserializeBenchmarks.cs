using BenchmarkDotNet.Attributes;
using ProtoBench.Allocators;
using ProtoBench.Gpb;
using ProtoBench.Libraries;

namespace ProtoBench.Benchmarks;

/// <summary>Bytes to a message. Each cell returns the message; the floor returns the bytes that it passed.</summary>
public partial class DeserializeBenchmarks
{
    // What a recycled cell holds is the message of its last operation: each operation gives that back first.
    readonly Arena arena = new();
    readonly Lazy<Cold<byte[]>> cold = new(() => new(() => [.. Wire.Request.BA]));

    [Benchmark(Baseline = true)] public ForwardRequest DeserializeRequestGoogle_BA() => ForwardRequest.Parser.ParseFrom(Wire.Request.BA);
    [Benchmark] public ForwardRequest DeserializeRequestGoogle_MS() => ForwardRequest.Parser.ParseFrom(Wire.Request.MS);
    [Benchmark] public ForwardRequest DeserializeRequestGoogle_CS() => ForwardRequest.Parser.ParseFrom(Wire.Request.CS);
    [Benchmark] public ForwardRequest DeserializeRequestGoogle_ROM() => ForwardRequest.Parser.ParseFrom(Wire.Request.ROM.Span);
    [Benchmark] public ForwardRequest DeserializeRequestGoogle_ROS() => ForwardRequest.Parser.ParseFrom(Wire.Request.ROS);
    [Benchmark] public ForwardRequest DeserializeRequestGoogle_BA_Cold() => ForwardRequest.Parser.ParseFrom(cold.Value.Next);
    [Benchmark] public ForwardRequest DeserializeRequestGoogle_BA_H() { arena.Reset(); return GoogleSlab.ParseRequest(Wire.Request.BA, arena); }
    [Benchmark] public ForwardRequest DeserializeRequestGoogle_MS_H() { arena.Reset(); return GoogleSlab.ParseRequest(Wire.Request.MS, arena); }
    [Benchmark] public ForwardRequest DeserializeRequestGoogle_BA_A() => GoogleSlab.AliasRequest(Wire.Request.BA);
    [Benchmark] public GpbBytes.ForwardRequest DeserializeRequestGoogleBytes_BA() => GpbBytes.ForwardRequest.Parser.ParseFrom(Wire.Request.BA);
    [Benchmark] public long DeserializeRequestFloor_Copy() => Floor.Copy(Wire.Request.BA);
    [Benchmark] public long DeserializeRequestFloor_Walk() => Floor.WalkRequest(Wire.Request.BA);

    [Benchmark(Baseline = true)] public ForwardResponse DeserializeResponseGoogle_BA() => ForwardResponse.Parser.ParseFrom(Wire.Response.BA);
    [Benchmark] public ForwardResponse DeserializeResponseGoogle_MS() => ForwardResponse.Parser.ParseFrom(Wire.Response.MS);
    [Benchmark] public ForwardResponse DeserializeResponseGoogle_CS() => ForwardResponse.Parser.ParseFrom(Wire.Response.CS);
    [Benchmark] public ForwardResponse DeserializeResponseGoogle_ROM() => ForwardResponse.Parser.ParseFrom(Wire.Response.ROM.Span);
    [Benchmark] public ForwardResponse DeserializeResponseGoogle_ROS() => ForwardResponse.Parser.ParseFrom(Wire.Response.ROS);
    [Benchmark] public ForwardResponse DeserializeResponseGoogle_BA_H() { arena.Reset(); return GoogleSlab.ParseResponse(Wire.Response.BA, arena); }
    [Benchmark] public ForwardResponse DeserializeResponseGoogle_MS_H() { arena.Reset(); return GoogleSlab.ParseResponse(Wire.Response.MS, arena); }
    [Benchmark] public ForwardResponse DeserializeResponseGoogle_BA_A() => GoogleSlab.AliasResponse(Wire.Response.BA);
    [Benchmark] public long DeserializeResponseFloor_Copy() => Floor.Copy(Wire.Response.BA);
    [Benchmark] public long DeserializeResponseFloor_Walk() => Floor.WalkResponse(Wire.Response.BA);

    [Benchmark(Baseline = true)] public ForwardRequest DeserializeMixedGoogle_BA() => ForwardRequest.Parser.ParseFrom(Wire.Mixed.BA);
    [Benchmark] public long DeserializeMixedFloor_Copy() => Floor.Copy(Wire.Mixed.BA);
}
