using System.Buffers;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace ProtoBench.Codec.Runtime;

/// <summary>Writes fields into a window: a span, or memory from an <see cref="System.Buffers.IBufferWriter{T}"/>, one piece after the
/// other.</summary>
/// <remarks>
/// <para>Generated code works on a copy with four fields, so that a loop keeps the position in a register, for the same reasons as
/// <see cref="WireReader"/>. Tags are constants: their size and bytes are known when the code is compiled.</para>
/// <para>Safety of writes: each method compares the size with <see cref="Room"/>, or the position with <see cref="safe"/>. There
/// is room for any field after a position up to <see cref="safe"/>.</para>
/// <para>Safety of reads: a short string is copied without a check of its length. The address is compared with the length of the message's
/// first block. This block is inside its array.</para>
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref partial struct WireWriter
{
    // The maximum length of a string that is copied by two moves of half this length, without a loop and without a call.
    internal const int Inline = 64;

    // The longest tag with the longest value that is written inline: a length and a short string.
    internal const int FieldRoom = 5 + 1 + Inline;

    // The largest message that has room with its tag and its length, with the room that a ScalarWriter leaves behind its fields.
    internal const int SmallBytes = FieldRoom - 5 - 1 - ScalarWriter.FieldRoom;

    ref byte start;
    int position;

    // The last position at which any field has room: FieldRoom bytes before the end of the window. It may be before the start of the
    // window.
    int safe;
    ref WireOutput output;

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

    /// <summary>Copies this writer field by field. Where the JIT keeps a writer in memory, an assignment is a move of 16 bytes, which must
    /// wait for the stores of the fields. Writing Feed took 17 % less time without this wait, and WriteShape Nested 40 % (duet).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void CopyTo(out WireWriter copy)
    {
        Unsafe.SkipInit(out copy);
        copy.start = ref start;
        copy.position = position;
        copy.safe = safe;
        copy.output = ref output;
    }

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
        LoadPosition();
    }

    /// <summary>Writes a field with a varint as its value.</summary>
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
            if (value <= PackedVarints.LargestShort) position += PackedVarints.PutShort(ref Unsafe.Add(ref start, (uint)position), value);
            else position = PutVarint(ref start, position, value);
            return;
        }

        start = ref WriteVarintSlow(ref start, position, safe, ref output, tag, value);
        LoadPosition();
    }

    /// <summary>Writes a uint32, without a branch on whether it has one byte or two: it would be mispredicted where values vary. Signed
    /// numbers and enums keep the branch, because most of them are small (Wide100 took 13 % longer without it).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteUInt32([ConstantExpected] uint tag, uint value)
    {
        if (value < 0x4000 && position <= safe) PutTagAndUpToTwoBytes(tag, value);
        else WriteVarint(tag, value);
    }

    /// <summary>Writes a number whose size is hard to predict, without a branch on its size: a sint32 or a sint64 is often negative, so
    /// its numbers differ in size. Writing Updates took 12 % less time (duet).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void WriteSigned([ConstantExpected] uint tag, ulong zigZag)
    {
        if (zigZag <= PackedVarints.LargestShort && position <= safe)
        {
            PutTag(tag);
            position += PackedVarints.PutShort(ref Unsafe.Add(ref start, (uint)position), zigZag);
        }
        else
        {
            WriteVarint(tag, zigZag);
        }
    }

    /// <summary>Writes the tag and the length of a sub-message or of a packed field. Its body follows.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteLength([ConstantExpected] uint tag, long length) => WriteVarint(tag, (ulong)length);

    /// <summary>Writes the start tag or the end tag of a group.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteTag([ConstantExpected] uint tag) => WriteVarint(0, tag);

    /// <summary>Gets a value that indicates whether the size of a sub-message is calculated before <see cref="BeginMessage"/>: sizes were not
    /// stored, and lengths are not written after their messages.</summary>
    public readonly bool NeedsSize
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => output.NeedsSize;
    }

    /// <summary>Gets a value that indicates whether there is room for any field, and for any small message.</summary>
    public readonly bool HasRoom
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => position <= safe;
    }

    /// <summary>Begins a message of at most <see cref="SmallBytes"/>: writes its tag, and leaves the byte of its length.</summary>
    /// <returns>The writer of its fields; the default value if there is no room.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ScalarWriter BeginSmall([ConstantExpected] uint tag)
    {
        if (position > safe) return default;
        PutTag(tag);
        position++;
        return new(ref Unsafe.Add(ref start, (uint)position), ref Unsafe.Add(ref start, safe + FieldRoom - ScalarWriter.FieldRoom));
    }

    /// <summary>Ends a message that <see cref="BeginSmall"/> began: writes its length.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EndSmall(ScalarWriter body)
    {
        var length = body.CountFrom(ref Unsafe.Add(ref start, (uint)position));
        if (length > SmallBytes || position < 1 || position > safe + 6) ThrowNotBegun();
        Unsafe.Add(ref start, (uint)position - 1) = (byte)length;
        position += (int)length;
    }

    /// <summary>Begins a message: writes its tag and its length. In one pass the length is not known yet. As many bytes are left for it as
    /// the last message of this level needed.</summary>
    /// <param name="tag">The tag.</param>
    /// <param name="size">The size, if the message is not written in one pass.</param>
    /// <param name="mark">The argument for <see cref="EndMessage"/>.</param>
    /// <returns>Whether the body must be written, and then <see cref="EndMessage"/> be called; false if one pass is not possible.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool BeginMessage([ConstantExpected] uint tag, long size, out int mark)
    {
        if (!output.IsOnePass)
        {
            WriteLength(tag, size);
            mark = -1;
            return true;
        }

        if (position <= safe && output.Depth < mostDepth)
        {
            PutTag(tag);
            mark = position;
            position += output.BeginLevel(safe - position);
            return true;
        }

        start = ref BeginMessageSlow(ref start, position, safe, ref output, tag);
        LoadPosition();
        mark = position - 1;
        return !output.HasGivenUp;
    }

    // Messages in the last level may have messages that are too deep. The calculation of the size finds them.
    const int mostDepth = ParseLimits.MaxDepth - 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte BeginMessageSlow(ref byte start, int position, int safe, ref WireOutput output, uint tag)
    {
        var writer = new WireWriter(ref start, position, safe, ref output);
        if (output.Depth >= mostDepth || writer.Room < WireSize.Varint(tag) + 1) return ref writer.GiveUp();
        writer.position = PutVarint(ref start, position, tag) + output.BeginLevel(0);
        return ref writer.StorePosition();
    }

    /// <summary>Ends a message that <see cref="BeginMessage"/> began.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EndMessage(int mark)
    {
        if (mark < 0) return;
        var reserved = output.EndLevel();
        var length = position - mark - reserved;
        if ((uint)length < 0x80 && reserved == 1 && !output.HasGivenUp)
        {
            Unsafe.Add(ref start, (uint)mark) = (byte)length;
            return;
        }

        start = ref EndLongMessage(ref start, position, safe, ref output, mark);
        LoadPosition();
    }

    /// <summary>Writes a length that does not take one byte, and moves the body if another number of bytes was left for the
    /// length.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte EndLongMessage(ref byte start, int position, int safe, ref WireOutput output, int mark)
    {
        if (!output.IsOnePass) ThrowNotBegun();
        var writer = new WireWriter(ref start, position, safe, ref output);
        if (output.HasGivenUp) return ref writer.StorePosition();
        var reserved = output.LengthSize;
        var length = position - mark - reserved;
        if (length < 0) ThrowNotBegun();
        var size = WireSize.Varint((uint)length);
        if (size != reserved)
        {
            if (writer.Room < size - reserved || !output.MayMove(length, position)) return ref writer.GiveUp();
            var body = MemoryMarshal.CreateSpan(ref Unsafe.Add(ref start, (uint)(mark + reserved)), length);
            body.CopyTo(MemoryMarshal.CreateSpan(ref Unsafe.Add(ref start, (uint)(mark + size)), length));
            output.LengthSize = size;
            writer.position += size - reserved;

            // Several levels can move back by more than End clears: their old end, and what a short copy has written after it.
            if (size < reserved)
            {
                var behind = Math.Min(writer.Room, reserved - size + Inline);
                MemoryMarshal.CreateSpan(ref Unsafe.Add(ref start, (uint)writer.position), behind).Clear();
            }
        }

        PutVarint(ref start, mark, (uint)length);
        return ref writer.StorePosition();
    }

    /// <summary>Gives up one pass. The next attempt writes over what was written, but may end up to 60 bytes before it: fewer bytes may be
    /// needed for the lengths of 15 levels than were left.</summary>
    readonly ref byte GiveUp()
    {
        ClearAhead();
        return ref output.GiveUp();
    }

    [DoesNotReturn]
    static void ThrowNotBegun() => throw new InvalidOperationException("The message was not begun with this writer.");

    /// <summary>Writes a field of four bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed32([ConstantExpected] uint tag, uint value)
    {
        if (position <= safe)
        {
            if (tag is > 0 and < 0x80)
            {
                // Three bytes are written after the field; they are zero.
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
        LoadPosition();
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
        LoadPosition();
    }

    /// <summary>Writes unknown fields as they were read.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteUnknownFields(Storage<ByteRange> ranges, ElementRange unknown)
    {
        if (unknown.Count == 0) return;
        start = ref WriteUnknownFieldsSlow(ref start, position, safe, ref output, ranges, unknown);
        LoadPosition();
    }

    /// <summary>Takes the position that a slow path has stored in the output.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void LoadPosition() => (position, safe) = (output.Position, output.Safe);

    /// <summary>Ends the writing. Nothing must be written afterwards.</summary>
    /// <returns>The number of bytes in the last window. The caller passes them to the output, if the message still has the content that was
    /// written.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly int End()
    {
        if (position > 0) ClearAhead();
        return position;
    }

    /// <summary>Writes a tag. There must be room for it. Tag 0 means no tag, for the elements of a packed field.</summary>
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
            // A fourth byte is written after the field, as further bytes are after a short string.
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

        // After a tag of one byte, a fourth byte is written after the field; it is zero.
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

    /// <summary>Writes a tag and a varint of one or two bytes. One or two bytes are written after the field; they are zero.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void PutTagAndUpToTwoBytes([ConstantExpected] uint tag, uint value)
    {
        if (tag >= 0x4000) PutTag(tag);
        var two = (0x7F - value) >> 31;
        var bytes = (value & 0x7F) | (two << 7) | (value >> 7 << 8);
        ref var to = ref Unsafe.Add(ref start, (uint)position);
        switch (tag)
        {
            case 0 or >= 0x4000:
                Unsafe.WriteUnaligned(ref to, WireReader.Little((ushort)bytes));
                position += 1 + (int)two;
                break;
            case < 0x80:
                Unsafe.WriteUnaligned(ref to, WireReader.Little(tag | (bytes << 8)));
                position += 2 + (int)two;
                break;
            default:
                Unsafe.WriteUnaligned(ref to, WireReader.Little(TwoBytes(tag) | (bytes << 16)));
                position += 3 + (int)two;
                break;
        }
    }

    /// <summary>Gets the varint of a tag of two bytes, as a little-endian number.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ushort TwoBytes([ConstantExpected] uint tag) => (ushort)((tag & 0x7F) | 0x80 | ((tag >> 7) << 8));

    // Packed fields: the tag, the length and all elements are written in one step.

    // The room for the tag and the length, and for the 16 bytes that the longest move writes after the varints.
    const int packedRoom = 5 + 5 + 16;

    /// <summary>Writes a packed field of floats, doubles or integers of fixed width.</summary>
    /// <typeparam name="T">A type of four or eight bytes.</typeparam>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePackedFixed<T>([ConstantExpected] uint tag, ReadOnlySpan<T> values)
        where T : unmanaged
    {
        start = ref WriteFixedSlow(ref start, position, safe, ref output, tag, MemoryMarshal.AsBytes(values), Unsafe.SizeOf<T>());
        LoadPosition();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte WriteFixedSlow(ref byte start, int position, int safe, ref WireOutput output, uint tag, ReadOnlySpan<byte> elements,
        int size)
    {
        var writer = new WireWriter(ref start, position, safe, ref output);
        writer.Write(tag, (uint)elements.Length);
        if (BitConverter.IsLittleEndian)
        {
            writer.Write(elements);
        }
        else
        {
            for (; !elements.IsEmpty; elements = elements[size..])
            {
                writer.WriteFixed(0, size == sizeof(ulong) ? MemoryMarshal.Read<ulong>(elements) : MemoryMarshal.Read<uint>(elements),
                    size);
            }
        }

        return ref writer.StorePosition();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte WriteVarintsSlow<TKind, T>(ref byte start, int position, int safe, ref WireOutput output, uint tag,
        ReadOnlySpan<T> values)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        var writer = new WireWriter(ref start, position, safe, ref output);
        if (writer.Room >= (values.Length * PackedVarints.MostBytes<TKind, T>()) + packedRoom)
        {
            // The total length is known after the values are written. As many bytes are left for it as values of two bytes need.
            // Calculating it before took 8 % of writing Tile (duet).
            writer.position = PutVarint(ref writer.start, writer.position, tag);
            var reserved = values.Length < 64 ? 1 : WireSize.Varint((uint)values.Length * 2);
            var behind = MemoryMarshal.CreateSpan(ref Unsafe.Add(ref writer.start, (uint)(writer.position + reserved)),
                writer.Room - reserved);
            var size = PackedVarints.Write<TKind, T>(values, behind, out _);
            if (size < 0x80 && reserved == 1) Unsafe.Add(ref writer.start, (uint)writer.position) = (byte)size;
            else reserved = PutLength(behind[..size], ref Unsafe.Add(ref writer.start, (uint)writer.position), reserved);
            writer.position += reserved + size;
            return ref writer.StorePosition();
        }

        writer.Write(tag, (ulong)PackedVarints.Size<TKind, T>(values));
        while (true)
        {
            var room = MemoryMarshal.CreateSpan(ref Unsafe.Add(ref writer.start, (uint)writer.position), writer.Room);
            writer.position += PackedVarints.Write<TKind, T>(values, room, out var count);
            values = values[count..];
            if (values.IsEmpty) return ref writer.StorePosition();

            // A value at the end of the window, or beyond it.
            writer.Write(0, TKind.ToWire(values[0]));
            values = values[1..];
        }
    }

    /// <summary>Writes the length of a body that was written, and moves the body if the length takes another number of bytes than were left
    /// for it.</summary>
    /// <returns>The number of bytes of the length.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    static int PutLength(Span<byte> body, ref byte before, int reserved)
    {
        var needed = WireSize.Varint((uint)body.Length);
        if (needed != reserved) body.CopyTo(MemoryMarshal.CreateSpan(ref Unsafe.Add(ref before, (uint)needed), body.Length));
        return PutVarint(ref before, 0, (uint)body.Length);
    }

    // The general form of every step, for any room. Each method takes the writer's fields and stores them in the output. It does not take
    // the writer by reference, because a struct whose address is taken is kept in memory. It does not work on a copy of the writer either:
    // the copies of all steps would have to be zeroed at the start of each method that writes, which is 500 bytes for 16 fields.

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte WriteLengthDelimitedSlow(ref byte start, int position, int safe, ref WireOutput output, uint tag, ByteRange range)
    {
        var writer = new WireWriter(ref start, position, safe, ref output);
        writer.Write(tag, (uint)range.Length);
        writer.Write(output.Span(range));
        return ref writer.StorePosition();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte WriteVarintSlow(ref byte start, int position, int safe, ref WireOutput output, uint tag, ulong value)
    {
        var writer = new WireWriter(ref start, position, safe, ref output);
        writer.Write(tag, value);
        return ref writer.StorePosition();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte WriteFixed32Slow(ref byte start, int position, int safe, ref WireOutput output, uint tag, uint value)
    {
        var writer = new WireWriter(ref start, position, safe, ref output);
        writer.WriteFixed(tag, value, sizeof(uint));
        return ref writer.StorePosition();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte WriteFixed64Slow(ref byte start, int position, int safe, ref WireOutput output, uint tag, ulong value)
    {
        var writer = new WireWriter(ref start, position, safe, ref output);
        writer.WriteFixed(tag, value, sizeof(ulong));
        return ref writer.StorePosition();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte WriteUnknownFieldsSlow(ref byte start, int position, int safe, ref WireOutput output, Storage<ByteRange> ranges,
        ElementRange unknown)
    {
        var writer = new WireWriter(ref start, position, safe, ref output);
        foreach (var range in ranges.Slice(unknown)) writer.Write(output.Span(range));
        return ref writer.StorePosition();
    }

    /// <summary>Stores the position in the output, for the method that continues to write.</summary>
    readonly ref byte StorePosition()
    {
        (output.Position, output.Safe) = (position, safe);
        return ref start;
    }

    void Write(uint tag, ulong value)
    {
        var size = (tag == 0 ? 0 : WireSize.Varint(tag)) + WireSize.Varint(value);
        if (Room < size) NextWindow(size);
        if (tag != 0) position = PutVarint(ref start, position, tag);
        position = PutVarint(ref start, position, value);
    }

    void WriteFixed(uint tag, ulong value, int size)
    {
        var room = (tag == 0 ? 0 : WireSize.Varint(tag)) + size;
        if (Room < room) NextWindow(room);
        if (tag != 0) position = PutVarint(ref start, position, tag);
        for (; size > 0; size--, value >>= 8) Unsafe.Add(ref start, (uint)position++) = (byte)value;
    }

    void Write(ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > Room)
        {
            bytes[..Room].CopyTo(MemoryMarshal.CreateSpan(ref Unsafe.Add(ref start, (uint)position), Room));
            bytes = bytes[Room..];
            position += Room;
            NextWindow(1);
        }

        ByteCopy.Copy(bytes, ref Unsafe.Add(ref start, (uint)position));
        position += bytes.Length;
    }

    void NextWindow(int room)
    {
        if (output.IsOnePass)
        {
            start = ref GiveUp();
            (position, safe) = (output.Position, output.Safe);
            return;
        }

        ClearAhead();
        output.Advance(position);
        var window = output.NextWindow(room);
        start = ref MemoryMarshal.GetReference(window);
        position = 0;
        safe = window.Length - FieldRoom;
    }

    /// <summary>Clears the bytes that a short copy has written after the message. The caller's window must contain only the
    /// message.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    readonly void ClearAhead()
    {
        if (position > safe)
        {
            ClearRoom(ref Unsafe.Add(ref start, (uint)position), Room);
            return;
        }

        ref var end = ref Unsafe.Add(ref start, (uint)position);
        Vector256<byte>.Zero.StoreUnsafe(ref end);
        Vector256<byte>.Zero.StoreUnsafe(ref end, Inline / 2);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void ClearRoom(ref byte end, int room) => MemoryMarshal.CreateSpan(ref end, Math.Min(room, Inline - 1)).Clear();

    /// <summary>Writes a varint. There must be room for it.</summary>
    static int PutVarint(ref byte start, int position, ulong value)
    {
        for (; value >= 0x80; value >>= 7) Unsafe.Add(ref start, (uint)position++) = (byte)(value | 0x80);
        Unsafe.Add(ref start, (uint)position++) = (byte)value;
        return position;
    }
}

/// <summary>Represents the data that a writer needs in addition to its window: the source of strings and bytes, and the source of further
/// windows.</summary>
/// <remarks>Each write has its own instance, on its stack. So any number of threads may write one message, and a buffer writer may
/// serialize another message when it is asked for memory. An instance on the stack needs no write barrier and no cleanup.</remarks>
struct WireOutput
{
    readonly IBufferWriter<byte>? target;
    readonly Storage root;
    readonly int stamp;

    /// <param name="root">The storage of the outermost message.</param>
    /// <param name="stamp">The stamp of that storage.</param>
    /// <param name="target">The source of windows; null for a window of exactly the message's size.</param>
    /// <param name="hasBytes">Whether the message type has string or bytes fields.</param>
    /// <param name="needsSize">See <see cref="WireWriter.NeedsSize"/>.</param>
    /// <param name="isOnePass">See <see cref="IsOnePass"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal WireOutput(Storage root, int stamp, IBufferWriter<byte>? target, bool hasBytes = true, bool needsSize = false,
        bool isOnePass = false)
    {
        (NeedsSize, IsOnePass) = (needsSize, isOnePass);
        (this.root, this.stamp, this.target) = (root, stamp, target);
        if (hasBytes) Source = root.Memory.InlineSource(out SourceStart, out InlineCount);
        else (Source, SourceStart, InlineCount) = ([], 0, 0);
        Unsafe.SkipInit(out Position);
        Unsafe.SkipInit(out Safe);
        Unsafe.SkipInit(out WindowLength);
        // Small messages are not written in one pass. Setting these each time made their write up to 0.8 ns longer (of 9 ns, duet).
        Unsafe.SkipInit(out Depth);
        Unsafe.SkipInit(out lengthSizes);
        Unsafe.SkipInit(out moved);
        if (isOnePass) (Depth, lengthSizes, moved) = (0, 0x1111_1111_1111_1111, 0);
    }

    /// <summary>The position of the writer in its window, as stored by a slow path.</summary>
    internal int Position;

    /// <inheritdoc cref="Position"/>
    internal int Safe;

    /// <summary>The array of the first block of the message's memory. A short string can be copied from each of the first
    /// <see cref="InlineCount"/> addresses without a further check. All bytes that such a copy reads are in the array. They belong to the
    /// message, are zero, or belong to the caller's aliased input.</summary>
    internal readonly byte[] Source;

    internal readonly int SourceStart;

    internal readonly bool NeedsSize;

    /// <summary>Whether the whole message is written into one window, and each length after its message. The sizes need not be calculated
    /// before, which takes 30 to 40 % of the time of a write (four data sets, perf). If the window is too small, the message is written
    /// again with sizes. Nothing was committed until then.</summary>
    internal readonly bool IsOnePass;

    /// <summary>In one pass, the number of messages that were begun and have not ended; at least <see cref="givenUp"/> after one pass was
    /// given up. Set only in one pass.</summary>
    internal int Depth;

    const int givenUp = 1 << 20;

    internal readonly bool HasGivenUp => Depth >= givenUp / 2;

    // The size of the last length of each level, four bits each. From level 15 on one byte is left for each length. Set only in one pass.
    ulong lengthSizes;
    const int oneByteFrom = 15;

    // Each level of a chain of large messages moves the whole content, which a peer could use to cost the writer time. A move takes about a
    // tenth of the time of writing. Small chains are not worth giving up: WriteDeep at depth 50 took a third longer with 512 bytes here.
    long moved;

    /// <summary>Counts bytes that are moved, and determines whether all moves cost little compared with what is written.</summary>
    internal bool MayMove(int length, int written) => (moved += length) <= (4L * written) + 65_536;

    // The number of bytes at the end of a window in which one byte is left for each length. A message that has room could lack it if more
    // bytes were left.
    const int endOfWindow = 4096;

    /// <summary>Gets or sets the number of bytes that are left for a length in the current level.</summary>
    internal int LengthSize
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        readonly get => (int)(lengthSizes >> LevelShift) & 0xF;
        set
        {
            if (Depth < oneByteFrom) lengthSizes = (lengthSizes & ~(0xFUL << LevelShift)) | ((ulong)value << LevelShift);
        }
    }

    readonly int LevelShift => 4 * Math.Min(Depth, oneByteFrom);

    /// <summary>Begins a message in the current level.</summary>
    /// <param name="room">The room after the message's tag.</param>
    /// <returns>The number of bytes to leave for its length.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int BeginLevel(int room)
    {
        if (room < endOfWindow) LengthSize = 1;
        var reserved = LengthSize;
        Depth++;
        return reserved;
    }

    /// <summary>Ends the message.</summary>
    /// <returns>The number of bytes that were left for its length.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int EndLevel()
    {
        Depth--;
        return LengthSize;
    }

    internal readonly int InlineCount;

    /// <summary>Gives up one pass. The rest of the message is written to memory that nobody reads, except for messages that have not
    /// begun.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal ref byte GiveUp()
    {
        if (!HasGivenUp) Depth += givenUp;
        (Position, Safe) = (0, Scratch.Bytes.Length - WireWriter.FieldRoom);
        return ref MemoryMarshal.GetArrayDataReference(Scratch.Bytes);
    }

    // Memory that nobody reads. A class of its own, so that only a message that does not fit allocates the array.
    static class Scratch
    {
        public static readonly byte[] Bytes = new byte[512];
    }

    internal readonly ReadOnlySpan<byte> Span(ByteRange range) => MessageMemory.Span(root, range, stamp);

    /// <summary>The length of the last window of a buffer writer. A message type that was written by hand may continue with an old copy of
    /// its writer, whose position belongs to an earlier window.</summary>
    internal int WindowLength;

    /// <summary>Passes the written bytes to the output, if the message still has the content that is being written.</summary>
    /// <exception cref="InvalidOperationException">The last window is shorter.</exception>
    internal readonly void Advance(int count)
    {
        root.ThrowIfEmptied(stamp);
        if (target is null || count <= 0) return;
        if (count > WindowLength) ThrowOldCopy();
        target.Advance(count);
    }

    [DoesNotReturn]
    internal static void ThrowOldCopy() => throw new InvalidOperationException("The message was written with a copy of a writer from an earlier window.");

    /// <summary>Gets a window with room for at least a given number of bytes.</summary>
    internal Span<byte> NextWindow(int room)
    {
        if (target is null) throw new InvalidOperationException("The message was changed while it was written.");
        var window = target.GetSpan(room);
        if (window.Length < room)
            throw new InvalidOperationException($"The buffer writer gave {window.Length} bytes where {room} were asked for.");
        root.ThrowIfEmptied(stamp);
        WindowLength = window.Length;
        return window;
    }
}
