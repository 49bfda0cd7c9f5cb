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
public readonly record struct Animal : IMessage<Animal>
{
    readonly Table table;
    readonly int index;

    internal Animal(Table table, int index) => (this.table, this.index) = (table, index);

    public static bool NeedsMeasure => true;

    public Text Name => new(table.Memory, table[index].Name);

    public Animal? Mother => table[index].Mother == 0 ? null : new(table.Mother, table[index].Mother - 1);

    public MessageList<Animal> Young => new(new(table.Young, table[index].Young.Start), table[index].Young.Count);

    public ReadOnlySpan<int> Weights => table.Ints.Slice(table[index].Weights);

    public AnimalHome Home => table[index].Home;

    public Cage? Cage => Home == AnimalHome.Cage ? new(table.Cage, table[index].Cage - 1) : null;

    public Text Street => new(table.Memory, Home == AnimalHome.Street ? table[index].Street : default);

    public uint Tag => Home == AnimalHome.Tag ? table[index].Tag : default;

    public Bytes Photo => new(table.Memory, Home == AnimalHome.Photo ? table[index].Photo : default);

    public static Message<Animal> Rent() => Message<Animal>.Rent();

    public void SetName(ReadOnlySpan<byte> utf8) => table[index].Name = table.Memory.StoreText(utf8);

    public void SetName(ReadOnlySpan<char> text) => table[index].Name = table.Memory.StoreText(text);

    public Animal SetMother()
    {
        var at = table.Mother.Open(table[index].Mother);
        table[index].Mother = at + 1;
        return new(table.Mother, at);
    }

    public Animal AddYoung()
    {
        var run = table[index].Young;
        var at = table.Young.Append(ref run);
        table[index].Young = run;
        return new(table.Young, at);
    }

    public void AddWeights(int value) => table.Ints.Append(ref table[index].Weights, value);

    public Cage SetCage()
    {
        var at = table.Cage.Open(Home == AnimalHome.Cage ? table[index].Cage : 0);
        table[index].Cage = at + 1;
        table[index].Home = AnimalHome.Cage;
        return new(table.Cage, at);
    }

    public void SetStreet(ReadOnlySpan<byte> utf8) => (table[index].Home, table[index].Street) = (AnimalHome.Street, table.Memory.StoreText(utf8));

    public void SetStreet(ReadOnlySpan<char> text) => (table[index].Home, table[index].Street) = (AnimalHome.Street, table.Memory.StoreText(text));

    public void SetTag(uint value) => (table[index].Home, table[index].Tag) = (AnimalHome.Tag, value);

    public void SetPhoto(ReadOnlySpan<byte> value) => (table[index].Home, table[index].Photo) = (AnimalHome.Photo, table.Memory.Store(value));

    public static Animal Create(MessageMemory memory) => new(Table.Of(memory), 0);

    public static void Parse(WireReader reader, Animal message) => Parse(reader, message.table, message.index, 0);

    public static long Measure(Animal message) => Measure(message.table, ref message.table[message.index], 0);

    public static WireWriter Write(WireWriter writer, Animal message) => Write(writer, message.table, ref message.table[message.index]);

    public Animal Sibling(int distance) => new(table, index + distance);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Parse(WireReader reader, Table table, int index, int depth)
    {
        ref var row = ref table[index];
        while (reader.ReadTag(out var tag))
        {
            switch (tag)
            {
                case 10:
                    row.Name = reader.ReadText();
                    if (reader.TryTag(18)) goto case 18;
                    continue;
                case 18:
                    var mother = table.Mother.Open(row.Mother);
                    Animal.Parse(reader.Enter(depth), table.Mother, mother, depth + 1);
                    row = ref table[index];
                    row.Mother = mother + 1;
                    if (reader.TryTag(26)) goto case 26;
                    continue;
                case 26:
                    var young = row.Young;
                    do
                    {
                        Animal.Parse(reader.Enter(depth), table.Young, table.Young.Append(ref young), depth + 1);
                    }
                    while (reader.TryTag(26));
                    row = ref table[index];
                    row.Young = young;
                    if (reader.TryTag(34)) goto case 34;
                    continue;
                case 34:
                    for (var packed = reader.Enter(0); packed.More();) table.Ints.Append(ref row.Weights, packed.ReadSInt32());
                    if (reader.TryTag(42)) goto case 42;
                    continue;
                case 32:
                    table.Ints.Append(ref row.Weights, reader.ReadSInt32());
                    continue;
                case 42:
                    var cage = table.Cage.Open(row.Home == AnimalHome.Cage ? row.Cage : 0);
                    Slab.Cage.Parse(reader.Enter(depth), table.Cage, cage, depth + 1);
                    row = ref table[index];
                    row.Cage = cage + 1;
                    row.Home = AnimalHome.Cage;
                    if (reader.TryTag(50)) goto case 50;
                    continue;
                case 50:
                    row.Street = reader.ReadText();
                    row.Home = AnimalHome.Street;
                    if (reader.TryTag(61)) goto case 61;
                    continue;
                case 61:
                    row.Tag = reader.ReadFixed32();
                    row.Home = AnimalHome.Tag;
                    if (reader.TryTag(66)) goto case 66;
                    continue;
                case 66:
                    row.Photo = reader.ReadBytes();
                    row.Home = AnimalHome.Photo;
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
        if (row.Name.Length != 0) size += 1 + WireSize.Leaf(row.Name);
        if (row.Mother != 0) size += 1 + WireSize.Body(Animal.Measure(table.Mother, ref table.Mother[row.Mother - 1], depth + 1));
        foreach (ref var item in table.Young.Slice(row.Young)) size += 1 + WireSize.Body(Animal.Measure(table.Young, ref item, depth + 1));
        if (row.Weights.Count != 0) size += 1 + WireSize.Body(WireSize.SInt32(table.Ints.Slice(row.Weights)));
        if (row.Home == AnimalHome.Cage) size += 1 + WireSize.Body(Slab.Cage.Measure(table.Cage, ref table.Cage[row.Cage - 1], depth + 1));
        if (row.Home == AnimalHome.Street) size += 1 + WireSize.Leaf(row.Street);
        if (row.Home == AnimalHome.Tag) size += 1 + sizeof(uint);
        if (row.Home == AnimalHome.Photo) size += 1 + WireSize.Leaf(row.Photo);
        row.Size = (int)size;
        return size;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static WireWriter Write(WireWriter writer, Table table, ref Row row)
    {
        if (row.Name.Length != 0) writer.WriteLeaf(10, row.Name);
        if (row.Mother != 0)
        {
            ref var mother = ref table.Mother[row.Mother - 1];
            writer.WriteLength(18, mother.Size);
            writer = Animal.Write(writer, table.Mother, ref mother);
        }

        foreach (ref var item in table.Young.Slice(row.Young))
        {
            writer.WriteLength(26, item.Size);
            writer = Animal.Write(writer, table.Young, ref item);
        }

        if (row.Weights.Count != 0) writer.WriteLength(34, WireSize.SInt32(table.Ints.Slice(row.Weights)));
        foreach (var value in table.Ints.Slice(row.Weights)) writer.WriteSInt32(0, value);
        if (row.Home == AnimalHome.Cage)
        {
            ref var cage = ref table.Cage[row.Cage - 1];
            writer.WriteLength(42, cage.Size);
            writer = Slab.Cage.Write(writer, table.Cage, ref cage);
        }

        if (row.Home == AnimalHome.Street) writer.WriteLeaf(50, row.Street);
        if (row.Home == AnimalHome.Tag) writer.WriteFixed32(61, row.Tag);
        if (row.Home == AnimalHome.Photo) writer.WriteLeaf(66, row.Photo);
        writer.WriteUnknown(table.Leaves, row.Unknown);
        return writer;
    }

    internal struct Row
    {
        public Leaf Name;
        public int Mother;
        public Run Young;
        public Run Weights;
        public AnimalHome Home;
        public int Cage;
        public Leaf Street;
        public uint Tag;
        public Leaf Photo;
        public int Size;
        public Run Unknown;
    }

    internal sealed class Table : Rows<Row>
    {
        public readonly Rows<Leaf> Leaves;
        public readonly Rows<int> Ints;
        public readonly Animal.Table Mother;
        public readonly Animal.Table Young;
        public readonly Slab.Cage.Table Cage;

        Table(MessageMemory memory)
            : base(memory)
        {
            Leaves = Rows<Leaf>.Of(memory);
            Ints = Rows<int>.Of(memory);
            Mother = Animal.Table.Of(memory);
            Young = Animal.Table.Of(memory);
            Cage = Slab.Cage.Table.Of(memory);
        }

        public static new Table Of(MessageMemory memory) => memory.Find<Table>() ?? new(memory);
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
