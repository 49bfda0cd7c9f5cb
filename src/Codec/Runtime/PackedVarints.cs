using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace ProtoBench.Codec.Runtime;

/// <summary>Reads and writes many varints at once, without a branch for each byte.</summary>
/// <remarks>
/// <para>The input is read in blocks of 64 bytes. One bit for each byte shows whether a varint ends there. So the positions of all varints
/// of a block are known before the first of them is read. A varint of up to eight bytes is written by one move of eight bytes.</para>
/// <para>Safety: the input may change while it is read. So the bits of a block are computed once. The number of varints in these bits is
/// compared with the room that is left, and the block is read by the same bits. No offset depends on a byte that is read later.</para>
/// </remarks>
static class PackedVarints
{
    const int block = 64;

    /// <summary>The number of values that <see cref="TryReadBytes"/> writes.</summary>
    public const int Few = 16;

    // The number of bytes that may be read after a block: a varint begins inside its block, and is read by moves of eight and two bytes.
    const int slack = 16;

    // The number of values that are read in one step.
    const int readAhead = 4;

    // A group of values is written after one check of the room: ten bytes for each value, and the bytes that one move writes beyond its
    // varint.
    const int group = 8;
    const int groupRoom = (group * 10) + slack;

    /// <summary>Gets the mask of the significant bits after the 56th, for a varint of each length.</summary>
    static ReadOnlySpan<byte> LastBits => [0, 0, 0, 0, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0, 0, 0, 0, 0];

    /// <summary>The largest value whose varint has at most eight bytes.</summary>
    public const ulong LargestShort = (1ul << 56) - 1;

    const ulong sevenBits = 0x7F7F7F7F7F7F7F7F;
    const ulong highBits = 0x8080808080808080;

    // AMD processors before Zen 3 execute these instructions in microcode, a hundred times slower.
    static readonly bool hasFastBits = Bmi2.X64.IsSupported && !HasSlowBits();

    /// <summary>Counts the varints that end in a span of bytes.</summary>
    public static int Count(ReadOnlySpan<byte> bytes)
    {
        ref var start = ref MemoryMarshal.GetReference(bytes);
        var (count, at) = (0, 0);
        for (; at <= bytes.Length - block; at += block) count += BitOperations.PopCount(~Continuations(ref Unsafe.Add(ref start, at)));
        if (at == bytes.Length) return count;
        if (bytes.Length >= sizeof(ulong))
            return count + BitOperations.PopCount(~Continuations(ref start, at, bytes.Length) & Lowest(bytes.Length - at));
        for (; at < bytes.Length; at++) count += Unsafe.Add(ref start, at) < 0x80 ? 1 : 0;
        return count;
    }

    /// <summary>Reads varints until the first one that is incomplete, is longer than ten bytes, or has no room.</summary>
    /// <param name="bytes">The input.</param>
    /// <param name="values">The destination.</param>
    /// <param name="count">Number of values.</param>
    /// <returns>Number of bytes read.</returns>
    public static int Read<TKind, T>(ReadOnlySpan<byte> bytes, Span<T> values, out int count)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        ref var start = ref MemoryMarshal.GetReference(bytes);
        ref var to = ref MemoryMarshal.GetReference(values);
        var (at, length, room) = (0, bytes.Length, values.Length);
        while (length - at >= block + slack)
        {
            ref var from = ref Unsafe.Add(ref start, at);
            var goesOn = Continuations(ref from);
            var ends = ~goesOn;
            var found = BitOperations.PopCount(ends);
            if (room - found < readAhead) break;
            if (goesOn == 0)
            {
                PutWide<TKind, T>(ref from, ref to, block);
                at += block;
            }
            else
            {
                var eights = EightsOf(goesOn);
                if ((eights & (eights >> 2)) != 0) break;
                if (TKind.IsWide && eights != 0) ReadLong<TKind, T>(ref from, ends, ref to, found);
                else ReadShort<TKind, T>(ref from, ends, ref to, found);
                at += block - BitOperations.LeadingZeroCount(ends);
            }

            to = ref Unsafe.Add(ref to, found);
            room -= found;
        }

