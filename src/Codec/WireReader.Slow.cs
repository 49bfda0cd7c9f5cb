using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Unicode;

namespace ProtoBench.Codec;

// The general form of every step, for any input. The reader of a message whose body continues beyond the window keeps the number of bytes
// beyond it. When a sub-message or a string ends beyond the window, the outer reader does not move the window, which the inner reader uses.
// It stores the address of its next field as a negative end, and moves the window when the next field is read.
public ref partial struct WireReader
{
    /// <summary>Where the next byte is: an address, which in the payload is the offset in the input.</summary>
    readonly int Address => End < 0 ? ~End : memory.Origin + position;

    /// <summary>Bytes left in this message.</summary>
    readonly int Rest => (End < 0 ? 0 : End - position) + Beyond;

    [MethodImpl(MethodImplOptions.NoInlining)]
    uint ReadTagSlow()
    {
        if (!HasMore) return 0;
        var address = Address;

        // Two bytes: the fields from 16 to 2,047.
        if (End - position >= 2)
        {
            uint low = Unsafe.Add(ref start, (uint)position);
            uint high = Unsafe.Add(ref start, (uint)position + 1);
            if (low >= 0x80 && high is > 0 and < 0x80)
            {
                position += 2;
                memory.TagAt = (address, address + 2);
                return (low & 0x7F) | (high << 7);
            }
        }

        var tag = ReadVarintSlow();
        if (tag is < 8 or > uint.MaxValue || Address - address > 5) Throw(WireError.InvalidTag, address);
        memory.TagAt = (address, Address);
        return (uint)tag;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    WireReader ReadMessageSlow(int depth)
    {
        if (depth >= MaxDepth) Throw(WireError.TooDeep, Address);
        var length = ReadLength();
        if (length > 0 && position >= End) NextWindow();
        var inner = this;
        var here = Math.Min(length, End - position);
        inner.ends = ((ulong)(uint)(length - here) << 32) | (uint)(position + here);
        StepOver(length);
        return inner;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    ByteRange ReadBytesSlow()
    {
        var length = ReadLength();
        var range = memory.Gather(Address, length);
        StepOver(length);
        return range;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    ByteRange ReadStringSlow()
    {
        // A text of one length byte, inside the window: too near the payload's start for the fast path, longer than its 32 bytes, or not
        // ASCII. In a payload of 36 bytes nearly all texts are such: UnmarshalBySlab went from 1.4 to 0.5 of Google's time.
        if (position < End)
        {
            int shortLength = Unsafe.Add(ref start, (uint)position);
            if (shortLength < 0x80 && shortLength < End - position)
            {
                var from = position + 1;
                if (Utf8.IsValid(MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref start, (uint)from), shortLength)))
                {
                    position = from + shortLength;
                    return new(memory.Origin + from, shortLength);
                }
            }
        }

        var length = ReadLength();
        var address = Address;
        var range = memory.Gather(address, length);
        var text = memory.TextAt(range);
        if (!Utf8.IsValid(text)) Throw(WireError.InvalidUtf8, address + ValidPrefix(text));
        StepOver(length);
        return range;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    ulong ReadVarintSlow()
    {
        var address = Address;
        var value = 0ul;
        for (var shift = 0; shift < 70; shift += 7)
        {
            ulong b = ReadByte();
            value |= (b & 0x7F) << shift;
            if (b < 0x80) return value;
        }

        Throw(WireError.VarintTooLong, address);
        return 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    ulong ReadFixedSlow(int size)
    {
        var value = 0ul;
        for (var i = 0; i < size; i++) value |= (ulong)ReadByte() << (8 * i);
        return value;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    ByteRange ReadUnknownFieldSlow(uint tag, int depth)
    {
        var from = StartOfSlow(tag);
        SkipField(tag, depth, from);
        return KeepSinceSlow(from);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    readonly int StartOfSlow(uint tag)
    {
        // The tag was either one byte or two, the last ones, or read by the slow path, which noted where it was.
        var address = Address;
        return memory.TagAt.End == address ? memory.TagAt.Start : Math.Max(0, address - (tag < 0x80 ? 1 : 2));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    readonly ByteRange KeepSinceSlow(int from)
    {
        var length = Address - from;
        if (from < 0 || length < 0) Storage.ThrowEmptied();
        if (!memory.BorrowsInput) return memory.Gather(from, length);

        // Borrowed input is one window, whose first byte is at the origin.
        if (from < memory.Origin || End < 0) Storage.ThrowEmptied();
        return memory.Store(MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref start, (uint)(from - memory.Origin)), length));
    }

    void SkipField(uint tag, int depth, int from)
    {
        switch (tag & 7)
        {
            case 0:
                ReadVarintSlow();
                break;
            case 1:
                StepOver(Checked(8));
                break;
            case 2:
                StepOver(ReadLength());
                break;
            case 3:
                SkipGroup(tag, depth, from);
                break;
            case 4:
                Throw(WireError.UnmatchedEndGroup, from);
                break;
            case 5:
                StepOver(Checked(4));
                break;
            default:
                Throw(WireError.InvalidTag, from);
                break;
        }
    }

    void SkipGroup(uint begin, int depth, int from)
    {
        if (depth >= MaxDepth) Throw(WireError.TooDeep, from);
        while (true)
        {
            from = Address;
            var tag = ReadTagSlow();
            if (tag == 0) Throw(WireError.Truncated, from);
            if (tag == begin + 1) return;
            SkipField(tag, depth + 1, from);
        }
    }

    int ReadLength()
    {
        var address = Address;
        var length = ReadVarintSlow();
        if (length > int.MaxValue) Throw(WireError.InvalidLength, address);
        return Checked((int)length);
    }

    readonly int Checked(int length)
    {
        if (length > Rest) Throw(WireError.Truncated, Address + Rest);
        return length;
    }

    /// <summary>Steps over bytes that are there.</summary>
    void StepOver(int length)
    {
        if (length <= End - position)
        {
            position += length;
            return;
        }

        var beyond = Rest - length;
        position = ~(Address + length);
        ends = ((ulong)(uint)beyond << 32) | (uint)position;
    }

    byte ReadByte()
    {
        if (position >= End) NextWindow();
        return Unsafe.Add(ref start, (uint)position++);
    }

    /// <summary>Moves the window to where this message goes on, or throws because it does not.</summary>
    void NextWindow()
    {
        var address = Address;
        var beyond = Beyond;
        if (beyond == 0) Throw(WireError.Truncated, address);
        var window = memory.WindowAt(address);
        if (window.Length > beyond) window = window[..beyond];
        start = ref MemoryMarshal.GetReference(window);
        position = 0;
        ends = ((ulong)(uint)(beyond - window.Length) << 32) | (uint)window.Length;
    }

    static int ValidPrefix(ReadOnlySpan<byte> text)
    {
        var valid = 0;
        while (Rune.DecodeFromUtf8(text[valid..], out _, out var length) == OperationStatus.Done) valid += length;
        return valid;
    }

    [DoesNotReturn]
    static void Throw(WireError reason, int address) => throw new WireFormatException(reason, address);
}
