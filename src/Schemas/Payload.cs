namespace ProtoBench.Schemas;

/// <summary>One message on the wire.</summary>
/// <param name="Name">Where it comes from: the file, and its number where the file has several.</param>
/// <param name="Bytes">The message.</param>
public sealed record Payload(string Name, ReadOnlyMemory<byte> Bytes);
