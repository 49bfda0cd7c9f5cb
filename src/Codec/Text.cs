using System.Text;

namespace ProtoBench.Codec;

/// <summary>The UTF-8 of a field of type string, where the message keeps it. It was checked when it was read.</summary>
/// <inheritdoc cref="Bytes" path="/remarks"/>
/// <param name="Owner">The message.</param>
/// <param name="Leaf">Where in it.</param>
public readonly record struct Text(MessageMemory Owner, Leaf Leaf)
{
    /// <summary>Number of bytes, not of characters.</summary>
    public int Length => Leaf.Length;

    /// <inheritdoc cref="Bytes.Span"/>
    public ReadOnlySpan<byte> Span => Owner.Span(Leaf);

    /// <inheritdoc cref="Bytes.Memory"/>
    public ReadOnlyMemory<byte> Memory => Owner.Memory(Leaf);

    /// <summary>The string, as a new object.</summary>
    /// <inheritdoc cref="Bytes.Span" path="/exception"/>
    public override string ToString() => Encoding.UTF8.GetString(Span);
}
