using ProtoBench.Buffers;

namespace ProtoBench.Benchmarks;

/// <summary>A message to bytes. Each cell returns the bytes written.</summary>
public partial class SerializeBenchmarks
{
    public Sink Sink { get; } = new();
}

/// <summary>How many bytes would this message take? Each cell returns them.</summary>
public partial class MeasureBenchmarks;

/// <summary>What a gRPC marshaller does: the size first, then the message, then
/// a check that both agree. Each cell returns the bytes written.</summary>
public partial class MeasureSerializeBenchmarks
{
    public Sink Sink { get; } = new();
}

/// <summary>Bytes to a message. Each cell returns the message; the floor returns the bytes that it passed.</summary>
public partial class DeserializeBenchmarks;

/// <summary>
/// Bytes to a message, then the first byte, the last byte and the length of every leaf: a decoder that only remembers where things are has
/// to show them here. Each cell returns the sum, which is the same in all libraries.
/// </summary>
public partial class DeserializeTouchBenchmarks;

/// <summary>
/// Bytes to a message in which every string field is a .NET string, then every leaf is touched. Google.Protobuf and protobuf-net make the
/// strings while they parse; the slab codec makes them when they are asked for. The response has no string field, so its rows do the work
/// of DeserializeTouch.
/// </summary>
public partial class DeserializeStringsBenchmarks;
