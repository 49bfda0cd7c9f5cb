using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>An entry of the field map&lt;string, int32&gt; of zoo.proto.</summary>
public readonly record struct ZooVisitorsEntry : IMessage<ZooVisitorsEntry>
{
    readonly Table table;
    readonly int index;

    internal ZooVisitorsEntry(Table table, int index) => (this.table, this.index) = (table, index);

    public static bool NeedsMeasure => false;

    public Text Key => new(table.Memory, table[index].Key);

    public int Value => table[index].Value;

    public void SetKey(ReadOnlySpan<byte> utf8) => table[index].Key = table.Memory.StoreText(utf8);

    public void SetKey(ReadOnlySpan<char> text) => table[index].Key = table.Memory.StoreText(text);

    public void SetValue(int value) => table[index].Value = value;

    public static ZooVisitorsEntry Create(MessageMemory memory) => new(Table.Of(memory), 0);

    public static void Parse(WireReader reader, ZooVisitorsEntry message) => Parse(reader, message.table, message.index, 0);

    public static long Measure(ZooVisitorsEntry message) => Measure(message.table, ref message.table[message.index]);

    public static WireWriter Write(WireWriter writer, ZooVisitorsEntry message) => Write(writer, message.table, ref message.table[message.index]);

    public ZooVisitorsEntry Sibling(int distance) => new(table, index + distance);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Parse(WireReader reader, Table table, int index, int depth)
    {
        ref var row = ref table[index];
        while (reader.ReadTag(out var tag))
        {
            switch (tag)
            {
                case 10:
                    row.Key = reader.ReadText();
                    if (reader.TryTag(16)) goto case 16;
                    continue;
                case 16:
                    row.Value = reader.ReadInt32();
                    continue;
                default:
                    table.Leaves.Append(ref row.Unknown, reader.Skip(tag, depth));
                    continue;
            }
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static long Measure(Table table, ref Row row)
    {
        var size = WireSize.Unknown(table.Leaves, row.Unknown);
        if (row.Key.Length != 0) size += 1 + WireSize.Leaf(row.Key);
        if (row.Value != 0) size += 1 + WireSize.Int32(row.Value);
        return size;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static WireWriter Write(WireWriter writer, Table table, ref Row row)
    {
        if (row.Key.Length != 0) writer.WriteLeaf(10, row.Key);
        if (row.Value != 0) writer.WriteInt32(16, row.Value);
        writer.WriteUnknown(table.Leaves, row.Unknown);
        return writer;
    }

    internal struct Row : IMapRow<Row>
    {
        public Leaf Key;
        public int Value;
        public Run Unknown;

        public static bool HasSameKey(MessageMemory memory, in Row one, in Row other) => memory.Span(one.Key).SequenceEqual(memory.Span(other.Key));

        public static int HashKey(MessageMemory memory, in Row row) => MapKey.Hash(memory.Span(row.Key));
    }

    internal sealed class Table : Rows<Row>
    {
        public readonly Rows<Leaf> Leaves;

        Table(MessageMemory memory)
            : base(memory) => Leaves = Rows<Leaf>.Of(memory);

        public static new Table Of(MessageMemory memory) => memory.Find<Table>() ?? new(memory);
    }
}
