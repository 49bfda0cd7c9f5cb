using System.Buffers;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec.Tests;

/// <summary>A message type that somebody wrote by hand, in safe C#, to reach what is not its own: it uses everything that the runtime hands
/// to message types, with arguments that it kept from another message, or with none that make sense.</summary>
public class HandWrittenMessageTests
{
    static readonly byte[] secret =
        [.. Enumerable.Range(0, 20)
            .SelectMany(i => (byte[])[i % 2 == 0 ? (byte)0x0A : (byte)0x12, 30, .. Enumerable.Repeat((byte)0x5E, 30)]), 0x12, 0xC8, 1,
                .. Enumerable.Repeat((byte)0x5E, 200)];

    [Fact]
    public void No_range_index_or_reader_of_another_message_shows_its_bytes()
    {
        for (var seed = 0; seed < 300; seed++)
        {
            var random = new Random(seed);
            using (var before = Message<Forger>.Rent())
            {
                Forger.Act = Forger.KeepEverything;
                before.Parse(secret);
            }

            using var message = Message<Forger>.Rent();
            Forger.Act = (reader, storage) => Forger.Attack(random, reader, storage, $"seed {seed}");
            message.Parse([0x0A, 3, 1, 2, 3, 0x12, 1, 4]);
            foreach (var window in new[] { 1, 16, 100, 1000 })
            {
                var writer = new ArrayBufferWriter<byte>(window);
                try
                {
                    message.WriteTo(writer);
                }
                catch (InvalidOperationException)
                {
                    // What a stale range is refused with; ObjectDisposedException is one.
                }

                Assert.Equal(-1, writer.WrittenSpan.IndexOf((byte)0x5E));
                Assert.Equal(-1, writer.GetSpan().IndexOf((byte)0x5E));
            }
        }
    }

    /// <summary>An empty input stores nothing, so the block that a recycled message keeps still has what the content before had.</summary>
    [Fact]
    public void A_range_of_the_content_before_is_refused_while_nothing_is_stored()
    {
        ByteRange range = default;
        using var message = Message<Forger>.Rent();
        for (var i = 0; i < 2; i++)
        {
            Forger.Act = (reader, storage) =>
            {
                var scratch = default(WireReader);
                reader.ReadTag(out _, ref scratch);
                range = reader.ReadString(ref scratch);
                Assert.Equal([0x5E, 0x5E, 0x5E], storage.Memory.Span(range).ToArray());
            };
            message.Parse([0x0A, 3, 0x5E, 0x5E, 0x5E]);
            Exception? refusal = null;
            Forger.Act = (_, storage) => refusal = Record.Exception(() => storage.Memory.Span(range).Length);
            message.Parse([]);
            Assert.IsType<ObjectDisposedException>(refusal);
        }
    }

    /// <summary>Between the look at the view and the copy another thread may end the content; the next one must not be copied.</summary>
    [Fact]
    public void A_message_whose_content_has_ended_is_not_copied()
    {
        using var message = Message<Nothing>.Rent();
        var view = message.Value;
        var (storage, stamp) = (view.Storage, view.Storage.Stamp);
        using var target = Message<Nothing>.Rent();
        var memory = target.Value.Storage.Memory;
        Assert.Empty(MessageMemory.ToByteArray(storage, stamp, view));
        Assert.False(memory.CopyOf(storage, stamp, view).HasMore);
        message.Clear();
        Assert.Throws<ObjectDisposedException>(() => MessageMemory.ToByteArray(storage, stamp, view));
        Assert.Throws<ObjectDisposedException>(() => memory.CopyOf(storage, stamp, view).HasMore);
    }

    [Fact]
    public void A_reader_and_a_writer_that_were_never_given_do_no_harm()
    {
        Assert.False(default(WireReader).HasMore);
        var scratch = default(WireReader);
        Assert.False(default(WireReader).ReadTag(out _, ref scratch));
        Assert.Throws<NullReferenceException>(() =>
        {
            var own = default(WireReader);
            own.ReadVarint(ref own);
        });
        Assert.Throws<NullReferenceException>(() =>
        {
            var own = default(WireReader);
            own.ReadFixed64(ref own);
        });
        Assert.Throws<NullReferenceException>(() => default(WireWriter).WriteLengthDelimited(10, default));
    }

