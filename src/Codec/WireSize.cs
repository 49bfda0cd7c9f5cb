using System.Numerics;
using System.Runtime.CompilerServices;

namespace ProtoBench.Codec;

/// <summary>Sizes on the wire, in bytes: arithmetic only.</summary>
public static class WireSize
{
    /// <summary>A varint.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Varint(ulong value) => value < 0x80 ? 1 : (BitOperations.Log2(value) * 9 + 73) / 64;

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

    /// <summary>A leaf with its length, without its tag.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Leaf(Leaf leaf) => Varint((uint)leaf.Length) + leaf.Length;

    /// <summary>A body with its length, without its tag.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Body(long size) => Varint((ulong)size) + size;

    /// <summary>Fields as they stand.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Unknown(Rows<Leaf> leaves, Run unknown) => unknown.Count == 0 ? 0 : UnknownSlow(leaves, unknown);

    static long UnknownSlow(Rows<Leaf> leaves, Run unknown)
    {
        var size = 0L;
        foreach (var leaf in leaves.Slice(unknown)) size += leaf.Length;
        return size;
    }
}
