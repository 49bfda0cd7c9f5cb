using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace ProtoBench.Floors;

/// <summary>The lower bound of <see cref="DataSets.MeshSet"/>.</summary>
public sealed unsafe class MeshFloor() : SetFloor(9 << 20)
{
    const int triangles = 125_000;

    readonly float[] numbers = new float[triangles * 12];

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
                p = ReadTriangle(p, end, ref vectors, to + (12 * count++));
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

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static byte* ReadVector(byte* p, byte* end, float* to, ref byte vectors, byte which)
    {
        vectors |= which;

        // the length and the tags of a vector with all fields are compared at once
        var bytes = Vector128.Load(p + 1);
        var isWhole = (bytes & Vector128.Create(255, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0).AsByte())
            == Vector128.Create(15, 13, 0, 0, 0, 0, 21, 0, 0, 0, 0, 29, 0, 0, 0, 0).AsByte();
        if (!isWhole || end - p < 17) return ReadAnyVector(p, end, to);
        var floats = Vector128.Shuffle(bytes, Vector128.Create((byte)2, 3, 4, 5, 7, 8, 9, 10, 12, 13, 14, 15, 0, 0, 0, 0));
        Unsafe.WriteUnaligned(to, floats.AsUInt64().ToScalar());
        to[2] = floats.AsSingle()[2];
        return p + 17;
    }

    static byte* ReadAnyVector(byte* p, byte* end, float* to)
    {
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
                var content = Open(ref to, 10);
                for (var vector = 0; vector < 4; vector++)
                {
                    if ((present[i] >> vector & 1) != 0) to = WriteVector(to, (byte)(10 + (8 * vector)), first + (12 * i) + (3 * vector));
                }

                Close(ref to, content);
            }
        }

        return to;
    }

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