    /// <summary>A buffer writer may trust what it is told: beyond its window is what others wrote.</summary>
    [Theory]
    [InlineData(200)]
    [InlineData(40)]
    public void An_old_copy_of_a_writer_advances_no_window_beyond_its_end(int first)
    {
        using var message = Message<Returning>.Rent();
        foreach (var isDelimited in new[] { false, true })
        {
            var writer = new Shrinking(first);
            Assert.Throws<InvalidOperationException>(() =>
            {
                if (isDelimited) message.WriteDelimitedTo(writer);
                else message.WriteTo(writer);
            });
        }
    }

    /// <summary>Continues in the second window, or in the third one, with the writer of the first one.</summary>
    readonly struct Returning : IHandWritten<Returning>
    {
        static void ISlabMessage<Returning>.Write(ref WireWriter writer, Returning message)
        {
            for (var i = 0; i < 16; i++) writer.WriteVarint(8, 1);
            writer.CopyTo(out var old);
            for (var i = 0; i < 100; i++) writer.WriteVarint(8, 1);
            old.CopyTo(out writer);
            for (var i = 0; i < 200; i++) writer.WriteVarint(8, 1);
            old.CopyTo(out writer);
        }
    }

    sealed class Shrinking(int first) : IBufferWriter<byte>
    {
        int given;
        int length;

        public void Advance(int count) => Assert.InRange(count, 0, length);

        public Memory<byte> GetMemory(int sizeHint = 0)
        {
            length = given++ < 2 ? first : Math.Max(sizeHint, 10);
            return new byte[length];
        }

        public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
    }

    [Fact]
    public void A_message_type_without_storage_of_its_own_is_refused() =>
        Assert.Throws<InvalidOperationException>(() => Message<Homeless>.Rent(Allocators.SlabPool.Shared));

    readonly struct Nothing(Storage storage) : IHandWritten<Nothing>
    {
        public Storage Storage => storage;

        static Storage ISlabMessage<Nothing>.CreateStorage(MessageMemory memory) => new Own(memory);

        static Nothing ISlabMessage<Nothing>.Create(Storage storage) => new(storage);

        sealed class Own(MessageMemory memory) : Storage<int>(memory);
    }

    readonly struct Homeless : IHandWritten<Homeless>
    {
        static Storage ISlabMessage<Homeless>.CreateStorage(MessageMemory memory) => null!;
    }
}

