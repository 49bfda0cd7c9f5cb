using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message ForwardRequest of hive.proto:
/// string traceId = 1;
/// repeated ForwardPerItemRequest itemRequests = 2;
/// bytes requestContextInfo = 3;
/// </summary>
public readonly record struct ForwardRequest : IMessage<ForwardRequest>
{
    readonly Table table;
    readonly int index;

    internal ForwardRequest(Table table, int index) => (this.table, this.index) = (table, index);

    public static bool NeedsMeasure => false;

    public Text TraceId => new(table.Memory, table[index].TraceId);

    public MessageList<ForwardPerItemRequest> ItemRequests => new(new(table.ItemRequests, table[index].ItemRequests.Start), table[index].ItemRequests.Count);

    public Bytes RequestContextInfo => new(table.Memory, table[index].RequestContextInfo);

    public static Message<ForwardRequest> Rent() => Message<ForwardRequest>.Rent();

    public void SetTraceId(ReadOnlySpan<byte> utf8) => table[index].TraceId = table.Memory.StoreText(utf8);

    public void SetTraceId(ReadOnlySpan<char> text) => table[index].TraceId = table.Memory.StoreText(text);

    public ForwardPerItemRequest AddItemRequests()
    {
        var run = table[index].ItemRequests;
        var at = table.ItemRequests.Append(ref run);
        table[index].ItemRequests = run;
        return new(table.ItemRequests, at);
    }

    public void SetRequestContextInfo(ReadOnlySpan<byte> value) => table[index].RequestContextInfo = table.Memory.Store(value);

    public static ForwardRequest Create(MessageMemory memory) => new(Table.Of(memory), 0);

    public static void Parse(WireReader reader, ForwardRequest message) => Parse(reader, message.table, message.index, 0);

    public static long Measure(ForwardRequest message) => Measure(message.table, ref message.table[message.index], 0);

    public static WireWriter Write(WireWriter writer, ForwardRequest message) => Write(writer, message.table, ref message.table[message.index]);

    public ForwardRequest Sibling(int distance) => new(table, index + distance);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Parse(WireReader reader, Table table, int index, int depth)
    {
        ref var row = ref table[index];
        while (reader.ReadTag(out var tag))
        {
            switch (tag)
            {
                case 10:
                    row.TraceId = reader.ReadText();
                    if (reader.TryTag(18)) goto case 18;
                    continue;
                case 18:
                    var itemRequests = row.ItemRequests;
                    do
                    {
                        ForwardPerItemRequest.Parse(reader.Enter(depth), table.ItemRequests, table.ItemRequests.Append(ref itemRequests), depth + 1);
                    }
                    while (reader.TryTag(18));
                    row = ref table[index];
                    row.ItemRequests = itemRequests;
                    if (reader.TryTag(26)) goto case 26;
                    continue;
                case 26:
                    row.RequestContextInfo = reader.ReadBytes();
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
        if (row.TraceId.Length != 0) size += 1 + WireSize.Leaf(row.TraceId);
        foreach (ref var item in table.ItemRequests.Slice(row.ItemRequests)) size += 1 + WireSize.Body(ForwardPerItemRequest.Measure(table.ItemRequests, ref item));
        if (row.RequestContextInfo.Length != 0) size += 1 + WireSize.Leaf(row.RequestContextInfo);
        row.Size = (int)size;
        return size;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static WireWriter Write(WireWriter writer, Table table, ref Row row)
    {
        if (row.TraceId.Length != 0) writer.WriteLeaf(10, row.TraceId);
        foreach (ref var item in table.ItemRequests.Slice(row.ItemRequests))
        {
            writer.WriteLength(18, ForwardPerItemRequest.Measure(table.ItemRequests, ref item));
            writer = ForwardPerItemRequest.Write(writer, table.ItemRequests, ref item);
        }

        if (row.RequestContextInfo.Length != 0) writer.WriteLeaf(26, row.RequestContextInfo);
        writer.WriteUnknown(table.Leaves, row.Unknown);
        return writer;
    }

    internal struct Row
    {
        public Leaf TraceId;
        public Run ItemRequests;
        public Leaf RequestContextInfo;
        public int Size;
        public Run Unknown;
    }

    internal sealed class Table : Rows<Row>
    {
        public readonly Rows<Leaf> Leaves;
        public readonly ForwardPerItemRequest.Table ItemRequests;

        Table(MessageMemory memory)
            : base(memory)
        {
            Leaves = Rows<Leaf>.Of(memory);
            ItemRequests = ForwardPerItemRequest.Table.Of(memory);
        }

        public static new Table Of(MessageMemory memory) => memory.Find<Table>() ?? new(memory);
    }
}
