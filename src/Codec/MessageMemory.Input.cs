using System.Buffers;
using System.Runtime.InteropServices;

namespace ProtoBench.Codec;

// What a reader works on.
public sealed partial class MessageMemory
{
    /// <summary>Address of the first byte of the reader's window.</summary>
    internal int Origin;

    /// <summary>Where the last tag was that took the slow path: its first byte, and the byte behind it.</summary>
    internal (int Start, int End) TagAt;

    /// <summary>Whether the reader reads the caller's input, which is gone after the parse. Unknown fields are copied from it.</summary>
    internal bool BorrowsInput;

    /// <summary>Reads a payload in place, for a message without strings and bytes. Only unknown fields are copied.</summary>
    internal WireReader Borrow(ReadOnlySpan<byte> payload)
    {
        BorrowsInput = true;
        LimitElements(payload.Length);
        return new(this, payload, 0);
    }

    /// <summary>Ends the reading of input.</summary>
    internal void EndReading()
    {
        BorrowsInput = false;
        elementLimit = long.MaxValue;
    }

    /// <summary>Makes a payload addressable where it is.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="window">Its bytes.</param>
    internal WireReader Alias(ReadOnlyMemory<byte> payload, ReadOnlySpan<byte> window)
    {
        DropBlocks();
        Add(new() { Memory = payload });
        LimitElements(payload.Length);
        return new(this, window, 0);
    }

    /// <inheritdoc cref="Alias(ReadOnlyMemory{byte}, ReadOnlySpan{byte})"/>
    internal WireReader Alias(in ReadOnlySequence<byte> payload)
    {
        DropBlocks();
        foreach (var segment in payload)
        {
            if (!segment.IsEmpty) Add(new() { Memory = segment });
        }

        if (blockCount == 0) return Alias(default, default);
        var window = BytesOf(blocks[0].Memory);
        LimitElements(end);
        return new(this, window, end - window.Length);
    }

    /// <summary>Copies a payload.</summary>
    internal WireReader Copy(ReadOnlySpan<byte> payload)
    {
        if (payload.IsEmpty) return new(this, payload, 0);
        var room = Reserve(payload.Length, out _);
        payload.CopyTo(room);
        LimitElements(payload.Length);
        return new(this, room, 0);
    }

    /// <inheritdoc cref="Copy(ReadOnlySpan{byte})"/>
    internal WireReader Copy(in ReadOnlySequence<byte> payload)
    {
        if (payload.IsSingleSegment) return Copy(payload.FirstSpan);
        var room = Join(payload);
        LimitElements(room.Length);
        return new(this, room, 0);
    }

    /// <summary>Reads a stream to its end. Room grows with what has really come, by doubling.</summary>
    /// <remarks>The room is cleared before the stream sees it: a stream is
    /// anybody's code, and the slab may hold what other messages left. For the same reason the message is compared after each read: what
    /// is read must not end up in the message of the next renter.</remarks>
    /// <exception cref="ObjectDisposedException">The stream released, cleared or parsed the message.</exception>
    /// <exception cref="InvalidOperationException">The stream stored something in the message, which is empty then.</exception>
    internal WireReader Copy(Stream payload)
    {
        DropBlocks();
        var room = Rent(firstRead);
        room.AsSpan().Clear();
        var stamp = Root.Stamp;
        var length = 0;
        while (true)
        {
            var read = payload.Read(room.AsSpan(length));
            Root.ThrowIfEmptied(stamp);
            if (blockCount > 0)
            {
                Reset();
                throw new InvalidOperationException("The message was changed while a stream was read into it.");
            }

            if (read == 0) break;
            if ((uint)read > (uint)(room.Count - length))
                throw new IOException($"The stream says that it read {read} bytes where there was room for {room.Count - length}.");
            length += read;
            if (length == room.Count) room = Double(room);
        }

        if (length == 0) return Alias(default, default);
        if (!arena.TryResize(ref room, length + slack))
        {
            if (length > room.Count - slack) room = Move(room, length + (long)slack);
        }

        Keep(room, length);
        LimitElements(length);
        return new(this, room.AsSpan(0, length), 0);
    }

    ArraySegment<byte> Double(ArraySegment<byte> room)
    {
        if (room.Count == Array.MaxLength) ThrowTooLarge();
        var length = (int)Math.Min(2L * room.Count, Array.MaxLength);
        var old = room.Count;
        if (arena.TryResize(ref room, length)) room.AsSpan(old).Clear();
        else room = Move(room, length);
        return room;
    }

    ArraySegment<byte> Move(ArraySegment<byte> room, long length)
    {
        if (length > Array.MaxLength) ThrowTooLarge();
        var larger = Rent((int)length);
        room.AsSpan().CopyTo(larger);
        larger.AsSpan(room.Count).Clear();
        return larger;
    }

    /// <summary>Makes room that was filled by a stream the first block.</summary>
    void Keep(ArraySegment<byte> room, int length)
    {
        room.AsSpan(length, slack).Clear();
        keepsBlock = false;
        Add(new() { Memory = room, Owned = room.Array, OwnedStart = room.Offset });
        (first.Length, first.InlineCount) = (length, length + 1);
        SetRest(room[length..], length);
    }

    /// <summary>The bytes from an address to the end of their block, which become the reader's window.</summary>
    internal ReadOnlySpan<byte> WindowAt(int address)
    {
        var block = blocks[BlockOf(blocks, address)];
        var window = BytesOf(block.Memory)[(address - block.Address)..];
        Origin = address;
        return window;
    }

    /// <summary>Whether taking the span of a memory runs a caller's code, which is so for a <see cref="MemoryManager{T}"/>.</summary>
    static bool HasCode(ReadOnlyMemory<byte> memory) => MemoryMarshal.TryGetMemoryManager<byte, MemoryManager<byte>>(memory, out _);

    /// <summary>The bytes of a block, for a reader of this message.</summary>
    /// <remarks>The memory of aliased input may be anybody's code. If it releases, clears or parses the message, it ends this parse: what
    /// is read from here on would end up in the message of the next renter. If it merges something, the reader goes on where it was.
    /// </remarks>
    /// <exception cref="ObjectDisposedException">The memory's code released, cleared or parsed the message.</exception>
    ReadOnlySpan<byte> BytesOf(ReadOnlyMemory<byte> memory)
    {
        if (!hasCode) return memory.Span;
        var (stamp, origin, tagAt) = (Root.Stamp, Origin, TagAt);
        var bytes = memory.Span;
        Root.ThrowIfEmptied(stamp);
        (Origin, TagAt) = (origin, tagAt);
        return bytes;
    }

    /// <summary>The bytes of a range, for a reader of this message.</summary>
    /// <inheritdoc cref="BytesOf" path="/exception"/>
    internal ReadOnlySpan<byte> TextAt(ByteRange range)
    {
        var (origin, tagAt) = (Origin, TagAt);
        var text = Span(range);
        (Origin, TagAt) = (origin, tagAt);
        return text;
    }
}
