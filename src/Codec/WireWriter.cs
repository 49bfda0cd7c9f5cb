using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace ProtoBench.Codec;

/// <summary>Writes fields into a window: a span, or what an <see cref="System.Buffers.IBufferWriter{T}"/> hands out, piece by piece.</summary>
/// <remarks>
/// <para>Passed and returned by value, with four fields, so that a loop keeps its position in a register, for the reasons that
/// <see cref="WireReader"/> gives. Tags are constants: their size and bytes are known when the code is compiled.</para>
/// <para>Safety: every write below is dominated by a comparison of its size with <see cref="Room"/>, and every read of a leaf without
/// its own check by a comparison with the length of the message's first block, which lies inside its array.</para>
/// </remarks>
public ref partial struct WireWriter
{
    // A leaf of up to so many bytes is copied by two moves of half as many, without a loop and without a call.
    const int inline = 64;

    // The longest tag.
    const int tagRoom = 5;

    ref byte start;
    int position;
    int end;
    readonly WireOutput output;

    internal WireWriter(WireOutput output, Span<byte> window)
    {
        start = ref MemoryMarshal.GetReference(window);
        end = window.Length;
        this.output = output;
    }

    readonly int Room => end - position;

    /// <summary>Writes a string or bytes field.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteLeaf([ConstantExpected] uint tag, Leaf leaf)
    {
        var length = leaf.Length;
        if (length <= inline && Room >= tagRoom + 1 + inline && output.LeavesLength - leaf.Address >= inline)
        {
            PutTag(tag);
            ref var to = ref Unsafe.Add(ref start, position);
            ref var from = ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(output.Leaves), output.LeavesStart + leaf.Address);
            to = (byte)length;
            if (length <= Vector128<byte>.Count)
            {
                Vector128.LoadUnsafe(ref from).StoreUnsafe(ref to, 1);
            }
            else
            {
                Vector256.LoadUnsafe(ref from).StoreUnsafe(ref to, 1);
                Vector256.LoadUnsafe(ref from, inline / 2).StoreUnsafe(ref to, 1 + (inline / 2));
            }

            position += 1 + length;
            return;
        }

        var copy = this;
        copy.WriteLeafSlow(tag, leaf);
        this = copy;
    }

    /// <summary>Writes a field of the type varint.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteVarint([ConstantExpected] uint tag, ulong value)
    {
        if (value < 0x80 && Room >= tagRoom + 1)
        {
            PutTag(tag);
            Unsafe.Add(ref start, position++) = (byte)value;
            return;
        }

        var copy = this;
        copy.WriteVarintSlow(tag, value);
        this = copy;
    }

    /// <summary>Writes the tag and the length of a sub-message or of a packed field. Its body follows.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteLength([ConstantExpected] uint tag, long length) => WriteVarint(tag, (ulong)length);

    /// <summary>Writes a field of four bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed32([ConstantExpected] uint tag, uint value)
    {
        if (Room >= tagRoom + sizeof(uint))
        {
            PutTag(tag);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, position), WireReader.Little(value));
            position += sizeof(uint);
            return;
        }

        var copy = this;
        copy.WriteFixedSlow(tag, value, sizeof(uint));
        this = copy;
    }

    /// <summary>Writes a field of eight bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed64([ConstantExpected] uint tag, ulong value)
    {
        if (Room >= tagRoom + sizeof(ulong))
        {
            PutTag(tag);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, position), WireReader.Little(value));
            position += sizeof(ulong);
            return;
        }

        var copy = this;
        copy.WriteFixedSlow(tag, value, sizeof(ulong));
        this = copy;
    }

    /// <summary>Writes fields that the schema does not know, as they stand.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteUnknown(Rows<Leaf> leaves, Run unknown)
    {
        if (unknown.Count == 0) return;
        var copy = this;
        copy.WriteUnknownSlow(leaves, unknown);
        this = copy;
    }

    /// <summary>Ends the writing: nothing may follow.</summary>
    internal readonly void Flush() => output.Advance(position);

    /// <summary>Writes a tag where there is room for it. Tag 0 stands for none: the element of a packed field.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void PutTag([ConstantExpected] uint tag)
    {
        if (tag == 0) return;
        if (tag < 0x80)
        {
            Unsafe.Add(ref start, position++) = (byte)tag;
        }
        else if (tag < 0x4000)
        {
            var bytes = (ushort)((tag & 0x7F) | 0x80 | ((tag >> 7) << 8));
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, position), WireReader.Little(bytes));
            position += sizeof(ushort);
        }
        else
        {
            position = PutVarint(ref start, position, tag);
        }
    }
}
