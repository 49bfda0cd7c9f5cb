using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message Echo { bytes body = 1; }</summary>
public readonly record struct Echo : IMessage<Echo>
{
    readonly Table table;
    readonly int index;

    internal Echo(Table table, int index) => (this.table, this.index) = (table, index);

    public static bool NeedsMeasure => false;

    public Bytes Body => new(table.Memory, table[index].Body);

    public static Message<Echo> Rent() => Message<Echo>.Rent();

    public void SetBody(ReadOnlySpan<byte> value) => table[index].Body = table.Memory.Store(value);

    public static Echo Create(MessageMemory memory) => new(Table.Of(memory), 0);

    public static void Parse(WireReader reader, Echo message) => Parse(reader, message.table, message.index, 0);

    public static long Measure(Echo message) => Measure(message.table, ref message.table[message.index]);

    public static WireWriter Write(WireWriter writer, Echo message) => Write(writer, message.table, ref message.table[message.index]);

    public Echo Sibling(int distance) => new(table, index + distance);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Parse(WireReader reader, Table table, int index, int depth)
    {
        ref var row = ref table[index];
        while (reader.ReadTag(out var tag))
        {
            switch (tag)
            {
                case 10:
                    row.Body = reader.ReadBytes();
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
        if (row.Body.Length != 0) size += 1 + WireSize.Leaf(row.Body);
        return size;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static WireWriter Write(WireWriter writer, Table table, ref Row row)
    {
        if (row.Body.Length != 0) writer.WriteLeaf(10, row.Body);
        writer.WriteUnknown(table.Leaves, row.Unknown);
        return writer;
    }

    internal struct Row
    {
        public Leaf Body;
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
