using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace ProtoBench.Codec.Runtime;

static class AsciiText
{
    const int block = 16;

    /// <summary>Encodes a text that is not empty, if all its characters are ASCII. If not, some bytes may be written nevertheless. There
    /// must be room for as many bytes as the text has characters.</summary>
    /// <remarks>What is checked is what is written, so a text that another thread changes becomes ASCII or is refused.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryEncode(ReadOnlySpan<char> text, ref byte to)
    {
        ref var from = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(text));
        var length = (nuint)text.Length;
        if (length > block) return TryEncodeLong(ref from, length, ref to);
        if (length >= 8)
        {
            var (first, last) = (Vector128.LoadUnsafe(ref from), Vector128.LoadUnsafe(ref from, length - 8));
            if (!IsAscii(first | last)) return false;
            var bytes = Narrow(first, last).AsUInt64();
            Unsafe.WriteUnaligned(ref to, bytes[0]);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, length - 8), bytes[1]);
            return true;
        }

        if (length >= 4)
        {
            var first = Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<ushort, byte>(ref from));
            var last = Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<ushort, byte>(ref Unsafe.Add(ref from, length - 4)));
            if (((first | last) & 0xFF80_FF80_FF80_FF80) != 0) return false;
            var bytes = Narrow(Vector128.Create(first, last).AsUInt16(), default).AsUInt32();
            Unsafe.WriteUnaligned(ref to, bytes[0]);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, length - 4), bytes[1]);
            return true;
        }

        var (one, middle, end) = (from, Unsafe.Add(ref from, length / 2), Unsafe.Add(ref from, length - 1));
        if ((one | middle | end) > 0x7F) return false;
        to = (byte)one;
        Unsafe.Add(ref to, length / 2) = (byte)middle;
        Unsafe.Add(ref to, length - 1) = (byte)end;
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static bool TryEncodeLong(ref ushort from, nuint length, ref byte to)
    {
        for (nuint at = 0; at + block < length; at += block)
        {
            if (!TryEncodeBlock(ref from, at, ref to)) return false;
        }

        return TryEncodeBlock(ref from, length - block, ref to);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static bool TryEncodeBlock(ref ushort from, nuint at, ref byte to)
    {
        var (first, second) = (Vector128.LoadUnsafe(ref from, at), Vector128.LoadUnsafe(ref from, at + 8));
        if (!IsAscii(first | second)) return false;
        Narrow(first, second).StoreUnsafe(ref to, at);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static bool IsAscii(Vector128<ushort> characters) => (characters & Vector128.Create((ushort)0xFF80)) == default;

    // The form for signed numbers is one instruction of x64. For ASCII it has the same result.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static Vector128<byte> Narrow(Vector128<ushort> first, Vector128<ushort> second) =>
        Vector128.NarrowWithSaturation(first.AsInt16(), second.AsInt16()).AsByte();
}
