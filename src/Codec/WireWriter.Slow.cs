using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace ProtoBench.Codec;

// The general form of every step, for any room. Each takes the writer's fields and leaves them in its output, because a struct whose own
// address is taken lives in memory, and a copy of it for each step would have to be zeroed at the start of each method that writes: 500
// bytes for 16 fields.
public ref partial struct WireWriter
{
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
