using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message Echo { bytes body = 1; }</summary>
public readonly struct Echo : IMessage<Echo>
{
    readonly FieldStorage storage;
    readonly int index;
    readonly int stamp;

    internal Echo(FieldStorage storage, int index, int stamp) => (this.storage, this.index, this.stamp) = (storage, index, stamp);

    static bool IMessage<Echo>.NeedsSizes => false;

    public Bytes Body
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Body;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public static Message<Echo> Rent() => Message<Echo>.Rent();

    public void SetBody(ReadOnlySpan<byte> value) => Mutable().Body = storage.Memory.Store(value);

    static Storage IMessage<Echo>.CreateStorage(MessageMemory memory) => FieldStorage.Of(memory);

    static Echo IMessage<Echo>.Create(Storage storage) => new((FieldStorage)storage, 0, storage.Stamp);

    Echo IMessage<Echo>.At(int index) => new(storage, index, stamp);

    static void IMessage<Echo>.Parse(WireReader reader, Echo message) => FieldStorage.Parse(reader, message.storage, message.index, 0);

    static long IMessage<Echo>.CalculateSize(Echo message) => FieldStorage.CalculateSize(message.storage, ref message.storage[message.index]);

    static WireWriter IMessage<Echo>.Write(WireWriter writer, Echo message) => FieldStorage.Write(writer, message.storage, ref message.storage[message.index]);

    ref Fields Mutable() => ref storage.Mutable(index, stamp);

    public struct Fields
    {
        internal ByteRange Body;
        internal ElementRange Unknown;
    }

    public sealed class FieldStorage : Storage<Fields>
    {
        internal readonly Storage<ByteRange> Ranges;

        FieldStorage(MessageMemory memory)
            : base(memory) => Ranges = Storage<ByteRange>.Of(memory);

        public static new FieldStorage Of(MessageMemory memory) => memory.Find<FieldStorage>() ?? new(memory);

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static void Parse(WireReader reader, FieldStorage storage, int index, int depth)
        {
            ref var fields = ref storage[index];
            while (reader.ReadTag(out var tag))
            {
                switch (tag)
                {
                    case 10:
                        fields.Body = reader.ReadBytes();
                        continue;
                    default:
                        storage.Ranges.Append(ref fields.Unknown, reader.ReadUnknownField(tag, depth));
                        continue;
                }
            }
        }

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static long CalculateSize(FieldStorage storage, ref Fields fields)
        {
            var size = WireSize.UnknownFields(storage.Ranges, fields.Unknown);
            if (fields.Body.Length != 0) size += 1 + WireSize.LengthDelimited(fields.Body);
            return size;
        }

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static WireWriter Write(WireWriter writer, FieldStorage storage, ref Fields fields)
        {
            if (fields.Body.Length != 0) writer.WriteLengthDelimited(10, fields.Body);
            writer.WriteUnknownFields(storage.Ranges, fields.Unknown);
            return writer;
        }
    }
}
