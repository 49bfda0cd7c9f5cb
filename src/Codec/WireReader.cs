using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace ProtoBench.Codec;

/// <summary>Reads the body of one message off the wire; the body of a sub-message
/// is read by a reader of its own (<see cref="ReadMessage"/>).</summary>
/// <remarks>
/// <para>The input is contiguous, or in segments. The reader sees one window at a time: as much of its message as lies in one segment.
/// The members in this file do the frequent thing inside the window; everything else (a long varint, the window's end, the input's end,
/// an error) is the slow path's, in the other files.</para>
/// <para>It is passed by value and has four fields, because that is what the compiler keeps in registers: with a fifth the same decode
/// takes 3.6 times as long (61 against 17 us on the hive). For the same reason a slow path works on a copy that is then copied back: a
/// struct whose own address is taken lives in memory.</para>
/// <para>Safety: every <c>Unsafe.Add(ref start, n)</c> below is dominated by a comparison of n with <see cref="End"/>, and
/// <see cref="End"/> never exceeds the window: the constructor takes both from one span, and <see cref="ReadMessage"/> only ever lowers it,
/// to a place that it has compared with it. <see cref="position"/> is never negative where it is less than <see cref="End"/>.</para>
/// </remarks>
public ref partial struct WireReader
{
    /// <summary>How deep messages and groups may be nested below the outermost message. Google.Protobuf has the same limit.</summary>
    public const int MaxDepth = 100;

    ref byte start;
    int position;

    // The end of the window, and in the upper half the bytes of this message that lie beyond it.
    ulong ends;
    readonly MessageMemory memory;

    internal WireReader(MessageMemory memory, ReadOnlySpan<byte> window, int beyond)
    {
        start = ref MemoryMarshal.GetReference(window);
        ends = ((ulong)(uint)beyond << 32) | (uint)window.Length;
        this.memory = memory;
    }

    WireReader(ref byte start, int position, int end, MessageMemory memory)
    {
        this.start = ref start;
        this.position = position;
        ends = (uint)end;
        this.memory = memory;
    }

    readonly int End => (int)ends;

    readonly int Beyond => (int)(ends >> 32);

    /// <summary>Reads the next field's tag.</summary>
    /// <returns>False at the end of the message.</returns>
    /// <exception cref="WireFormatException">There is something else.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool ReadTag(out uint tag)
    {
        if (position < End)
        {
            tag = Unsafe.Add(ref start, (uint)position);
            if (tag - 8 < 0x80 - 8)
            {
                position++;
                return true;
            }
        }
        else if (Beyond == 0)
        {
            tag = 0;
            return false;
        }

        var copy = this;
        tag = copy.ReadTagSlow();
        this = copy;
        return tag != 0;
    }

    /// <summary>Reads the next field's tag, as <see cref="ReadTag"/>, where tags of two bytes are usual.</summary>
    /// <inheritdoc cref="ReadTag"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool ReadWideTag(out uint tag)
    {
        if (End - position >= 2)
        {
            tag = Unsafe.Add(ref start, (uint)position);
            if (tag - 8 < 0x80 - 8)
            {
                position++;
                return true;
            }

            // A tag of two bytes is one of the fields from 16 to 2,047. Its second byte is not 0.
            uint high = Unsafe.Add(ref start, (uint)position + 1);
            if (tag >= 0x80 && high - 1 < 0x80 - 1)
            {
                tag = (tag & 0x7F) | (high << 7);
                position += 2;
                return true;
            }
        }

        return ReadTag(out tag);
    }

    /// <summary>Reads the next field's tag if it is the expected one: tried before the general switch.</summary>
    /// <param name="tag">A constant. One of more than two bytes is never seen, which is no fault.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryReadTag([ConstantExpected] uint tag)
    {
        if (tag < 0x80)
        {
            if (position >= End || Unsafe.Add(ref start, (uint)position) != tag) return false;
            position++;
            return true;
        }

        if (tag >= 0x4000 || End - position < 2) return false;
        var bytes = (ushort)((tag & 0x7F) | 0x80 | ((tag >> 7) << 8));
        if (Little(Unsafe.ReadUnaligned<ushort>(ref Unsafe.Add(ref start, (uint)position))) != bytes) return false;
        position += 2;
        return true;
    }

    /// <summary>Whether this message, or this packed field, goes on.</summary>
    public readonly bool HasMore
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => position < End || Beyond != 0;
    }

    /// <summary>Reads the length of a sub-message and steps over as many bytes, which the reader that is returned will read.</summary>
    /// <param name="depth">How deep this message is nested; 0 is the outermost.</param>
    /// <exception cref="WireFormatException">They are not there, or they are nested too deep.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public WireReader ReadMessage(int depth)
    {
        if (position < End)
        {
            int length = Unsafe.Add(ref start, (uint)position);
            if (length < 0x80 && length < End - position && depth < MaxDepth)
            {
                var from = position + 1;
                position = from + length;
                return new(ref start, from, position, memory);
            }
        }

        var copy = this;
        var inner = copy.ReadMessageSlow(depth);
        this = copy;
        return inner;
    }

    /// <summary>Refuses a sub-message that is not in the input and is there nevertheless: the message of a map's entry.</summary>
    /// <param name="depth">How deep this message is nested.</param>
    /// <exception cref="WireFormatException">The sub-message would be nested too deep.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void ThrowIfTooDeep(int depth)
    {
        if (depth < MaxDepth) return;
        var copy = this;
        Throw(WireError.TooDeep, copy.Address);
    }

    /// <summary>Reads the length of a packed field and steps over as many bytes, which the reader that is returned will read.</summary>
    /// <exception cref="WireFormatException">They are not there.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public WireReader ReadPacked() => ReadMessage(0);

    /// <summary>Reads a field of type bytes.</summary>
    /// <exception cref="WireFormatException">It is not there.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ByteRange ReadBytes()
    {
        if (position < End)
        {
            int length = Unsafe.Add(ref start, (uint)position);
            if (length < 0x80 && length < End - position)
            {
                var from = position + 1;
                position = from + length;
                return new(memory.Origin + from, length);
            }
        }

        var copy = this;
        var range = copy.ReadBytesSlow();
        this = copy;
        return range;
    }

    /// <summary>Reads a field of type string, which must be UTF-8.</summary>
    /// <exception cref="WireFormatException">It is not there, or not UTF-8.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ByteRange ReadString()
    {
        if (position < End)
        {
            int length = Unsafe.Add(ref start, (uint)position);
            var from = position + 1;
            var to = from + length;

            // Up to 32 bytes of ASCII, seen at once: the 32 bytes up to the string's end, of which only the string's own count. They
            // are in the window: it begins at least 32 bytes before that end (to >= 32) and does not end before it (to <= End).
            if (length - 1 < 32 && to <= End && to >= 32)
            {
                var bytes = Vector256.LoadUnsafe(ref start, (uint)(to - 32));
                if (bytes.ExtractMostSignificantBits() >> (32 - length) == 0)
                {
                    position = to;
                    return new(memory.Origin + from, length);
                }
            }
        }

        var copy = this;
        var range = copy.ReadStringSlow();
        this = copy;
        return range;
    }

    /// <summary>Reads a varint.</summary>
    /// <exception cref="WireFormatException">There is none.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong ReadVarint()
    {
        if (position < End)
        {
            ulong value = Unsafe.Add(ref start, (uint)position);
            if (value < 0x80)
            {
                position++;
                return value;
            }
        }

        var copy = this;
        var result = copy.ReadVarintSlow();
        this = copy;
        return result;
    }

    /// <summary>Reads four bytes.</summary>
    /// <exception cref="WireFormatException">They are not there.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint ReadFixed32()
    {
        if (End - position >= 4)
        {
            var value = Little(Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, (uint)position)));
            position += 4;
            return value;
        }

        var copy = this;
        var result = (uint)copy.ReadFixedSlow(4);
        this = copy;
        return result;
    }

    /// <summary>Reads eight bytes.</summary>
    /// <exception cref="WireFormatException">They are not there.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong ReadFixed64()
    {
        if (End - position >= 8)
        {
            var value = Little(Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref start, (uint)position)));
            position += 8;
            return value;
        }

        var copy = this;
        var result = copy.ReadFixedSlow(8);
        this = copy;
        return result;
    }

    /// <summary>Where the field begins whose tag was just read. It is an address, and not a copy of the reader: the window of a copy is
    /// another one as soon as a reader that was made of this one has moved to the next segment.</summary>
    /// <param name="tag">The tag.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly int StartOf(uint tag)
    {
        var copy = this;
        return copy.StartOfSlow(tag);
    }

    /// <summary>Keeps a field that was read and is unknown nevertheless: an entry of a map whose value a closed enum does not have.
    /// </summary>
    /// <param name="start">What <see cref="StartOf"/> gave.</param>
    /// <returns>The field as it stands, tag included: what lies between its start and where the reader is.</returns>
    /// <exception cref="ObjectDisposedException">No field of this message begins there.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ByteRange KeepSince(int start)
    {
        var copy = this;
        return copy.KeepSinceSlow(start);
    }

    /// <summary>Steps over a field that the schema does not know, or not with this wire type.</summary>
    /// <param name="tag">The tag that was just read.</param>
    /// <param name="depth">How deep this message is nested.</param>
    /// <returns>The field as it stands, tag included.</returns>
    /// <exception cref="WireFormatException">It is none.</exception>
    public ByteRange ReadUnknownField(uint tag, int depth)
    {
        var copy = this;
        var range = copy.ReadUnknownFieldSlow(tag, depth);
        this = copy;
        return range;
    }
}
