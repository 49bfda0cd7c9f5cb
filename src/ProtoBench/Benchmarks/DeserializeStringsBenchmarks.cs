namespace ProtoBench.Benchmarks;

/// <summary>
/// Bytes to a message in which every string field is a .NET string, then every leaf is touched. Google.Protobuf and protobuf-net make the
/// strings while they parse; the slab codec makes them when they are asked for. The response has no string field, so its rows do the work
/// of DeserializeTouch.
/// </summary>
public partial class DeserializeStringsBenchmarks;
