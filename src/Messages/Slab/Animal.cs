using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message Animal of zoo.proto:
/// string name = 1;
/// Animal mother = 2;
/// repeated Animal young = 3;
/// repeated sint32 weights = 4;
/// oneof home {
/// Cage cage = 5;
/// string street = 6;
/// fixed32 tag = 7;
/// bytes photo = 8;
/// }
/// </summary>
public readonly struct Animal : IMessage<Animal>
{
    readonly FieldStorage storage;
    readonly int index;
    readonly int stamp;

    internal Animal(FieldStorage storage, int index, int stamp) => (this.storage, this.index, this.stamp) = (storage, index, stamp);

    static bool IMessage<Animal>.NeedsSizes => true;

    public Utf8String Name
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Name;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public Animal? Mother
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var child = storage.Mother.Stamp;
                var value = storage[at.Index].Mother;
                if (storage.IsCurrent(at.Stamp)) return value == 0 ? null : new(storage.Mother, value - 1, child);
            }
        }
    }

    public MessageList<Animal> Young
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var child = storage.Young.Stamp;
                var value = storage[at.Index].Young;
                if (storage.IsCurrent(at.Stamp)) return new(new(storage.Young, 0, child), value);
            }
        }
    }

    public ReadOnlySpan<int> Weights
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage.Ints.Slice(storage[at.Index].Weights);
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public AnimalHome Home
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Home;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public Cage? Cage
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var child = storage.Cage.Stamp;
                ref readonly var fields = ref storage[at.Index];
                var value = fields.Home == AnimalHome.Cage ? fields.Cage : 0;
                if (storage.IsCurrent(at.Stamp)) return value == 0 ? null : new(storage.Cage, value - 1, child);
            }
        }
    }

    public Utf8String Street
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                ref readonly var fields = ref storage[at.Index];
                var value = fields.Home == AnimalHome.Street ? fields.Street : default;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public uint Tag
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                ref readonly var fields = ref storage[at.Index];
                var value = fields.Home == AnimalHome.Tag ? fields.Tag : default;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public Bytes Photo
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                ref readonly var fields = ref storage[at.Index];
                var value = fields.Home == AnimalHome.Photo ? fields.Photo : default;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public static Message<Animal> Rent() => Message<Animal>.Rent();

    public void SetName(ReadOnlySpan<byte> utf8) => Mutable().Name = storage.Memory.StoreString(utf8);

    public void SetName(ReadOnlySpan<char> text) => Mutable().Name = storage.Memory.StoreString(text);

    public Animal MutableMother()
    {
        var at = storage.Mother.Open(Mutable().Mother);
        Mutable().Mother = at + 1;
        return new(storage.Mother, at, storage.Mother.Stamp);
    }

    public Animal AddYoung()
    {
        var range = Mutable().Young;
        var at = storage.Young.Add(ref range);
        Mutable().Young = range;
        return new(storage.Young, at, storage.Young.Stamp);
    }

    public void AddWeights(int value) => storage.Ints.Append(ref Mutable().Weights, value);

    public Cage MutableCage()
    {
        ref var fields = ref Mutable();
        var at = storage.Cage.Open(fields.Home == AnimalHome.Cage ? fields.Cage : 0);
        fields = ref Mutable();
        fields.Cage = at + 1;
        fields.Home = AnimalHome.Cage;
        return new(storage.Cage, at, storage.Cage.Stamp);
    }

    public void SetStreet(ReadOnlySpan<byte> utf8)
    {
        ref var fields = ref Mutable();
        fields.Street = storage.Memory.StoreString(utf8);
        fields.Home = AnimalHome.Street;
    }

    public void SetStreet(ReadOnlySpan<char> text)
    {
        ref var fields = ref Mutable();
        fields.Street = storage.Memory.StoreString(text);
        fields.Home = AnimalHome.Street;
    }

    public void SetTag(uint value)
    {
        ref var fields = ref Mutable();
        fields.Tag = value;
        fields.Home = AnimalHome.Tag;
    }

    public void SetPhoto(ReadOnlySpan<byte> value)
    {
        ref var fields = ref Mutable();
        fields.Photo = storage.Memory.Store(value);
        fields.Home = AnimalHome.Photo;
    }

    static Storage IMessage<Animal>.CreateStorage(MessageMemory memory) => FieldStorage.Of(memory);

    static Animal IMessage<Animal>.Create(Storage storage) => new((FieldStorage)storage, 0, storage.Stamp);

    Animal IMessage<Animal>.At(int index) => new(storage, index, stamp);

    static void IMessage<Animal>.Parse(WireReader reader, Animal message) => FieldStorage.Parse(reader, message.storage, message.index, 0);

    static long IMessage<Animal>.CalculateSize(Animal message) => FieldStorage.CalculateSize(message.storage, ref message.storage[message.index], 0);

    static WireWriter IMessage<Animal>.Write(WireWriter writer, Animal message) => FieldStorage.Write(writer, message.storage, ref message.storage[message.index]);

    ref Fields Mutable() => ref storage.Mutable(index, stamp);

    public struct Fields
    {
        internal ByteRange Name;
        internal int Mother;
        internal ElementRange Young;
        internal ElementRange Weights;
        internal AnimalHome Home;
        internal int Cage;
        internal ByteRange Street;
        internal uint Tag;
        internal ByteRange Photo;
        public int Size;
        internal ElementRange Unknown;
    }

    public sealed class FieldStorage : Storage<Fields>
    {
        internal readonly Storage<ByteRange> Ranges;
        internal readonly Storage<int> Ints;
        internal readonly Animal.FieldStorage Mother;
        internal readonly Animal.FieldStorage Young;
        internal readonly Slab.Cage.FieldStorage Cage;

        FieldStorage(MessageMemory memory)
            : base(memory)
        {
            Ranges = Storage<ByteRange>.Of(memory);
            Ints = Storage<int>.Of(memory);
            Mother = Animal.FieldStorage.Of(memory);
            Young = Animal.FieldStorage.Of(memory);
            Cage = Slab.Cage.FieldStorage.Of(memory);
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
                        fields.Name = reader.ReadString();
                        if (reader.TryReadTag(18)) goto case 18;
                        continue;
                    case 18:
                        var mother = storage.Mother.Open(fields.Mother);
                        Animal.FieldStorage.Parse(reader.ReadMessage(depth), storage.Mother, mother, depth + 1);
                        fields = ref storage[index];
                        fields.Mother = mother + 1;
                        if (reader.TryReadTag(26)) goto case 26;
                        continue;
                    case 26:
                        var young = fields.Young;
                        do
                        {
                            Animal.FieldStorage.Parse(reader.ReadMessage(depth), storage.Young, storage.Young.Append(ref young), depth + 1);
                        }
                        while (reader.TryReadTag(26));
                        fields = ref storage[index];
                        fields.Young = young;
                        if (reader.TryReadTag(34)) goto case 34;
                        continue;
                    case 34:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.Ints.Append(ref fields.Weights, packed.ReadSInt32());
                        if (reader.TryReadTag(42)) goto case 42;
                        continue;
                    case 32:
                        storage.Ints.Append(ref fields.Weights, reader.ReadSInt32());
                        continue;
                    case 42:
                        var cage = storage.Cage.Open(fields.Home == AnimalHome.Cage ? fields.Cage : 0);
                        Slab.Cage.FieldStorage.Parse(reader.ReadMessage(depth), storage.Cage, cage, depth + 1);
                        fields = ref storage[index];
                        fields.Cage = cage + 1;
                        fields.Home = AnimalHome.Cage;
                        if (reader.TryReadTag(50)) goto case 50;
                        continue;
                    case 50:
                        fields.Street = reader.ReadString();
                        fields.Home = AnimalHome.Street;
                        if (reader.TryReadTag(61)) goto case 61;
                        continue;
                    case 61:
                        fields.Tag = reader.ReadFixed32();
                        fields.Home = AnimalHome.Tag;
                        if (reader.TryReadTag(66)) goto case 66;
                        continue;
                    case 66:
                        fields.Photo = reader.ReadBytes();
                        fields.Home = AnimalHome.Photo;
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
            if (fields.Name.Length != 0) size += 1 + WireSize.LengthDelimited(fields.Name);
            if (fields.Mother != 0) size += 1 + WireSize.Body(Animal.FieldStorage.CalculateSize(storage.Mother, ref storage.Mother[fields.Mother - 1], depth + 1));
            foreach (ref var item in storage.Young.Slice(fields.Young)) size += 1 + WireSize.Body(Animal.FieldStorage.CalculateSize(storage.Young, ref item, depth + 1));
            if (fields.Weights.Count != 0) size += 1 + WireSize.Body(WireSize.SInt32(storage.Ints.Slice(fields.Weights)));
            if (fields.Home == AnimalHome.Cage) size += 1 + WireSize.Body(Slab.Cage.FieldStorage.CalculateSize(storage.Cage, ref storage.Cage[fields.Cage - 1], depth + 1));
            if (fields.Home == AnimalHome.Street) size += 1 + WireSize.LengthDelimited(fields.Street);
            if (fields.Home == AnimalHome.Tag) size += 1 + sizeof(uint);
            if (fields.Home == AnimalHome.Photo) size += 1 + WireSize.LengthDelimited(fields.Photo);
            fields.Size = (int)size;
            return size;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static WireWriter Write(WireWriter writer, FieldStorage storage, ref Fields fields)
        {
            if (fields.Name.Length != 0) writer.WriteLengthDelimited(10, fields.Name);
            if (fields.Mother != 0)
            {
                ref var mother = ref storage.Mother[fields.Mother - 1];
                writer.WriteLength(18, mother.Size);
                writer = Animal.FieldStorage.Write(writer, storage.Mother, ref mother);
            }

            foreach (ref var item in storage.Young.Slice(fields.Young))
            {
                writer.WriteLength(26, item.Size);
                writer = Animal.FieldStorage.Write(writer, storage.Young, ref item);
            }

            if (fields.Weights.Count != 0) writer.WriteLength(34, WireSize.SInt32(storage.Ints.Slice(fields.Weights)));
            foreach (var value in storage.Ints.Slice(fields.Weights)) writer.WriteSInt32(0, value);
            if (fields.Home == AnimalHome.Cage)
            {
                ref var cage = ref storage.Cage[fields.Cage - 1];
                writer.WriteLength(42, cage.Size);
                writer = Slab.Cage.FieldStorage.Write(writer, storage.Cage, ref cage);
            }

            if (fields.Home == AnimalHome.Street) writer.WriteLengthDelimited(50, fields.Street);
            if (fields.Home == AnimalHome.Tag) writer.WriteFixed32(61, fields.Tag);
            if (fields.Home == AnimalHome.Photo) writer.WriteLengthDelimited(66, fields.Photo);
            writer.WriteUnknownFields(storage.Ranges, fields.Unknown);
            return writer;
        }
    }
}

/// <summary>Which field of the oneof home of Animal is set.</summary>
public enum AnimalHome
{
    None = 0,
    Cage = 5,
    Street = 6,
    Tag = 7,
    Photo = 8,
}
