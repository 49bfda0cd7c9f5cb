using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace ProtoBench.Codec.Runtime;

/// <summary>Calculates sizes on the wire, in bytes.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static partial class WireSize
{
    /// <summary>Calculates the size of a varint.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Varint(ulong value) => value < 0x80 ? 1 : (int)((((uint)BitOperations.Log2(value) * 9) + 73) / 64);

    /// <inheritdoc cref="Varint(ulong)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Varint(uint value) => (int)((((uint)BitOperations.Log2(value) * 9) + 73) / 64);

    // A length is seldom close to 128, so a branch is predicted and takes less time than the formula.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static int Length(uint length) => length < 0x80 ? 1 : Varint(length);

    /// <summary>Calculates the size of a string or bytes field with its length, without its tag.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int LengthDelimited(ByteRange range) => Length((uint)range.Length) + range.Length;

    /// <summary>Calculates the size of strings or bytes fields with their lengths, without their tags.</summary>
    public static long LengthDelimited(ReadOnlySpan<ByteRange> ranges)
    {
        var size = 0L;
        foreach (var range in ranges) size += LengthDelimited(range);
        return size;
    }

    /// <summary>Calculates the size of a message body or packed field with its length, without its tag.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Body(long size) => Varint((ulong)size) + size;

    /// <summary>Calculates the size of unknown fields, which are written as they were read.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long UnknownFields(Storage<ByteRange> ranges, ElementRange unknown) =>
        unknown.Count == 0 ? 0 : UnknownFieldsSlow(ranges, unknown);

    /// <summary>Throws if a message is nested deeper than a reader accepts.</summary>
    /// <exception cref="InvalidOperationException">Messages are nested too deep.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void ThrowIfTooDeep(int depth)
    {
        if (depth > ParseLimits.MaxDepth) ThrowTooDeep();
    }

    [DoesNotReturn]
    static void ThrowTooDeep() =>
        throw new InvalidOperationException($"Messages are nested more than {ParseLimits.MaxDepth} deep: nobody could read them.");

    static long UnknownFieldsSlow(Storage<ByteRange> ranges, ElementRange unknown)
    {
        var size = 0L;
        foreach (var range in ranges.Slice(unknown)) size += range.Length;
        return size;
    }
}
