using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Text;
using System.Text.Unicode;

namespace ProtoBench.Codec;

/// <summary>Represents a pool that returns the same <see cref="string"/> for the same UTF-8 text. It is useful for fields whose texts
/// repeat, such as keys, names and host names.</summary>
/// <remarks>A text that is in the pool costs a hash and a comparison, and allocates nothing. The pool has a fixed number of entries. There
/// are four places for a text; if others have them all, it replaces one. A pool that is not more than half full keeps nearly all of its
/// texts. The pool keeps at most capacity × maxLength characters. Thread safety: an instance is thread-safe. If two threads add the same
/// text at the same time, each may get its own string. <para>The <c>StringPool</c> of CommunityToolkit.HighPerformance does the same for
/// any encoding, but decodes a text before the lookup. For 8 to 128 bytes it took 42 to 52 ns, this class 4 to 16 ns, and a new string 11
/// to 38 ns.</para></remarks>
public sealed class Utf8StringPool
{
    const int longestText = 256;
    const int mostEntries = 1 << 24;

    readonly Entry?[] entries;
    readonly int bits; // of an index into the entries
    readonly int maxLength;

    /// <summary>Initializes an empty pool.</summary>
    /// <param name="capacity">The number of texts that the pool keeps, from 2 to 16,777,216; rounded up to a power of two.</param>
    /// <param name="maxLength">The maximum length of a text that the pool keeps, in bytes of UTF-8, from 1 to 256. A longer text is a new
    /// string each time.</param>
    /// <exception cref="ArgumentOutOfRangeException">An argument is out of its range.</exception>
    public Utf8StringPool(int capacity = 8192, int maxLength = 128)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 2);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(capacity, mostEntries);
        ArgumentOutOfRangeException.ThrowIfLessThan(maxLength, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(maxLength, longestText);
        entries = new Entry?[BitOperations.RoundUpToPowerOf2((uint)capacity)];
        bits = BitOperations.Log2((uint)entries.Length);
        this.maxLength = maxLength;
    }

    /// <summary>Gets the string with a text: the one in the pool, or a new one.</summary>
    /// <param name="utf8">The text. Bytes that are not UTF-8 become U+FFFD, in a new string each time.</param>
    public string GetOrAdd(ReadOnlySpan<byte> utf8)
    {
        if (utf8.IsEmpty)
            return "";
        if (utf8.Length > maxLength)
            return Utf8Text.ToString(utf8);
        var (head, tail) = Ends(utf8);
        var hash = Hash(utf8, head, tail);
        var (table, first) = (entries, (uint)(hash >> (64 - bits)));
        if (table[first] is { } one && one.Has(utf8, head, tail))
            return one.Text;
        if (table[first ^ 1] is { } two && two.Has(utf8, head, tail))
            return two.Text;
        return GetOrAdd(utf8, head, tail, first, (uint)hash & (uint)(table.Length - 1));
    }

    // The second pair of entries, by other bits of the hash. Three texts of one pair would replace each other in turn. With one pair only,
    // a pool of 8,192 entries missed a third of 3,500 texts in each pass; with two pairs it misses 16.
    string GetOrAdd(ReadOnlySpan<byte> utf8, ulong head, ulong tail, uint first, uint third)
    {
        var table = entries;
        if (table[third] is { } three && three.Has(utf8, head, tail))
            return three.Text;
        if (table[third ^ 1] is { } four && four.Has(utf8, head, tail))
            return four.Text;
        return Add(utf8, first, third);
    }

    // In a separate method: with the copy's room on the stack, a look-up of the second pair of entries took 3 % longer.
    [MethodImpl(MethodImplOptions.NoInlining)]
    string Add(ReadOnlySpan<byte> utf8, uint first, uint third)
    {
        // The text may change during the call: another thread releases the message that has it, and fills its memory anew. The entry is of
        // one copy, so that no later caller gets a string that differs from the text that was looked up.
        Span<byte> copy = stackalloc byte[longestText];
        copy = copy[..utf8.Length];
        utf8.CopyTo(copy);
        var text = Utf8Text.ToString(copy);
        if (text.Contains('\uFFFD') && !Utf8.IsValid(copy))
            return text;
        var (head, tail) = Ends(copy);
        var entry = new Entry(text, copy.Length, head, tail);
        var table = entries;
        if (table[first] is null)
            table[first] = entry;
        else if (table[first ^ 1] is null)
            table[first ^ 1] = entry;
        else if (table[third] is null)
            table[third] = entry;
        else if (table[third ^ 1] is null)
            table[third ^ 1] = entry;
        else
            (table[first], table[first ^ 1]) = (entry, table[first]);
        return text;
    }

    // The first eight and the last eight bytes of a text, which overlap if it has less than sixteen bytes. A text of less than eight bytes
    // has fewer. Together with the length they determine a text of up to sixteen bytes.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static (ulong Head, ulong Tail) Ends(ReadOnlySpan<byte> utf8)
    {
        ref var start = ref MemoryMarshal.GetReference(utf8);
        var length = utf8.Length;
        if (length >= sizeof(ulong))
            return (Read<ulong>(ref start, 0), Read<ulong>(ref start, length - sizeof(ulong)));
        if (length >= sizeof(uint))
            return (Read<uint>(ref start, 0), Read<uint>(ref start, length - sizeof(uint)));
        return ((uint)(start | (Unsafe.Add(ref start, length / 2) << 8) | (Unsafe.Add(ref start, length - 1) << 16)), 0);
    }

    // Every byte of the text is in the hash, because names often differ at one place only. Together, the halves of a product depend on all
    // bits of its factors, so either end of the hash can be an index. The constants are fractions of the golden ratio and of the root of 2.
    // They keep small factors from having small products. This is the method of wyhash (https://github.com/wangyi-fudan/wyhash).
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ulong Hash(ReadOnlySpan<byte> utf8, ulong head, ulong tail)
    {
        const ulong golden = 0x9E37_79B9_7F4A_7C15;
        const ulong root = 0x6A09_E667_F3BC_C909;
        var hash = Product(head ^ golden, tail ^ root ^ (uint)utf8.Length);
        var end = utf8.Length - sizeof(ulong);
        ref var start = ref MemoryMarshal.GetReference(utf8);
        for (var i = sizeof(ulong); i < end; i += 2 * sizeof(ulong))
        {
            var next = Math.Min(i + sizeof(ulong), end);
            hash = Product(Read<ulong>(ref start, i) ^ golden, Read<ulong>(ref start, next) ^ hash);
        }

        return hash;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ulong Product(ulong one, ulong other) => Math.BigMul(one, other, out var low) ^ low;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static T Read<T>(ref byte start, int at)
        where T : unmanaged => Unsafe.ReadUnaligned<T>(ref Unsafe.Add(ref start, at));

    /// <summary>Represents a string with the first and the last bytes of its UTF-8. These are all bytes of a short text, which is thus
    /// found by comparing numbers, without reading the string.</summary>
    sealed class Entry(string text, int length, ulong head, ulong tail)
    {
        public string Text => text;

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public bool Has(ReadOnlySpan<byte> utf8, ulong otherHead, ulong otherTail) =>
            head == otherHead && tail == otherTail && length == utf8.Length && (length <= 2 * sizeof(ulong) || HasAll(utf8));

        bool HasAll(ReadOnlySpan<byte> utf8) => text.Length == utf8.Length ? Ascii.Equals(utf8, text) : HasOther(utf8);

        // A character outside of ASCII has two or three bytes, and a pair of surrogates four: such a text has more bytes than characters.
        [MethodImpl(MethodImplOptions.NoInlining)]
        bool HasOther(ReadOnlySpan<byte> utf8)
        {
            Span<byte> bytes = stackalloc byte[longestText];
            return Encoding.UTF8.TryGetBytes(text, bytes, out var written) && bytes[..written].SequenceEqual(utf8);
        }
    }
}

