using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace ProtoBench.Codec;

// Packed fields: tag, length and all elements in one step.
public ref partial struct WireWriter
{
    // Varints whose length together has one byte. Behind them the longest move needs 16 bytes.
    const int fewElements = 12;
    const int fewElementsRoom = 5 + 1 + (fewElements * 10) + 16;

    /// <summary>Writes a packed field of floats, doubles or numbers of fixed width.</summary>
    /// <typeparam name="T">A type of four or eight bytes.</typeparam>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePackedFixed<T>([ConstantExpected] uint tag, ReadOnlySpan<T> values)
        where T : unmanaged
    {
        start = ref WriteFixedSlow(ref start, position, safe, ref output, tag, MemoryMarshal.AsBytes(values), Unsafe.SizeOf<T>());
        GoOn();
    }

    /// <summary>Writes a packed field of the type int32 or of an enum.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePackedInt32([ConstantExpected] uint tag, ReadOnlySpan<int> values)
    {
        start = ref WriteVarintsSlow<Int32Kind, int>(ref start, position, safe, ref output, tag, values);
        GoOn();
    }

    /// <summary>Writes a packed field of the type int64.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePackedInt64([ConstantExpected] uint tag, ReadOnlySpan<long> values)
    {
        start = ref WriteVarintsSlow<Int64Kind, long>(ref start, position, safe, ref output, tag, values);
        GoOn();
    }

    /// <summary>Writes a packed field of the type uint32.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePackedUInt32([ConstantExpected] uint tag, ReadOnlySpan<uint> values)
    {
        start = ref WriteVarintsSlow<UInt32Kind, uint>(ref start, position, safe, ref output, tag, values);
        GoOn();
    }

    /// <summary>Writes a packed field of the type uint64.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePackedUInt64([ConstantExpected] uint tag, ReadOnlySpan<ulong> values)
    {
        start = ref WriteVarintsSlow<UInt64Kind, ulong>(ref start, position, safe, ref output, tag, values);
        GoOn();
    }

    /// <summary>Writes a packed field of the type sint32.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePackedSInt32([ConstantExpected] uint tag, ReadOnlySpan<int> values)
    {
        start = ref WriteVarintsSlow<SInt32Kind, int>(ref start, position, safe, ref output, tag, values);
        GoOn();
    }

    /// <summary>Writes a packed field of the type sint64.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePackedSInt64([ConstantExpected] uint tag, ReadOnlySpan<long> values)
    {
        start = ref WriteVarintsSlow<SInt64Kind, long>(ref start, position, safe, ref output, tag, values);
        GoOn();
    }

    /// <summary>Writes a packed field of the type bool.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WritePackedBool([ConstantExpected] uint tag, ReadOnlySpan<bool> values)
    {
        start = ref WriteVarintsSlow<BoolKind, bool>(ref start, position, safe, ref output, tag, values);
        GoOn();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte WriteFixedSlow(ref byte start, int position, int safe, ref WireOutput output, uint tag, ReadOnlySpan<byte> elements,
        int size)
    {
        var writer = new WireWriter(ref start, position, safe, ref output);
        writer.Write(tag, (uint)elements.Length);
        if (BitConverter.IsLittleEndian)
        {
            writer.Write(elements);
        }
        else
        {
            for (; !elements.IsEmpty; elements = elements[size..])
            {
                writer.WriteFixed(0, size == sizeof(ulong) ? MemoryMarshal.Read<ulong>(elements) : MemoryMarshal.Read<uint>(elements),
                    size);
            }
        }

        return ref writer.Leave();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ref byte WriteVarintsSlow<TKind, T>(ref byte start, int position, int safe, ref WireOutput output, uint tag,
        ReadOnlySpan<T> values)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        var writer = new WireWriter(ref start, position, safe, ref output);
        if (values.Length <= fewElements && writer.Room >= fewElementsRoom)
        {
            // Their length has one byte, which is known when they are written.
            writer.position = PutVarint(ref writer.start, writer.position, tag);
            var behind = MemoryMarshal.CreateSpan(ref Unsafe.Add(ref writer.start, (uint)writer.position + 1), writer.Room - 1);
            var size = PackedVarints.Write<TKind, T>(values, behind, out _);
            Unsafe.Add(ref writer.start, (uint)writer.position) = (byte)size;
            writer.position += 1 + size;
            return ref writer.Leave();
        }

        writer.Write(tag, (ulong)PackedVarints.Size<TKind, T>(values));
        while (true)
        {
            var room = MemoryMarshal.CreateSpan(ref Unsafe.Add(ref writer.start, (uint)writer.position), writer.Room);
            writer.position += PackedVarints.Write<TKind, T>(values, room, out var count);
            values = values[count..];
            if (values.IsEmpty) return ref writer.Leave();

            // One at the end of the window, or behind it.
            writer.Write(0, TKind.ToWire(values[0]));
            values = values[1..];
        }
    }
}
