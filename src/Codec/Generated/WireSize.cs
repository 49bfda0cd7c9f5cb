using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace ProtoBench.Codec.Generated;

/// <summary>Sizes on the wire, in bytes: arithmetic only.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class WireSize
{
    /// <summary>A varint.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Varint(ulong value) => value < 0x80 ? 1 : (int)((((uint)BitOperations.Log2(value) * 9) + 73) / 64);

    /// <inheritdoc cref="Varint(ulong)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Varint(uint value) => value < 0x80 ? 1 : (int)((((uint)BitOperations.Log2(value) * 9) + 73) / 64);

    /// <summary>An int32 or an enum: a negative one has ten bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Int32(int value) => Varint((ulong)value);

    /// <summary>An int64.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Int64(long value) => Varint((ulong)value);

    /// <summary>A sint32.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int SInt32(int value) => Varint(WireWriter.ZigZag(value));

    /// <summary>A sint64.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int SInt64(long value) => Varint(WireWriter.ZigZag(value));

    /// <summary>A string or bytes field with its length, without its tag.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int LengthDelimited(ByteRange range) => Varint((uint)range.Length) + range.Length;

    /// <summary>Varints, one after the other.</summary>
    public static long Varint(ReadOnlySpan<ulong> values) => PackedVarints.Size<UInt64Kind, ulong>(values);

    /// <inheritdoc cref="Varint(ReadOnlySpan{ulong})"/>
    public static long Varint(ReadOnlySpan<uint> values) => PackedVarints.Size<UInt32Kind, uint>(values);

    /// <summary>Values of type int32, one after the other.</summary>
    public static long Int32(ReadOnlySpan<int> values) => PackedVarints.Size<Int32Kind, int>(values);

    /// <summary>Values of type int64, one after the other.</summary>
    public static long Int64(ReadOnlySpan<long> values) => PackedVarints.Size<Int64Kind, long>(values);

    /// <summary>Values of type sint32, one after the other.</summary>
    public static long SInt32(ReadOnlySpan<int> values) => PackedVarints.Size<SInt32Kind, int>(values);

    /// <summary>Values of type sint64, one after the other.</summary>
    public static long SInt64(ReadOnlySpan<long> values) => PackedVarints.Size<SInt64Kind, long>(values);

    /// <summary>Strings or bytes with their lengths, without their tags.</summary>
    public static long LengthDelimited(ReadOnlySpan<ByteRange> ranges)
    {
        var size = 0L;
        foreach (var range in ranges) size += LengthDelimited(range);
        return size;
    }

    /// <summary>A body with its length, without its tag.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Body(long size) => Varint((ulong)size) + size;

    /// <summary>Fields as they stand.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long UnknownFields(Storage<ByteRange> ranges, ElementRange unknown) =>
        unknown.Count == 0 ? 0 : UnknownFieldsSlow(ranges, unknown);

    /// <summary>Refuses to write what no reader would accept.</summary>
    /// <exception cref="InvalidOperationException">Messages are nested too deep.</exception>
    public static void ThrowIfTooDeep(int depth)
    {
        if (depth > ParseLimits.MaxDepth)
            throw new InvalidOperationException($"Messages are nested more than {ParseLimits.MaxDepth} deep: nobody could read them.");
    }

    static long UnknownFieldsSlow(Storage<ByteRange> ranges, ElementRange unknown)
    {
        var size = 0L;
        foreach (var range in ranges.Slice(unknown)) size += range.Length;
        return size;
    }
}
