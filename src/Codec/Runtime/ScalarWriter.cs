using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace ProtoBench.Codec.Runtime;

/// <summary>Writes the fields of a small message of numbers into one window that has room for all of them.</summary>
/// <remarks>The writer consists of two references, which stay in registers. It needs no further window, and it copies no strings. Safety:
/// each write compares its position with the last position that has room for any field.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref partial struct ScalarWriter
{
    // The longest tag with the longest value. A short varint is stored with one more byte, which is zero and within this room.
    internal const int FieldRoom = 5 + 10;

    ref byte at;
    readonly ref byte last;

    /// <summary>Initializes a writer at the beginning of a window of at least <see cref="FieldRoom"/> bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ScalarWriter(Span<byte> window)
    {
        at = ref MemoryMarshal.GetReference(window);
        last = ref Unsafe.Add(ref at, (uint)(window.Length - FieldRoom));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ScalarWriter(ref byte at, ref byte last)
    {
        this.at = ref at;
        this.last = ref last;
    }

    /// <summary>Gets a value that indicates whether this is the default value, which means that the message was not written.</summary>
    internal readonly bool IsDefault => Unsafe.IsNullRef(ref at);

    /// <summary>Writes a fixed32.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed32([ConstantExpected] uint tag, uint value)
    {
        ref var to = ref PutTag(tag);
        Unsafe.WriteUnaligned(ref to, WireReader.Little(value));
        at = ref Unsafe.Add(ref to, sizeof(uint));
    }

    /// <summary>Writes a fixed64.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed64([ConstantExpected] uint tag, ulong value)
    {
        ref var to = ref PutTag(tag);
        Unsafe.WriteUnaligned(ref to, WireReader.Little(value));
        at = ref Unsafe.Add(ref to, sizeof(ulong));
    }

    /// <summary>Gets the number of bytes that were written from a position on.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly nuint CountFrom(ref byte position) => (nuint)Unsafe.ByteOffset(ref position, ref at);

    /// <summary>Writes a uint32, without a branch on whether it has one byte or two, as <see cref="WireWriter.WriteUInt32"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteUInt32([ConstantExpected] uint tag, uint value)
    {
        if (value >= 0x4000)
        {
            PutLong(tag, value);
            return;
        }

        var two = (0x7F - value) >> 31;
        var bytes = (value & 0x7F) | (two << 7) | (value >> 7 << 8);
        if (tag < 0x80)
        {
            ThrowIfFull();
            Unsafe.WriteUnaligned(ref at, WireReader.Little(tag | (bytes << 8)));
            at = ref Unsafe.Add(ref at, 2 + two);
            return;
        }

        ref var to = ref PutTag(tag);
        Unsafe.WriteUnaligned(ref to, WireReader.Little((ushort)bytes));
        at = ref Unsafe.Add(ref to, 1 + two);
    }

    /// <summary>Writes a number without a branch on its size, unless it takes more than eight bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void PutLong([ConstantExpected] uint tag, ulong value)
    {
        ref var to = ref PutTag(tag);
        if (value <= PackedVarints.LargestShort) at = ref Unsafe.Add(ref to, PackedVarints.PutShort(ref to, value));
        else at = ref PutVarint(ref to, value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void WriteVarint([ConstantExpected] uint tag, ulong value)
    {
        if (value < 0x80)
        {
            PutByte(tag, (uint)value);
            return;
        }

        if (value >= 0x4000)
        {
            PutLong(tag, value);
            return;
        }

        var low = (uint)value;
        var bytes = (low & 0x7F) | 0x80 | ((low & 0x3F80) << 1);
        if (tag < 0x80)
        {
            ThrowIfFull();
            Unsafe.WriteUnaligned(ref at, WireReader.Little(tag | (bytes << 8)));
            at = ref Unsafe.Add(ref at, 3);
            return;
        }

        ref var to = ref PutTag(tag);
        Unsafe.WriteUnaligned(ref to, WireReader.Little((ushort)bytes));
        at = ref Unsafe.Add(ref to, 2);
    }

    /// <summary>Writes a tag and a value of one byte.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void PutByte([ConstantExpected] uint tag, uint value)
    {
        if (tag < 0x80)
        {
            ThrowIfFull();
            Unsafe.WriteUnaligned(ref at, WireReader.Little((ushort)(tag | (value << 8))));
            at = ref Unsafe.Add(ref at, sizeof(ushort));
            return;
        }

        ref var to = ref PutTag(tag);
        to = (byte)value;
        at = ref Unsafe.Add(ref to, 1);
    }

    /// <summary>Writes a tag, after a check that there is room for it and for any value.</summary>
    /// <returns>A reference to the position of the value.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    readonly ref byte PutTag([ConstantExpected] uint tag)
    {
        ThrowIfFull();
        if (tag < 0x80)
        {
            at = (byte)tag;
            return ref Unsafe.Add(ref at, 1);
        }

        if (tag >= 0x4000) return ref PutVarint(ref at, tag);
        Unsafe.WriteUnaligned(ref at, WireReader.Little((ushort)((tag & 0x7F) | 0x80 | ((tag >> 7) << 8))));
        return ref Unsafe.Add(ref at, sizeof(ushort));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    readonly void ThrowIfFull()
    {
        if (Unsafe.IsAddressGreaterThan(ref at, ref last)) ThrowNoRoom();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte PutVarint(ref byte at, ulong value)
    {
        for (; value >= 0x80; value >>= 7)
        {
            at = (byte)(value | 0x80);
            at = ref Unsafe.Add(ref at, 1);
        }

        at = (byte)value;
        return ref Unsafe.Add(ref at, 1);
    }

    [DoesNotReturn]
    static void ThrowNoRoom() => throw new InvalidOperationException("The message has more fields than its type says there is room for.");
}
