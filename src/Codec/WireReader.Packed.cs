using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace ProtoBench.Codec;

// Packed fields. The elements are read window by window. No reference to the storage or to the window is kept while the next window is
// fetched, because fetching may run the code of a caller's MemoryManager.
public ref partial struct WireReader
{
    // So many bytes of varints are counted, given room and then read: few enough to be in the cache the second time.
    const int varintBytes = 4096;

    // Where numbers can be read at any address, and are stored as they are on the wire.
    static readonly bool canAlias = BitConverter.IsLittleEndian
        && RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.X86 or Architecture.Arm64;

    /// <summary>Reads a packed field of floats, doubles or numbers of fixed width, behind the elements that the field has. If it has none,
    /// and the input is kept, the field becomes the input's bytes.</summary>
    /// <param name="storage">The storage of the elements.</param>
    /// <param name="range">The field.</param>
    /// <param name="isPacked">Whether it is written packed too.</param>
    /// <typeparam name="T">A type of four or eight bytes.</typeparam>
    /// <exception cref="WireFormatException">The elements are not there, or the last one is not whole.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReadPackedFixed<T>(Storage<T> storage, ref ElementRange range, bool isPacked)
        where T : unmanaged => ReadFixed(ReadPacked(), storage, ref range, isPacked);

    /// <summary>Reads a packed field of the type int32 or of an enum, behind the elements that the field has.</summary>
    /// <param name="storage">The storage of the elements.</param>
    /// <param name="range">The field.</param>
    /// <exception cref="WireFormatException">The elements are not there, or are no varints.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReadPackedInt32(Storage<int> storage, ref ElementRange range) =>
        ReadVarints<Int32Kind, int>(ReadPacked(), storage, ref range);

    /// <summary>Reads a packed field of the type int64.</summary>
    /// <inheritdoc cref="ReadPackedInt32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReadPackedInt64(Storage<long> storage, ref ElementRange range) =>
        ReadVarints<Int64Kind, long>(ReadPacked(), storage, ref range);

    /// <summary>Reads a packed field of the type uint32.</summary>
    /// <inheritdoc cref="ReadPackedInt32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReadPackedUInt32(Storage<uint> storage, ref ElementRange range) =>
        ReadVarints<UInt32Kind, uint>(ReadPacked(), storage, ref range);

    /// <summary>Reads a packed field of the type uint64.</summary>
    /// <inheritdoc cref="ReadPackedInt32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReadPackedUInt64(Storage<ulong> storage, ref ElementRange range) =>
        ReadVarints<UInt64Kind, ulong>(ReadPacked(), storage, ref range);

    /// <summary>Reads a packed field of the type sint32.</summary>
    /// <inheritdoc cref="ReadPackedInt32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReadPackedSInt32(Storage<int> storage, ref ElementRange range) =>
        ReadVarints<SInt32Kind, int>(ReadPacked(), storage, ref range);

    /// <summary>Reads a packed field of the type sint64.</summary>
    /// <inheritdoc cref="ReadPackedInt32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReadPackedSInt64(Storage<long> storage, ref ElementRange range) =>
        ReadVarints<SInt64Kind, long>(ReadPacked(), storage, ref range);

    /// <summary>Reads a packed field of the type bool.</summary>
    /// <inheritdoc cref="ReadPackedInt32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReadPackedBool(Storage<bool> storage, ref ElementRange range) =>
        ReadVarints<BoolKind, bool>(ReadPacked(), storage, ref range);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void ReadFixed<T>(WireReader packed, Storage<T> storage, ref ElementRange range, bool isPacked)
        where T : unmanaged
    {
        var size = Unsafe.SizeOf<T>();
        var length = packed.End - packed.position;

        // What is aliased must not be longer when it is written: the bytes of the input bound the size of the message.
        if (canAlias && isPacked && range.Count == 0 && !packed.memory.BorrowsInput && packed.Beyond == 0 && length % size == 0)
        {
            if (length > 0) range = ElementRange.Aliased(packed.memory.Origin + packed.position, length / size);
            return;
        }

        while (packed.HasMore)
        {
            var count = Math.Max(0, packed.End - packed.position) / size;
            if (count > 0)
            {
                var bytes = MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref packed.start, (uint)packed.position), count * size);
                var room = storage.RoomBehind(ref range, count);
                bytes.CopyTo(MemoryMarshal.AsBytes(room));
                if (!BitConverter.IsLittleEndian) Reverse(room);
                storage.Extend(ref range, count);
                packed.position += count * size;
            }

            // One that crosses into the next window, or is not whole.
            if (packed.HasMore) storage.Append(ref range, packed.ReadFixedElement<T>());
        }
    }

    T ReadFixedElement<T>()
        where T : unmanaged
    {
        var value = ReadFixedSlow(Unsafe.SizeOf<T>());
        if (Unsafe.SizeOf<T>() == sizeof(ulong)) return Unsafe.BitCast<ulong, T>(value);
        return Unsafe.BitCast<uint, T>((uint)value);
    }

    static void Reverse<T>(Span<T> elements)
        where T : unmanaged
    {
        foreach (ref var element in elements)
        {
            element = Unsafe.SizeOf<T>() == sizeof(ulong)
                ? Unsafe.BitCast<ulong, T>(Little(Unsafe.BitCast<T, ulong>(element)))
                : Unsafe.BitCast<uint, T>(Little(Unsafe.BitCast<T, uint>(element)));
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void ReadVarints<TKind, T>(WireReader packed, Storage<T> storage, ref ElementRange range)
        where TKind : IPackedKind<T>
        where T : unmanaged
    {
        while (packed.HasMore)
        {
            if (packed.position < packed.End)
            {
                var bytes = MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref packed.start, (uint)packed.position),
                    Math.Min(packed.End - packed.position, varintBytes));
                var count = PackedVarints.Count(bytes);
                if (count > 0)
                {
                    var read = PackedVarints.Read<TKind, T>(bytes, storage.RoomBehind(ref range, count), out count);
                    storage.Extend(ref range, count);
                    packed.position += read;
                    if (read > 0) continue;
                }
            }

            // One that crosses into the next window, or is none.
            storage.Append(ref range, TKind.FromWire(packed.ReadVarintSlow()));
        }
    }
}
