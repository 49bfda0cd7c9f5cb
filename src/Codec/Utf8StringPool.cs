using System.Buffers;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Text;
using System.Text.Unicode;

namespace ProtoBench.Codec;

/// <summary>Represents a pool that returns the same <see cref="string"/> for the same UTF-8 text. It is useful for fields whose texts
/// repeat, such as keys, names and host names.</summary>
/// <remarks>A text that is in the pool costs a hash and a comparison, and allocates nothing. The pool has a fixed number of entries, two
/// for each hash. A new text replaces an older one. The pool keeps at most capacity × maxLength characters. Thread safety: an instance is
/// thread-safe. If two threads add the same text at the same time, each may get its own string. <para>The <c>StringPool</c> of
/// CommunityToolkit.HighPerformance does the same for any encoding. It decodes a text before the lookup, and took 90 to 150 ns for 2 to 128
/// bytes. This class hashes and compares the UTF-8, and took 10 to 27 ns. A new string took 25 to 55 ns.</para></remarks>
public sealed class Utf8StringPool
{
    const int longestText = 256;
    const int mostEntries = 1 << 24;
    const ulong golden = 0x9E37_79B9_7F4A_7C15;

    readonly Entry?[] entries;
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
        var (table, first) = (entries, Hash(utf8, head, tail) & (uint)(entries.Length - 1));
        var second = first ^ 1;
        if (table[first] is { } one && one.Has(utf8, head, tail))
            return one.Text;
        if (table[second] is { } other && other.Has(utf8, head, tail))
            return other.Text;
        var text = Utf8Text.ToString(utf8);
        if (text.Contains('\uFFFD') && !Utf8.IsValid(utf8))
            return text;
        table[second] = table[first];
        table[first] = new(text, utf8.Length, head, tail);
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

    // The hash of a text of more than sixteen bytes also includes eight bytes in the middle. Texts that differ only elsewhere have the same
    // hash, and so share their entries.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static uint Hash(ReadOnlySpan<byte> utf8, ulong head, ulong tail)
    {
        var length = utf8.Length;
        var hash = (head * golden) ^ tail;
        if (length > 2 * sizeof(ulong))
            hash = (hash * golden) ^ Read<ulong>(ref MemoryMarshal.GetReference(utf8), (length / 2) - (sizeof(ulong) / 2));
        return (uint)(((hash ^ (uint)length) * golden) >> 40);
    }

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

    // The framework reads a longer text twice, too: for 36 to 128 bytes of ASCII it took 1.2 to 1.3 times as long.
    static string LongToString(ReadOnlySpan<byte> utf8)
    {
        ref var to = ref NewText(utf8.Length, out var text);
        var characters = MemoryMarshal.CreateSpan(ref Unsafe.As<ushort, char>(ref to), text.Length);
        return Ascii.ToUtf16(utf8, characters, out _) == OperationStatus.Done ? text : Encoding.UTF8.GetString(utf8);
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
