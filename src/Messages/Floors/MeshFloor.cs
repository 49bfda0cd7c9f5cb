using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace ProtoBench.Floors;

/// <summary>The lower bound of <see cref="DataSets.MeshSet"/>.</summary>
public sealed unsafe class MeshFloor() : SetFloor(9 << 20)
{
    const int triangles = 125_000;

    // the bytes of a triangle with all numbers: 0 is where they are, but for the last 6 bytes
    const int whole = 70;

    static readonly Vector512<byte> tags = Vector512.Create<byte>(
    [
        10, 68, 10, 15, 13, 0, 0, 0, 0, 21, 0, 0, 0, 0, 29, 0, 0, 0, 0, 18, 15, 13, 0, 0, 0, 0, 21, 0, 0, 0, 0, 29,
        0, 0, 0, 0, 26, 15, 13, 0, 0, 0, 0, 21, 0, 0, 0, 0, 29, 0, 0, 0, 0, 34, 15, 13, 0, 0, 0, 0, 21, 0, 0, 0,
    ]);

    // where the numbers are from byte 5 on, and where bytes of the wire are in the numbers
    static readonly Vector512<byte> inWire = Places(at => (17 * (at / 12)) + (5 * (at % 12 / 4)) + (at % 4));
    static readonly Vector512<byte> inNumbers = Places(at => (12 * ((at - 2) / 17)) + (((4 * ((at - 2) % 17)) - 8) / 5));

    // 16 are read and written at once
    readonly float[] numbers = new float[(triangles * 12) + 4];

    // of each triangle, which of the four vectors it has
    readonly byte[] present = new byte[triangles];
    int count;

    public override long Touch() => Sum(numbers.AsSpan(0, count * 12));

    private protected override void Read(byte* p, byte* end)
    {
        count = 0;
        fixed (float* to = numbers)
        {
            while (p < end && *p == 10)
            {
                // the bounds of this array are checked, and are those of the other one
                ref var vectors = ref present[count];
                var at = to + (12 * count++);
                var bytes = Vector512.Load(p);
                if ((Vector512.Equals(bytes, tags) | Vector512.Equals(tags, default)) == Vector512<byte>.AllBitsSet && p[65] == 29)
                {
                    // if it is cut off, this passes the end, and is refused there
                    vectors = 15;
                    Vector512.ShuffleNative(Vector512.Load(p + 5), inWire).AsSingle().Store(at);
                    at[11] = Unsafe.ReadUnaligned<float>(p + 66);
                    p += whole;
                }
                else
                {
                    p = ReadTriangle(p, end, ref vectors, at);
                }
            }
            End(p, end);
        }
    }

    static byte* ReadTriangle(byte* p, byte* end, ref byte vectors, float* to)
    {
        end = Message(ref p, end);
        vectors = 0;
        new Span<float>(to, 12).Clear();
        if (p < end && *p == 10) p = ReadVector(p, end, to, ref vectors, 1);
        if (p < end && *p == 18) p = ReadVector(p, end, to + 3, ref vectors, 2);
        if (p < end && *p == 26) p = ReadVector(p, end, to + 6, ref vectors, 4);
        if (p < end && *p == 34) p = ReadVector(p, end, to + 9, ref vectors, 8);
        return End(p, end);
    }

    static byte* ReadVector(byte* p, byte* end, float* to, ref byte vectors, byte which)
    {
        vectors |= which;
        end = Message(ref p, end);
        if (p < end && *p == 13) to[0] = Fixed<float>(ref p);
        if (p < end && *p == 21) to[1] = Fixed<float>(ref p);
        if (p < end && *p == 29) to[2] = Fixed<float>(ref p);
        return End(p, end);
    }

    private protected override byte* Write(byte* to)
    {
        fixed (float* first = numbers)
        {
            for (var i = 0; i < count; i++)
            {
                var at = first + (12 * i);
                var bytes = Vector512.Load(at).AsUInt32();
                if (present[i] == 15 && (Vector512.Equals(bytes, default).ExtractMostSignificantBits() & 0xFFF) == 0)
                {
                    var shuffled = Vector512.ShuffleNative(bytes.AsByte(), inNumbers);
                    Vector512.ConditionalSelect(Vector512.Equals(tags, default), shuffled, tags).Store(to);
                    Unsafe.WriteUnaligned(to + 61, at[10]);
                    to[65] = 29;
                    Unsafe.WriteUnaligned(to + 66, at[11]);
                    to += whole;
                    continue;
                }

                var content = Open(ref to, 10);
                for (var vector = 0; vector < 4; vector++)
                {
                    if ((present[i] >> vector & 1) != 0) to = WriteVector(to, (byte)(10 + (8 * vector)), at + (3 * vector));
                }

                Close(ref to, content);
            }
        }

        return to;
    }

    static Vector512<byte> Places(Func<int, int> place) =>
        Vector512.Create<byte>([.. Enumerable.Range(0, 64).Select(at => (byte)place(at))]);

    static byte* WriteVector(byte* to, byte tag, float* from)
    {
        var content = Open(ref to, tag);
        PutFixed(ref to, 13, from[0]);
        PutFixed(ref to, 21, from[1]);
        PutFixed(ref to, 29, from[2]);
        Close(ref to, content);
        return to;
    }
}
