namespace ProtoBench.Benchmarks;

/// <summary>Writes a message. Each cell returns the number of bytes.</summary>
public partial class SerializeBenchmarks
{
    public Sink Sink { get; } = new();
}

/// <summary>Computes the size of a message. Each cell returns it.</summary>
public partial class MeasureBenchmarks;

/// <summary>Does the work of a gRPC marshaller: it computes the size, writes the message, and checks that both agree. Each cell returns the
/// number of bytes.</summary>
public partial class MeasureSerializeBenchmarks
{
    public Sink Sink { get; } = new();
}

/// <summary>Reads a message. Each cell returns the message. The lower bounds return the number of bytes.</summary>
public partial class DeserializeBenchmarks;

/// <summary>Reads a message, and then the first byte, the last byte and the length of every leaf, so that a decoder that only stores
/// positions has to decode the leaves. Each cell returns the sum, which is the same for all libraries.</summary>
public partial class DeserializeTouchBenchmarks;

/// <summary>Reads a message in which every string field is a .NET string, and then touches every leaf. Google.Protobuf and protobuf-net
/// create the strings while they parse. The slab codec creates them when they are read. The response has no string field, so its rows do
/// the work of DeserializeTouch.</summary>
public partial class DeserializeStringsBenchmarks;
