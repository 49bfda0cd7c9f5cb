using System.ComponentModel;
using System.Runtime.InteropServices;

namespace ProtoBench.Codec.Runtime;

/// <summary>Computes the hash of a message's content. Equal messages have equal hashes. A hash differs from process to process. For
/// generated code.</summary>
/// <remarks>Only fields that are set are added, each with its number. So one field more or less changes the hash. The values are the
/// coefficients of a polynomial over the field of 2^61 - 1 elements, which is evaluated at a random point. A sender who does not know the
/// point cannot choose different values with the same hash. <see cref="HashCode"/> does not have this property.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct ContentHash
{
    const int primeBits = 61;
    const ulong prime = (1ul << primeBits) - 1;

    static readonly ulong point = MapKey.Secret() & prime;

    ulong sum;

    /// <summary>Gets the hash of all values that were added.</summary>
    public readonly int Value => MapKey.Hash(sum);

    /// <summary>Adds a number, an enum, or the hash of a sub-message.</summary>
    public void Add(int field, long value) => Add((uint)field, (uint)value, (uint)(value >> 32));

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
        if (!values.IsEmpty) AddBytes(field, MemoryMarshal.AsBytes(values));
    }

    /// <summary>Adds a list of strings or bytes, or the unknown fields as number 0.</summary>
    public void Add(int field, Storage<ByteRange> ranges, ElementRange list)
    {
        ArgumentNullException.ThrowIfNull(ranges);
        foreach (var range in ranges.Slice(list)) AddBytes(field, ranges.Memory.Span(range));
    }

    void AddBytes(int field, ReadOnlySpan<byte> bytes) => Add((uint)field, (uint)bytes.Length, (uint)MapKey.Hash(bytes));

    void Add(uint field, uint one, uint other)
    {
        Add(field);
        Add(one);
        Add(other);
    }

    // The sum is not reduced completely: it stays below 2^62, and equal contents have the same steps.
    void Add(uint value)
    {
        var high = Math.BigMul(sum, point, out var low);
        var product = (low & prime) + ((high << (64 - primeBits)) | (low >> primeBits)) + value;
        sum = (product & prime) + (product >> primeBits);
    }
}
