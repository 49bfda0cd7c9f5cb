namespace ProtoBench.Benchmarks;

/// <summary>
/// Bytes to a message, then the first byte, the last byte and the length of every leaf: a decoder that only remembers where things are has
/// to show them here. Each cell returns the sum, which is the same in all libraries.
/// </summary>
public partial class DeserializeTouchBenchmarks;
