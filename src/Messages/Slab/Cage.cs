using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message Cage { string label = 1; repeated Animal animals = 2; }</summary>
public readonly struct Cage : IMessage<Cage>
{
    readonly FieldStorage storage;
    readonly int index;
    readonly int stamp;

    internal Cage(FieldStorage storage, int index, int stamp) => (this.storage, this.index, this.stamp) = (storage, index, stamp);

    static bool IMessage<Cage>.NeedsSizes => true;

    public Utf8String Label
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Label;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public MessageList<Animal> Animals
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var child = storage.Animals.Stamp;
                var value = storage[at.Index].Animals;
                if (storage.IsCurrent(at.Stamp)) return new(new(storage.Animals, 0, child), value);
            }
        }
    }

    public static Message<Cage> Rent() => Message<Cage>.Rent();

    public void SetLabel(ReadOnlySpan<byte> utf8) => Mutable().Label = storage.Memory.StoreString(utf8);

    public void SetLabel(ReadOnlySpan<char> text) => Mutable().Label = storage.Memory.StoreString(text);

    public Animal AddAnimals()
    {
        var range = Mutable().Animals;
        var at = storage.Animals.Add(ref range);
        Mutable().Animals = range;
        return new(storage.Animals, at, storage.Animals.Stamp);
    }

    static Storage IMessage<Cage>.CreateStorage(MessageMemory memory) => FieldStorage.Of(memory);

    static Cage IMessage<Cage>.Create(Storage storage) => new((FieldStorage)storage, 0, storage.Stamp);

    Cage IMessage<Cage>.At(int index) => new(storage, index, stamp);

    static void IMessage<Cage>.Parse(WireReader reader, Cage message) => FieldStorage.Parse(reader, message.storage, message.index, 0);

    static long IMessage<Cage>.CalculateSize(Cage message) => FieldStorage.CalculateSize(message.storage, ref message.storage[message.index], 0);

    static WireWriter IMessage<Cage>.Write(WireWriter writer, Cage message) => FieldStorage.Write(writer, message.storage, ref message.storage[message.index]);

    ref Fields Mutable() => ref storage.Mutable(index, stamp);

    public struct Fields
    {
        internal ByteRange Label;
        internal ElementRange Animals;
        public int Size;
        internal ElementRange Unknown;
    }

    public sealed class FieldStorage : Storage<Fields>
    {
        internal readonly Storage<ByteRange> Ranges;
        internal readonly Animal.FieldStorage Animals;

        FieldStorage(MessageMemory memory)
            : base(memory)
        {
            Ranges = Storage<ByteRange>.Of(memory);
            Animals = Animal.FieldStorage.Of(memory);
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
                    case 10:
                        fields.Label = reader.ReadString();
                        if (reader.TryReadTag(18)) goto case 18;
                        continue;
                    case 18:
                        var animals = fields.Animals;
                        do
                        {
                            Animal.FieldStorage.Parse(reader.ReadMessage(depth), storage.Animals, storage.Animals.Append(ref animals), depth + 1);
                        }
                        while (reader.TryReadTag(18));
                        fields = ref storage[index];
                        fields.Animals = animals;
                        continue;
                    default:
                        storage.Ranges.Append(ref fields.Unknown, reader.ReadUnknownField(tag, depth));
                        continue;
                }
            }
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static long CalculateSize(FieldStorage storage, ref Fields fields, int depth)
        {
            WireSize.ThrowIfTooDeep(depth);
            var size = WireSize.UnknownFields(storage.Ranges, fields.Unknown);
            if (fields.Label.Length != 0) size += 1 + WireSize.LengthDelimited(fields.Label);
            foreach (ref var item in storage.Animals.Slice(fields.Animals)) size += 1 + WireSize.Body(Animal.FieldStorage.CalculateSize(storage.Animals, ref item, depth + 1));
            fields.Size = (int)size;
            return size;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static WireWriter Write(WireWriter writer, FieldStorage storage, ref Fields fields)
        {
            if (fields.Label.Length != 0) writer.WriteLengthDelimited(10, fields.Label);
            foreach (ref var item in storage.Animals.Slice(fields.Animals))
            {
                writer.WriteLength(18, item.Size);
                writer = Animal.FieldStorage.Write(writer, storage.Animals, ref item);
            }

            writer.WriteUnknownFields(storage.Ranges, fields.Unknown);
            return writer;
        }
    }
}
