using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>An entry of the field map&lt;int64, Animal&gt; of zoo.proto.</summary>
public readonly struct ZooAnimalsEntry : IMessage<ZooAnimalsEntry>
{
    readonly FieldStorage storage;
    readonly int index;
    readonly int stamp;

    internal ZooAnimalsEntry(FieldStorage storage, int index, int stamp) => (this.storage, this.index, this.stamp) = (storage, index, stamp);

    static bool IMessage<ZooAnimalsEntry>.NeedsSizes => true;

    public long Key
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

    public Animal? Value
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var child = storage.Value.Stamp;
                var value = storage[at.Index].Value;
                if (storage.IsCurrent(at.Stamp)) return value == 0 ? null : new(storage.Value, value - 1, child);
            }
        }
    }

    public void SetKey(long value) => Mutable().Key = value;

    public Animal MutableValue()
    {
        var at = storage.Value.Open(Mutable().Value);
        Mutable().Value = at + 1;
        return new(storage.Value, at, storage.Value.Stamp);
    }

    static Storage IMessage<ZooAnimalsEntry>.CreateStorage(MessageMemory memory) => FieldStorage.Of(memory);

    static ZooAnimalsEntry IMessage<ZooAnimalsEntry>.Create(Storage storage) => new((FieldStorage)storage, 0, storage.Stamp);

    ZooAnimalsEntry IMessage<ZooAnimalsEntry>.At(int index) => new(storage, index, stamp);

    static void IMessage<ZooAnimalsEntry>.Parse(WireReader reader, ZooAnimalsEntry message) => FieldStorage.Parse(reader, message.storage, message.index, 0);

    static long IMessage<ZooAnimalsEntry>.CalculateSize(ZooAnimalsEntry message) => FieldStorage.CalculateSize(message.storage, ref message.storage[message.index], 0);

    static WireWriter IMessage<ZooAnimalsEntry>.Write(WireWriter writer, ZooAnimalsEntry message) => FieldStorage.Write(writer, message.storage, ref message.storage[message.index]);

    ref Fields Mutable() => ref storage.Mutable(index, stamp);

    public struct Fields : IMapEntry<Fields>
    {
        internal long Key;
        internal int Value;
        public int Size;
        internal ElementRange Unknown;

        public static bool HasSameKey(MessageMemory memory, in Fields one, in Fields other) => one.Key == other.Key;

        public static int HashKey(MessageMemory memory, in Fields entry) => HashCode.Combine(entry.Key);
    }

    public sealed class FieldStorage : Storage<Fields>
    {
        internal readonly Storage<ByteRange> Ranges;
        internal readonly Animal.FieldStorage Value;

        FieldStorage(MessageMemory memory)
            : base(memory)
        {
            Ranges = Storage<ByteRange>.Of(memory);
            Value = Animal.FieldStorage.Of(memory);
        }

        public static new FieldStorage Of(MessageMemory memory) => memory.Find<FieldStorage>() ?? new(memory);

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void Parse(WireReader reader, FieldStorage storage, int index, int depth)
        {
            ref var fields = ref storage[index];
            while (reader.ReadTag(out var tag))
            {
                switch (tag)
                {
                    case 8:
                        fields.Key = reader.ReadInt64();
                        if (reader.TryReadTag(18)) goto case 18;
                        continue;
                    case 18:
                        var value = storage.Value.Open(0);
                        Animal.FieldStorage.Parse(reader.ReadMessage(depth), storage.Value, value, depth + 1);
                        fields = ref storage[index];
                        fields.Value = value + 1;
                        continue;
                    default:
                        storage.Ranges.Append(ref fields.Unknown, reader.ReadUnknownField(tag, depth + 1));
                        continue;
                }
            }
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static long CalculateSize(FieldStorage storage, ref Fields fields, int depth)
        {
            WireSize.ThrowIfTooDeep(depth);
            var size = WireSize.UnknownFields(storage.Ranges, fields.Unknown);
            if (fields.Key != 0) size += 1 + WireSize.Int64(fields.Key);
            size += 1 + (fields.Value == 0 ? 1 : WireSize.Body(Animal.FieldStorage.CalculateSize(storage.Value, ref storage.Value[fields.Value - 1], depth + 1)));
            fields.Size = (int)size;
            return size;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static WireWriter Write(WireWriter writer, FieldStorage storage, ref Fields fields)
        {
            if (fields.Key != 0) writer.WriteInt64(8, fields.Key);
            if (fields.Value != 0)
            {
                ref var value = ref storage.Value[fields.Value - 1];
                writer.WriteLength(18, value.Size);
                writer = Animal.FieldStorage.Write(writer, storage.Value, ref value);
            }
            else
            {
                writer.WriteLength(18, 0);
            }

            writer.WriteUnknownFields(storage.Ranges, fields.Unknown);
            return writer;
        }
    }
}
