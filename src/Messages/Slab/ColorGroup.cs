using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message ColorGroup { int32 id = 1; string name = 2; repeated string colors = 3; }</summary>
public readonly record struct ColorGroup : IMessage<ColorGroup>
{
    readonly Table table;
    readonly int index;

    internal ColorGroup(Table table, int index) => (this.table, this.index) = (table, index);

    public static bool NeedsMeasure => false;

    public int Id => table[index].Id;

    public Text Name => new(table.Memory, table[index].Name);

    public TextList Colors => new(table.Leaves, table[index].Colors);

    public static Message<ColorGroup> Rent() => Message<ColorGroup>.Rent();

    public void SetId(int value) => table[index].Id = value;

    public void SetName(ReadOnlySpan<byte> utf8) => table[index].Name = table.Memory.StoreText(utf8);

    public void SetName(ReadOnlySpan<char> text) => table[index].Name = table.Memory.StoreText(text);

    public void AddColors(ReadOnlySpan<byte> utf8) => table.Leaves.Append(ref table[index].Colors, table.Memory.StoreText(utf8));

    public void AddColors(ReadOnlySpan<char> text) => table.Leaves.Append(ref table[index].Colors, table.Memory.StoreText(text));

    public static ColorGroup Create(MessageMemory memory) => new(Table.Of(memory), 0);

    public static void Parse(WireReader reader, ColorGroup message) => Parse(reader, message.table, message.index, 0);

    public static long Measure(ColorGroup message) => Measure(message.table, ref message.table[message.index]);

    public static WireWriter Write(WireWriter writer, ColorGroup message) => Write(writer, message.table, ref message.table[message.index]);

    public ColorGroup Sibling(int distance) => new(table, index + distance);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Parse(WireReader reader, Table table, int index, int depth)
    {
        ref var row = ref table[index];
        while (reader.ReadTag(out var tag))
        {
            switch (tag)
            {
                case 8:
                    row.Id = reader.ReadInt32();
                    if (reader.TryTag(18)) goto case 18;
                    continue;
                case 18:
                    row.Name = reader.ReadText();
                    if (reader.TryTag(26)) goto case 26;
                    continue;
                case 26:
                    table.Leaves.Append(ref row.Colors, reader.ReadText());
                    if (reader.TryTag(26)) goto case 26;
                    continue;
                default:
                    table.Leaves.Append(ref row.Unknown, reader.Skip(tag, depth));
                    continue;
            }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static long Measure(Table table, ref Row row)
    {
        var size = WireSize.Unknown(table.Leaves, row.Unknown);
        if (row.Id != 0) size += 1 + WireSize.Int32(row.Id);
        if (row.Name.Length != 0) size += 1 + WireSize.Leaf(row.Name);
        size += row.Colors.Count + WireSize.Leaf(table.Leaves.Slice(row.Colors));
        return size;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static WireWriter Write(WireWriter writer, Table table, ref Row row)
    {
        if (row.Id != 0) writer.WriteInt32(8, row.Id);
        if (row.Name.Length != 0) writer.WriteLeaf(18, row.Name);
        foreach (var value in table.Leaves.Slice(row.Colors)) writer.WriteLeaf(26, value);
        writer.WriteUnknown(table.Leaves, row.Unknown);
        return writer;
    }

    internal struct Row
    {
        public int Id;
        public Leaf Name;
        public Run Colors;
        public Run Unknown;
    }

    internal sealed class Table : Rows<Row>
    {
        public readonly Rows<Leaf> Leaves;

        Table(MessageMemory memory)
            : base(memory) => Leaves = Rows<Leaf>.Of(memory);

        public static new Table Of(MessageMemory memory) => memory.Find<Table>() ?? new(memory);
    }
}
