using System.ComponentModel;
using System.Runtime.InteropServices;

namespace ProtoBench.Codec.Generated;

/// <summary>Computes the hash of a message's content. Equal messages have equal hashes. A hash differs from process to process. For
/// generated code.</summary>
/// <remarks>Only fields that are set are added, each with its number. So one field more or less changes the hash.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct ContentHash
{
    HashCode hash;

    /// <summary>Gets the hash of all values that were added.</summary>
    public readonly int Value => hash.ToHashCode();

    /// <summary>Adds a number, an enum, or the hash of a sub-message.</summary>
    public void Add(int field, long value)
    {
        hash.Add(field);
        hash.Add(value);
    }

    /// <inheritdoc cref="Add(int, long)"/>
    public void Add(int field, ulong value) => Add(field, (long)value);

    /// <summary>Adds a bool.</summary>
    public void Add(int field, bool value) => Add(field, value ? 1L : 0);

    /// <summary>Adds a float, by its bits.</summary>
    public void Add(int field, float value) => Add(field, (long)BitConverter.SingleToUInt32Bits(value));

    /// <summary>Adds a double, by its bits.</summary>
    public void Add(int field, double value) => Add(field, BitConverter.DoubleToInt64Bits(value));

    /// <summary>Adds a string, bytes, or the elements of a list of scalars.</summary>
    public void Add<T>(int field, ReadOnlySpan<T> values)
        where T : unmanaged
    {
        if (values.IsEmpty) return;
        hash.Add(field);
        hash.Add(values.Length);
        hash.AddBytes(MemoryMarshal.AsBytes(values));
    }

    /// <summary>Adds a list of strings or bytes, or the unknown fields as number 0.</summary>
    public void Add(int field, Storage<ByteRange> ranges, ElementRange list)
    {
        ArgumentNullException.ThrowIfNull(ranges);
        foreach (var range in ranges.Slice(list))
        {
            hash.Add(field);
            hash.Add(range.Length);
            hash.AddBytes(ranges.Memory.Span(range));
        }
    }
}
