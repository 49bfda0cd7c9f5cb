using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace ProtoBench.Codec;

// The scalar types, each by the encoding that it has on the wire.
public ref partial struct WireReader
{
    /// <summary>Reads an int32 or an enum. Bits beyond 32 are dropped, as everywhere in protobuf.</summary>
    /// <inheritdoc cref="ReadVarint"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadInt32() => (int)ReadVarint();

    /// <summary>Reads an int64.</summary>
    /// <inheritdoc cref="ReadVarint"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long ReadInt64() => (long)ReadVarint();

    /// <summary>Reads a uint32. Bits beyond 32 are dropped.</summary>
    /// <inheritdoc cref="ReadVarint"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint ReadUInt32() => (uint)ReadVarint();

    /// <summary>Reads a uint64.</summary>
    /// <inheritdoc cref="ReadVarint"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong ReadUInt64() => ReadVarint();

    /// <summary>Reads a sint32.</summary>
    /// <inheritdoc cref="ReadVarint"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadSInt32()
    {
        var value = (uint)ReadVarint();
        return (int)(value >> 1) ^ -(int)(value & 1);
    }

    /// <summary>Reads a sint64.</summary>
    /// <inheritdoc cref="ReadVarint"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long ReadSInt64()
    {
        var value = ReadVarint();
        return (long)(value >> 1) ^ -(long)(value & 1);
    }

    /// <summary>Reads a bool: any varint but 0 is true.</summary>
    /// <inheritdoc cref="ReadVarint"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool ReadBool() => ReadVarint() != 0;

    /// <summary>Reads a sfixed32.</summary>
    /// <inheritdoc cref="ReadFixed32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadSFixed32() => (int)ReadFixed32();

    /// <summary>Reads a sfixed64.</summary>
    /// <inheritdoc cref="ReadFixed64"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long ReadSFixed64() => (long)ReadFixed64();

    /// <summary>Reads a float.</summary>
    /// <inheritdoc cref="ReadFixed32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public float ReadFloat() => BitConverter.UInt32BitsToSingle(ReadFixed32());

    /// <summary>Reads a double.</summary>
    /// <inheritdoc cref="ReadFixed64"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double ReadDouble() => BitConverter.UInt64BitsToDouble(ReadFixed64());

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ushort Little(ushort value) => BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static uint Little(uint value) => BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Little(ulong value) => BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value);
}
