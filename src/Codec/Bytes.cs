namespace ProtoBench.Codec;

/// <summary>The bytes of a field of type bytes, where the message keeps them.</summary>
/// <remarks>Ownership: the message's; valid until it is released or parsed again.</remarks>
/// <param name="Owner">The message.</param>
/// <param name="Leaf">Where in it.</param>
public readonly record struct Bytes(MessageMemory Owner, Leaf Leaf)
{
    /// <summary>Number of bytes.</summary>
    public int Length => Leaf.Length;

    /// <summary>The bytes.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public ReadOnlySpan<byte> Span => Owner.Span(Leaf);

    /// <summary>The bytes, to be kept across an await.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    public ReadOnlyMemory<byte> Memory => Owner.Memory(Leaf);

    /// <summary>A copy of the bytes.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    public byte[] ToArray() => Span.ToArray();
}
