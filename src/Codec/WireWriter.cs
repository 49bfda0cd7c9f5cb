using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace ProtoBench.Codec;

/// <summary>Writes fields into a window: a span, or what an
/// <see cref="System.Buffers.IBufferWriter{T}"/> hands out, piece by piece.</summary>
/// <remarks>
/// <para>Generated code works on a copy, with four fields, so that a loop keeps its position in a register, for the reasons that
/// <see cref="WireReader"/> gives. Tags are constants: their size and bytes are known when the code is compiled.</para>
/// <para>Safety: every write below is dominated by a comparison of its size with <see cref="Room"/> (or of the position with
/// <see cref="safe"/>, which leaves room for any), and every read of a short string without its own check by a comparison with the length of the
/// message's first block, which lies inside its array.</para>
/// </remarks>
public ref partial struct WireWriter
{
    // A string of up to so many bytes is copied by two moves of half as many, without a loop and without a call.
    internal const int Inline = 64;

    // The longest tag with the longest thing that is written inline: a length and a small range.
    internal const int FieldRoom = 5 + 1 + Inline;

    ref byte start;
    int position;

    // Up to here a field has room without a further look: FieldRoom before the window's end, which may be before its start.
    int safe;
    readonly ref WireOutput output;

    internal WireWriter(ref WireOutput output, Span<byte> window)
    {
        start = ref MemoryMarshal.GetReference(window);
        safe = window.Length - FieldRoom;
        this.output = ref output;
    }

    WireWriter(ref byte start, int position, int safe, ref WireOutput output)
    {
        this.start = ref start;
        this.position = position;
        this.safe = safe;
        this.output = ref output;
    }

    readonly int Room => safe + FieldRoom - position;

    /// <summary>Writes a string or bytes field.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteLengthDelimited([ConstantExpected] uint tag, ByteRange range)
    {
        var length = range.Length;
        if ((uint)length <= Inline && position <= safe && (uint)range.Address < (uint)output.InlineCount)
        {
            PutTag(tag, (uint)length);
            ref var to = ref Unsafe.Add(ref start, (uint)position);
            ref var from =
                ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(output.Source), (uint)(output.SourceStart + range.Address));
            Vector256.LoadUnsafe(ref from).StoreUnsafe(ref to);
            if (length > Inline / 2) Vector256.LoadUnsafe(ref from, Inline / 2).StoreUnsafe(ref to, Inline / 2);
            position += length;
            return;
        }

        start = ref WriteLengthDelimitedSlow(ref start, position, safe, ref output, tag, range);
        GoOn();
    }

    /// <summary>Writes a field of the type varint.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteVarint([ConstantExpected] uint tag, ulong value)
    {
        if (position <= safe)
        {
            if (value < 0x80)
            {
                PutTag(tag, (uint)value);
                return;
            }

            if (value < 0x4000)
            {
                PutTagAndTwoBytes(tag, (uint)value);
                return;
            }

            PutTag(tag);
            position = PutLongVarint(ref start, position, value);
            return;
        }

        start = ref WriteVarintSlow(ref start, position, safe, ref output, tag, value);
        GoOn();
    }

    /// <summary>Writes the tag and the length of a sub-message or of a packed field. Its body follows.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteLength([ConstantExpected] uint tag, long length) => WriteVarint(tag, (ulong)length);

    /// <summary>Writes a field of four bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed32([ConstantExpected] uint tag, uint value)
    {
        if (position <= safe)
        {
            if (tag is > 0 and < 0x80)
            {
                // Three bytes are written too much; they are zero.
                Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, (uint)position), WireReader.Little(tag | ((ulong)value << 8)));
                position += 1 + sizeof(uint);
                return;
            }

            PutTag(tag);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, (uint)position), WireReader.Little(value));
            position += sizeof(uint);
            return;
        }

        start = ref WriteFixed32Slow(ref start, position, safe, ref output, tag, value);
        GoOn();
    }

    /// <summary>Writes a field of eight bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed64([ConstantExpected] uint tag, ulong value)
    {
        if (position <= safe)
        {
            if (tag is > 0 and < 0x80)
            {
                ref var to = ref Unsafe.Add(ref start, (uint)position);
                to = (byte)tag;
                Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 1), WireReader.Little(value));
                position += 1 + sizeof(ulong);
                return;
            }

            PutTag(tag);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, (uint)position), WireReader.Little(value));
            position += sizeof(ulong);
            return;
        }

        start = ref WriteFixed64Slow(ref start, position, safe, ref output, tag, value);
        GoOn();
    }

    /// <summary>Writes fields that the schema does not know, as they stand.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteUnknownFields(Storage<ByteRange> ranges, ElementRange unknown)
    {
        if (unknown.Count == 0) return;
        start = ref WriteUnknownFieldsSlow(ref start, position, safe, ref output, ranges, unknown);
        GoOn();
    }

    /// <summary>Takes over what a slow step has left.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void GoOn() => (position, safe) = (output.Position, output.Safe);

    /// <summary>Ends the writing: nothing may follow.</summary>
    /// <returns>Bytes in the last window. The caller hands them over, if the message is still the one that was to be written.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly int End()
    {
        if (position > 0) ClearAhead();
        return position;
    }

    /// <summary>Writes a tag where there is room for it. Tag 0 stands for none: the element of a packed field.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void PutTag([ConstantExpected] uint tag)
    {
        if (tag == 0) return;
        if (tag < 0x80)
        {
            Unsafe.Add(ref start, (uint)position++) = (byte)tag;
        }
        else if (tag < 0x4000)
        {
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, (uint)position), WireReader.Little(TwoBytes(tag)));
            position += sizeof(ushort);
        }
        else
        {
            position = PutVarint(ref start, position, tag);
        }
    }

    /// <summary>Writes a tag and a byte.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void PutTag([ConstantExpected] uint tag, uint value)
    {
        if (tag is > 0 and < 0x80)
        {
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, (uint)position), WireReader.Little((ushort)(tag | (value << 8))));
            position += sizeof(ushort);
            return;
        }

        if (tag is >= 0x80 and < 0x4000)
        {
            // The fourth byte is written too much, as those of a short string are.
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, (uint)position), WireReader.Little(TwoBytes(tag) | (value << 16)));
            position += 3;
            return;
        }

        if (tag != 0) position = PutVarint(ref start, position, tag);
        Unsafe.Add(ref start, (uint)position++) = (byte)value;
    }

    /// <summary>Writes a tag and a varint of two bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void PutTagAndTwoBytes([ConstantExpected] uint tag, uint value)
    {
        if (tag >= 0x4000) PutTag(tag);
        ref var to = ref Unsafe.Add(ref start, (uint)position);
        var bytes = (value & 0x7F) | 0x80 | ((value & 0x3F80) << 1);

        // A fourth byte is written too much behind a tag of one byte; it is zero.
        switch (tag)
        {
            case 0 or >= 0x4000:
                Unsafe.WriteUnaligned(ref to, WireReader.Little((ushort)bytes));
                position += 2;
                break;
            case < 0x80:
                Unsafe.WriteUnaligned(ref to, WireReader.Little(tag | (bytes << 8)));
                position += 3;
                break;
            default:
                Unsafe.WriteUnaligned(ref to, WireReader.Little(TwoBytes(tag) | (bytes << 16)));
                position += 4;
                break;
        }
    }

    /// <summary>The varint of a tag of two bytes, as a little-endian number.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ushort TwoBytes([ConstantExpected] uint tag) => (ushort)((tag & 0x7F) | 0x80 | ((tag >> 7) << 8));
}
