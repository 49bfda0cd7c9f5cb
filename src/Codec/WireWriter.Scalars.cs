using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace ProtoBench.Codec;

// The scalar types, each by the encoding that it has on the wire.
public ref partial struct WireWriter
{
    /// <summary>Writes an int32 or an enum. As everywhere in this type, tag 0 writes none: the element of a packed field.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteInt32([ConstantExpected] uint tag, int value) => WriteVarint(tag, (ulong)value);

    /// <summary>Writes an int64.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteInt64([ConstantExpected] uint tag, long value) => WriteVarint(tag, (ulong)value);

    /// <summary>Writes a uint32.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteUInt32([ConstantExpected] uint tag, uint value) => WriteVarint(tag, value);

    /// <summary>Writes a uint64.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteUInt64([ConstantExpected] uint tag, ulong value) => WriteVarint(tag, value);

    /// <summary>Writes a sint32.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteSInt32([ConstantExpected] uint tag, int value) => WriteVarint(tag, ZigZag(value));

    /// <summary>Writes a sint64.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteSInt64([ConstantExpected] uint tag, long value) => WriteVarint(tag, ZigZag(value));

    /// <summary>Writes a bool.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteBool([ConstantExpected] uint tag, bool value)
    {
        if (position <= safe)
        {
            PutTag(tag, value ? 1u : 0u);
            return;
        }

        start = ref WriteVarintSlow(ref start, position, safe, ref output, tag, value ? 1u : 0u);
        GoOn();
    }

    /// <summary>Writes a sfixed32.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteSFixed32([ConstantExpected] uint tag, int value) => WriteFixed32(tag, (uint)value);

    /// <summary>Writes a sfixed64.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteSFixed64([ConstantExpected] uint tag, long value) => WriteFixed64(tag, (ulong)value);

    /// <summary>Writes a float.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFloat([ConstantExpected] uint tag, float value) => WriteFixed32(tag, BitConverter.SingleToUInt32Bits(value));

    /// <summary>Writes a double.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteDouble([ConstantExpected] uint tag, double value) => WriteFixed64(tag, BitConverter.DoubleToUInt64Bits(value));

    internal static uint ZigZag(int value) => (uint)((value << 1) ^ (value >> 31));

    internal static ulong ZigZag(long value) => (ulong)((value << 1) ^ (value >> 63));
}
