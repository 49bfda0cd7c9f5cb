using BenchmarkDotNet.Attributes;
using ProtoBench.Buffers;

namespace ProtoBench.Benchmarks;

// The lower bound in the hive's table: a copy of the payload, and one pass over its tags and lengths.

public partial class SerializeBenchmarks
{
    [Benchmark] public long SerializeRequestFloor_Copy() => Floor.Copy(Wire.Request.BA);

    [Benchmark] public long SerializeResponseFloor_Copy() => Floor.Copy(Wire.Response.BA);

    [Benchmark] public long SerializeMixedFloor_Copy() => Floor.Copy(Wire.Mixed.BA);
}

public partial class DeserializeBenchmarks
{
    [Benchmark] public long DeserializeRequestFloor_Copy() => Floor.Copy(Wire.Request.BA);
    [Benchmark] public long DeserializeRequestFloor_Walk() => Floor.WalkRequest(Wire.Request.BA);

    [Benchmark] public long DeserializeResponseFloor_Copy() => Floor.Copy(Wire.Response.BA);
    [Benchmark] public long DeserializeResponseFloor_Walk() => Floor.WalkResponse(Wire.Response.BA);

    [Benchmark] public long DeserializeMixedFloor_Copy() => Floor.Copy(Wire.Mixed.BA);
}

/// <summary>Practical lower bounds: the work that every codec has to do on this payload, and nothing else.</summary>
/// <remarks>
/// A walker of its own, because a bound must not pay for what a decoder needs: the order of the fields is hard-coded, and nothing is
/// checked beside the tags. HiveWalk, which the memory strategies share, takes fields in any order. WireReader is the slab codec's, which
/// is measured against both.
/// </remarks>
static class Floor
{
    // Pinned and old, as a decoder's slab is: copying into memory fresh
    // from the collector would cost page faults that a slab does not have.
    static readonly byte[] slab = GC.AllocateUninitializedArray<byte>(1 << 20, pinned: true);

    /// <summary>The slab's first bytes, which hold what the last copy left.</summary>
    public static ReadOnlySpan<byte> Slab => slab;

    /// <summary>Copies the payload, as any decoder does that does not alias its input.</summary>
    /// <returns>The bytes copied.</returns>
    public static long Copy(ReadOnlySpan<byte> payload)
    {
        payload.CopyTo(slab);
        return payload.Length;
    }

    /// <summary>
    /// One pass over the request's tags and lengths with the field order hard-coded:
    /// traceId, then items of (itemId, itemContext), then requestContextInfo.
    /// </summary>
    /// <returns>The sum of the leaves' lengths.</returns>
    /// <exception cref="InvalidDataException">The payload has another order: this is no decoder.</exception>
    public static long WalkRequest(ReadOnlySpan<byte> payload)
    {
        var at = 0;
        long sum = Leaf(payload, ref at, 0x0A);
        while (payload[at] == 0x12)
        {
            at++;
            var end = Length(payload, ref at) + at;
            sum += Leaf(payload, ref at, 0x0A) + Leaf(payload, ref at, 0x12);
            if (at != end)
                throw new InvalidDataException($"an item ends at {at}, not at {end}");
        }

        return sum + Leaf(payload, ref at, 0x1A);
    }

    /// <summary>One pass over the response: items of (result, extraResult), then the two numbers of the root.</summary>
    /// <inheritdoc cref="WalkRequest" path="/returns"/>
    /// <inheritdoc cref="WalkRequest" path="/exception"/>
    public static long WalkResponse(ReadOnlySpan<byte> payload)
    {
        var at = 0;
        long sum = 0;
        while (payload[at] == 0x0A)
        {
            at++;
            var end = Length(payload, ref at) + at;
            Expect(payload, at, 0x0D);
            at += 1 + sizeof(float);
            sum += Leaf(payload, ref at, 0x12);
            if (at != end)
                throw new InvalidDataException($"an item ends at {at}, not at {end}");
        }

        Expect(payload, at, 0x10);
        return sum;
    }

    static int Leaf(ReadOnlySpan<byte> payload, ref int at, byte tag)
    {
        Expect(payload, at++, tag);
        var length = Length(payload, ref at);
        at += length;
        return length;
    }

    static int Length(ReadOnlySpan<byte> payload, ref int at)
    {
        int b = payload[at++];
        var length = b & 0x7F;
        for (var shift = 7; b >= 0x80; shift += 7)
        {
            b = payload[at++];
            length |= (b & 0x7F) << shift;
        }

        return length;
    }

    static void Expect(ReadOnlySpan<byte> payload, int at, byte tag)
    {
        if (payload[at] != tag)
            throw new InvalidDataException($"expected tag 0x{tag:X2} at {at}, found 0x{payload[at]:X2}");
    }
}
