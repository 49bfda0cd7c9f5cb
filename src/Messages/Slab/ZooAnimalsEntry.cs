using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>An entry of the field map&lt;int64, Animal&gt; of zoo.proto.</summary>
public readonly record struct ZooAnimalsEntry : IMessage<ZooAnimalsEntry>
{
    readonly Table table;
    readonly int index;

    internal ZooAnimalsEntry(Table table, int index) => (this.table, this.index) = (table, index);

    public static bool NeedsMeasure => true;

    public long Key => table[index].Key;

    public Animal? Value => table[index].Value == 0 ? null : new(table.Value, table[index].Value - 1);

    public void SetKey(long value) => table[index].Key = value;

    public Animal SetValue()
    {
        var at = table.Value.Open(table[index].Value);
        table[index].Value = at + 1;
        return new(table.Value, at);
    }

    public static ZooAnimalsEntry Create(MessageMemory memory) => new(Table.Of(memory), 0);

    public static void Parse(WireReader reader, ZooAnimalsEntry message) => Parse(reader, message.table, message.index, 0);

    public static long Measure(ZooAnimalsEntry message) => Measure(message.table, ref message.table[message.index], 0);

    public static WireWriter Write(WireWriter writer, ZooAnimalsEntry message) => Write(writer, message.table, ref message.table[message.index]);

    public ZooAnimalsEntry Sibling(int distance) => new(table, index + distance);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Parse(WireReader reader, Table table, int index, int depth)
    {
        ref var row = ref table[index];
        while (reader.ReadTag(out var tag))
        {
            switch (tag)
            {
                case 8:
                    row.Key = reader.ReadInt64();
                    if (reader.TryTag(18)) goto case 18;
                    continue;
                case 18:
                    var value = table.Value.Open(0);
                    Animal.Parse(reader.Enter(depth), table.Value, value, depth + 1);
                    row = ref table[index];
                    row.Value = value + 1;
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
        if (row.Key != 0) size += 1 + WireSize.Int64(row.Key);
        size += 1 + (row.Value == 0 ? 1 : WireSize.Body(Animal.Measure(table.Value, ref table.Value[row.Value - 1], depth + 1)));
        row.Size = (int)size;
        return size;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static WireWriter Write(WireWriter writer, Table table, ref Row row)
    {
        if (row.Key != 0) writer.WriteInt64(8, row.Key);
        if (row.Value != 0)
        {
            ref var value = ref table.Value[row.Value - 1];
            writer.WriteLength(18, value.Size);
            writer = Animal.Write(writer, table.Value, ref value);
        }
        else
        {
            writer.WriteLength(18, 0);
        }

        writer.WriteUnknown(table.Leaves, row.Unknown);
        return writer;
    }

    internal struct Row : IMapRow<Row>
    {
        public long Key;
        public int Value;
        public int Size;
        public Run Unknown;

        public static bool HasSameKey(MessageMemory memory, in Row one, in Row other) => one.Key == other.Key;

        public static int HashKey(MessageMemory memory, in Row row) => HashCode.Combine(row.Key);
    }

    internal sealed class Table : Rows<Row>
    {
        public readonly Rows<Leaf> Leaves;
        public readonly Animal.Table Value;

        Table(MessageMemory memory)
            : base(memory)
        {
            Leaves = Rows<Leaf>.Of(memory);
            Value = Animal.Table.Of(memory);
        }

        public static new Table Of(MessageMemory memory) => memory.Find<Table>() ?? new(memory);
    }
}
