using System.Buffers;

namespace ProtoBench.Codec;

// What a reader works on.
public sealed partial class MessageMemory
{
    /// <summary>Address of the first byte of the reader's window.</summary>
    internal int Origin { get; private set; }

    /// <summary>Where the last tag was that took the slow path: its first byte, and the byte behind it.</summary>
    internal (int Start, int End) TagAt { get; set; }

    /// <summary>Makes a payload addressable where it is.</summary>
    internal WireReader Alias(ReadOnlyMemory<byte> payload)
    {
        Add(new() { Memory = payload });
        return new(this, payload.Span, 0);
    }

    /// <inheritdoc cref="Alias(ReadOnlyMemory{byte})"/>
    internal WireReader Alias(in ReadOnlySequence<byte> payload)
    {
        if (payload.IsSingleSegment) return Alias(payload.First);
        foreach (var segment in payload)
        {
            if (!segment.IsEmpty) Add(new() { Memory = segment });
        }

        if (blockCount == 0) return Alias(default(ReadOnlyMemory<byte>));
        var first = blocks[0].Memory.Span;
        return new(this, first, end - first.Length);
    }

    /// <summary>Copies a payload.</summary>
    internal WireReader Copy(ReadOnlySpan<byte> payload)
    {
        if (payload.IsEmpty) return Alias(default(ReadOnlyMemory<byte>));
        var room = Reserve(payload.Length, out _);
        payload.CopyTo(room);
        return new(this, room, 0);
    }

    /// <inheritdoc cref="Copy(ReadOnlySpan{byte})"/>
    internal WireReader Copy(in ReadOnlySequence<byte> payload)
    {
        if (payload.IsSingleSegment) return Copy(payload.FirstSpan);
        if (payload.Length > Array.MaxLength) ThrowTooLarge();
        var room = Reserve((int)payload.Length, out _);
        payload.CopyTo(room);
        return new(this, room, 0);
    }

    /// <summary>Reads a stream to its end. Room grows with what has really come, by doubling.</summary>
    internal WireReader Copy(Stream payload)
    {
        var room = arena.RentSegment(firstRead);
        var length = 0;
        while (true)
        {
            var read = payload.Read(room.AsSpan(length));
            if (read == 0) break;
            length += read;
            if (length < room.Count) continue;
            if (room.Count > Array.MaxLength / 2) ThrowTooLarge();
            if (arena.TryResize(ref room, 2 * room.Count)) continue;
            var larger = arena.RentSegment(2 * room.Count);
            room.AsSpan().CopyTo(larger);
            room = larger;
        }

        if (length == 0) return Alias(default(ReadOnlyMemory<byte>));
        arena.TryResize(ref room, length);
        Own(room[..length]);
        return new(this, room.AsSpan(0, length), 0);
    }

    /// <summary>The bytes from an address to the end of their block, which become the reader's window.</summary>
    internal ReadOnlySpan<byte> WindowAt(int address)
    {
        ref readonly var block = ref blocks[BlockOf(address)];
        Origin = address;
        return block.Memory.Span[(address - block.Address)..];
    }
}
