using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>An entry of the field map&lt;string, int32&gt; of zoo.proto.</summary>
public readonly struct ZooVisitorsEntry : IMessage<ZooVisitorsEntry>
{
    readonly FieldStorage storage;
    readonly int index;
    readonly int stamp;

    internal ZooVisitorsEntry(FieldStorage storage, int index, int stamp) => (this.storage, this.index, this.stamp) = (storage, index, stamp);

    static bool IMessage<ZooVisitorsEntry>.NeedsSizes => false;

    public Utf8String Key
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Key;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public int Value
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Value;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public void SetKey(ReadOnlySpan<byte> utf8) => Mutable().Key = storage.Memory.StoreString(utf8);

    public void SetKey(ReadOnlySpan<char> text) => Mutable().Key = storage.Memory.StoreString(text);

    public void SetValue(int value) => Mutable().Value = value;

    static Storage IMessage<ZooVisitorsEntry>.CreateStorage(MessageMemory memory) => FieldStorage.Of(memory);

    static ZooVisitorsEntry IMessage<ZooVisitorsEntry>.Create(Storage storage) => new((FieldStorage)storage, 0, storage.Stamp);

    ZooVisitorsEntry IMessage<ZooVisitorsEntry>.At(int index) => new(storage, index, stamp);

    static void IMessage<ZooVisitorsEntry>.Parse(WireReader reader, ZooVisitorsEntry message) => FieldStorage.Parse(reader, message.storage, message.index, 0);

    static long IMessage<ZooVisitorsEntry>.CalculateSize(ZooVisitorsEntry message) => FieldStorage.CalculateSize(message.storage, ref message.storage[message.index]);

    static WireWriter IMessage<ZooVisitorsEntry>.Write(WireWriter writer, ZooVisitorsEntry message) => FieldStorage.Write(writer, message.storage, ref message.storage[message.index]);

    ref Fields Mutable() => ref storage.Mutable(index, stamp);

    public struct Fields : IMapEntry<Fields>
    {
        internal ByteRange Key;
        internal int Value;
        internal ElementRange Unknown;

        public static bool HasSameKey(MessageMemory memory, in Fields one, in Fields other) => memory.Span(one.Key).SequenceEqual(memory.Span(other.Key));

        public static int HashKey(MessageMemory memory, in Fields entry) => MapKey.Hash(memory.Span(entry.Key));
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
                        fields.Key = reader.ReadString();
                        if (reader.TryReadTag(16)) goto case 16;
                        continue;
                    case 16:
                        fields.Value = reader.ReadInt32();
                        continue;
                    default:
                        storage.Ranges.Append(ref fields.Unknown, reader.ReadUnknownField(tag, depth + 1));
                        continue;
                }
            }
        }

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static long CalculateSize(FieldStorage storage, ref Fields fields)
        {
            var size = WireSize.UnknownFields(storage.Ranges, fields.Unknown);
            if (fields.Key.Length != 0) size += 1 + WireSize.LengthDelimited(fields.Key);
            if (fields.Value != 0) size += 1 + WireSize.Int32(fields.Value);
            return size;
        }

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static WireWriter Write(WireWriter writer, FieldStorage storage, ref Fields fields)
        {
            if (fields.Key.Length != 0) writer.WriteLengthDelimited(10, fields.Key);
            if (fields.Value != 0) writer.WriteInt32(16, fields.Value);
            writer.WriteUnknownFields(storage.Ranges, fields.Unknown);
            return writer;
        }
    }
}
