namespace ProtoBench.Benchmarks;

/// <summary>Bytes to a message. Each cell returns the message; the floor returns the bytes that it passed.</summary>
public partial class DeserializeBenchmarks;
