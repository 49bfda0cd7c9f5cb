using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using System.Text.Unicode;

namespace ProtoBench.Floors;

/// <summary>The lower bound of a data set: a reader and a writer of its schema, written by hand. It copies the input, checks lengths,
/// ends of messages, UTF-8 and bools, and stores each value in flat arrays. Texts, bytes, and lists whose form in memory is that of the
/// wire stay in the copy.</summary>
/// <remarks>It expects fields in the order of their numbers. A codec has more to do: fields in any order, unknown fields, fields that are
/// merged, input in segments, aliasing, limits, messages of any size. Not thread-safe.</remarks>
public abstract unsafe class SetFloor
{
    /// <summary>What reading and writing may pass the end by: a load of 64 bytes, and a number that is cut off.</summary>
    const int room = 128;

    readonly byte[] copy;
    readonly byte* origin;
    int length;

    /// <param name="bytes">The size of the largest message.</param>
    private protected SetFloor(int bytes)
    {
        copy = GC.AllocateUninitializedArray<byte>(bytes + room, pinned: true);
        origin = (byte*)Unsafe.AsPointer(ref copy[0]);
    }

    /// <summary>Reads a message in place of the last one.</summary>
    /// <exception cref="ArgumentException">The message is larger than those of the data set.</exception>
    /// <exception cref="InvalidDataException">It is not a message of this schema.</exception>
    public void Parse(ReadOnlySpan<byte> input)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(input.Length, copy.Length - room);
        input.CopyTo(copy);
        copy.AsSpan(input.Length, room).Clear();
        length = input.Length;
        Read(origin, origin + length);
    }

    /// <summary>Reads every field, as <c>Touch</c> of the data set.</summary>
    public abstract long Touch();

    public void WriteTo(IBufferWriter<byte> to)
    {
        // what was read was not shorter than what is written
        fixed (byte* start = to.GetSpan(length + room))
            to.Advance((int)(Write(start) - start));
    }

    public byte[] ToByteArray()
    {
        var to = new ArrayBufferWriter<byte>();
        WriteTo(to);
        return to.WrittenSpan.ToArray();
    }

    private protected abstract void Read(byte* p, byte* end);

    private protected abstract byte* Write(byte* to);

    /// <summary>Bytes of the copy.</summary>
    private protected readonly record struct Slice(int At, int Length);

    // ---- Reading. All but Varint, WideVarint and Varints begin at a tag of one byte, and skip it.

    /// <summary>Ends a message of which every field has been tried, in the order of the numbers, and returns its end.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static byte* End(byte* p, byte* end)
    {
        if (p != end) Fail("a field that the schema does not have, that is in another order, or that its message is too short for");
        return end;
    }

    /// <summary>Reads a number that mostly has one byte.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static ulong Varint(ref byte* p) => *p < 128 ? *p++ : WideVarint(ref p);

    /// <summary>Reads a number whose size is hard to predict, without a branch.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static ulong WideVarint(ref byte* p)
    {
        var word = *(ulong*)p;
        var stops = ~word & 0x8080808080808080;
        if (stops == 0 || !Bmi2.X64.IsSupported)
        {
            p = LongVarint(p, out var value);
            return value;
        }

        p += (BitOperations.TrailingZeroCount(stops) >> 3) + 1;
        return Bmi2.X64.ParallelBitExtract(word & (stops ^ (stops - 1)), 0x7F7F7F7F7F7F7F7F);
    }

    static byte* LongVarint(byte* p, out ulong value)
    {
        value = 0;
        for (var shift = 0; shift < 70; shift += 7)
        {
            value |= (*p & 0x7Ful) << shift;
            if (*p++ < 128) return p;
        }

        Fail("a number of more than ten bytes");
        return p;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static ulong Number(ref byte* p)
    {
        p++;
        return Varint(ref p);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static ulong WideNumber(ref byte* p)
    {
        p++;
        return WideVarint(ref p);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static int ZigZag(ulong value) => (int)((uint)value >> 1) ^ -(int)(value & 1);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static bool Bool(ref byte* p)
    {
        if (p[1] > 1) Fail("a bool that is neither 0 nor 1");
        p += 2;
        return p[-1] != 0;
    }

    /// <summary>Reads a number of four or eight bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static T Fixed<T>(ref byte* p)
        where T : unmanaged
    {
        p += 1 + sizeof(T);
        return Unsafe.ReadUnaligned<T>(p - sizeof(T));
    }

    /// <summary>Returns the end of a sub-message, and goes to its first field.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static byte* Message(ref byte* p, byte* end)
    {
        // the numbers before may have passed the end, so the difference may be negative
        var count = (uint)Number(ref p);
        if (count > end - p) Fail("a length that is larger than its message");
        return p + count;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected Slice Bytes(ref byte* p, byte* end)
    {
        var inner = Message(ref p, end);
        var slice = new Slice((int)(p - origin), (int)(inner - p));
        p = inner;
        return slice;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected Slice Text(ref byte* p, byte* end)
    {
        var slice = Bytes(ref p, end);
        var at = p - slice.Length;
        if (slice.Length > 64 || Vector512.Load(at).ExtractMostSignificantBits() << (64 - slice.Length) != 0) CheckText(at, slice.Length);
        return slice;
    }

    static void CheckText(byte* at, int count)
    {
        if (!Utf8.IsValid(new(at, count))) Fail("text that is not UTF-8");
    }

    /// <summary>Reads a packed list of numbers that have <paramref name="size"/> bytes in memory and on the wire.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected Slice Packed(ref byte* p, byte* end, int size)
    {
        var slice = Bytes(ref p, end);
        if (slice.Length % size != 0) Fail("a list that ends inside of a number");
        return slice;
    }

    /// <summary>Reads a packed list of bools.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected Slice Bools(ref byte* p, byte* end)
    {
        var slice = Bytes(ref p, end);
        var at = p - slice.Length;
        for (var left = slice.Length; left > 0; left -= 64, at += 64)
        {
            var wrong = Vector512.GreaterThan(Vector512.Load(at), Vector512<byte>.One).ExtractMostSignificantBits();
            if (wrong << Math.Max(64 - left, 0) != 0) Fail("a bool that is neither 0 nor 1");
        }

        return slice;
    }

    /// <summary>Reads the numbers of a packed list. Those of one byte are read 16 at once: a list needs room for 16 more.</summary>
    /// <returns>The end of the list.</returns>
    private protected static uint* Varints(byte* p, byte* end, uint* to, bool zigZag)
    {
        while (p < end)
        {
            if (Avx512F.IsSupported)
            {
                var bytes = Vector128.Load(p);
                var numbers = Avx512F.ConvertToVector512UInt32(bytes);
                (zigZag ? (numbers >>> 1) ^ (Vector512<uint>.Zero - (numbers & Vector512<uint>.One)) : numbers).Store(to);
                var small = (int)Math.Min(BitOperations.TrailingZeroCount(bytes.ExtractMostSignificantBits() | 0x10000), end - p);
                p += small;
                to += small;
                if (small == 16 || p == end) continue;
            }

            var number = (uint)WideVarint(ref p);
            *to++ = zigZag ? (uint)ZigZag(number) : number;
        }

        if (p != end) Fail("a list that ends inside of a number");
        return to;
    }

    // ---- Reading every field

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected long Sum(Slice slice) =>
        slice.Length == 0 ? 0 : origin[slice.At] + origin[slice.At + slice.Length - 1] + slice.Length;

    private protected long Sum(ReadOnlySpan<Slice> slices)
    {
        var sum = 0L;
        foreach (var slice in slices)
            sum += Sum(slice);
        return sum;
    }

    private protected ReadOnlySpan<T> In<T>(Slice slice)
        where T : unmanaged => new(origin + slice.At, slice.Length / sizeof(T));

    private protected static long Sum(ReadOnlySpan<float> numbers)
    {
        var sum = 0L;
        foreach (var number in numbers)
            sum += (long)number;
        return sum;
    }

    // ---- Writing. A number of four or eight bytes, and a text of up to 64 bytes, is one store, which may write more than it needs to.

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static void PutVarint(ref byte* to, ulong value)
    {
        if (value < 128)
            *to++ = (byte)value;
        else
            PutWideVarint(ref to, value);
    }

    /// <summary>Writes a number whose size is hard to predict, without a branch.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static void PutWideVarint(ref byte* to, ulong value)
    {
        if (value >= 1ul << 56 || !Bmi2.X64.IsSupported)
        {
            to = PutLongVarint(to, value);
            return;
        }

        var size = VarintSize(value);
        *(ulong*)to = Bmi2.X64.ParallelBitDeposit(value, 0x7F7F7F7F7F7F7F7F)
            | Bmi2.X64.ZeroHighBits(0x8080808080808080, (ulong)(8 * (size - 1)));
        to += size;
    }

    static byte* PutLongVarint(byte* to, ulong value)
    {
        for (; value >= 128; value >>= 7)
            *to++ = (byte)(value | 0x80);
        *to++ = (byte)value;
        return to;
    }

    /// <summary>Writes a number that is not 0.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static void PutNumber(ref byte* to, byte tag, ulong value)
    {
        if (value != 0) PutPresent(ref to, tag, value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static void PutPresent(ref byte* to, byte tag, ulong value)
    {
        *to++ = tag;
        PutVarint(ref to, value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static void PutWideNumber(ref byte* to, byte tag, ulong value)
    {
        if (value != 0) PutWidePresent(ref to, tag, value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static void PutWidePresent(ref byte* to, byte tag, ulong value)
    {
        *to++ = tag;
        PutWideVarint(ref to, value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static uint ZigZagged(int value) => (uint)((value << 1) ^ (value >> 31));

    /// <summary>Writes a number of four or eight bytes that is not 0. -0 is not 0.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static void PutFixed<T>(ref byte* to, byte tag, T value)
        where T : unmanaged
    {
        if (sizeof(T) == 4 ? Unsafe.BitCast<T, uint>(value) != 0 : Unsafe.BitCast<T, ulong>(value) != 0)
            PutPresentFixed(ref to, tag, value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static void PutPresentFixed<T>(ref byte* to, byte tag, T value)
        where T : unmanaged
    {
        *to = tag;
        Unsafe.WriteUnaligned(to + 1, value);
        to += 1 + sizeof(T);
    }

    /// <summary>Writes text, bytes or a list that is not empty.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected void PutSlice(ref byte* to, byte tag, Slice slice)
    {
        if (slice.Length != 0) PutPresentSlice(ref to, tag, slice);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected void PutPresentSlice(ref byte* to, byte tag, Slice slice)
    {
        PutPresent(ref to, tag, (ulong)slice.Length);
        if (slice.Length <= 64)
            Vector512.Load(origin + slice.At).Store(to);
        else
            Buffer.MemoryCopy(origin + slice.At, to, slice.Length, slice.Length);
        to += slice.Length;
    }

    /// <summary>Writes the numbers of a packed list, up to 16 of one byte at once: reads 16 more than the list has.</summary>
    private protected static byte* PutVarints(byte* to, uint* from, int count, bool zigZag)
    {
        for (var end = from + count; from < end;)
        {
            if (Avx512F.IsSupported)
            {
                var numbers = Vector512.Load(from);
                if (zigZag) numbers = (numbers << 1) ^ (numbers.AsInt32() >> 31).AsUInt32();
                Avx512F.ConvertToVector128Byte(numbers).Store(to);
                var wide = Vector512.GreaterThan(numbers, Vector512.Create(127u)).ExtractMostSignificantBits();
                var small = (int)Math.Min(BitOperations.TrailingZeroCount(wide | 0x10000), end - from);
                from += small;
                to += small;
                if (small == 16 || from == end) continue;
            }

            PutWideVarint(ref to, zigZag ? ZigZagged((int)*from++) : *from++);
        }

        return to;
    }

    /// <summary>Begins a sub-message, with room for a length of one or two bytes behind the tag. Returns where its fields begin.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static byte* Open(ref byte* to, byte tag, int size = 1)
    {
        *to = tag;
        return to += 1 + size;
    }

    /// <summary>Ends a sub-message. If its length needs more or less room than <see cref="Open"/> has left, its fields are moved.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private protected static void Close(ref byte* to, byte* content, int size = 1)
    {
        var count = (uint)(to - content);
        if (size == 1 && count < 128)
            content[-1] = (byte)count;
        else if (size == 2 && count - 128 < (1 << 14) - 128)
            *(ushort*)(content - 2) = (ushort)((count & 0x7F) | 0x80 | (count >> 7 << 8));
        else
            to = Move(content, count, size);
    }

    static byte* Move(byte* content, uint count, int size)
    {
        var start = content - size;
        var moved = start + VarintSize(count);
        Buffer.MemoryCopy(content, moved, count, count);
        PutLongVarint(start, count);
        return moved + count;
    }

    // seven bits for each byte, by a multiplication instead of a division
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static int VarintSize(ulong value) => ((BitOperations.Log2(value | 1) * 9) + 73) >> 6;

    [DoesNotReturn]
    private protected static void Fail(string what) => throw new InvalidDataException(what);
}
