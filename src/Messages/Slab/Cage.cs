using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message Cage { string label = 1; repeated Animal animals = 2; }</summary>
public readonly record struct Cage : IMessage<Cage>
{
    readonly Table table;
    readonly int index;

    internal Cage(Table table, int index) => (this.table, this.index) = (table, index);

    public static bool NeedsMeasure => true;

    public Text Label => new(table.Memory, table[index].Label);

    public MessageList<Animal> Animals => new(new(table.Animals, table[index].Animals.Start), table[index].Animals.Count);

    public static Message<Cage> Rent() => Message<Cage>.Rent();

    public void SetLabel(ReadOnlySpan<byte> utf8) => table[index].Label = table.Memory.StoreText(utf8);

    public void SetLabel(ReadOnlySpan<char> text) => table[index].Label = table.Memory.StoreText(text);

    public Animal AddAnimals()
    {
        var run = table[index].Animals;
        var at = table.Animals.Append(ref run);
        table[index].Animals = run;
        return new(table.Animals, at);
    }

    public static Cage Create(MessageMemory memory) => new(Table.Of(memory), 0);

    public static void Parse(WireReader reader, Cage message) => Parse(reader, message.table, message.index, 0);

    public static long Measure(Cage message) => Measure(message.table, ref message.table[message.index], 0);

    public static WireWriter Write(WireWriter writer, Cage message) => Write(writer, message.table, ref message.table[message.index]);

    public Cage Sibling(int distance) => new(table, index + distance);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Parse(WireReader reader, Table table, int index, int depth)
    {
        ref var row = ref table[index];
        while (reader.ReadTag(out var tag))
        {
            switch (tag)
            {
                case 10:
                    row.Label = reader.ReadText();
                    if (reader.TryTag(18)) goto case 18;
                    continue;
                case 18:
                    var animals = row.Animals;
                    do
                    {
                        Animal.Parse(reader.Enter(depth), table.Animals, table.Animals.Append(ref animals), depth + 1);
                    }
                    while (reader.TryTag(18));
                    row = ref table[index];
                    row.Animals = animals;
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
        if (row.Label.Length != 0) size += 1 + WireSize.Leaf(row.Label);
        foreach (ref var item in table.Animals.Slice(row.Animals)) size += 1 + WireSize.Body(Animal.Measure(table.Animals, ref item, depth + 1));
        row.Size = (int)size;
        return size;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static WireWriter Write(WireWriter writer, Table table, ref Row row)
    {
        if (row.Label.Length != 0) writer.WriteLeaf(10, row.Label);
        foreach (ref var item in table.Animals.Slice(row.Animals))
        {
            writer.WriteLength(18, item.Size);
            writer = Animal.Write(writer, table.Animals, ref item);
        }

        writer.WriteUnknown(table.Leaves, row.Unknown);
        return writer;
    }

    internal struct Row
    {
        public Leaf Label;
        public Run Animals;
        public int Size;
        public Run Unknown;
    }

    internal sealed class Table : Rows<Row>
    {
        public readonly Rows<Leaf> Leaves;
        public readonly Animal.Table Animals;

        Table(MessageMemory memory)
            : base(memory)
        {
            Leaves = Rows<Leaf>.Of(memory);
            Animals = Animal.Table.Of(memory);
        }

        public static new Table Of(MessageMemory memory) => memory.Find<Table>() ?? new(memory);
    }
}