readonly struct Forger : IHandWritten<Forger>
{
    static readonly List<ByteRange> ranges = [];
    static readonly List<ElementRange> elements = [];
    static readonly List<MapRange> maps = [];
    static int which;
    readonly Own storage;

    Forger(Own storage) => this.storage = storage;

    public delegate void Deed(WireReader reader, Own storage);

    public static Deed Act { get; set; } = static (_, _) => { };

    /// <summary>Reads a message as a decent one would, and keeps every range.</summary>
    public static void KeepEverything(WireReader reader, Own storage)
    {
        var scratch = default(WireReader);
        while (reader.ReadTag(out var tag, ref scratch))
        {
            var range = tag == 10 ? reader.ReadString(ref scratch) : reader.ReadBytes(ref scratch);
            ranges.Add(range);
            ref var fields = ref storage[0];
            for (var i = 0; i < 100; i++) storage.Ranges.Append(ref fields.List, range);
            for (var i = 0; i < 100; i++) storage.Longs.Append(ref fields.Longs, 0x5E5E5E5E5E5E5E5E);
            storage[storage.Append(ref fields.Entries)].Secret = 0x5E5E5E5E5E5E5E5E;
            storage[storage.Append()].Secret = 0x5E5E5E5E5E5E5E5E;
            elements.Add(fields.List);
            elements.Add(fields.Longs);
            maps.Add(fields.Entries);
            storage[0].Secret = 0x5E5E5E5E5E5E5E5E;
        }
    }

    /// <summary>One of everything, in any order.</summary>
    public static void Attack(Random random, WireReader reader, Own storage, string seed)
    {
        var memory = storage.Memory;
        var unread = reader;
        var scratch = reader;
        for (var i = 0; i < 40; i++)
        {
            var range = ranges[random.Next(ranges.Count)];
            var list = elements[random.Next(elements.Count)];
            var map = maps[random.Next(maps.Count)];
            var index = random.Next(4) == 0 ? random.Next() - (int.MaxValue / 2) : random.Next(-3, 300);
            try
            {
                switch (random.Next(20))
                {
                    case 0: SeeBytes(memory.Span(range)); break;
                    case 1: See(storage[index]); break;
                    case 2: foreach (var value in storage.Longs.Slice(list)) See(value); break;
                    case 3: SeeAll(list); break;
                    case 4: foreach (var value in storage.Slice(list)) See(value); break;
                    case 5: See(storage[storage.Append(ref list)]); break;
                    case 6: See(storage[storage.Add(ref map)]); break;
                    case 7: storage.Ranges.Append(ref list, range); break;
                    case 8: map = memory.KeepLast(storage, map); See(storage.Slice(map.Entries).Length); break;
                    case 9: See(storage[storage.Open(index)]); break;
                    case 10: unread.ReadUnknownField(ref list, (uint)random.Next(), random.Next(-5, 5), ref scratch); SeeAll(list); break;
                    case 11: reader.ReadUnknownField(ref list, (uint)random.Next(30), 0, ref reader); SeeAll(list); break;
                    case 12: See(storage.Mutable(index, storage.Stamp)); break;
                    case 13: See(storage.Find((index, storage.Stamp)).Index); break;
                    case 14:
                        SeeBytes(new Bytes(storage, range, storage.Stamp).Span);
                        SeeBytes(new Bytes(storage, range, storage.Stamp).Memory.Span); break;
                    case 15: foreach (var value in new BytesList(storage, list, storage.Stamp)) SeeBytes(value.Span); break;
                    case 16:
                        var inner = reader.ReadGroup((uint)random.Next(30), random.Next(-5, 5), ref scratch);
                        SeeBytes(memory.Span(inner.ReadBytes(ref scratch)));
                        break;
                    case 17: SeeBytes(memory.Span(unread.ReadGroup((uint)random.Next(), 0, ref scratch).ReadBytes(ref reader))); break;
                    case 18:
                        var added = new Own.Appender(random.Next(2) == 0 ? list : map.Entries);
                        for (var n = random.Next(100); n > 0; n--)
                        {
                            ref var entry = ref added.Next(storage);
                            See(entry);
                            entry.Secret = 0x5E5E5E5E5E5E5E5E;
                            if (random.Next(30) == 0) See(storage[storage.Append()]);
                        }

                        elements.Add(added.Range);
                        break;
                    default:
                        storage[0].List = list;
                        storage[0].One = range;
                        SeeBytes(memory.Span(reader.ReadMessage(0, ref scratch).ReadBytes(ref scratch)));
                        break;
                }
            }
            catch (InvalidOperationException)
            {
                // As it should be.
            }
            catch (WireFormatException)
            {
                // What it reads is no message.
            }
            catch (InsufficientMemoryException)
            {
                // Nor is there so much.
            }
        }

        void See<T>(T value)
        {
            var seen = value switch
            {
                Fields fields => fields.Secret,
                long number => number,
                _ => 0,
            };
            Assert.True(seen != 0x5E5E5E5E5E5E5E5E, $"{seed}: saw what another message had");
        }

        void SeeAll(ElementRange list)
        {
            foreach (var value in storage.Ranges.Slice(list)) SeeBytes(memory.Span(value));
        }

        void SeeBytes(ReadOnlySpan<byte> bytes) => Assert.True(bytes.IndexOf((byte)0x5E) < 0, $"{seed}: saw bytes of another message");
    }

    static Storage ISlabMessage<Forger>.CreateStorage(MessageMemory memory) => new Own(memory);

    static Forger ISlabMessage<Forger>.Create(Storage storage) => new((Own)storage);

    static void ISlabMessage<Forger>.Parse(WireReader reader, Forger message) => Act(reader, message.storage);

    static void ISlabMessage<Forger>.Write(ref WireWriter writer, Forger message)
    {
        if (ranges.Count > 0) writer.WriteLengthDelimited(uint.MaxValue, ranges[which++ % ranges.Count]);
        writer.WriteLengthDelimited(10, message.storage[0].One);
        foreach (var value in message.storage.Ranges.Slice(message.storage[0].List)) writer.WriteLengthDelimited(0, value);
        writer.WriteUnknownFields(message.storage.Ranges, message.storage[0].List);
    }

    public struct Fields : IMapEntry<Fields>
    {
        public ByteRange One;
        public ElementRange List;
        public ElementRange Longs;
        public MapRange Entries;
        public long Secret;

        public static bool HasSameKey(MessageMemory memory, in Fields one, in Fields other) => false;

        public static int HashKey(MessageMemory memory, in Fields entry) => 1;
    }

    public sealed class Own(MessageMemory memory) : Storage<Fields>(memory)
    {
        public Storage<ByteRange> Ranges { get; } = Storage<ByteRange>.Of(memory);

        public Storage<long> Longs { get; } = Storage<long>.Of(memory);
    }
}