/// <summary>Creates strings from UTF-8.</summary>
static class Utf8Text
{
    const ulong notAscii = 0x8080_8080_8080_8080;

    public static string ToString(ReadOnlySpan<byte> utf8)
    {
        var length = utf8.Length;
        if (length > 2 * Vector128<byte>.Count)
            return LongToString(utf8);
        if (length == 0)
            return "";

        // The framework reads a short text twice, to count its characters and to decode it, in three calls that take 15 ns. Here the two
        // halves of the text are loaded and stored; they may overlap.
        ref var from = ref MemoryMarshal.GetReference(utf8);
        if (length >= Vector128<byte>.Count)
        {
            var last = (nuint)(length - Vector128<byte>.Count);
            var (low, high) = (Vector128.LoadUnsafe(ref from), Vector128.LoadUnsafe(ref from, last));
            if ((low | high).ExtractMostSignificantBits() != 0)
                return Encoding.UTF8.GetString(utf8);
            ref var to = ref NewText(length, out var text);
            Vector128.WidenLower(low).StoreUnsafe(ref to);
            Vector128.WidenUpper(low).StoreUnsafe(ref to, sizeof(ulong));
            Vector128.WidenLower(high).StoreUnsafe(ref to, last);
            Vector128.WidenUpper(high).StoreUnsafe(ref to, last + sizeof(ulong));
            return text;
        }

        if (length >= sizeof(ulong))
        {
            var last = length - sizeof(ulong);
            var (low, high) = (Unsafe.ReadUnaligned<ulong>(ref from), Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref from, last)));
            if (((low | high) & notAscii) != 0)
                return Encoding.UTF8.GetString(utf8);
            ref var to = ref NewText(length, out var text);
            Vector128.WidenLower(Vector128.CreateScalarUnsafe(low).AsByte()).StoreUnsafe(ref to);
            Vector128.WidenLower(Vector128.CreateScalarUnsafe(high).AsByte()).StoreUnsafe(ref to, (nuint)last);
            return text;
        }

        if (length >= sizeof(uint))
        {
            var last = length - sizeof(uint);
            var (low, high) = (Unsafe.ReadUnaligned<uint>(ref from), Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref from, last)));
            if (((low | high) & (notAscii >> 32)) != 0)
                return Encoding.UTF8.GetString(utf8);
            ref var to = ref Unsafe.As<ushort, byte>(ref NewText(length, out var text));
            Unsafe.WriteUnaligned(ref to, Vector128.WidenLower(Vector128.CreateScalarUnsafe(low).AsByte()).AsUInt64().ToScalar());
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, last * sizeof(char)),
                Vector128.WidenLower(Vector128.CreateScalarUnsafe(high).AsByte()).AsUInt64().ToScalar());
            return text;
        }

        var (first, middle, end) = (from, Unsafe.Add(ref from, length / 2), Unsafe.Add(ref from, length - 1));
        if ((first | middle | end) >= 0x80)
            return Encoding.UTF8.GetString(utf8);
        ref var few = ref NewText(length, out var fewCharacters);
        few = first;
        Unsafe.Add(ref few, length / 2) = middle;
        Unsafe.Add(ref few, length - 1) = end;
        return fewCharacters;
    }

    // The framework is as fast for longer texts. For 36 to 128 bytes of ASCII it takes 1.2 times as long.
    const int longText = 256;

    // The text is checked before the string is created, so a text that is not ASCII creates one string and not two: reading Order with its
    // strings takes 0.91 of the time.
    static string LongToString(ReadOnlySpan<byte> utf8)
    {
        if (utf8.Length > longText)
            return Encoding.UTF8.GetString(utf8);
        ref var from = ref MemoryMarshal.GetReference(utf8);
        var last = (nuint)(utf8.Length - Vector256<byte>.Count);
        var end = Vector256.LoadUnsafe(ref from, last);
        var all = end;
        for (nuint at = 0; at < last; at += (nuint)Vector256<byte>.Count)
            all |= Vector256.LoadUnsafe(ref from, at);
        if (all.ExtractMostSignificantBits() != 0)
            return Encoding.UTF8.GetString(utf8);
        ref var to = ref NewText(utf8.Length, out var text);
        for (nuint at = 0; at < last; at += (nuint)Vector256<byte>.Count)
            Widen(Vector256.LoadUnsafe(ref from, at), ref to, at);
        Widen(end, ref to, last);
        return text;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void Widen(Vector256<byte> bytes, ref ushort to, nuint at)
    {
        Vector256.WidenLower(bytes).StoreUnsafe(ref to, at);
        Vector256.WidenUpper(bytes).StoreUnsafe(ref to, at + (nuint)Vector256<ushort>.Count);
    }

    /// <summary>Creates a string of zeros, and returns a reference to its characters. They may be written, because no other code has the
    /// string yet.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ref ushort NewText(int length, out string text)
    {
        text = new('\0', length);
        return ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(text.AsSpan()));
    }
}
