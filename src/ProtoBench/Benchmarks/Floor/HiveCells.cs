using BenchmarkDotNet.Attributes;
using ProtoBench.Buffers;

namespace ProtoBench.Benchmarks;

// The lower bound in the hive's table: a copy of the payload, and one pass over its tags and lengths.

public partial class SerializeBenchmarks
{
    [Benchmark] public long SerializeRequestFloor_Copy() => Floor.Copy(Wire.Request.BA);

    [Benchmark] public long SerializeResponseFloor_Copy() => Floor.Copy(Wire.Response.BA);

    [Benchmark] public long SerializeMixedFloor_Copy() => Floor.Copy(Wire.Mixed.BA);
}

public partial class DeserializeBenchmarks
{
    [Benchmark] public long DeserializeRequestFloor_Copy() => Floor.Copy(Wire.Request.BA);
    [Benchmark] public long DeserializeRequestFloor_Walk() => Floor.WalkRequest(Wire.Request.BA);

    [Benchmark] public long DeserializeResponseFloor_Copy() => Floor.Copy(Wire.Response.BA);
    [Benchmark] public long DeserializeResponseFloor_Walk() => Floor.WalkResponse(Wire.Response.BA);

    [Benchmark] public long DeserializeMixedFloor_Copy() => Floor.Copy(Wire.Mixed.BA);
}
