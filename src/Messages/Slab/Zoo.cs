using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message Zoo of zoo.proto:
/// Scalars scalars = 1;
/// Packed packed = 2;
/// Unpacked unpacked = 3;
/// Optionals optionals = 4;
/// repeated Cage cages = 5;
/// map&lt;string, int32&gt; visitors = 6;
/// map&lt;int64, Animal&gt; animals = 7;
/// map&lt;bool, Mood&gt; moods = 8;
/// Zoo branch = 9;
/// </summary>
public readonly struct Zoo : IMessage<Zoo>
{
    readonly FieldStorage storage;
    readonly int index;
    readonly int stamp;

    internal Zoo(FieldStorage storage, int index, int stamp) => (this.storage, this.index, this.stamp) = (storage, index, stamp);

    static bool IMessage<Zoo>.NeedsSizes => true;

    public Scalars? Scalars
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var child = storage.Scalars.Stamp;
                var value = storage[at.Index].Scalars;
                if (storage.IsCurrent(at.Stamp)) return value == 0 ? null : new(storage.Scalars, value - 1, child);
            }
        }
    }

    public Packed? Packed
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var child = storage.Packed.Stamp;
                var value = storage[at.Index].Packed;
                if (storage.IsCurrent(at.Stamp)) return value == 0 ? null : new(storage.Packed, value - 1, child);
            }
        }
    }

    public Unpacked? Unpacked
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var child = storage.Unpacked.Stamp;
                var value = storage[at.Index].Unpacked;
                if (storage.IsCurrent(at.Stamp)) return value == 0 ? null : new(storage.Unpacked, value - 1, child);
            }
        }
    }

    public Optionals? Optionals
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var child = storage.Optionals.Stamp;
                var value = storage[at.Index].Optionals;
                if (storage.IsCurrent(at.Stamp)) return value == 0 ? null : new(storage.Optionals, value - 1, child);
            }
        }
    }

    public MessageList<Cage> Cages
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var child = storage.Cages.Stamp;
                var value = storage[at.Index].Cages;
                if (storage.IsCurrent(at.Stamp)) return new(new(storage.Cages, 0, child), value);
            }
        }
    }

    public MessageList<ZooVisitorsEntry> Visitors
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var child = storage.Visitors.Stamp;
                var value = storage[at.Index].Visitors.Entries;
                if (storage.IsCurrent(at.Stamp)) return new(new(storage.Visitors, 0, child), value);
            }
        }
    }

    public MessageList<ZooAnimalsEntry> Animals
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var child = storage.Animals.Stamp;
                var value = storage[at.Index].Animals.Entries;
                if (storage.IsCurrent(at.Stamp)) return new(new(storage.Animals, 0, child), value);
            }
        }
    }

    public MessageList<ZooMoodsEntry> Moods
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var child = storage.Moods.Stamp;
                var value = storage[at.Index].Moods.Entries;
                if (storage.IsCurrent(at.Stamp)) return new(new(storage.Moods, 0, child), value);
            }
        }
    }

    public Zoo? Branch
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var child = storage.Branch.Stamp;
                var value = storage[at.Index].Branch;
                if (storage.IsCurrent(at.Stamp)) return value == 0 ? null : new(storage.Branch, value - 1, child);
            }
        }
    }

    public static Message<Zoo> Rent() => Message<Zoo>.Rent();

    public Scalars MutableScalars()
    {
        var at = storage.Scalars.Open(Mutable().Scalars);
        Mutable().Scalars = at + 1;
        return new(storage.Scalars, at, storage.Scalars.Stamp);
    }

    public Packed MutablePacked()
    {
        var at = storage.Packed.Open(Mutable().Packed);
        Mutable().Packed = at + 1;
        return new(storage.Packed, at, storage.Packed.Stamp);
    }

    public Unpacked MutableUnpacked()
    {
        var at = storage.Unpacked.Open(Mutable().Unpacked);
        Mutable().Unpacked = at + 1;
        return new(storage.Unpacked, at, storage.Unpacked.Stamp);
    }

    public Optionals MutableOptionals()
    {
        var at = storage.Optionals.Open(Mutable().Optionals);
        Mutable().Optionals = at + 1;
        return new(storage.Optionals, at, storage.Optionals.Stamp);
    }

    public Cage AddCages()
    {
        var range = Mutable().Cages;
        var at = storage.Cages.Add(ref range);
        Mutable().Cages = range;
        return new(storage.Cages, at, storage.Cages.Stamp);
    }

    public ZooVisitorsEntry AddVisitors()
    {
        var range = Mutable().Visitors;
        var at = storage.Visitors.Add(ref range);
        Mutable().Visitors = range;
        return new(storage.Visitors, at, storage.Visitors.Stamp);
    }

    public ZooAnimalsEntry AddAnimals()
    {
        var range = Mutable().Animals;
        var at = storage.Animals.Add(ref range);
        Mutable().Animals = range;
        return new(storage.Animals, at, storage.Animals.Stamp);
    }

    public ZooMoodsEntry AddMoods()
    {
        var range = Mutable().Moods;
        var at = storage.Moods.Add(ref range);
        Mutable().Moods = range;
        return new(storage.Moods, at, storage.Moods.Stamp);
    }

    public Zoo MutableBranch()
    {
        var at = storage.Branch.Open(Mutable().Branch);
        Mutable().Branch = at + 1;
        return new(storage.Branch, at, storage.Branch.Stamp);
    }

    static Storage IMessage<Zoo>.CreateStorage(MessageMemory memory) => FieldStorage.Of(memory);

    static Zoo IMessage<Zoo>.Create(Storage storage) => new((FieldStorage)storage, 0, storage.Stamp);

    Zoo IMessage<Zoo>.At(int index) => new(storage, index, stamp);

    static void IMessage<Zoo>.Parse(WireReader reader, Zoo message) => FieldStorage.Parse(reader, message.storage, message.index, 0);

    static long IMessage<Zoo>.CalculateSize(Zoo message) => FieldStorage.CalculateSize(message.storage, ref message.storage[message.index], 0);

    static WireWriter IMessage<Zoo>.Write(WireWriter writer, Zoo message) => FieldStorage.Write(writer, message.storage, ref message.storage[message.index]);

    ref Fields Mutable() => ref storage.Mutable(index, stamp);

    public struct Fields
    {
        internal int Scalars;
        internal int Packed;
        internal int Unpacked;
        internal int Optionals;
        internal ElementRange Cages;
        internal MapRange Visitors;
        internal MapRange Animals;
        internal MapRange Moods;
        internal int Branch;
        public int Size;
        internal ElementRange Unknown;
    }

    public sealed class FieldStorage : Storage<Fields>
    {
        internal readonly Storage<ByteRange> Ranges;
        internal readonly Slab.Scalars.FieldStorage Scalars;
        internal readonly Slab.Packed.FieldStorage Packed;
        internal readonly Slab.Unpacked.FieldStorage Unpacked;
        internal readonly Slab.Optionals.FieldStorage Optionals;
        internal readonly Cage.FieldStorage Cages;
        internal readonly ZooVisitorsEntry.FieldStorage Visitors;
        internal readonly ZooAnimalsEntry.FieldStorage Animals;
        internal readonly ZooMoodsEntry.FieldStorage Moods;
        internal readonly Zoo.FieldStorage Branch;

        FieldStorage(MessageMemory memory)
            : base(memory)
        {
            Ranges = Storage<ByteRange>.Of(memory);
            Scalars = Slab.Scalars.FieldStorage.Of(memory);
            Packed = Slab.Packed.FieldStorage.Of(memory);
            Unpacked = Slab.Unpacked.FieldStorage.Of(memory);
            Optionals = Slab.Optionals.FieldStorage.Of(memory);
            Cages = Cage.FieldStorage.Of(memory);
            Visitors = ZooVisitorsEntry.FieldStorage.Of(memory);
            Animals = ZooAnimalsEntry.FieldStorage.Of(memory);
            Moods = ZooMoodsEntry.FieldStorage.Of(memory);
            Branch = Zoo.FieldStorage.Of(memory);
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
                        var scalars = storage.Scalars.Open(fields.Scalars);
                        Slab.Scalars.FieldStorage.Parse(reader.ReadMessage(depth), storage.Scalars, scalars, depth + 1);
                        fields = ref storage[index];
                        fields.Scalars = scalars + 1;
                        if (reader.TryReadTag(18)) goto case 18;
                        continue;
                    case 18:
                        var packedRow = storage.Packed.Open(fields.Packed);
                        Slab.Packed.FieldStorage.Parse(reader.ReadMessage(depth), storage.Packed, packedRow, depth + 1);
                        fields = ref storage[index];
                        fields.Packed = packedRow + 1;
                        if (reader.TryReadTag(26)) goto case 26;
                        continue;
                    case 26:
                        var unpacked = storage.Unpacked.Open(fields.Unpacked);
                        Slab.Unpacked.FieldStorage.Parse(reader.ReadMessage(depth), storage.Unpacked, unpacked, depth + 1);
                        fields = ref storage[index];
                        fields.Unpacked = unpacked + 1;
                        if (reader.TryReadTag(34)) goto case 34;
                        continue;
                    case 34:
                        var optionals = storage.Optionals.Open(fields.Optionals);
                        Slab.Optionals.FieldStorage.Parse(reader.ReadMessage(depth), storage.Optionals, optionals, depth + 1);
                        fields = ref storage[index];
                        fields.Optionals = optionals + 1;
                        if (reader.TryReadTag(42)) goto case 42;
                        continue;
                    case 42:
                        var cages = fields.Cages;
                        do
                        {
                            Cage.FieldStorage.Parse(reader.ReadMessage(depth), storage.Cages, storage.Cages.Append(ref cages), depth + 1);
                        }
                        while (reader.TryReadTag(42));
                        fields = ref storage[index];
                        fields.Cages = cages;
                        if (reader.TryReadTag(50)) goto case 50;
                        continue;
                    case 50:
                        var visitors = fields.Visitors;
                        do
                        {
                            ZooVisitorsEntry.FieldStorage.Parse(reader.ReadMessage(depth), storage.Visitors, storage.Visitors.Append(ref visitors), depth + 1);
                            visitors = storage.Memory.KeepLast(storage.Visitors, visitors);
                        }
                        while (reader.TryReadTag(50));
                        fields = ref storage[index];
                        fields.Visitors = visitors;
                        if (reader.TryReadTag(58)) goto case 58;
                        continue;
                    case 58:
                        var animals = fields.Animals;
                        do
                        {
                            ZooAnimalsEntry.FieldStorage.Parse(reader.ReadMessage(depth), storage.Animals, storage.Animals.Append(ref animals), depth + 1);
                            animals = storage.Memory.KeepLast(storage.Animals, animals);
                        }
                        while (reader.TryReadTag(58));
                        fields = ref storage[index];
                        fields.Animals = animals;
                        if (reader.TryReadTag(66)) goto case 66;
                        continue;
                    case 66:
                        var moods = fields.Moods;
                        do
                        {
                            ZooMoodsEntry.FieldStorage.Parse(reader.ReadMessage(depth), storage.Moods, storage.Moods.Append(ref moods), depth + 1);
                            moods = storage.Memory.KeepLast(storage.Moods, moods);
                        }
                        while (reader.TryReadTag(66));
                        fields = ref storage[index];
                        fields.Moods = moods;
                        if (reader.TryReadTag(74)) goto case 74;
                        continue;
                    case 74:
                        var branch = storage.Branch.Open(fields.Branch);
                        Zoo.FieldStorage.Parse(reader.ReadMessage(depth), storage.Branch, branch, depth + 1);
                        fields = ref storage[index];
                        fields.Branch = branch + 1;
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
            if (fields.Scalars != 0) WireSize.ThrowIfTooDeep(depth + 1);
            if (fields.Scalars != 0) size += 1 + WireSize.Body(Slab.Scalars.FieldStorage.CalculateSize(storage.Scalars, ref storage.Scalars[fields.Scalars - 1]));
            if (fields.Packed != 0) WireSize.ThrowIfTooDeep(depth + 1);
            if (fields.Packed != 0) size += 1 + WireSize.Body(Slab.Packed.FieldStorage.CalculateSize(storage.Packed, ref storage.Packed[fields.Packed - 1]));
            if (fields.Unpacked != 0) WireSize.ThrowIfTooDeep(depth + 1);
            if (fields.Unpacked != 0) size += 1 + WireSize.Body(Slab.Unpacked.FieldStorage.CalculateSize(storage.Unpacked, ref storage.Unpacked[fields.Unpacked - 1]));
            if (fields.Optionals != 0) WireSize.ThrowIfTooDeep(depth + 1);
            if (fields.Optionals != 0) size += 1 + WireSize.Body(Slab.Optionals.FieldStorage.CalculateSize(storage.Optionals, ref storage.Optionals[fields.Optionals - 1]));
            foreach (ref var item in storage.Cages.Slice(fields.Cages)) size += 1 + WireSize.Body(Cage.FieldStorage.CalculateSize(storage.Cages, ref item, depth + 1));
            if (fields.Visitors.Entries.Count != 0) WireSize.ThrowIfTooDeep(depth + 1);
            foreach (ref var item in storage.Visitors.Slice(fields.Visitors.Entries)) size += 1 + WireSize.Body(ZooVisitorsEntry.FieldStorage.CalculateSize(storage.Visitors, ref item));
            foreach (ref var item in storage.Animals.Slice(fields.Animals.Entries)) size += 1 + WireSize.Body(ZooAnimalsEntry.FieldStorage.CalculateSize(storage.Animals, ref item, depth + 1));
            if (fields.Moods.Entries.Count != 0) WireSize.ThrowIfTooDeep(depth + 1);
            foreach (ref var item in storage.Moods.Slice(fields.Moods.Entries)) size += 1 + WireSize.Body(ZooMoodsEntry.FieldStorage.CalculateSize(storage.Moods, ref item));
            if (fields.Branch != 0) size += 1 + WireSize.Body(Zoo.FieldStorage.CalculateSize(storage.Branch, ref storage.Branch[fields.Branch - 1], depth + 1));
            fields.Size = (int)size;
            return size;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static WireWriter Write(WireWriter writer, FieldStorage storage, ref Fields fields)
        {
            if (fields.Scalars != 0)
            {
                ref var scalars = ref storage.Scalars[fields.Scalars - 1];
                writer.WriteLength(10, Slab.Scalars.FieldStorage.CalculateSize(storage.Scalars, ref scalars));
                writer = Slab.Scalars.FieldStorage.Write(writer, storage.Scalars, ref scalars);
            }

            if (fields.Packed != 0)
            {
                ref var packedRow = ref storage.Packed[fields.Packed - 1];
                writer.WriteLength(18, Slab.Packed.FieldStorage.CalculateSize(storage.Packed, ref packedRow));
                writer = Slab.Packed.FieldStorage.Write(writer, storage.Packed, ref packedRow);
            }

            if (fields.Unpacked != 0)
            {
                ref var unpacked = ref storage.Unpacked[fields.Unpacked - 1];
                writer.WriteLength(26, Slab.Unpacked.FieldStorage.CalculateSize(storage.Unpacked, ref unpacked));
                writer = Slab.Unpacked.FieldStorage.Write(writer, storage.Unpacked, ref unpacked);
            }

            if (fields.Optionals != 0)
            {
                ref var optionals = ref storage.Optionals[fields.Optionals - 1];
                writer.WriteLength(34, Slab.Optionals.FieldStorage.CalculateSize(storage.Optionals, ref optionals));
                writer = Slab.Optionals.FieldStorage.Write(writer, storage.Optionals, ref optionals);
            }

            foreach (ref var item in storage.Cages.Slice(fields.Cages))
            {
                writer.WriteLength(42, item.Size);
                writer = Cage.FieldStorage.Write(writer, storage.Cages, ref item);
            }

            foreach (ref var item in storage.Visitors.Slice(fields.Visitors.Entries))
            {
                writer.WriteLength(50, ZooVisitorsEntry.FieldStorage.CalculateSize(storage.Visitors, ref item));
                writer = ZooVisitorsEntry.FieldStorage.Write(writer, storage.Visitors, ref item);
            }

            foreach (ref var item in storage.Animals.Slice(fields.Animals.Entries))
            {
                writer.WriteLength(58, item.Size);
                writer = ZooAnimalsEntry.FieldStorage.Write(writer, storage.Animals, ref item);
            }

            foreach (ref var item in storage.Moods.Slice(fields.Moods.Entries))
            {
                writer.WriteLength(66, ZooMoodsEntry.FieldStorage.CalculateSize(storage.Moods, ref item));
                writer = ZooMoodsEntry.FieldStorage.Write(writer, storage.Moods, ref item);
            }

            if (fields.Branch != 0)
            {
                ref var branch = ref storage.Branch[fields.Branch - 1];
                writer.WriteLength(74, branch.Size);
                writer = Zoo.FieldStorage.Write(writer, storage.Branch, ref branch);
            }

            writer.WriteUnknownFields(storage.Ranges, fields.Unknown);
            return writer;
        }
    }
}
