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
public readonly record struct Zoo : IMessage<Zoo>
{
    readonly Table table;
    readonly int index;

    internal Zoo(Table table, int index) => (this.table, this.index) = (table, index);

    public static bool NeedsMeasure => true;

    public Scalars? Scalars => table[index].Scalars == 0 ? null : new(table.Scalars, table[index].Scalars - 1);

    public Packed? Packed => table[index].Packed == 0 ? null : new(table.Packed, table[index].Packed - 1);

    public Unpacked? Unpacked => table[index].Unpacked == 0 ? null : new(table.Unpacked, table[index].Unpacked - 1);

    public Optionals? Optionals => table[index].Optionals == 0 ? null : new(table.Optionals, table[index].Optionals - 1);

    public MessageList<Cage> Cages => new(new(table.Cages, table[index].Cages.Start), table[index].Cages.Count);

    public MessageList<ZooVisitorsEntry> Visitors => new(new(table.Visitors, table[index].Visitors.Run.Start), table[index].Visitors.Run.Count);

    public MessageList<ZooAnimalsEntry> Animals => new(new(table.Animals, table[index].Animals.Run.Start), table[index].Animals.Run.Count);

    public MessageList<ZooMoodsEntry> Moods => new(new(table.Moods, table[index].Moods.Run.Start), table[index].Moods.Run.Count);

    public Zoo? Branch => table[index].Branch == 0 ? null : new(table.Branch, table[index].Branch - 1);

    public static Message<Zoo> Rent() => Message<Zoo>.Rent();

    public Scalars SetScalars()
    {
        var at = table.Scalars.Open(table[index].Scalars);
        table[index].Scalars = at + 1;
        return new(table.Scalars, at);
    }

    public Packed SetPacked()
    {
        var at = table.Packed.Open(table[index].Packed);
        table[index].Packed = at + 1;
        return new(table.Packed, at);
    }

    public Unpacked SetUnpacked()
    {
        var at = table.Unpacked.Open(table[index].Unpacked);
        table[index].Unpacked = at + 1;
        return new(table.Unpacked, at);
    }

    public Optionals SetOptionals()
    {
        var at = table.Optionals.Open(table[index].Optionals);
        table[index].Optionals = at + 1;
        return new(table.Optionals, at);
    }

    public Cage AddCages()
    {
        var run = table[index].Cages;
        var at = table.Cages.Append(ref run);
        table[index].Cages = run;
        return new(table.Cages, at);
    }

    public ZooVisitorsEntry AddVisitors()
    {
        var run = table[index].Visitors;
        var at = table.Visitors.Append(ref run);
        table[index].Visitors = run;
        return new(table.Visitors, at);
    }

    public ZooAnimalsEntry AddAnimals()
    {
        var run = table[index].Animals;
        var at = table.Animals.Append(ref run);
        table[index].Animals = run;
        return new(table.Animals, at);
    }

    public ZooMoodsEntry AddMoods()
    {
        var run = table[index].Moods;
        var at = table.Moods.Append(ref run);
        table[index].Moods = run;
        return new(table.Moods, at);
    }

    public Zoo SetBranch()
    {
        var at = table.Branch.Open(table[index].Branch);
        table[index].Branch = at + 1;
        return new(table.Branch, at);
    }

    public static Zoo Create(MessageMemory memory) => new(Table.Of(memory), 0);

    public static void Parse(WireReader reader, Zoo message) => Parse(reader, message.table, message.index, 0);

    public static long Measure(Zoo message) => Measure(message.table, ref message.table[message.index], 0);

    public static WireWriter Write(WireWriter writer, Zoo message) => Write(writer, message.table, ref message.table[message.index]);

    public Zoo Sibling(int distance) => new(table, index + distance);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Parse(WireReader reader, Table table, int index, int depth)
    {
        ref var row = ref table[index];
        while (reader.ReadTag(out var tag))
        {
            switch (tag)
            {
                case 10:
                    var scalars = table.Scalars.Open(row.Scalars);
                    Slab.Scalars.Parse(reader.Enter(depth), table.Scalars, scalars, depth + 1);
                    row = ref table[index];
                    row.Scalars = scalars + 1;
                    if (reader.TryTag(18)) goto case 18;
                    continue;
                case 18:
                    var packedRow = table.Packed.Open(row.Packed);
                    Slab.Packed.Parse(reader.Enter(depth), table.Packed, packedRow, depth + 1);
                    row = ref table[index];
                    row.Packed = packedRow + 1;
                    if (reader.TryTag(26)) goto case 26;
                    continue;
                case 26:
                    var unpacked = table.Unpacked.Open(row.Unpacked);
                    Slab.Unpacked.Parse(reader.Enter(depth), table.Unpacked, unpacked, depth + 1);
                    row = ref table[index];
                    row.Unpacked = unpacked + 1;
                    if (reader.TryTag(34)) goto case 34;
                    continue;
                case 34:
                    var optionals = table.Optionals.Open(row.Optionals);
                    Slab.Optionals.Parse(reader.Enter(depth), table.Optionals, optionals, depth + 1);
                    row = ref table[index];
                    row.Optionals = optionals + 1;
                    if (reader.TryTag(42)) goto case 42;
                    continue;
                case 42:
                    var cages = row.Cages;
                    do
                    {
                        Cage.Parse(reader.Enter(depth), table.Cages, table.Cages.Append(ref cages), depth + 1);
                    }
                    while (reader.TryTag(42));
                    row = ref table[index];
                    row.Cages = cages;
                    if (reader.TryTag(50)) goto case 50;
                    continue;
                case 50:
                    var visitors = row.Visitors;
                    do
                    {
                        ZooVisitorsEntry.Parse(reader.Enter(depth), table.Visitors, table.Visitors.Append(ref visitors), depth + 1);
                        visitors = table.Memory.KeepLast(table.Visitors, visitors);
                    }
                    while (reader.TryTag(50));
                    row = ref table[index];
                    row.Visitors = visitors;
                    if (reader.TryTag(58)) goto case 58;
                    continue;
                case 58:
                    var animals = row.Animals;
                    do
                    {
                        ZooAnimalsEntry.Parse(reader.Enter(depth), table.Animals, table.Animals.Append(ref animals), depth + 1);
                        animals = table.Memory.KeepLast(table.Animals, animals);
                    }
                    while (reader.TryTag(58));
                    row = ref table[index];
                    row.Animals = animals;
                    if (reader.TryTag(66)) goto case 66;
                    continue;
                case 66:
                    var moods = row.Moods;
                    do
                    {
                        ZooMoodsEntry.Parse(reader.Enter(depth), table.Moods, table.Moods.Append(ref moods), depth + 1);
                        moods = table.Memory.KeepLast(table.Moods, moods);
                    }
                    while (reader.TryTag(66));
                    row = ref table[index];
                    row.Moods = moods;
                    if (reader.TryTag(74)) goto case 74;
                    continue;
                case 74:
                    var branch = table.Branch.Open(row.Branch);
                    Zoo.Parse(reader.Enter(depth), table.Branch, branch, depth + 1);
                    row = ref table[index];
                    row.Branch = branch + 1;
                    continue;
                default:
                    table.Leaves.Append(ref row.Unknown, reader.Skip(tag, depth));
                    continue;
            }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static long Measure(Table table, ref Row row, int depth)
    {
        WireSize.ThrowIfTooDeep(depth);
        var size = WireSize.Unknown(table.Leaves, row.Unknown);
        if (row.Scalars != 0) size += 1 + WireSize.Body(Slab.Scalars.Measure(table.Scalars, ref table.Scalars[row.Scalars - 1]));
        if (row.Packed != 0) size += 1 + WireSize.Body(Slab.Packed.Measure(table.Packed, ref table.Packed[row.Packed - 1]));
        if (row.Unpacked != 0) size += 1 + WireSize.Body(Slab.Unpacked.Measure(table.Unpacked, ref table.Unpacked[row.Unpacked - 1]));
        if (row.Optionals != 0) size += 1 + WireSize.Body(Slab.Optionals.Measure(table.Optionals, ref table.Optionals[row.Optionals - 1]));
        foreach (ref var item in table.Cages.Slice(row.Cages)) size += 1 + WireSize.Body(Cage.Measure(table.Cages, ref item, depth + 1));
        foreach (ref var item in table.Visitors.Slice(row.Visitors.Run)) size += 1 + WireSize.Body(ZooVisitorsEntry.Measure(table.Visitors, ref item));
        foreach (ref var item in table.Animals.Slice(row.Animals.Run)) size += 1 + WireSize.Body(ZooAnimalsEntry.Measure(table.Animals, ref item, depth + 1));
        foreach (ref var item in table.Moods.Slice(row.Moods.Run)) size += 1 + WireSize.Body(ZooMoodsEntry.Measure(table.Moods, ref item));
        if (row.Branch != 0) size += 1 + WireSize.Body(Zoo.Measure(table.Branch, ref table.Branch[row.Branch - 1], depth + 1));
        row.Size = (int)size;
        return size;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static WireWriter Write(WireWriter writer, Table table, ref Row row)
    {
        if (row.Scalars != 0)
        {
            ref var scalars = ref table.Scalars[row.Scalars - 1];
            writer.WriteLength(10, Slab.Scalars.Measure(table.Scalars, ref scalars));
            writer = Slab.Scalars.Write(writer, table.Scalars, ref scalars);
        }

        if (row.Packed != 0)
        {
            ref var packedRow = ref table.Packed[row.Packed - 1];
            writer.WriteLength(18, Slab.Packed.Measure(table.Packed, ref packedRow));
            writer = Slab.Packed.Write(writer, table.Packed, ref packedRow);
        }

        if (row.Unpacked != 0)
        {
            ref var unpacked = ref table.Unpacked[row.Unpacked - 1];
            writer.WriteLength(26, Slab.Unpacked.Measure(table.Unpacked, ref unpacked));
            writer = Slab.Unpacked.Write(writer, table.Unpacked, ref unpacked);
        }

        if (row.Optionals != 0)
        {
            ref var optionals = ref table.Optionals[row.Optionals - 1];
            writer.WriteLength(34, Slab.Optionals.Measure(table.Optionals, ref optionals));
            writer = Slab.Optionals.Write(writer, table.Optionals, ref optionals);
        }

        foreach (ref var item in table.Cages.Slice(row.Cages))
        {
            writer.WriteLength(42, item.Size);
            writer = Cage.Write(writer, table.Cages, ref item);
        }

        foreach (ref var item in table.Visitors.Slice(row.Visitors.Run))
        {
            writer.WriteLength(50, ZooVisitorsEntry.Measure(table.Visitors, ref item));
            writer = ZooVisitorsEntry.Write(writer, table.Visitors, ref item);
        }

        foreach (ref var item in table.Animals.Slice(row.Animals.Run))
        {
            writer.WriteLength(58, item.Size);
            writer = ZooAnimalsEntry.Write(writer, table.Animals, ref item);
        }

        foreach (ref var item in table.Moods.Slice(row.Moods.Run))
        {
            writer.WriteLength(66, ZooMoodsEntry.Measure(table.Moods, ref item));
            writer = ZooMoodsEntry.Write(writer, table.Moods, ref item);
        }

        if (row.Branch != 0)
        {
            ref var branch = ref table.Branch[row.Branch - 1];
            writer.WriteLength(74, branch.Size);
            writer = Zoo.Write(writer, table.Branch, ref branch);
        }

        writer.WriteUnknown(table.Leaves, row.Unknown);
        return writer;
    }

    internal struct Row
    {
        public int Scalars;
        public int Packed;
        public int Unpacked;
        public int Optionals;
        public Run Cages;
        public MapRun Visitors;
        public MapRun Animals;
        public MapRun Moods;
        public int Branch;
        public int Size;
        public Run Unknown;
    }

    internal sealed class Table : Rows<Row>
    {
        public readonly Rows<Leaf> Leaves;
        public readonly Slab.Scalars.Table Scalars;
        public readonly Slab.Packed.Table Packed;
        public readonly Slab.Unpacked.Table Unpacked;
        public readonly Slab.Optionals.Table Optionals;
        public readonly Cage.Table Cages;
        public readonly ZooVisitorsEntry.Table Visitors;
        public readonly ZooAnimalsEntry.Table Animals;
        public readonly ZooMoodsEntry.Table Moods;
        public readonly Zoo.Table Branch;

        Table(MessageMemory memory)
            : base(memory)
        {
            Leaves = Rows<Leaf>.Of(memory);
            Scalars = Slab.Scalars.Table.Of(memory);
            Packed = Slab.Packed.Table.Of(memory);
            Unpacked = Slab.Unpacked.Table.Of(memory);
            Optionals = Slab.Optionals.Table.Of(memory);
            Cages = Cage.Table.Of(memory);
            Visitors = ZooVisitorsEntry.Table.Of(memory);
            Animals = ZooAnimalsEntry.Table.Of(memory);
            Moods = ZooMoodsEntry.Table.Of(memory);
            Branch = Zoo.Table.Of(memory);
        }

        public static new Table Of(MessageMemory memory) => memory.Find<Table>() ?? new(memory);
    }
}
