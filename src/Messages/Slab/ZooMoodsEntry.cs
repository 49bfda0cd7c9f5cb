using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>An entry of the field map&lt;bool, Mood&gt; of zoo.proto.</summary>
public readonly record struct ZooMoodsEntry : IMessage<ZooMoodsEntry>
{
    readonly Table table;
    readonly int index;

    internal ZooMoodsEntry(Table table, int index) => (this.table, this.index) = (table, index);

    public static bool NeedsMeasure => false;

    public bool Key => table[index].Key;

    public Mood Value => table[index].Value;

    public void SetKey(bool value) => table[index].Key = value;

    public void SetValue(Mood value) => table[index].Value = value;

    public static ZooMoodsEntry Create(MessageMemory memory) => new(Table.Of(memory), 0);

    public static void Parse(WireReader reader, ZooMoodsEntry message) => Parse(reader, message.table, message.index, 0);

    public static long Measure(ZooMoodsEntry message) => Measure(message.table, ref message.table[message.index]);

    public static WireWriter Write(WireWriter writer, ZooMoodsEntry message) => Write(writer, message.table, ref message.table[message.index]);

    public ZooMoodsEntry Sibling(int distance) => new(table, index + distance);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Parse(WireReader reader, Table table, int index, int depth)
    {
        ref var row = ref table[index];
        while (reader.ReadTag(out var tag))
        {
            switch (tag)
            {
                case 8:
                    row.Key = reader.ReadBool();
                    if (reader.TryTag(16)) goto case 16;
                    continue;
                case 16:
                    row.Value = (Mood)reader.ReadInt32();
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
        if (row.Key) size += 1 + sizeof(bool);
        if (row.Value != 0) size += 1 + WireSize.Int32((int)row.Value);
        return size;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static WireWriter Write(WireWriter writer, Table table, ref Row row)
    {
        if (row.Key) writer.WriteBool(8, row.Key);
        if (row.Value != 0) writer.WriteInt32(16, (int)row.Value);
        writer.WriteUnknown(table.Leaves, row.Unknown);
        return writer;
    }

    internal struct Row : IMapRow<Row>
    {
        public bool Key;
        public Mood Value;
        public Run Unknown;

        public static bool HasSameKey(MessageMemory memory, in Row one, in Row other) => one.Key == other.Key;

        public static int HashKey(MessageMemory memory, in Row row) => HashCode.Combine(row.Key);
    }

    internal sealed class Table : Rows<Row>
    {
        public readonly Rows<Leaf> Leaves;

        Table(MessageMemory memory)
            : base(memory) => Leaves = Rows<Leaf>.Of(memory);

        public static new Table Of(MessageMemory memory) => memory.Find<Table>() ?? new(memory);
    }
}
