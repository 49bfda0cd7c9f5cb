using ProtoBench.Buffers;

namespace ProtoBench.Benchmarks;

/// <summary>What a gRPC marshaller does: the size first, then the message, then
/// a check that both agree. Each cell returns the bytes written.</summary>
public partial class MeasureSerializeBenchmarks
{
    public Sink Sink { get; } = new();
}
