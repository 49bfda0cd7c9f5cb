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

/// <summary>Reads the body of one message off the wire; the body of a sub-message
/// is read by a reader of its own (<see cref="ReadMessage"/>).</summary>
/// <remarks>
/// <para>The input is contiguous, or in segments. The reader sees one window at a time: as much of its message as lies in one segment.
/// The members that are inlined do the frequent thing inside the window; everything else (a long varint, the window's end, the input's end,
/// an error) is the slow path's.</para>
/// <para>It is passed by value and has four fields, because that is what the compiler keeps in registers: with a fifth the same decode
/// takes 3.6 times as long (61 against 17 μs on the hive). For the same reason a slow path works on a copy that is then copied back: a
/// struct whose own address is taken lives in memory.</para>
/// <para>Safety: every <c>Unsafe.Add(ref start, n)</c> below is dominated by a comparison of n with <see cref="End"/>, and
/// <see cref="End"/> never exceeds the window: the constructor takes both from one span, and <see cref="ReadMessage"/> only ever lowers it,
/// to a place that it has compared with it. <see cref="position"/> is never negative where it is less than <see cref="End"/>.</para>
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct WireReader
{
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
            if (length < 0x80 && length < End - position && depth < ParseLimits.MaxDepth)
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
        if (depth < ParseLimits.MaxDepth) return;
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

    // The scalar types, each by the encoding that it has on the wire.

    /// <summary>Reads an int32 or an enum. Bits beyond 32 are dropped, as everywhere in protobuf.</summary>
    /// <inheritdoc cref="ReadVarint"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadInt32() => (int)ReadVarint();

    /// <summary>Reads an int64.</summary>
    /// <inheritdoc cref="ReadVarint"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long ReadInt64() => (long)ReadVarint();

    /// <summary>Reads a uint32. Bits beyond 32 are dropped.</summary>
    /// <inheritdoc cref="ReadVarint"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint ReadUInt32() => (uint)ReadVarint();

    /// <summary>Reads a uint64.</summary>
    /// <inheritdoc cref="ReadVarint"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong ReadUInt64() => ReadVarint();

    /// <summary>Reads a sint32.</summary>
    /// <inheritdoc cref="ReadVarint"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadSInt32()
    {
        var value = (uint)ReadVarint();
        return (int)(value >> 1) ^ -(int)(value & 1);
    }

    /// <summary>Reads a sint64.</summary>
    /// <inheritdoc cref="ReadVarint"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long ReadSInt64()
    {
        var value = ReadVarint();
        return (long)(value >> 1) ^ -(long)(value & 1);
    }

    /// <summary>Reads a bool: any varint but 0 is true.</summary>
    /// <inheritdoc cref="ReadVarint"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool ReadBool() => ReadVarint() != 0;

    /// <summary>Reads a sfixed32.</summary>
    /// <inheritdoc cref="ReadFixed32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadSFixed32() => (int)ReadFixed32();

    /// <summary>Reads a sfixed64.</summary>
    /// <inheritdoc cref="ReadFixed64"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long ReadSFixed64() => (long)ReadFixed64();

    /// <summary>Reads a float.</summary>
    /// <inheritdoc cref="ReadFixed32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public float ReadFloat() => BitConverter.UInt32BitsToSingle(ReadFixed32());

    /// <summary>Reads a double.</summary>
    /// <inheritdoc cref="ReadFixed64"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double ReadDouble() => BitConverter.UInt64BitsToDouble(ReadFixed64());

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ushort Little(ushort value) => BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static uint Little(uint value) => BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Little(ulong value) => BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value);

    // Packed fields. The elements are read window by window. No reference to the storage or to the window is kept while the next window is
    // fetched, because fetching may run the code of a caller's MemoryManager.

    // So many bytes of varints are counted, given room and then read: few enough to be in the cache the second time.
    const int varintBytes = 4096;

    // Where numbers can be read at any address, and are stored as they are on the wire.
    static readonly bool canAlias = BitConverter.IsLittleEndian
        && RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.X86 or Architecture.Arm64;

    /// <summary>Reads a packed field of floats, doubles or numbers of fixed width, behind the elements that the field has. If it has none,
    /// and the input is kept, the field becomes the input's bytes.</summary>
    /// <param name="storage">The storage of the elements.</param>
    /// <param name="range">The field.</param>
    /// <param name="isPacked">Whether it is written packed too.</param>
    /// <typeparam name="T">A type of four or eight bytes.</typeparam>
    /// <exception cref="WireFormatException">The elements are not there, or the last one is not whole.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReadPackedFixed<T>(Storage<T> storage, ref ElementRange range, bool isPacked)
        where T : unmanaged => ReadFixed(ReadPacked(), storage, ref range, isPacked);

    /// <summary>Reads a packed field of the type int32 or of an enum, behind the elements that the field has.</summary>
    /// <param name="storage">The storage of the elements.</param>
    /// <param name="range">The field.</param>
    /// <exception cref="WireFormatException">The elements are not there, or are no varints.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReadPackedInt32(Storage<int> storage, ref ElementRange range) =>
        ReadVarints<Int32Kind, int>(ReadPacked(), storage, ref range);

    /// <summary>Reads a packed field of the type int64.</summary>
    /// <inheritdoc cref="ReadPackedInt32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReadPackedInt64(Storage<long> storage, ref ElementRange range) =>
        ReadVarints<Int64Kind, long>(ReadPacked(), storage, ref range);

    /// <summary>Reads a packed field of the type uint32.</summary>
    /// <inheritdoc cref="ReadPackedInt32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReadPackedUInt32(Storage<uint> storage, ref ElementRange range) =>
        ReadVarints<UInt32Kind, uint>(ReadPacked(), storage, ref range);

    /// <summary>Reads a packed field of the type uint64.</summary>
    /// <inheritdoc cref="ReadPackedInt32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReadPackedUInt64(Storage<ulong> storage, ref ElementRange range) =>
        ReadVarints<UInt64Kind, ulong>(ReadPacked(), storage, ref range);

    /// <summary>Reads a packed field of the type sint32.</summary>
    /// <inheritdoc cref="ReadPackedInt32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReadPackedSInt32(Storage<int> storage, ref ElementRange range) =>
        ReadVarints<SInt32Kind, int>(ReadPacked(), storage, ref range);

    /// <summary>Reads a packed field of the type sint64.</summary>
    /// <inheritdoc cref="ReadPackedInt32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReadPackedSInt64(Storage<long> storage, ref ElementRange range) =>
        ReadVarints<SInt64Kind, long>(ReadPacked(), storage, ref range);

    /// <summary>Reads a packed field of the type bool.</summary>
    /// <inheritdoc cref="ReadPackedInt32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReadPackedBool(Storage<bool> storage, ref ElementRange range) =>
        ReadVarints<BoolKind, bool>(ReadPacked(), storage, ref range);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void ReadFixed<T>(WireReader packed, Storage<T> storage, ref ElementRange range, bool isPacked)
        where T : unmanaged
    {
        var size = Unsafe.SizeOf<T>();
        var length = packed.End - packed.position;

        // What is aliased must not be longer when it is written: the bytes of the input bound the size of the message.
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

            // One that crosses into the next window, or is not whole.
            if (packed.HasMore) storage.Append(ref range, packed.ReadFixedElement<T>());
        }
    }

    T ReadFixedElement<T>()
        where T : unmanaged
    {
        var value = ReadFixedSlow(Unsafe.SizeOf<T>());
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

            // One that crosses into the next window, or is none.
            storage.Append(ref range, TKind.FromWire(packed.ReadVarintSlow()));
        }
    }

    // The general form of every step, for any input. The reader of a message whose body continues beyond the window keeps the number of
    // bytes beyond it. When a sub-message or a string ends beyond the window, the outer reader does not move the window, which the inner
    // reader uses. It stores the address of its next field as a negative end, and moves the window when the next field is read.

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
        if (depth >= ParseLimits.MaxDepth) Throw(WireError.TooDeep, Address);
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
        if (depth >= ParseLimits.MaxDepth) Throw(WireError.TooDeep, from);
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