        // Near the end of the input or of the room. Bytes after the end of the input must not be read.
        while (at < length)
        {
            var read = length < sizeof(ulong)
                ? ReadOne<TKind, T>(bytes[at..], ref to, room, out var found)
                : ReadRest<TKind, T>(ref start, at, length, ref to, room, out found);
            if (read == 0) break;
            at += read;
            to = ref Unsafe.Add(ref to, found);
            room -= found;
        }

        count = values.Length - room;
        return at;
    }

    /// <summary>Reads up to <see cref="Few"/> varints of one byte each, at once. The bytes that are loaded are between the start and the end.
    /// Reading Updates took 6 % less time (duet).</summary>
    /// <param name="start">The first byte that may be loaded. It may be before the first varint.</param>
    /// <param name="at">The offset of the first varint.</param>
    /// <param name="end">The offset of the end.</param>
    /// <param name="to">The destination, with room for <see cref="Few"/> values.</param>
    /// <returns>Whether the varints were read; false if there are more of them, if one is longer, or if the end is before
    /// <see cref="Few"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryReadBytes<TKind, T>(ref byte start, int at, int end, ref T to)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        var before = Few - (end - at);
        if (before < 0 || end < Few) return false;
        var bytes = Vector128.Shuffle(Vector128.LoadUnsafe(ref start, (uint)(end - Few)),
            Vector128<byte>.Indices + Vector128.Create((byte)before));
        if (bytes.ExtractMostSignificantBits() != 0) return false;
        Put16<TKind, T>(bytes, ref to);
        return true;
    }

    /// <summary>Reads varints one after the other until the first one of more than eight bytes, or one that is incomplete.</summary>
    /// <param name="start">The first byte that may be loaded. It may be before the first varint.</param>
    /// <param name="at">The offset of the first varint.</param>
    /// <param name="end">The offset of the end.</param>
    /// <param name="to">The destination, with room for a value for each byte.</param>
    /// <param name="count">Number of values.</param>
    /// <returns>The offset after the varints that were read.</returns>
    public static int ReadFew<TKind, T>(ref byte start, int at, int end, ref T to, out int count)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        var n = 0;
        for (; at < end; n++)
        {
            ulong value = Unsafe.Add(ref start, (uint)at);
            if (value < 0x80)
            {
                at++;
            }
            else
            {
                (value, var next) = ReadVarint(ref start, at, end);
                if (next == 0) break;
                at = next;
            }

            Unsafe.Add(ref to, n) = TKind.FromWire(value);
        }

        count = n;
        return at;
    }

    /// <summary>Reads a varint of at most eight bytes. The eight bytes that are loaded are between the start and the end, so the varint may
    /// be the last one.</summary>
    /// <param name="start">The first byte that may be loaded. It may be before the varint.</param>
    /// <param name="at">The offset of the varint, less than the end.</param>
    /// <param name="end">The offset of the end.</param>
    /// <returns>The value and the offset after it. The offset is 0 if the varint is longer or incomplete, or if the end is before
    /// 8.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static (ulong Value, int To) ReadVarint(ref byte start, int at, int end)
    {
        if (end < sizeof(ulong)) return default;
        var from = Math.Min(at, end - sizeof(ulong));
        var word = WireReader.Little(Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref start, (uint)from))) >> (8 * (at - from));
        var ends = ~word & highBits;
        var bits = BitOperations.TrailingZeroCount(ends) + 1;
        var to = at + (bits >> 3);

        // The bytes after the end are 0 here, which would end a varint.
        if (ends == 0 || to > end) return default;
        word &= ulong.MaxValue >> (64 - bits);
        return (hasFastBits ? Bmi2.X64.ParallelBitExtract(word, sevenBits) : Compact(word), to);
    }

    /// <summary>Writes as many values as certainly have room.</summary>
    /// <param name="values">The values.</param>
    /// <param name="bytes">The destination.</param>
    /// <param name="count">Number of values written.</param>
    /// <returns>The number of bytes written. Up to 16 bytes after them are overwritten, if there is room for them.</returns>
    public static int Write<TKind, T>(ReadOnlySpan<T> values, Span<byte> bytes, out int count)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        ref var from = ref MemoryMarshal.GetReference(values);
        ref var start = ref MemoryMarshal.GetReference(bytes);
        var (i, at) = (0, 0);
        while (values.Length - i >= group && bytes.Length - at >= groupRoom)
        {
            ref var first = ref Unsafe.Add(ref from, i);
            var bits = BitsOf<TKind, T>(ref first);
            ref var to = ref Unsafe.Add(ref start, at);
            if (bits < 0x80)
            {
                PutBytes<TKind, T>(ref first, ref to);
                at += group;
            }
            else if (bits < 1ul << 56)
            {
                for (var k = 0; k < group; k++) at += PutShort(ref Unsafe.Add(ref start, at), TKind.ToWire(Unsafe.Add(ref first, k)));
            }
            else
            {
                for (var k = 0; k < group; k++) at += PutAny(ref Unsafe.Add(ref start, at), TKind.ToWire(Unsafe.Add(ref first, k)));
            }

            i += group;
        }

        for (; i < values.Length && bytes.Length - at >= slack; i++)
            at += PutAny(ref Unsafe.Add(ref start, at), TKind.ToWire(Unsafe.Add(ref from, i)));
        count = i;
        return at;
    }

    /// <summary>Gets the maximum number of bytes that a value takes on the wire.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long MostBytes<TKind, T>()
        where TKind : IPackedKind<T>
        where T : unmanaged => typeof(T) == typeof(bool) ? 1 : Unsafe.SizeOf<T>() == 4 && !TKind.IsSignExtended ? 5 : 10;

    /// <summary>Calculates the number of bytes that values take on the wire.</summary>
    public static long Size<TKind, T>(ReadOnlySpan<T> values)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        if (typeof(T) == typeof(bool)) return values.Length;
        var size = 0L;
        var i = 0;
        ref var from = ref MemoryMarshal.GetReference(values);
        if (Unsafe.SizeOf<T>() == 4) size = SizeOfInts<TKind, T>(ref Unsafe.As<T, int>(ref from), values.Length, out i);
        else if (Avx512CD.IsSupported) size = SizeOfLongs<TKind, T>(ref Unsafe.As<T, long>(ref from), values.Length, out i);
        for (; i < values.Length; i++) size += SizeOf(TKind.ToWire(Unsafe.Add(ref from, i)));
        return size;
    }

    /// <summary>Calculates the size of most values, by vectors: one byte each, and one more byte for each limit that a value exceeds. The
    /// few values that remain are left to the caller.</summary>
    static long SizeOfInts<TKind, T>(ref int from, int length, out int count)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        var size = 0L;
        for (count = 0; length - count >= Vector256<int>.Count;)
        {
            // A limit, so that the sum of a lane does not overflow.
            var until = Math.Min(length - Vector256<int>.Count, count + (1 << 20));
            var sums = Vector256<int>.Zero;
            for (; count <= until; count += Vector256<int>.Count)
            {
                var values = Vector256.LoadUnsafe(ref from, (uint)count);
                if (TKind.IsZigZag) values = (values << 1) ^ (values >> 31);

                // The values are compared as unsigned numbers. A comparison that is true gives -1.
                var ordered = values ^ Vector256.Create(int.MinValue);
                sums -= Vector256.GreaterThan(ordered, Vector256.Create(0x7F ^ int.MinValue));
                sums -= Vector256.GreaterThan(ordered, Vector256.Create(0x3FFF ^ int.MinValue));
                sums -= Vector256.GreaterThan(ordered, Vector256.Create(0x1FFFFF ^ int.MinValue));
                sums -= Vector256.GreaterThan(ordered, Vector256.Create(0xFFFFFFF ^ int.MinValue));

                // A negative int32 has ten bytes.
                if (TKind.IsSignExtended) sums += (values >> 31) & Vector256.Create(5);
            }

            size += Vector256.Sum(sums);
        }

        return size + count;
    }

    /// <inheritdoc cref="SizeOfInts{TKind, T}"/>
    static long SizeOfLongs<TKind, T>(ref long from, int length, out int count)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        var sums = Vector512<long>.Zero;
        for (count = 0; length - count >= Vector512<long>.Count; count += Vector512<long>.Count)
        {
            var values = Vector512.LoadUnsafe(ref from, (uint)count);
            if (TKind.IsZigZag) values = (values << 1) ^ (values >> 63);
            var zeros = Avx512CD.LeadingZeroCount(values | Vector512<long>.One);
            sums += (Vector512.Create(640L) - zeros - (zeros << 3)) >>> 6;
        }

        return Vector512.Sum(sums);
    }

    /// <summary>Reads the varints of a block. None of them has more than eight significant bytes.</summary>
    /// <param name="from">The block, followed by at least <see cref="slack"/> bytes.</param>
    /// <param name="ends">One bit for each byte: whether a varint ends there.</param>
    /// <param name="to">The destination. Up to <see cref="readAhead"/> elements after the values are overwritten.</param>
    /// <param name="count">Number of values.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void ReadShort<TKind, T>(ref byte from, ulong ends, ref T to, int count)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        // Four values in one step: the processor cannot predict where the last value is, and a misprediction takes as long as eight values.
        var begin = 0L;
        for (; count > 0; count -= readAhead)
        {
            begin = ReadShort<TKind, T>(ref from, begin, ref ends, ref to);
            begin = ReadShort<TKind, T>(ref from, begin, ref ends, ref Unsafe.Add(ref to, 1));
            begin = ReadShort<TKind, T>(ref from, begin, ref ends, ref Unsafe.Add(ref to, 2));
            begin = ReadShort<TKind, T>(ref from, begin, ref ends, ref Unsafe.Add(ref to, 3));
            to = ref Unsafe.Add(ref to, readAhead);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static long ReadShort<TKind, T>(ref byte from, long begin, ref ulong ends, ref T to)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        var end = (uint)BitOperations.TrailingZeroCount(ends) + 1L;
        ends &= ends - 1;
        to = TKind.FromWire(First(WireReader.Little(Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref from, (nint)begin))), end - begin));
        return end;
    }

    /// <summary>Reads the varints of a block, of any length. In a method of its own, all variables are in registers.</summary>
    /// <inheritdoc cref="ReadShort{TKind, T}(ref byte, ulong, ref T, int)" path="/param"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void ReadLong<TKind, T>(ref byte from, ulong ends, ref T to, int count)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        var begin = 0L;
        for (; count > 0; count -= 2)
        {
            begin = ReadLong<TKind, T>(ref from, begin, ref ends, ref to);
            begin = ReadLong<TKind, T>(ref from, begin, ref ends, ref Unsafe.Add(ref to, 1));
            to = ref Unsafe.Add(ref to, 2);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static long ReadLong<TKind, T>(ref byte from, long begin, ref ulong ends, ref T to)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        var end = (uint)BitOperations.TrailingZeroCount(ends) + 1L;
        ends &= ends - 1;
        ref var first = ref Unsafe.Add(ref from, (nint)begin);
        var high = WireReader.Little(Unsafe.ReadUnaligned<ushort>(ref Unsafe.Add(ref first, sizeof(ulong))));
        to = TKind.FromWire(First(WireReader.Little(Unsafe.ReadUnaligned<ulong>(ref first)), end - begin) | Last(high, end - begin));
        return end;
    }

    /// <summary>Reads the varints of up to 64 bytes, without an access beyond the input or beyond the room.</summary>
    /// <param name="start">The input.</param>
    /// <param name="at">The position in the input.</param>
    /// <param name="length">The length of the input, which is at least eight.</param>
    /// <param name="to">The destination.</param>
    /// <param name="room">The number of values that the destination has room for.</param>
    /// <param name="count">Number of values.</param>
    /// <returns>Number of bytes read; 0 if there is no varint that can be read here.</returns>
    static int ReadRest<TKind, T>(ref byte start, int at, int length, ref T to, int room, out int count)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        var inside = Lowest(length - at);
        var goesOn = Continuations(ref start, at, length) & inside;
        var ends = ~goesOn & inside;
        count = Math.Min(BitOperations.PopCount(ends), room);
        if (goesOn == 0)
        {
            PutWide<TKind, T>(ref Unsafe.Add(ref start, at), ref to, count);
            return count;
        }

        long begin = at;
        var left = count;
        var eights = EightsOf(goesOn);
        if ((eights & (eights >> 2)) != 0) left = 0;
        count = left;
        for (; left > 0; left--)
        {
            var end = at + (uint)BitOperations.TrailingZeroCount(ends) + 1L;
            ends &= ends - 1;

            // The last bytes are read together with some bytes before them.
            var before = Over(begin, length - sizeof(ulong));
            var bytes = WireReader.Little(Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref start, (nint)(begin - before))));
            var varint = First(bytes >> (int)(before * 8), end - begin);
            if (TKind.IsWide && eights != 0)
            {
                before = Over(begin + sizeof(ulong), length - sizeof(ushort));
                ref var last = ref Unsafe.Add(ref start, (nint)(begin + sizeof(ulong) - before));
                varint |= Last((uint)WireReader.Little(Unsafe.ReadUnaligned<ushort>(ref last)) >> (int)(before * 8), end - begin);
            }

            to = TKind.FromWire(varint);
            to = ref Unsafe.Add(ref to, 1);
            begin = end;
        }

        return (int)(begin - at);
    }

    /// <summary>Reads one varint of fewer than eight bytes.</summary>
    /// <inheritdoc cref="ReadRest" path="/returns"/>
    static int ReadOne<TKind, T>(ReadOnlySpan<byte> bytes, ref T to, int room, out int count)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        var value = 0ul;
        count = 0;
        for (var i = 0; i < bytes.Length && room > 0; i++)
        {
            var one = bytes[i];
            value |= (ulong)(one & 0x7F) << (7 * i);
            if (one >= 0x80) continue;
            to = TKind.FromWire(value);
            count = 1;
            return i + 1;
        }

        return 0;
    }

    /// <summary>Gets a bit for each byte at which a varint of more than eight bytes begins: this byte and the seven after it have a
    /// continuation bit. If the bit two bytes later is set too, the varint has more than ten bytes, and is invalid.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ulong EightsOf(ulong goesOn)
    {
        var pairs = goesOn & (goesOn >> 1);
        var fours = pairs & (pairs >> 2);
        return fours & (fours >> 4);
    }

    /// <summary>Gets the lowest 56 bits of a varint.</summary>
    /// <param name="bytes">Eight bytes, beginning with the first byte of the varint.</param>
    /// <param name="length">The length of the varint.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ulong First(ulong bytes, long length)
    {
        var bits = (int)(length * 8);
        if (hasFastBits) return Bmi2.X64.ParallelBitExtract(Bmi2.X64.ZeroHighBits(bytes, (uint)bits), sevenBits);
        return Compact(bits >= 64 ? bytes : bytes & ((1ul << bits) - 1));
    }

    /// <summary>Gets the bits of a varint from the 57th on.</summary>
    /// <param name="bytes">The ninth and the tenth byte of the varint, if it has them.</param>
    /// <param name="length">The length of the varint.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ulong Last(uint bytes, long length)
    {
        // Without a branch, because the processor cannot predict the length of a varint. One bit of the tenth byte is significant.
        var bits = hasFastBits ? Bmi2.ParallelBitExtract(bytes, 0x17F) : (bytes & 0x7F) | ((bytes >> 1) & 0x80);
        return (ulong)(bits & Unsafe.Add(ref MemoryMarshal.GetReference(LastBits), (nint)(length & 15))) << 56;
    }

    /// <summary>Calculates by how much a value exceeds a limit; 0 if it does not.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static long Over(long value, long limit) => (value - limit) & ((limit - value) >> 63);

    /// <summary>Joins the lower seven bits of each byte.</summary>
    internal static ulong Compact(ulong bytes)
    {
        bytes &= sevenBits;
        bytes = (bytes & 0x007F007F007F007F) | ((bytes & 0x7F007F007F007F00) >> 1);
        bytes = (bytes & 0x00003FFF00003FFF) | ((bytes & 0x3FFF00003FFF0000) >> 2);
        return (bytes & 0x000000000FFFFFFF) | ((bytes & 0x0FFFFFFF00000000) >> 4);
    }

    /// <summary>Spreads the lowest 56 bits over the lower seven bits of each byte.</summary>
    internal static ulong Spread(ulong bits)
    {
        bits = (bits & 0x000000000FFFFFFF) | ((bits & 0x00FFFFFFF0000000) << 4);
        bits = (bits & 0x00003FFF00003FFF) | ((bits & 0x0FFFC0000FFFC000) << 2);
        return (bits & 0x007F007F007F007F) | ((bits & 0x3F803F803F803F80) << 1);
    }

    /// <summary>Writes a varint of at most eight bytes, or the first eight of a longer one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int PutShort(ref byte to, ulong value)
    {
        var size = SizeOf(value);
        ulong bytes;
        if (hasFastBits)
        {
            bytes = Bmi2.X64.ParallelBitDeposit(value, sevenBits) | Bmi2.X64.ZeroHighBits(highBits, (ulong)((size * 8) - 8));
        }
        else
        {
            bytes = Spread(value) | (size > 8 ? highBits : highBits & ((1ul << ((size * 8) - 8)) - 1));
        }

        Unsafe.WriteUnaligned(ref to, WireReader.Little(bytes));
        return size;
    }

    /// <summary>Writes a varint.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static int PutAny(ref byte to, ulong value)
    {
        var size = PutShort(ref to, value);

        // The ninth byte has a continuation bit if there is a tenth byte. This is so if the highest bit of the value is set, which is the
        // only bit in the tenth byte.
        var high = (uint)(value >> 56);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, sizeof(ulong)), WireReader.Little((ushort)(high + ((high & 0x80) << 1))));
        return size;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static int SizeOf(ulong value) => (int)((((uint)BitOperations.Log2(value | 1) * 9) + 73) / 64);

    /// <summary>Gets one bit for each of 64 bytes: whether the varint continues after the byte.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ulong Continuations(ref byte from)
    {
        if (Vector512.IsHardwareAccelerated) return Vector512.LoadUnsafe(ref from).ExtractMostSignificantBits();
        if (Vector256.IsHardwareAccelerated)
            return Vector256.LoadUnsafe(ref from).ExtractMostSignificantBits()
                | ((ulong)Vector256.LoadUnsafe(ref from, 32).ExtractMostSignificantBits() << 32);
        return Vector128.LoadUnsafe(ref from).ExtractMostSignificantBits()
            | (Vector128.LoadUnsafe(ref from, 16).ExtractMostSignificantBits() << 16)
            | ((ulong)(Vector128.LoadUnsafe(ref from, 32).ExtractMostSignificantBits()
                | (Vector128.LoadUnsafe(ref from, 48).ExtractMostSignificantBits() << 16)) << 32);
    }

    /// <summary>Gets the same bits for up to 64 bytes of an input of at least eight bytes. Nothing beyond the input is read.</summary>
    static ulong Continuations(ref byte start, int at, int length)
    {
        ref var end = ref Unsafe.Add(ref start, length);
        if (length >= block)
        {
            var first = Math.Min(at, length - block);
            return Continuations(ref Unsafe.Add(ref start, first)) >> (at - first);
        }

        ulong bits;
        if (length >= 32)
        {
            ulong upper = Vector256.LoadUnsafe(ref Unsafe.Subtract(ref end, 32)).ExtractMostSignificantBits();
            bits = Vector256.LoadUnsafe(ref start).ExtractMostSignificantBits() | (upper << (length - 32));
        }
        else if (length >= 16)
        {
            var upper = Vector128.LoadUnsafe(ref Unsafe.Subtract(ref end, 16)).ExtractMostSignificantBits();
            bits = Vector128.LoadUnsafe(ref start).ExtractMostSignificantBits() | (upper << (length - 16));
        }
        else
        {
            bits = Vector128.Create(Unsafe.ReadUnaligned<ulong>(ref start), Unsafe.ReadUnaligned<ulong>(ref Unsafe.Subtract(ref end, 8)))
                .AsByte().ExtractMostSignificantBits();
            bits = (bits & 0xFF) | ((bits >> 8) << (length - 8));
        }

        return bits >> at;
    }

    /// <summary>Gets a mask of the lowest bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ulong Lowest(int count) => count >= 64 ? ulong.MaxValue : (1ul << count) - 1;

    /// <summary>Stores the values of varints of one byte each.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void PutWide<TKind, T>(ref byte from, ref T to, int count)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        var i = 0;
        for (; i <= count - 16; i += 16) Put16<TKind, T>(Vector128.LoadUnsafe(ref from, (uint)i), ref Unsafe.Add(ref to, i));
        for (; i < count; i++) Unsafe.Add(ref to, i) = TKind.FromWire(Unsafe.Add(ref from, i));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void Put16<TKind, T>(Vector128<byte> bytes, ref T to)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        if (TKind.IsZigZag) bytes = (bytes >>> 1) ^ (Vector128<byte>.Zero - (bytes & Vector128<byte>.One));
        if (Unsafe.SizeOf<T>() == 1)
        {
            Vector128.Min(bytes, Vector128<byte>.One).StoreUnsafe(ref Unsafe.As<T, byte>(ref to));
            return;
        }

        // Sign-extended, as zigzag values need it. The highest bit of other values is clear.
        var shorts = Vector256.WidenLower(bytes.AsSByte().ToVector256Unsafe());
        if (Unsafe.SizeOf<T>() == 4)
        {
            ref var ints = ref Unsafe.As<T, int>(ref to);
            Vector256.WidenLower(shorts).StoreUnsafe(ref ints);
            Vector256.WidenUpper(shorts).StoreUnsafe(ref ints, 8);
        }
        else
        {
            ref var longs = ref Unsafe.As<T, long>(ref to);
            var (lower, upper) = (Vector256.WidenLower(shorts), Vector256.WidenUpper(shorts));
            Vector256.WidenLower(lower).StoreUnsafe(ref longs);
            Vector256.WidenUpper(lower).StoreUnsafe(ref longs, 4);
            Vector256.WidenLower(upper).StoreUnsafe(ref longs, 8);
            Vector256.WidenUpper(upper).StoreUnsafe(ref longs, 12);
        }
    }

    /// <summary>Gets the bits that are set in any value of a group, as encoded on the wire.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ulong BitsOf<TKind, T>(ref T first)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        if (Unsafe.SizeOf<T>() == 1) return 0;
        if (Unsafe.SizeOf<T>() == 4)
        {
            var values = Vector256.LoadUnsafe(ref Unsafe.As<T, int>(ref first));
            if (TKind.IsZigZag) values = (values << 1) ^ (values >> 31);
            var half = values.GetLower() | values.GetUpper();
            var pair = half.AsUInt64().GetElement(0) | half.AsUInt64().GetElement(1);
            var bits = (uint)pair | (uint)(pair >> 32);
            return TKind.IsSignExtended ? (ulong)(int)bits : bits;
        }

        ref var longs = ref Unsafe.As<T, long>(ref first);
        var (one, other) = (Vector256.LoadUnsafe(ref longs), Vector256.LoadUnsafe(ref longs, 4));
        if (TKind.IsZigZag) (one, other) = ((one << 1) ^ (one >> 63), (other << 1) ^ (other >> 63));
        var all = one | other;
        var both = all.GetLower() | all.GetUpper();
        return (ulong)(both.GetElement(0) | both.GetElement(1));
    }

    /// <summary>Writes a group of values of one byte each.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void PutBytes<TKind, T>(ref T first, ref byte to)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        if (Unsafe.SizeOf<T>() == 1)
        {
            var bools = Vector128.Min(Vector128.CreateScalar(Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<T, byte>(ref first))).AsByte(),
                Vector128<byte>.One);
            Unsafe.WriteUnaligned(ref to, bools.AsUInt64().ToScalar());
            return;
        }

        Vector128<short> shorts;
        if (Unsafe.SizeOf<T>() == 4)
        {
            ref var ints = ref Unsafe.As<T, int>(ref first);
            shorts = Vector128.Narrow(Vector128.LoadUnsafe(ref ints), Vector128.LoadUnsafe(ref ints, 4));
        }
        else
        {
            ref var longs = ref Unsafe.As<T, long>(ref first);
            shorts = Vector128.Narrow(Vector128.Narrow(Vector128.LoadUnsafe(ref longs), Vector128.LoadUnsafe(ref longs, 2)),
                Vector128.Narrow(Vector128.LoadUnsafe(ref longs, 4), Vector128.LoadUnsafe(ref longs, 6)));
        }

        var bytes = Vector128.Narrow(shorts, shorts);
        if (TKind.IsZigZag) bytes = (bytes << 1) ^ (bytes >> 7);
        Unsafe.WriteUnaligned(ref to, bytes.AsUInt64().ToScalar());
    }

    static bool HasSlowBits()
    {
        if (!X86Base.IsSupported) return true;
        var (_, vendor, _, _) = X86Base.CpuId(0, 0);
        var signature = X86Base.CpuId(1, 0).Eax;
        var family = ((signature >> 8) & 0xF) + ((signature >> 20) & 0xFF);
        return vendor == 0x68747541 && family < 0x19; // "Auth"enticAMD
    }
}
