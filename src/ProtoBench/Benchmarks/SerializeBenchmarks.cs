using ProtoBench.Buffers;

namespace ProtoBench.Benchmarks;

/// <summary>A message to bytes. Each cell returns the bytes written.</summary>
public partial class SerializeBenchmarks
{
    public Sink Sink { get; } = new();
}
