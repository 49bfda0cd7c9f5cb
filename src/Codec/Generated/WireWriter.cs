using System.Buffers;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace ProtoBench.Codec.Generated;

/// <summary>Writes fields into a window: a span, or what an
/// <see cref="System.Buffers.IBufferWriter{T}"/> hands out, piece by piece.</summary>
/// <remarks>
/// <para>Generated code works on a copy, with four fields, so that a loop keeps its position in a register, for the reasons that
/// <see cref="WireReader"/> gives. Tags are constants: their size and bytes are known when the code is compiled.</para>
/// <para>Safety: every write below is dominated by a comparison of its size with <see cref="Room"/> (or of the position with
/// <see cref="safe"/>, which leaves room for any), and every read of a short string without its own check by a comparison with the length of the
/// message's first block, which lies inside its array.</para>
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct WireWriter
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

    // The scalar types, each by the encoding that it has on the wire.

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

    // Packed fields: tag, length and all elements in one step.

    // Varints whose length together has one byte. Behind them the longest move needs 16 bytes.
    const int fewElements = 12;
    const int fewElementsRoom = 5 + 1 + (fewElements * 10) + 16;

    /// <summary>Writes a packed field of floats, doubles or numbers of fixed width.</summary>
    /// <typeparam name="T">A type of four or eight bytes.</typeparam>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePackedFixed<T>([ConstantExpected] uint tag, ReadOnlySpan<T> values)
        where T : unmanaged
    {
        start = ref WriteFixedSlow(ref start, position, safe, ref output, tag, MemoryMarshal.AsBytes(values), Unsafe.SizeOf<T>());
        GoOn();
    }

    /// <summary>Writes a packed field of the type int32 or of an enum.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePackedInt32([ConstantExpected] uint tag, ReadOnlySpan<int> values)
    {
        start = ref WriteVarintsSlow<Int32Kind, int>(ref start, position, safe, ref output, tag, values);
        GoOn();
    }

    /// <summary>Writes a packed field of the type int64.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePackedInt64([ConstantExpected] uint tag, ReadOnlySpan<long> values)
    {
        start = ref WriteVarintsSlow<Int64Kind, long>(ref start, position, safe, ref output, tag, values);
        GoOn();
    }

    /// <summary>Writes a packed field of the type uint32.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePackedUInt32([ConstantExpected] uint tag, ReadOnlySpan<uint> values)
    {
        start = ref WriteVarintsSlow<UInt32Kind, uint>(ref start, position, safe, ref output, tag, values);
        GoOn();
    }

    /// <summary>Writes a packed field of the type uint64.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePackedUInt64([ConstantExpected] uint tag, ReadOnlySpan<ulong> values)
    {
        start = ref WriteVarintsSlow<UInt64Kind, ulong>(ref start, position, safe, ref output, tag, values);
        GoOn();
    }

    /// <summary>Writes a packed field of the type sint32.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePackedSInt32([ConstantExpected] uint tag, ReadOnlySpan<int> values)
    {
        start = ref WriteVarintsSlow<SInt32Kind, int>(ref start, position, safe, ref output, tag, values);
        GoOn();
    }

    /// <summary>Writes a packed field of the type sint64.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePackedSInt64([ConstantExpected] uint tag, ReadOnlySpan<long> values)
    {
        start = ref WriteVarintsSlow<SInt64Kind, long>(ref start, position, safe, ref output, tag, values);
        GoOn();
    }

    /// <summary>Writes a packed field of the type bool.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePackedBool([ConstantExpected] uint tag, ReadOnlySpan<bool> values)
    {
        start = ref WriteVarintsSlow<BoolKind, bool>(ref start, position, safe, ref output, tag, values);
        GoOn();
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

        return ref writer.Leave();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte WriteVarintsSlow<TKind, T>(ref byte start, int position, int safe, ref WireOutput output, uint tag,
        ReadOnlySpan<T> values)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        var writer = new WireWriter(ref start, position, safe, ref output);
        if (values.Length <= fewElements && writer.Room >= fewElementsRoom)
        {
            // Their length has one byte, which is known when they are written.
            writer.position = PutVarint(ref writer.start, writer.position, tag);
            var behind = MemoryMarshal.CreateSpan(ref Unsafe.Add(ref writer.start, (uint)writer.position + 1), writer.Room - 1);
            var size = PackedVarints.Write<TKind, T>(values, behind, out _);
            Unsafe.Add(ref writer.start, (uint)writer.position) = (byte)size;
            writer.position += 1 + size;
            return ref writer.Leave();
        }

        writer.Write(tag, (ulong)PackedVarints.Size<TKind, T>(values));
        while (true)
        {
            var room = MemoryMarshal.CreateSpan(ref Unsafe.Add(ref writer.start, (uint)writer.position), writer.Room);
            writer.position += PackedVarints.Write<TKind, T>(values, room, out var count);
            values = values[count..];
            if (values.IsEmpty) return ref writer.Leave();

            // One at the end of the window, or behind it.
            writer.Write(0, TKind.ToWire(values[0]));
            values = values[1..];
        }
    }

    // The general form of every step, for any room. Each takes the writer's fields and leaves them in its output, because a struct whose
    // own address is taken lives in memory, and a copy of it for each step would have to be zeroed at the start of each method that writes:
    // 500 bytes for 16 fields.

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte WriteLengthDelimitedSlow(ref byte start, int position, int safe, ref WireOutput output, uint tag, ByteRange range)
    {
        var writer = new WireWriter(ref start, position, safe, ref output);
        writer.Write(tag, (uint)range.Length);
        writer.Write(output.Span(range));
        return ref writer.Leave();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte WriteVarintSlow(ref byte start, int position, int safe, ref WireOutput output, uint tag, ulong value)
    {
        var writer = new WireWriter(ref start, position, safe, ref output);
        writer.Write(tag, value);
        return ref writer.Leave();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte WriteFixed32Slow(ref byte start, int position, int safe, ref WireOutput output, uint tag, uint value)
    {
        var writer = new WireWriter(ref start, position, safe, ref output);
        writer.WriteFixed(tag, value, sizeof(uint));
        return ref writer.Leave();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte WriteFixed64Slow(ref byte start, int position, int safe, ref WireOutput output, uint tag, ulong value)
    {
        var writer = new WireWriter(ref start, position, safe, ref output);
        writer.WriteFixed(tag, value, sizeof(ulong));
        return ref writer.Leave();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte WriteUnknownFieldsSlow(ref byte start, int position, int safe, ref WireOutput output, Storage<ByteRange> ranges,
        ElementRange unknown)
    {
        var writer = new WireWriter(ref start, position, safe, ref output);
        foreach (var range in ranges.Slice(unknown)) writer.Write(output.Span(range));
        return ref writer.Leave();
    }

    /// <summary>Stores the position in the fields, for the method that continues to write.</summary>
    readonly ref byte Leave()
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

        bytes.CopyTo(MemoryMarshal.CreateSpan(ref Unsafe.Add(ref start, (uint)position), Room));
        position += bytes.Length;
    }

    void NextWindow(int room)
    {
        ClearAhead();
        output.Advance(position);
        var window = output.NextWindow(room);
        start = ref MemoryMarshal.GetReference(window);
        position = 0;
        safe = window.Length - FieldRoom;
    }

    /// <summary>Clears what a short copy has written too much: only the message may be seen in the caller's window.</summary>
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

    /// <summary>Writes a varint of at least two bytes where there is room for any
    /// field. A byte is written too much, as those of a short string are.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    static int PutLongVarint(ref byte start, int position, ulong value)
    {
        var low = (uint)value;
        if (value < 1 << 14)
        {
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, (uint)position),
                WireReader.Little((ushort)((low & 0x7F) | 0x80 | ((low & 0x3F80) << 1))));
            return position + 2;
        }

        if (value < 1 << 28)
        {
            var bytes = (low & 0x7F) | 0x80 | ((low & 0x3F80) << 1) | 0x8000 | ((low & 0x1FC000) << 2) | ((low & 0xFE00000) << 3);
            var isLong = value >= 1 << 21;
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, (uint)position), WireReader.Little(isLong ? bytes | 0x800000 : bytes));
            return position + (isLong ? 4 : 3);
        }

        return PutVarint(ref start, position, value);
    }

    /// <summary>Writes a varint where there is room for it.</summary>
    static int PutVarint(ref byte start, int position, ulong value)
    {
        for (; value >= 0x80; value >>= 7) Unsafe.Add(ref start, (uint)position++) = (byte)(value | 0x80);
        Unsafe.Add(ref start, (uint)position++) = (byte)value;
        return position;
    }
}

