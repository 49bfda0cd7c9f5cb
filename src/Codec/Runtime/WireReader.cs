using System.Buffers;
using System.Buffers.Binary;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Text;
using System.Text.Unicode;

namespace ProtoBench.Codec.Generated;

/// <summary>Reads the body of one message in the wire format. The body of a sub-message is read by another reader
/// (<see cref="ReadMessage"/>).</summary>
/// <remarks>
/// <para>The input is contiguous or in segments. The reader accesses one window at a time: the part of its message that is in one segment.
/// The inlined members handle the frequent cases inside the window. The slow path handles all other cases: a long varint, the end of the
/// window, the end of the input, an error.</para>
/// <para>The reader is passed by value and has four fields, because the compiler keeps such a struct in registers. With a fifth field the
/// same decode takes 3.6 times as long (61 against 17 μs on the hive). For the same reason a slow path gets the fields by value, and returns
/// what it has read and where it ends: a struct whose address is taken is kept in memory. A method clears all locals of that kind before it
/// begins: with a copy of the reader for each slow path these were 700 bytes for GameContact. Only reading a tag has such a local.</para>
/// <para>Safety: before every <c>Unsafe.Add(ref start, n)</c> below, n is compared with <see cref="End"/>. <see cref="End"/> never exceeds
/// the window: the constructor takes both from one span, and <see cref="ReadMessage"/> only sets it to a lower position, which it has
/// compared with the old one. <see cref="position"/> is never negative if it is less than <see cref="End"/>.</para>
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref partial struct WireReader
{
    ref byte start;
    int position;

    // The lower half is the end of the window. The upper half is the number of bytes of this message after the window.
    ulong ends;
    readonly MessageMemory memory;

    internal WireReader(MessageMemory memory, ReadOnlySpan<byte> window, int beyond)
    {
        start = ref MemoryMarshal.GetReference(window);
        ends = ((ulong)(uint)beyond << 32) | (uint)window.Length;
        this.memory = memory;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    WireReader(ref byte start, int position, ulong ends, MessageMemory memory)
    {
        this.start = ref start;
        this.position = position;
        this.ends = ends;
        this.memory = memory;
    }

    readonly int End => (int)ends;

    readonly int Beyond => (int)(ends >> 32);

    /// <summary>Reads the next field's tag.</summary>
    /// <returns>Whether there is a tag; false at the end of the message.</returns>
    /// <exception cref="WireFormatException">The input has no valid tag here.</exception>
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

        start = ref ReadTagSlow(ref start, position, ends, memory, out var step);
        (position, ends, tag) = (step.Position, step.Ends, step.Tag);
        return tag != 0;
    }

    /// <summary>Reads the next field's tag, as <see cref="ReadTag"/> does. It is faster where tags of two bytes are frequent.</summary>
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

            // A tag of two bytes belongs to a field number from 16 to 2,047. Its second byte is not 0.
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

    /// <summary>Reads the next field's tag if it is the expected one. Generated code tries this before its general switch.</summary>
    /// <param name="tag">The expected tag, a constant. A tag of more than two bytes is never recognized here, and is left to
    /// <see cref="ReadTag"/>.</param>
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

    /// <summary>Gets a value that indicates whether this message or packed field has more bytes.</summary>
    public readonly bool HasMore
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => position < End || Beyond != 0;
    }

    /// <summary>Reads the length of a sub-message and skips its body. The returned reader reads the body.</summary>
    /// <param name="depth">The nesting depth of this message; 0 for the outermost message.</param>
    /// <exception cref="WireFormatException">The length is invalid, the body is not complete, or messages are nested too deep.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public WireReader ReadMessage(int depth)
    {
        if (position < End)
        {
            int length = Unsafe.Add(ref start, (uint)position);
            var from = position + 1;
            if (length >= 0x80 && from < End)
            {
                int high = Unsafe.Add(ref start, (uint)from);
                length = high < 0x80 ? (length & 0x7F) | (high << 7) : int.MaxValue;
                from++;
            }

            if (length <= End - from && depth < ParseLimits.MaxDepth)
            {
                position = from + length;
                return new(ref start, from, (uint)position, memory);
            }
        }

        var (body, at) = ReadMessageSlow(ref start, position, ends, memory, depth);
        GoTo(at);
        var (place, size) = ((int)body, (int)(body >> 32));
        return new(ref start, place, place >= 0 ? (uint)(place + size) : body, memory);
    }

    /// <summary>Throws if the message in a map entry would be nested too deep. Such a message exists even if it is not in the
    /// input.</summary>
    /// <param name="depth">The nesting depth of this message.</param>
    /// <exception cref="WireFormatException">The sub-message would be nested too deep.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void ThrowIfTooDeep(int depth)
    {
        if (depth >= ParseLimits.MaxDepth) ThrowTooDeep(position, ends, memory);
    }

    /// <summary>Reads the length of a packed field and skips its body. The returned reader reads the body.</summary>
    /// <exception cref="WireFormatException">The length is invalid, or the body is not complete.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public WireReader ReadPacked() => ReadMessage(0);

    /// <summary>Reads a field of type bytes.</summary>
    /// <exception cref="WireFormatException">The length is invalid, or the input ends too early.</exception>
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

            (var begin, length) = FindBytes(ref start, position, End);
            if (begin != 0)
            {
                position = begin + length;
                return new(memory.Origin + begin, length);
            }
        }

        var (result, at) = ReadBytesSlow(ref start, position, ends, memory);
        GoTo(at);
        return Unsafe.BitCast<ulong, ByteRange>(result);
    }

    /// <summary>Reads a field of type string, which must be UTF-8.</summary>
    /// <exception cref="WireFormatException">The length is invalid, the input ends too early, or the string is not UTF-8.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ByteRange ReadString()
    {
        if (position < End)
        {
            int length = Unsafe.Add(ref start, (uint)position);
            var from = position + 1;
            var to = from + length;

            // Checks up to 32 bytes of ASCII at once. It loads the 32 bytes before the string's end, and uses only those of the string.
            // They are in the window: the window begins at least 32 bytes before the string's end (to >= 32) and does not end before it (to
            // <= End).
            if (length - 1 < 32 && to <= End && to >= 32)
            {
                var bytes = Vector256.LoadUnsafe(ref start, (uint)(to - 32));
                if (bytes.ExtractMostSignificantBits() >> (32 - length) == 0)
                {
                    position = to;
                    return new(memory.Origin + from, length);
                }
            }

            (from, length) = FindText(ref start, position, End);
            if (from != 0)
            {
                position = from + length;
                return new(memory.Origin + from, length);
            }
        }

        var (result, at) = ReadStringSlow(ref start, position, ends, memory);
        GoTo(at);
        return Unsafe.BitCast<ulong, ByteRange>(result);
    }

    /// <summary>Reads a varint.</summary>
    /// <exception cref="WireFormatException">The input ends too early, or the varint has more than ten bytes.</exception>
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

            (value, var to) = ReadLongVarint(ref start, position, End);
            if (to != 0)
            {
                position = to;
                return value;
            }
        }

        var (result, at) = ReadVarintSlow(ref start, position, ends, memory);
        GoTo(at);
        return result;
    }

    /// <summary>Reads a little-endian number of four bytes.</summary>
    /// <exception cref="WireFormatException">The input ends too early.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint ReadFixed32()
    {
        if (End - position >= 4)
        {
            var value = Little(Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, (uint)position)));
            position += 4;
            return value;
        }

        var (result, at) = ReadFixedSlow(ref start, position, ends, memory, 4);
        GoTo(at);
        return (uint)result;
    }

    /// <summary>Reads a little-endian number of eight bytes.</summary>
    /// <exception cref="WireFormatException">The input ends too early.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong ReadFixed64()
    {
        if (End - position >= 8)
        {
            var value = Little(Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref start, (uint)position)));
            position += 8;
            return value;
        }

        var (result, at) = ReadFixedSlow(ref start, position, ends, memory, 8);
        GoTo(at);
        return result;
    }

    /// <summary>Gets the address of the field whose tag was just read. It is an address and not a copy of the reader: the window of a copy
    /// is not the current one any more when a reader that was made from this one has moved to the next segment.</summary>
    /// <param name="tag">The tag that was just read.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly int StartOf(uint tag) => StartOfSlow(position, ends, memory, tag);

    /// <summary>Keeps a field that was read as an unknown field: a map entry with an enum value that the closed enum does not
    /// define.</summary>
    /// <param name="start">The value that <see cref="StartOf(uint)"/> returned.</param>
    /// <returns>The field in the wire format, including its tag: the bytes from its start to the position of the reader.</returns>
    /// <exception cref="ObjectDisposedException">No field of this message begins there.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ByteRange KeepSince(int start) => KeepSinceSlow(ref this.start, position, ends, memory, start);

    /// <summary>Skips a field if the schema does not have its number, or has the number with another wire type.</summary>
    /// <param name="tag">The tag that was just read.</param>
    /// <param name="depth">The nesting depth of this message.</param>
    /// <returns>The field in the wire format, including its tag.</returns>
    /// <exception cref="WireFormatException">The input is not a valid field.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ByteRange ReadUnknownField(uint tag, int depth)
    {
        var (result, at) = ReadUnknownFieldSlow(ref start, position, ends, memory, tag, depth);
        GoTo(at);
        return Unsafe.BitCast<ulong, ByteRange>(result);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ushort Little(ushort value) => BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static uint Little(uint value) => BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Little(ulong value) => BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value);

    // Packed fields. The elements are read window by window. No reference to the storage or to the window is kept while the next window is
    // fetched, because fetching may run the code of a caller's MemoryManager.

    // The number of bytes of varints that are counted, given room and then read. It is small enough that the bytes are still in the cache
    // when they are read.
    const int varintBytes = 4096;

    // The number of bytes up to which a list of varints is read in one loop. In Tile, whose lists have 20 numbers, reading takes 22 % less
    // time than with the blocks of PackedVarints.Read.
    const int fewBytes = 128;

    // Whether the processor can read unaligned numbers and stores numbers in the byte order of the wire format.
    static readonly bool canAlias = BitConverter.IsLittleEndian
        && RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.X86 or Architecture.Arm64;

    /// <summary>Reads a packed field of floats, doubles or integers of fixed width, and adds the elements to those of the field. If the
    /// field has no elements and the input is kept, the field refers to the bytes of the input.</summary>
    /// <param name="storage">The storage of the elements.</param>
    /// <param name="range">The range of the field.</param>
    /// <param name="isPacked">Whether the field is also written as a packed field.</param>
    /// <typeparam name="T">A type of four or eight bytes.</typeparam>
    /// <exception cref="WireFormatException">The length is invalid, the input ends too early, or the last element is not
    /// complete.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReadPackedFixed<T>(Storage<T> storage, ref ElementRange range, bool isPacked)
        where T : unmanaged => ReadFixed(ReadPacked(), storage, ref range, isPacked);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void ReadFixed<T>(WireReader packed, Storage<T> storage, ref ElementRange range, bool isPacked)
        where T : unmanaged
    {
        var size = Unsafe.SizeOf<T>();
        var length = packed.End - packed.position;

        // An aliased field must not be longer when it is written, because the number of input bytes is an upper bound of the size of the
        // message.
        if (canAlias && isPacked && range.Count == 0 && !packed.memory.BorrowsInput && packed.Beyond == 0 && length % size == 0)
        {
            if (length > 0) range = ElementRange.Aliased(packed.memory.Origin + packed.position, length / size);
            return;
        }

        while (packed.HasMore)
        {
            var count = Math.Max(0, packed.End - packed.position) / size;
            if (count > 0)
            {
                var bytes = MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref packed.start, (uint)packed.position), count * size);
                var room = storage.RoomBehind(ref range, count);
                bytes.CopyTo(MemoryMarshal.AsBytes(room));
                if (!BitConverter.IsLittleEndian) Reverse(room);
                storage.Extend(ref range, count);
                packed.position += count * size;
            }

            // An element that crosses into the next window, or is not complete.
            if (packed.HasMore) storage.Append(ref range, packed.ReadFixedElement<T>());
        }
    }

    T ReadFixedElement<T>()
        where T : unmanaged
    {
        var value = ReadAnyFixed(Unsafe.SizeOf<T>());
        if (Unsafe.SizeOf<T>() == sizeof(ulong)) return Unsafe.BitCast<ulong, T>(value);
        return Unsafe.BitCast<uint, T>((uint)value);
    }

    static void Reverse<T>(Span<T> elements)
        where T : unmanaged
    {
        foreach (ref var element in elements)
        {
            element = Unsafe.SizeOf<T>() == sizeof(ulong)
                ? Unsafe.BitCast<ulong, T>(Little(Unsafe.BitCast<T, ulong>(element)))
                : Unsafe.BitCast<uint, T>(Little(Unsafe.BitCast<T, uint>(element)));
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void ReadVarints<TKind, T>(WireReader packed, Storage<T> storage, ref ElementRange range)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        if (range.Count == 0 && packed.Beyond == 0 && packed.End - packed.position is > 0 and <= fewBytes)
            packed.position = ReadFew<TKind, T>(ref packed.start, packed.position, packed.End, storage, ref range);

        while (packed.HasMore)
        {
            if (packed.position < packed.End)
            {
                var bytes = MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref packed.start, (uint)packed.position),
                    Math.Min(packed.End - packed.position, varintBytes));
                var count = PackedVarints.Count(bytes);
                if (count > 0)
                {
                    var read = PackedVarints.Read<TKind, T>(bytes, storage.RoomBehind(ref range, count), out count);
                    storage.Extend(ref range, count);
                    packed.position += read;
                    if (read > 0) continue;
                }
            }

            // A varint that crosses into the next window, or is invalid.
            storage.Append(ref range, TKind.FromWire(packed.ReadAnyVarint()));
        }
    }

    /// <summary>Reads a short list in one loop, without counting its elements first.</summary>
    /// <returns>The position after what was read. The rest begins with a varint that is long, incomplete or invalid.</returns>
    static int ReadFew<TKind, T>(ref byte start, int from, int end, Storage<T> storage, ref ElementRange range)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        // each element has a byte at least
        var room = storage.RoomAtEnd(end - from);
        var to = PackedVarints.ReadFew<TKind, T>(ref start, from, end, ref MemoryMarshal.GetReference(room), out var count);
        range = storage.TakeRoom(count);
        return to;
    }

    // The general form of every read, for any input. The reader of a message whose body continues beyond the window keeps the number of
    // bytes beyond it. Where a value ends beyond the window, the position and the end are the complement of the address of the next byte,
    // which is negative, and the next tag is read from another window. So only reading a tag changes the window. A place is a position in
    // the window, or such a complement.

    /// <summary>What reading a tag has changed.</summary>
    struct Step
    {
        public int Position;
        public ulong Ends;
        public uint Tag;
    }

    /// <summary>Gets the place of this reader, for one whose window begins at a start. A place beyond that window has the rest of the
    /// message in its upper half.</summary>
    readonly ulong PlaceFrom(ref byte start) =>
        End >= 0 && Unsafe.AreSame(ref this.start, ref start) ? (uint)position : EndsAt(~Address, Rest);

    /// <summary>Goes to the place behind a value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void GoTo(ulong place)
    {
        position = (int)place;
        if (position < 0) ends = place;
    }

    static ulong EndsAt(int place, int rest) => ((ulong)(uint)rest << 32) | (uint)place;

    /// <summary>Gets the address of the next byte. In the payload it is the offset in the input.</summary>
    readonly int Address => AddressOf(position, ends, memory);

    static int AddressOf(int position, ulong ends, MessageMemory memory) => (int)ends is < 0 and var end ? ~end : memory.Origin + position;

    /// <summary>Gets the number of bytes that are left in this message.</summary>
    readonly int Rest => (End < 0 ? 0 : End - position) + Beyond;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte ReadTagSlow(ref byte start, int position, ulong ends, MessageMemory memory, scoped out Step step)
    {
        var reader = new WireReader(ref start, position, ends, memory);
        var tag = reader.ReadAnyTag();
        step = new() { Position = reader.position, Ends = reader.ends, Tag = tag };
        return ref reader.start;
    }

    uint ReadAnyTag()
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

        var tag = ReadAnyVarint();
        if (tag is < 8 or > uint.MaxValue || Address - address > 5) Throw(WireError.InvalidTag, address);
        memory.TagAt = (address, Address);
        return (uint)tag;
    }

    /// <returns>The place of the body in the lower half and its length in the upper half, and the place after it.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    static (ulong Body, ulong To) ReadMessageSlow(ref byte start, int position, ulong ends, MessageMemory memory, int depth)
    {
        if (depth >= ParseLimits.MaxDepth) ThrowTooDeep(position, ends, memory);
        var reader = new WireReader(ref start, position, ends, memory);
        var length = reader.ReadLength();
        var address = reader.Address;
        reader.StepOver(length);
        var to = reader.PlaceFrom(ref start);
        return (EndsAt((int)to >= 0 ? (int)to - length : ~address, length), to);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static (ulong Value, ulong To) ReadBytesSlow(ref byte start, int position, ulong ends, MessageMemory memory)
    {
        var reader = new WireReader(ref start, position, ends, memory);
        return (Unsafe.BitCast<ByteRange, ulong>(reader.ReadAnyBytes()), reader.PlaceFrom(ref start));
    }

    ByteRange ReadAnyBytes()
    {
        var length = ReadLength();
        if (length <= End - position) return Take(length);
        var range = memory.Gather(Address, length);
        StepOver(length);
        return range;
    }

    /// <summary>Skips bytes that are in the window, and gets their range. No block has to be found for it.</summary>
    ByteRange Take(int length)
    {
        var from = position;
        position = from + length;
        return new(memory.Origin + from, length);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static (ulong Value, ulong To) ReadStringSlow(ref byte start, int position, ulong ends, MessageMemory memory)
    {
        var reader = new WireReader(ref start, position, ends, memory);
        return (Unsafe.BitCast<ByteRange, ulong>(reader.ReadAnyString()), reader.PlaceFrom(ref start));
    }

    ByteRange ReadAnyString()
    {
        var length = ReadLength();
        if (length <= End - position && IsUtf8(ref start, position, length)) return Take(length);
        var address = Address;
        var range = memory.Gather(address, length);
        var text = memory.TextAt(range);
        if (!Utf8.IsValid(text)) Throw(WireError.InvalidUtf8, address + ValidPrefix(text));
        StepOver(length);
        return range;
    }

    /// <summary>Checks up to 128 bytes of ASCII with two to five loads.</summary>
    static bool IsUtf8(ref byte start, int from, int length)
    {
        ref var text = ref Unsafe.Add(ref start, (uint)from);
        if (length is >= 32 and <= 128)
        {
            var bytes = Vector256.LoadUnsafe(ref text, (uint)(length - 32));
            for (var i = 0; i < length - 32; i += 32) bytes |= Vector256.LoadUnsafe(ref text, (uint)i);
            if (bytes.ExtractMostSignificantBits() == 0) return true;
        }

        return Utf8.IsValid(MemoryMarshal.CreateReadOnlySpan(ref text, length));
    }

    // The middle way, for what is in the window but is no frequent case. These methods are static and take and return values, so that the
    // reader stays in registers.

    /// <summary>Finds bytes whose length has one or two bytes.</summary>
    /// <returns>The position of the first byte, and the length; 0 and 0 if the bytes are not completely in the window.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    static (int From, int Length) FindBytes(ref byte start, int position, int end)
    {
        int length = Unsafe.Add(ref start, (uint)position);
        var from = position + 1;
        if (length >= 0x80)
        {
            if (from >= end) return default;
            int high = Unsafe.Add(ref start, (uint)from);
            if (high >= 0x80) return default;
            length = (length & 0x7F) | (high << 7);
            from++;
        }

        return length <= end - from ? (from, length) : default;
    }

    /// <summary>Finds a string that is too near the start of the payload for the fast path, has more than its 32 bytes, or is not ASCII. In
    /// a payload of 36 bytes nearly all strings are of this kind: without this way, UnmarshalBySlab takes 1.4 instead of 0.5 of Google's
    /// time.</summary>
    /// <inheritdoc cref="FindBytes"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    static (int From, int Length) FindText(ref byte start, int position, int end)
    {
        var (from, length) = FindBytes(ref start, position, end);
        return IsUtf8(ref start, from, length) ? (from, length) : default;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static (ulong Value, int To) ReadLongVarint(ref byte start, int position, int end) =>
        PackedVarints.ReadVarint(ref start, position, end);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static (ulong Value, ulong To) ReadVarintSlow(ref byte start, int position, ulong ends, MessageMemory memory)
    {
        var reader = new WireReader(ref start, position, ends, memory);
        return (reader.ReadAnyVarint(), reader.PlaceFrom(ref start));
    }

    ulong ReadAnyVarint()
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
    static (ulong Value, ulong To) ReadFixedSlow(ref byte start, int position, ulong ends, MessageMemory memory, int size)
    {
        var reader = new WireReader(ref start, position, ends, memory);
        return (reader.ReadAnyFixed(size), reader.PlaceFrom(ref start));
    }

    ulong ReadAnyFixed(int size)
    {
        var value = 0ul;
        for (var i = 0; i < size; i++) value |= (ulong)ReadByte() << (8 * i);
        return value;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static (ulong Range, ulong To) ReadUnknownFieldSlow(ref byte start, int position, ulong ends, MessageMemory memory, uint tag, int depth)
    {
        var reader = new WireReader(ref start, position, ends, memory);
        var from = reader.StartOf(tag);
        reader.SkipField(tag, depth, from);
        return (Unsafe.BitCast<ByteRange, ulong>(reader.KeepSince(from)), reader.PlaceFrom(ref start));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int StartOfSlow(int position, ulong ends, MessageMemory memory, uint tag)
    {
        // The tag is the last byte or the last two bytes, or it was read by the slow path, which has stored its position.
        var (address, tagAt) = (AddressOf(position, ends, memory), memory.TagAt);
        return tagAt.End == address ? tagAt.Start : Math.Max(0, address - (tag < 0x80 ? 1 : 2));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ByteRange KeepSinceSlow(ref byte start, int position, ulong ends, MessageMemory memory, int from)
    {
        var end = (int)ends;
        var length = AddressOf(position, ends, memory) - from;
        if (from < 0 || length < 0) Storage.ThrowEmptied();
        if (!memory.BorrowsInput) return end >= 0 && from >= memory.Origin ? new(from, length) : memory.Gather(from, length);

        // Borrowed input is one window, whose first byte is at the origin.
        if (from < memory.Origin || end < 0) Storage.ThrowEmptied();
        return memory.Store(MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref start, (uint)(from - memory.Origin)), length));
    }

    void SkipField(uint tag, int depth, int from)
    {
        switch (tag & 7)
        {
            case 0:
                ReadAnyVarint();
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
        if (depth >= ParseLimits.MaxDepth) Throw(WireError.TooDeep, from);
        while (true)
        {
            from = Address;
            var tag = ReadAnyTag();
            if (tag == 0) Throw(WireError.Truncated, from);
            if (tag == begin + 1) return;
            SkipField(tag, depth + 1, from);
        }
    }

    int ReadLength()
    {
        var address = Address;
        var length = ReadAnyVarint();
        if (length > int.MaxValue) Throw(WireError.InvalidLength, address);
        return Checked((int)length);
    }

    readonly int Checked(int length)
    {
        if (length > Rest) Throw(WireError.Truncated, Address + Rest);
        return length;
    }

    /// <summary>Skips bytes, which must exist.</summary>
    void StepOver(int length)
    {
        if (length <= End - position)
        {
            position += length;
            return;
        }

        var beyond = Rest - length;
        position = ~(Address + length);
        ends = EndsAt(position, beyond);
    }

    byte ReadByte()
    {
        if (position >= End) NextWindow();
        return Unsafe.Add(ref start, (uint)position++);
    }

    /// <summary>Moves the window to the next bytes of this message. Throws if there are none.</summary>
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
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void ThrowTooDeep(int position, ulong ends, MessageMemory memory) => Throw(WireError.TooDeep, AddressOf(position, ends, memory));

    [DoesNotReturn]
    static void Throw(WireError reason, int address) => throw new WireFormatException(reason, address);
}
