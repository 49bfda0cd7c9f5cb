using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message ColorGroups { repeated ColorGroup groups = 1; }</summary>
public readonly record struct ColorGroups : IMessage<ColorGroups>
{
    readonly Table table;
    readonly int index;

    internal ColorGroups(Table table, int index) => (this.table, this.index) = (table, index);

    public static bool NeedsMeasure => false;

    public MessageList<ColorGroup> Groups => new(new(table.Groups, table[index].Groups.Start), table[index].Groups.Count);

    public static Message<ColorGroups> Rent() => Message<ColorGroups>.Rent();

    public ColorGroup AddGroups()
    {
        var run = table[index].Groups;
        var at = table.Groups.Append(ref run);
        table[index].Groups = run;
        return new(table.Groups, at);
    }

    public static ColorGroups Create(MessageMemory memory) => new(Table.Of(memory), 0);

    public static void Parse(WireReader reader, ColorGroups message) => Parse(reader, message.table, message.index, 0);

    public static long Measure(ColorGroups message) => Measure(message.table, ref message.table[message.index], 0);

    public static WireWriter Write(WireWriter writer, ColorGroups message) => Write(writer, message.table, ref message.table[message.index]);

    public ColorGroups Sibling(int distance) => new(table, index + distance);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Parse(WireReader reader, Table table, int index, int depth)
    {
        ref var row = ref table[index];
        while (reader.ReadTag(out var tag))
        {
            switch (tag)
            {
                case 10:
                    var groups = row.Groups;
                    do
                    {
                        ColorGroup.Parse(reader.Enter(depth), table.Groups, table.Groups.Append(ref groups), depth + 1);
                    }
                    while (reader.TryTag(10));
                    row = ref table[index];
                    row.Groups = groups;
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
        foreach (ref var item in table.Groups.Slice(row.Groups)) size += 1 + WireSize.Body(ColorGroup.Measure(table.Groups, ref item));
        row.Size = (int)size;
        return size;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static WireWriter Write(WireWriter writer, Table table, ref Row row)
    {
        foreach (ref var item in table.Groups.Slice(row.Groups))
        {
            writer.WriteLength(10, ColorGroup.Measure(table.Groups, ref item));
            writer = ColorGroup.Write(writer, table.Groups, ref item);
        }

        writer.WriteUnknown(table.Leaves, row.Unknown);
        return writer;
    }

    internal struct Row
    {
        public Run Groups;
        public int Size;
        public Run Unknown;
    }

    internal sealed class Table : Rows<Row>
    {
        public readonly Rows<Leaf> Leaves;
        public readonly ColorGroup.Table Groups;

        Table(MessageMemory memory)
            : base(memory)
        {
            Leaves = Rows<Leaf>.Of(memory);
            Groups = ColorGroup.Table.Of(memory);
        }

        public static new Table Of(MessageMemory memory) => memory.Find<Table>() ?? new(memory);
    }
}
