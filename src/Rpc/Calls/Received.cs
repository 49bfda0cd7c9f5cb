namespace ProtoBench.Rpc.Calls;

/// <summary>What reading from a stream gave: a message, or the default: its end.</summary>
public readonly record struct Received<T>(bool HasMessage, T Message);
