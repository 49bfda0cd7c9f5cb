using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message ForwardPerItemRequest { string itemId = 1; bytes itemContext = 2; }</summary>
public readonly record struct ForwardPerItemRequest : IMessage<ForwardPerItemRequest>
{
    readonly Table table;
    readonly int index;

    internal ForwardPerItemRequest(Table table, int index) => (this.table, this.index) = (table, index);

    public static bool NeedsMeasure => false;

    public Text ItemId => new(table.Memory, table[index].ItemId);

    public Bytes ItemContext => new(table.Memory, table[index].ItemContext);

    public static Message<ForwardPerItemRequest> Rent() => Message<ForwardPerItemRequest>.Rent();

    public void SetItemId(ReadOnlySpan<byte> utf8) => table[index].ItemId = table.Memory.StoreText(utf8);

    public void SetItemId(ReadOnlySpan<char> text) => table[index].ItemId = table.Memory.StoreText(text);

    public void SetItemContext(ReadOnlySpan<byte> value) => table[index].ItemContext = table.Memory.Store(value);

    public static ForwardPerItemRequest Create(MessageMemory memory) => new(Table.Of(memory), 0);

    public static void Parse(WireReader reader, ForwardPerItemRequest message) => Parse(reader, message.table, message.index, 0);

    public static long Measure(ForwardPerItemRequest message) => Measure(message.table, ref message.table[message.index]);

    public static WireWriter Write(WireWriter writer, ForwardPerItemRequest message) => Write(writer, message.table, ref message.table[message.index]);

    public ForwardPerItemRequest Sibling(int distance) => new(table, index + distance);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Parse(WireReader reader, Table table, int index, int depth)
    {
        ref var row = ref table[index];
        while (reader.ReadTag(out var tag))
        {
            switch (tag)
            {
                case 10:
                    row.ItemId = reader.ReadText();
                    if (reader.TryTag(18)) goto case 18;
                    continue;
                case 18:
                    row.ItemContext = reader.ReadBytes();
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
        if (row.ItemId.Length != 0) size += 1 + WireSize.Leaf(row.ItemId);
        if (row.ItemContext.Length != 0) size += 1 + WireSize.Leaf(row.ItemContext);
        return size;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static WireWriter Write(WireWriter writer, Table table, ref Row row)
    {
        if (row.ItemId.Length != 0) writer.WriteLeaf(10, row.ItemId);
        if (row.ItemContext.Length != 0) writer.WriteLeaf(18, row.ItemContext);
        writer.WriteUnknown(table.Leaves, row.Unknown);
        return writer;
    }

    internal struct Row
    {
        public Leaf ItemId;
        public Leaf ItemContext;
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
