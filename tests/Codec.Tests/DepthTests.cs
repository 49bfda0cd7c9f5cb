using System.Buffers;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec.Tests;

/// <summary>Parsing, sizes and writing are linear in depth. Calls are counted, because times are not certain. What generated code does with
/// the sizes is counted in the generator's own DeepMessageTests.</summary>
public class DepthTests
{
    [Theory]
    [InlineData(10)]
    [InlineData(50)]
    [InlineData(100)]
    public void Each_message_of_a_chain_is_read_sized_and_written_once(int depth)
    {
        var wire = Chain(depth);
        using var message = Message<Link>.Rent();
        Assert.Equal((depth, 0, 0), Calls(() => message.Parse(wire)));
        Assert.Equal((depth, 0, 0), Calls(() => message.ParseAlias(wire)));
        Assert.Equal((0, depth, 0), Calls(() => message.CalculateSize()));
        Assert.Equal((0, depth, depth), Calls(() => Assert.Equal(wire, message.ToByteArray())));
        Assert.Equal((0, depth, depth), Calls(() => message.WriteTo(new byte[wire.Length])));
        Assert.Equal((0, depth, depth), Calls(() => message.WriteTo(new MemoryStream())));
        var output = new ArrayBufferWriter<byte>(1);
        Assert.Equal((0, depth, depth), Calls(() => message.WriteTo(output)));
        Assert.Equal(wire, output.WrittenSpan);
        using var copy = Message<Link>.Rent();
        Assert.Equal((depth, depth, depth), Calls(() => copy.CopyFrom(message)));
        Assert.Equal((depth, 0, 0), Calls(() => copy.MergeFrom(wire)));
    }

    static (int Parsed, int Sized, int Written) Calls(Action action)
    {
        (Link.Parsed, Link.Sized, Link.Written) = (0, 0, 0);
        action();
        return (Link.Parsed, Link.Sized, Link.Written);
    }

    /// <summary>So many messages, each inside the one before; the last one is empty.</summary>
    static byte[] Chain(int depth)
    {
        byte[] wire = [];
        for (var i = 1; i < depth; i++)
            wire = wire.Length < 128 ? [0x0A, (byte)wire.Length, .. wire]
                : [0x0A, (byte)(wire.Length | 0x80), (byte)(wire.Length >> 7), .. wire];
        return wire;
    }

    /// <summary>message Link { Link next = 1; }</summary>
    readonly struct Link : IHandWritten<Link>
    {
        readonly Own storage;
        readonly int index;

        Link(Own storage, int index) => (this.storage, this.index) = (storage, index);

        public static int Parsed { get; set; }

        public static int Sized { get; set; }

        public static int Written { get; set; }

        static bool ISlabMessage<Link>.NeedsSizes => true;

        static Storage ISlabMessage<Link>.CreateStorage(MessageMemory memory) => new Own(memory);

        static Link ISlabMessage<Link>.Create(Storage storage) => new((Own)storage, 1);

        Link IListElement<Link>.At(int index) => new(storage, index);

        static void ISlabMessage<Link>.Parse(WireReader reader, Link message) => Parse(reader, message.storage, message.index, 0);

        static long ISlabMessage<Link>.CalculateSize(Link message) => CalculateSize(message.storage, message.index);

        static void ISlabMessage<Link>.Write(ref WireWriter writer, Link message) => writer = Write(writer, message.storage, message.index);

        static void Parse(WireReader reader, Own storage, int index, int depth)
        {
            Parsed++;
            var scratch = default(WireReader);
            while (reader.ReadTag(out _, ref scratch))
            {
                var next = storage.Open(storage[index].Next);
                storage[index].Next = next;
                Parse(reader.ReadMessage(depth, ref scratch), storage, next, depth + 1);
            }
        }

        static long CalculateSize(Own storage, int index)
        {
            Sized++;
            var next = storage[index].Next;
            var size = next == 0 ? 0 : 1 + WireSize.Body(CalculateSize(storage, next));
            storage[index].Size = (int)size;
            return size;
        }

        static WireWriter Write(WireWriter writer, Own storage, int index)
        {
            Written++;
            var next = storage[index].Next;
            if (next == 0) return writer;
            writer.WriteLength(10, storage[next].Size);
            return Write(writer, storage, next);
        }

        struct Fields
        {
            public int Next;
            public int Size;
        }

        sealed class Own(MessageMemory memory) : Storage<Fields>(memory);
    }
}
