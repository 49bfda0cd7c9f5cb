using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace ProtoBench.Codec.Generated;

// What is put into a message: input for a reader, more input or another message for a merge, and the entries of maps.
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

    /// <summary>Reads a stream to its end, or so many bytes of it. Room grows with what has really come, by doubling.</summary>
    /// <remarks>The room is cleared before the stream sees it: a stream is
    /// anybody's code, and the slab may hold what other messages left. For the same reason the message is compared after each read: what
    /// is read must not end up in the message of the next renter.</remarks>
    /// <exception cref="ObjectDisposedException">The stream released, cleared or parsed the message.</exception>
    /// <exception cref="InvalidOperationException">The stream stored something in the message, which is empty then.</exception>
    /// <exception cref="WireFormatException">The stream ends earlier.</exception>
    internal WireReader Copy(Stream payload, int expected = -1)
    {
        DropBlocks();
        var room = Rent(firstRead);
        room.AsSpan().Clear();
        var stamp = Root.Stamp;
        var length = 0;
        while (length != expected)
        {
            var wanted = room.AsSpan(length, (expected < 0 ? room.Count : Math.Min(room.Count, expected)) - length);
            var read = payload.Read(wanted);
            Root.ThrowIfEmptied(stamp);
            if (blockCount > 0)
            {
                Reset();
                throw new InvalidOperationException("The message was changed while a stream was read into it.");
            }

            if (read == 0 && expected >= 0) throw new WireFormatException(WireError.Truncated, length);
            if (read == 0) break;
            if ((uint)read > (uint)wanted.Length) throw ReadTooMuch(read, wanted.Length);
            length += read;
            if (length == room.Count && length != expected) room = Double(room);
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

    internal static IOException ReadTooMuch(int read, int room) =>
        new($"The stream says that it read {read} bytes where there was room for {room}.");

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

    // Content that comes while there is some already: more input, or another message.

    const int fewBytes = 256;

    /// <summary>Copies more input behind what the message has.</summary>
    /// <param name="input">The input.</param>
    /// <param name="origin">Its address, which the reader's errors count from.</param>
    internal WireReader CopyMore(ReadOnlySpan<byte> input, out int origin)
    {
        var room = Reserve(input.Length, out var range);
        input.CopyTo(room);
        LimitElements(input.Length);
        origin = range.Address;
        return ReaderOf(room, range);
    }

    /// <inheritdoc cref="CopyMore(ReadOnlySpan{byte}, out int)"/>
    internal WireReader CopyMore(in ReadOnlySequence<byte> input, out int origin)
    {
        var room = Join(input, out var range);
        LimitElements(room.Length);
        origin = range.Address;
        return ReaderOf(room, range);
    }

    /// <summary>For message types without strings and bytes: reads more input where it is, until <see cref="EndMerge"/>. Unknown fields
    /// are copied, nothing else is. It may be memory of this message.</summary>
    public WireReader BorrowMore(ReadOnlySpan<byte> input)
    {
        (Origin, TagAt) = (0, default);
        return Borrow(input);
    }

    /// <summary>For message types: copies more input behind what the message has. It may be memory of this message.</summary>
    /// <exception cref="InsufficientMemoryException">The message has more than 2 GiB.</exception>
    /// <exception cref="Allocators.SlabPoolExhaustedException">The pool is at its limit.</exception>
    public WireReader CopyOf(ReadOnlySpan<byte> input) => CopyMore(input, out _);

    /// <summary>For message types: copies input in segments into one piece of this message's memory.</summary>
    /// <inheritdoc cref="CopyOf(ReadOnlySpan{byte})" path="/exception"/>
    public ReadOnlySpan<byte> Join(in ReadOnlySequence<byte> input) => Join(input, out _);

    Span<byte> Join(in ReadOnlySequence<byte> input, out ByteRange range)
    {
        var length = LengthOf(input);
        if (length > Array.MaxLength - slack) ThrowTooLarge();
        var stamp = Root.Stamp;
        var room = Reserve((int)length, out range);
        var rest = room;
        var hasCode = false;
        foreach (var segment in input)
        {
            // The room may hold what other messages left, and the memory's code may look for it.
            if (!hasCode && HasCode(segment))
            {
                hasCode = true;
                rest.Clear();
            }

            var bytes = segment.Span;
            Root.ThrowIfEmptied(stamp);
            if (bytes.Length > rest.Length) break;
            bytes.CopyTo(rest);
            rest = rest[bytes.Length..];
            length -= bytes.Length;
        }

        if (length == 0) return room;
        rest.Clear();
        throw new ArgumentException("The sequence was changed while it was read.", nameof(input));
    }

    /// <summary>The length of a sequence, which is what its segments have. What the sequence says is the caller's word.</summary>
    /// <exception cref="ArgumentException">The sequence says something else.</exception>
    internal static long LengthOf(in ReadOnlySequence<byte> input)
    {
        var length = 0L;
        foreach (var segment in input) length += segment.Length;
        if (length != input.Length)
            throw new ArgumentException($"The segments have {length} bytes, and the sequence says that it has {input.Length}.", nameof(input));
        return length;
    }

    /// <summary>Writes a message of the same type into this memory, for the code of its type to read it there.</summary>
    /// <param name="source">Storage of the message.</param>
    /// <param name="stamp">Stamp of the message's view.</param>
    /// <param name="message">The message, in this or in other memory: a view that no setter has moved.</param>
    /// <typeparam name="T">The message type.</typeparam>
    /// <exception cref="InvalidOperationException">The message has more than 2 GiB, or is nested too deep.</exception>
    /// <exception cref="ObjectDisposedException">One of the messages was released.</exception>
    public WireReader CopyOf<T>(Storage source, int stamp, T message)
        where T : struct, ISlabMessage<T>
    {
        var rootStamp = RootStamp(source, stamp);
        if (source.Memory.hasCode)
        {
            // Into memory of its own first: the code may end the content that the copy is for.
            var ownStamp = Root.Stamp;
            var bytes = ToByteArray(source, stamp, message);
            Root.ThrowIfEmptied(ownStamp);
            var copy = Reserve(bytes.Length, out var own);
            bytes.CopyTo(copy);
            return ReaderOf(copy, own);
        }

        var room = Reserve(SizeOf(message), out var range);
        Write(source.Memory.Root, rootStamp, message, room);
        return ReaderOf(room, range);
    }

    /// <summary>Writes a message into an array of its size.</summary>
    /// <inheritdoc cref="CopyOf{T}(Storage, int, T)" path="/exception"/>
    public static byte[] ToByteArray<T>(Storage source, int stamp, T message)
        where T : struct, ISlabMessage<T>
    {
        var rootStamp = RootStamp(source, stamp);
        var bytes = GC.AllocateUninitializedArray<byte>(SizeOf(message));
        Write(source.Memory.Root, rootStamp, message, bytes);
        return bytes;
    }

    /// <summary>The stamp that tells whether the view's content is there to the end of a copy.</summary>
    static int RootStamp(Storage source, int stamp)
    {
        ArgumentNullException.ThrowIfNull(source);
        var rootStamp = source.Memory.Root.Stamp;
        source.ThrowIfEmptied(stamp);
        return rootStamp;
    }

    static int SizeOf<T>(T message)
        where T : struct, ISlabMessage<T>
    {
        var size = T.CalculateSize(message);
        if (size > int.MaxValue)
            throw new InvalidOperationException($"A message of {size} bytes is beyond the 2 GiB that protobuf allows.");
        return (int)size;
    }

    /// <summary>Writes a message into exactly its size, which was just computed.</summary>
    /// <param name="root">Storage of the outermost message.</param>
    /// <param name="stamp">Its stamp.</param>
    /// <param name="message">The message.</param>
    /// <param name="room">As many bytes as the message has.</param>
    internal static void Write<T>(Storage root, int stamp, T message, Span<byte> room)
        where T : struct, ISlabMessage<T>
    {
        if (room.Length <= fewBytes) WriteFew(root, stamp, message, room);
        else WriteMany(root, stamp, message, room);
    }

    // On the stack each field has room for its fast step. At the end of a window of exactly the message's size every step is a slow one.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void WriteFew<T>(Storage root, int stamp, T message, Span<byte> room)
        where T : struct, ISlabMessage<T>
    {
        Span<byte> few = stackalloc byte[fewBytes + WireWriter.FieldRoom];
        var output = new WireOutput(root, stamp, null, T.KeepsInput);
        var writer = new WireWriter(ref output, few);
        T.Write(ref writer, message);
        var written = writer.End();
        root.ThrowIfEmptied(stamp);
        if (written != room.Length) ThrowChanged();
        few[..written].CopyTo(room);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void WriteMany<T>(Storage root, int stamp, T message, Span<byte> room)
        where T : struct, ISlabMessage<T>
    {
        var output = new WireOutput(root, stamp, null, T.KeepsInput);
        var written = 0;
        try
        {
            var writer = new WireWriter(ref output, room);
            T.Write(ref writer, message);
            var end = writer.End();
            root.ThrowIfEmptied(stamp);
            written = end;
        }
        finally
        {
            if (written < room.Length) room.Clear();
        }

        if (written < room.Length) ThrowChanged();
    }

    [DoesNotReturn]
    static void ThrowChanged() => throw new InvalidOperationException("The message was changed while it was written.");

    /// <summary>Makes the views of the present content stale, but keeps the content.</summary>
    internal void InvalidateViews() => Invalidate();

    /// <summary>After a merge that was refused halfway: lists may have elements behind their ends.</summary>
    internal void DistrustRooms()
    {
        foreach (var storage in Storages) storage.DistrustRooms();
    }

    WireReader ReaderOf(ReadOnlySpan<byte> room, ByteRange range)
    {
        (Origin, TagAt) = (range.Address, default);
        return new(this, room, 0);
    }

    // A message is merged into a part of this one, while there may be views of any part.

    /// <summary>Whether a list that has to move while it grows by reading must be found by the views of its elements.</summary>
    internal bool IsMerging;

    /// <summary>For message types: begins to read more content into a message that there are views of.</summary>
    /// <returns>What <see cref="EndMerge"/> takes.</returns>
    public int BeginMerge()
    {
        IsMerging = true;
        return Root.Stamp;
    }

    /// <summary>For message types: ends what <see cref="BeginMerge"/> began, if it has not ended with its content.</summary>
    /// <param name="merge">What <see cref="BeginMerge"/> gave.</param>
    /// <param name="isComplete">Whether everything was read. If not, lists may have elements behind their ends.</param>
    public void EndMerge(int merge, bool isComplete)
    {
        if (!Root.HasContentOf(merge)) return;
        IsMerging = false;
        EndReading();
        if (!isComplete) DistrustRooms();
    }

    // Fields that are unknown although their number is known.

    const int longestTag = 5;
    const int longestVarint = 10;

    /// <summary>Stores a field as it stands on the wire: a value that a closed enum does not have.</summary>
    /// <param name="tag">The tag of the field, not packed.</param>
    /// <param name="value">The number.</param>
    /// <inheritdoc cref="Store" path="/exception"/>
    public ByteRange StoreVarintField(uint tag, int value)
    {
        Span<byte> field = stackalloc byte[longestTag + longestVarint];
        var length = PutVarint(field, tag);
        length += PutVarint(field[length..], (ulong)value);
        return Store(field[..length]);
    }

    static int PutVarint(Span<byte> target, ulong value)
    {
        var length = 0;
        for (; value >= 0x80; value >>= 7) target[length++] = (byte)(value | 0x80);
        target[length++] = (byte)value;
        return length;
    }

    // One entry for each key of a map: an entry that comes later takes the place of the earlier one, as in Google.Protobuf. Few entries are
    // compared one by one; the keys of larger maps go into one hash table for the whole message, which is probed linearly.

    const int searchedEntries = 8;
    const int firstSlots = 64;

    // Hash tables, each twice as long as the one before it and behind it in the array; the last one is in use. So a content that has few
    // keys clears few slots, however many an earlier one had.
    Slot[] slots = new Slot[0];
    int slotsStart;
    int slotsCount;
    int slotsUsed;
    int slotsPeak;
    int mapCount;

    /// <summary>Looks for an earlier entry with the key of the last one. The last one replaces it; its own element is free then.</summary>
    public MapRange KeepLast<TEntry>(Storage<TEntry> storage, MapRange map)
        where TEntry : unmanaged, IMapEntry<TEntry>
    {
        var entries = storage.Slice(map.Entries);
        var last = entries.Length - 1;
        int same;
        if (map.Id == 0 && entries.Length <= searchedEntries)
        {
            for (same = 0; !TEntry.HasSameKey(this, entries[same], entries[last]); same++)
            {
            }
        }
        else
        {
            if (map.Id == 0)
            {
                map = new(map.Entries, map.Room, ++mapCount);
                for (var i = 0; i < last; i++) FindOrAdd<TEntry>(entries[..(i + 1)], map.Id);
            }

            same = FindOrAdd<TEntry>(entries, map.Id);
        }

        if (same == last) return map;
        entries[same] = entries[last];
        return new(new(map.Entries.Start, last), map.Room, map.Id);
    }

    /// <summary>The entry with the key of the last one: an earlier one, or the last one itself, which is then in the index.</summary>
    int FindOrAdd<TEntry>(ReadOnlySpan<TEntry> entries, int map)
        where TEntry : unmanaged, IMapEntry<TEntry>
    {
        if (2 * slotsUsed >= slotsCount) GrowSlots();
        var table = slots.AsSpan(slotsStart, slotsCount);
        var last = entries.Length - 1;
        var hash = HashCode.Combine(map, TEntry.HashKey(this, entries[last]));
        for (var at = hash; ; at++)
        {
            ref var slot = ref table[at & (table.Length - 1)];
            if (slot.Map == 0)
            {
                slot = new(map, hash, last);
                slotsUsed++;
                return last;
            }

            if (slot.Map == map && slot.Hash == hash && TEntry.HasSameKey(this, entries[slot.Entry], entries[last])) return slot.Entry;
        }
    }

    void GrowSlots()
    {
        var start = slotsStart + slotsCount;
        var count = Math.Max(firstSlots, 2 * slotsCount);
        CountElements(count * (long)Unsafe.SizeOf<Slot>());
        if (start + count > slots.Length)
        {
            CountHeld((start + count - slots.Length) * (long)Unsafe.SizeOf<Slot>());
            Array.Resize(ref slots, start + count);
        }

        var larger = slots.AsSpan(start, count);
        foreach (var slot in slots.AsSpan(slotsStart, slotsCount))
        {
            if (slot.Map == 0) continue;
            var at = slot.Hash;
            while (larger[at & (count - 1)].Map != 0) at++;
            larger[at & (count - 1)] = slot;
        }

        (slotsStart, slotsCount) = (start, count);
    }

    void ResetMaps()
    {
        var end = slotsStart + slotsCount;
        slotsPeak = Math.Max(end, slotsPeak - (slotsPeak >> 4));
        if (slots.Length > 8 * Math.Max(slotsPeak, firstSlots)) ReleaseMaps();
        else Array.Clear(slots, 0, end);
        (slotsStart, slotsCount, slotsUsed) = (0, 0, 0);
    }

    void ReleaseMaps()
    {
        CountHeld(-slots.Length * (long)Unsafe.SizeOf<Slot>());
        slots = new Slot[0];
        (slotsStart, slotsCount, slotsUsed) = (0, 0, 0);
    }

    readonly record struct Slot(int Map, int Hash, int Entry);

    // The entry of a key. Nothing is changed: any number of threads may look up.

    /// <summary>The hash table of keys. Its start and length are compared with the array, and a search in it ends after its length: a late
    /// reader may see those of two contents.</summary>
    ReadOnlySpan<Slot> Table
    {
        get
        {
            var (array, start, count) = (slots, slotsStart, slotsCount);
            if ((ulong)(uint)start + (uint)count > (uint)array.Length) Storage.ThrowEmptied();
            return array.AsSpan(start, count);
        }
    }

    /// <summary>The entry that has the same key as another one, which need not be in the map.</summary>
    /// <returns>Its index in the storage; -1 if there is none.</returns>
    public int FindEntry<TEntry>(Storage<TEntry> storage, MapRange map, in TEntry probe)
        where TEntry : unmanaged, IMapEntry<TEntry>
    {
        var entries = storage.Slice(map.Entries);
        if (map.Id == 0)
        {
            for (var i = 0; i < entries.Length; i++)
            {
                if (TEntry.HasSameKey(this, entries[i], probe)) return map.Entries.Start + i;
            }

            return -1;
        }

        var table = Table;
        var hash = HashCode.Combine(map.Id, TEntry.HashKey(this, probe));
        for (var step = 0; step < table.Length; step++)
        {
            ref readonly var slot = ref table[(hash + step) & (table.Length - 1)];
            if (slot.Map == 0) break;
            if (slot.Map == map.Id && slot.Hash == hash && (uint)slot.Entry < (uint)entries.Length
                && TEntry.HasSameKey(this, entries[slot.Entry], probe)) return map.Entries.Start + slot.Entry;
        }

        return -1;
    }

    /// <summary>The entry that has a string for its key.</summary>
    /// <inheritdoc cref="FindEntry{TEntry}(Storage{TEntry}, MapRange, in TEntry)"/>
    public int FindEntry<TEntry>(Storage<TEntry> storage, MapRange map, ReadOnlySpan<byte> key)
        where TEntry : unmanaged, IStringMapEntry<TEntry>
    {
        var entries = storage.Slice(map.Entries);
        if (map.Id == 0)
        {
            for (var i = 0; i < entries.Length; i++)
            {
                if (Span(TEntry.KeyOf(entries[i])).SequenceEqual(key)) return map.Entries.Start + i;
            }

            return -1;
        }

        var table = Table;
        var hash = HashCode.Combine(map.Id, MapKey.Hash(key));
        for (var step = 0; step < table.Length; step++)
        {
            ref readonly var slot = ref table[(hash + step) & (table.Length - 1)];
            if (slot.Map == 0) break;
            if (slot.Map == map.Id && slot.Hash == hash && (uint)slot.Entry < (uint)entries.Length
                && Span(TEntry.KeyOf(entries[slot.Entry])).SequenceEqual(key))
                return map.Entries.Start + slot.Entry;
        }

        return -1;
    }

    /// <summary>Whether two lists of strings, bytes or unknown fields have the same content.</summary>
    public static bool AreEqual(Storage<ByteRange> ranges, ElementRange list, Storage<ByteRange> otherRanges, ElementRange otherList)
    {
        if (list.Count != otherList.Count) return false;
        var one = ranges.Slice(list);
        var other = otherRanges.Slice(otherList);
        for (var i = 0; i < one.Length; i++)
        {
            if (!ranges.Memory.Span(one[i]).SequenceEqual(otherRanges.Memory.Span(other[i]))) return false;
        }

        return true;
    }
}
