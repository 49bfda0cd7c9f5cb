using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace ProtoBench.Codec;

// The general form of every step, for any room.
public ref partial struct WireWriter
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    void WriteLengthDelimitedSlow(uint tag, ByteRange range)
    {
        WriteVarintSlow(tag, (uint)range.Length);
        Write(output.Span(range));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    void WriteVarintSlow(uint tag, ulong value)
    {
        if (position > safe)
        {
            var size = (tag == 0 ? 0 : WireSize.Varint(tag)) + WireSize.Varint(value);
            if (Room < size) NextWindow(size);
        }

        if (tag != 0) position = PutVarint(ref start, position, tag);
        position = PutVarint(ref start, position, value);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    void WriteFixedSlow(uint tag, ulong value, int size)
    {
        var room = (tag == 0 ? 0 : WireSize.Varint(tag)) + size;
        if (Room < room) NextWindow(room);
        if (tag != 0) position = PutVarint(ref start, position, tag);
        for (; size > 0; size--, value >>= 8) Unsafe.Add(ref start, (uint)position++) = (byte)value;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    void WriteUnknownFieldsSlow(Storage<ByteRange> ranges, ElementRange unknown)
    {
        foreach (var range in ranges.Slice(unknown)) Write(output.Span(range));
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
        safe = window.Length - fieldRoom;
    }

    /// <summary>Clears what a short copy has written too much: only the message may be seen in the caller's window.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    readonly void ClearAhead()
    {
        if (position > safe)
        {
            ClearRoom();
            return;
        }

        ref var end = ref Unsafe.Add(ref start, (uint)position);
        Vector256<byte>.Zero.StoreUnsafe(ref end);
        Vector256<byte>.Zero.StoreUnsafe(ref end, Inline / 2);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    readonly void ClearRoom() => MemoryMarshal.CreateSpan(ref Unsafe.Add(ref start, (uint)position), Math.Min(Room, Inline - 1)).Clear();

    /// <summary>Writes a varint where there is room for it.</summary>
    static int PutVarint(ref byte start, int position, ulong value)
    {
        for (; value >= 0x80; value >>= 7) Unsafe.Add(ref start, (uint)position++) = (byte)(value | 0x80);
        Unsafe.Add(ref start, (uint)position++) = (byte)value;
        return position;
    }
}
