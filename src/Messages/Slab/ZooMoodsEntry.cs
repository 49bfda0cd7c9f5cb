using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>An entry of the field map&lt;bool, Mood&gt; of zoo.proto.</summary>
public readonly struct ZooMoodsEntry : IMessage<ZooMoodsEntry>
{
    readonly FieldStorage storage;
    readonly int index;
    readonly int stamp;

    internal ZooMoodsEntry(FieldStorage storage, int index, int stamp) => (this.storage, this.index, this.stamp) = (storage, index, stamp);

    static bool IMessage<ZooMoodsEntry>.NeedsSizes => false;

    public bool Key
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Key;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public Mood Value
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

    public void SetKey(bool value) => Mutable().Key = value;

    public void SetValue(Mood value) => Mutable().Value = value;

    static Storage IMessage<ZooMoodsEntry>.CreateStorage(MessageMemory memory) => FieldStorage.Of(memory);

    static ZooMoodsEntry IMessage<ZooMoodsEntry>.Create(Storage storage) => new((FieldStorage)storage, 0, storage.Stamp);

    ZooMoodsEntry IMessage<ZooMoodsEntry>.At(int index) => new(storage, index, stamp);

    static void IMessage<ZooMoodsEntry>.Parse(WireReader reader, ZooMoodsEntry message) => FieldStorage.Parse(reader, message.storage, message.index, 0);

    static long IMessage<ZooMoodsEntry>.CalculateSize(ZooMoodsEntry message) => FieldStorage.CalculateSize(message.storage, ref message.storage[message.index]);

    static WireWriter IMessage<ZooMoodsEntry>.Write(WireWriter writer, ZooMoodsEntry message) => FieldStorage.Write(writer, message.storage, ref message.storage[message.index]);

    ref Fields Mutable() => ref storage.Mutable(index, stamp);

    public struct Fields : IMapEntry<Fields>
    {
        internal bool Key;
        internal Mood Value;
        internal ElementRange Unknown;

        public static bool HasSameKey(MessageMemory memory, in Fields one, in Fields other) => one.Key == other.Key;

        public static int HashKey(MessageMemory memory, in Fields entry) => HashCode.Combine(entry.Key);
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
                    case 8:
                        fields.Key = reader.ReadBool();
                        if (reader.TryReadTag(16)) goto case 16;
                        continue;
                    case 16:
                        fields.Value = (Mood)reader.ReadInt32();
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
            if (fields.Key) size += 1 + sizeof(bool);
            if (fields.Value != 0) size += 1 + WireSize.Int32((int)fields.Value);
            return size;
        }

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static WireWriter Write(WireWriter writer, FieldStorage storage, ref Fields fields)
        {
            if (fields.Key) writer.WriteBool(8, fields.Key);
            if (fields.Value != 0) writer.WriteInt32(16, (int)fields.Value);
            writer.WriteUnknownFields(storage.Ranges, fields.Unknown);
            return writer;
        }
    }
}
