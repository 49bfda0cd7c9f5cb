namespace ProtoBench.Rpc.Calls;

/// <summary>The result of reading from a stream: a message, or the default value at the end.</summary>
public readonly record struct Received<T>(bool HasMessage, T Message);