/// <summary>What a writer needs beside its window: where the strings and bytes come from, and where the next window does.</summary>
/// <remarks>Each write has its own, on its stack: any number of threads may write one message, and a buffer writer may serialize another
/// message while it is asked for room. On the stack it needs no write barrier and no cleaning up.</remarks>
struct WireOutput
{
    readonly IBufferWriter<byte>? target;
    readonly Storage root;
    readonly int stamp;

    /// <param name="root">Storage of the outermost message.</param>
    /// <param name="stamp">Its stamp.</param>
    /// <param name="target">Where windows come from; null for a window of exactly the message's size.</param>
    /// <param name="hasBytes">Whether the message type has strings or bytes at all.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal WireOutput(Storage root, int stamp, IBufferWriter<byte>? target, bool hasBytes = true)
    {
        (this.root, this.stamp, this.target) = (root, stamp, target);
        (Source, SourceStart, InlineCount) = hasBytes ? root.Memory.InlineSource : ([], 0, 0);
        Unsafe.SkipInit(out Position);
        Unsafe.SkipInit(out Safe);
    }

    /// <summary>Where a slow step of the writer has left its place in the window.</summary>
    internal int Position;

    /// <inheritdoc cref="Position"/>
    internal int Safe;

    /// <summary>The first block of the message's memory. From each of the first <see cref="InlineCount"/> addresses in it a short string
    /// can be copied at once: as many bytes as that takes are in the array, and are the message's own, or zero, or the caller's aliased
    /// input.</summary>
    internal readonly byte[] Source;

    internal readonly int SourceStart;

    internal readonly int InlineCount;

    internal readonly ReadOnlySpan<byte> Span(ByteRange range) => MessageMemory.Span(root, range, stamp);

    /// <summary>Hands over what was written, if the message is still the one that was to be written.</summary>
    internal readonly void Advance(int count)
    {
        root.ThrowIfEmptied(stamp);
        if (count > 0) target?.Advance(count);
    }

    /// <summary>A window with room for at least so many bytes.</summary>
    internal readonly Span<byte> NextWindow(int room)
    {
        if (target is null) throw new InvalidOperationException("The message was changed while it was written.");
        var window = target.GetSpan(room);
        if (window.Length < room)
            throw new InvalidOperationException($"The buffer writer gave {window.Length} bytes where {room} were asked for.");
        root.ThrowIfEmptied(stamp);
        return window;
    }
}
