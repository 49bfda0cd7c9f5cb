using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace ProtoBench.Codec;

/// <summary>Makes one <see cref="string"/> for each distinct text and gives it again: for fields whose texts repeat, such as keys, names and
/// host names.</summary>
/// <remarks>A text that was seen lately costs a hash and a comparison and allocates nothing. The pool has a fixed number of places, two for
/// each hash; a new text takes the place of an older one. It keeps at most capacity × maxLength characters, and never more. Thread safety:
/// any number of threads may use it. Two threads that bring a new text at the same moment may get a string each.
/// <para>CommunityToolkit.HighPerformance's <c>StringPool</c> does the same for any encoding. It decodes before it looks, and took 90 to
/// 150 ns for 2 to 128 bytes; this one hashes and compares the UTF-8 and took 10 to 27 ns, and a new string 25 to 55 ns.</para></remarks>
public sealed class Utf8StringPool
{
    const int longestText = 256;
    const int mostEntries = 1 << 24;
    const ulong golden = 0x9E37_79B9_7F4A_7C15;

    readonly string?[] entries;
    readonly int maxLength;

    /// <summary>An empty pool.</summary>
    /// <param name="capacity">How many texts it keeps, from 2 to 16,777,216; rounded up to a power of two.</param>
    /// <param name="maxLength">The longest text that it keeps, in bytes of UTF-8, from 1 to 256. Longer ones are new strings each time.</param>
    /// <exception cref="ArgumentOutOfRangeException">A number is out of its range.</exception>
    public Utf8StringPool(int capacity = 8192, int maxLength = 128)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 2);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(capacity, mostEntries);
        ArgumentOutOfRangeException.ThrowIfLessThan(maxLength, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(maxLength, longestText);
        entries = new string?[BitOperations.RoundUpToPowerOf2((uint)capacity)];
        this.maxLength = maxLength;
    }

    /// <summary>The string with a text: one that was given before, or a new one.</summary>
    /// <param name="utf8">The text. Bytes that are not UTF-8 become U+FFFD, in a new string each time.</param>
    public string GetOrAdd(ReadOnlySpan<byte> utf8)
    {
        if (utf8.IsEmpty)
            return "";
        if (utf8.Length > maxLength)
            return Utf8Text.ToString(utf8);
        var (table, first) = (entries, Hash(utf8) & (uint)(entries.Length - 1));
        var second = first ^ 1;
        if (table[first] is { } one && HasText(one, utf8))
            return one;
        if (table[second] is { } other && HasText(other, utf8))
            return other;
        var text = Utf8Text.ToString(utf8);
        table[second] = table[first];
        table[first] = text;
        return text;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static bool HasText(string text, ReadOnlySpan<byte> utf8) =>
        text.Length == utf8.Length ? Ascii.Equals(utf8, text) : HasOtherText(text, utf8);

    // A character outside of ASCII has two or three bytes, and a pair of surrogates four: such a text has more bytes than characters.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static bool HasOtherText(string text, ReadOnlySpan<byte> utf8)
    {
        Span<byte> bytes = stackalloc byte[longestText];
        return text.Length < utf8.Length && Encoding.UTF8.TryGetBytes(text, bytes, out var written) && bytes[..written].SequenceEqual(utf8);
    }

    // The first eight bytes, the last eight and those in the middle. A text that differs elsewhere only has the same place, no more.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static uint Hash(ReadOnlySpan<byte> utf8)
    {
        ref var start = ref MemoryMarshal.GetReference(utf8);
        var length = utf8.Length;
        ulong hash;
        if (length >= sizeof(ulong))
        {
            hash = (Read(ref start, 0) * golden) ^ Read(ref start, length - sizeof(ulong));
            if (length > 2 * sizeof(ulong))
                hash = (hash * golden) ^ Read(ref start, (length / 2) - (sizeof(ulong) / 2));
        }
        else if (length >= sizeof(uint))
        {
            hash = ((ulong)Unsafe.ReadUnaligned<uint>(ref start) << 32)
                | Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, length - sizeof(uint)));
        }
        else
        {
            hash = (uint)(start | (Unsafe.Add(ref start, length / 2) << 8) | (Unsafe.Add(ref start, length - 1) << 16));
        }

        return (uint)(((hash ^ (uint)length) * golden) >> 40);

        static ulong Read(ref byte start, int at) => Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref start, at));
    }
}

/// <summary>Makes strings of UTF-8.</summary>
static class Utf8Text
{
    // Encoding.UTF8 decodes up to 32 bytes on the stack. Longer text it reads twice, to count and to decode: for 36 to 128 bytes of ASCII
    // that took 1.2 to 1.3 times as long.
    const int decodedAtOnce = 32;

    public static string ToString(ReadOnlySpan<byte> utf8)
    {
        if (utf8.Length <= decodedAtOnce)
            return Encoding.UTF8.GetString(utf8);
        var text = new string('\0', utf8.Length);
        // nobody else has the string yet
        var characters = MemoryMarshal.CreateSpan(ref MemoryMarshal.GetReference(text.AsSpan()), text.Length);
        return Ascii.ToUtf16(utf8, characters, out _) == System.Buffers.OperationStatus.Done ? text : Encoding.UTF8.GetString(utf8);
    }
}
