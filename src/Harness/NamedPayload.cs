namespace ProtoBench.Harness;

/// <summary>One message on the wire.</summary>
/// <param name="Name">The file, and the number of the message where the file has several.</param>
/// <param name="Bytes">The message. It must not be changed.</param>
public sealed record NamedPayload(string Name, ReadOnlyMemory<byte> Bytes);
