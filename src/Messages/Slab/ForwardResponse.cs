using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message ForwardResponse of hive.proto:
/// repeated ForwardPerItemResponse itemResponses = 1;
/// int64 routeLatencyInUs = 2;
/// int64 routeStartTimeInTicks = 3;
/// </summary>
public readonly record struct ForwardResponse : IMessage<ForwardResponse>
{
    readonly Table table;
    readonly int index;

    internal ForwardResponse(Table table, int index) => (this.table, this.index) = (table, index);

    public static bool NeedsMeasure => false;

    public MessageList<ForwardPerItemResponse> ItemResponses => new(new(table.ItemResponses, table[index].ItemResponses.Start), table[index].ItemResponses.Count);

    public long RouteLatencyInUs => table[index].RouteLatencyInUs;

    public long RouteStartTimeInTicks => table[index].RouteStartTimeInTicks;

    public static Message<ForwardResponse> Rent() => Message<ForwardResponse>.Rent();

    public ForwardPerItemResponse AddItemResponses()
    {
        var run = table[index].ItemResponses;
        var at = table.ItemResponses.Append(ref run);
        table[index].ItemResponses = run;
        return new(table.ItemResponses, at);
    }

    public void SetRouteLatencyInUs(long value) => table[index].RouteLatencyInUs = value;

    public void SetRouteStartTimeInTicks(long value) => table[index].RouteStartTimeInTicks = value;

    public static ForwardResponse Create(MessageMemory memory) => new(Table.Of(memory), 0);

    public static void Parse(WireReader reader, ForwardResponse message) => Parse(reader, message.table, message.index, 0);

    public static long Measure(ForwardResponse message) => Measure(message.table, ref message.table[message.index], 0);

    public static WireWriter Write(WireWriter writer, ForwardResponse message) => Write(writer, message.table, ref message.table[message.index]);

    public ForwardResponse Sibling(int distance) => new(table, index + distance);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Parse(WireReader reader, Table table, int index, int depth)
    {
        ref var row = ref table[index];
        while (reader.ReadTag(out var tag))
        {
            switch (tag)
            {
                case 10:
                    var itemResponses = row.ItemResponses;
                    do
                    {
                        ForwardPerItemResponse.Parse(reader.Enter(depth), table.ItemResponses, table.ItemResponses.Append(ref itemResponses), depth + 1);
                    }
                    while (reader.TryTag(10));
                    row = ref table[index];
                    row.ItemResponses = itemResponses;
                    if (reader.TryTag(16)) goto case 16;
                    continue;
                case 16:
                    row.RouteLatencyInUs = reader.ReadInt64();
                    if (reader.TryTag(24)) goto case 24;
                    continue;
                case 24:
                    row.RouteStartTimeInTicks = reader.ReadInt64();
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
        foreach (ref var item in table.ItemResponses.Slice(row.ItemResponses)) size += 1 + WireSize.Body(ForwardPerItemResponse.Measure(table.ItemResponses, ref item));
        if (row.RouteLatencyInUs != 0) size += 1 + WireSize.Int64(row.RouteLatencyInUs);
        if (row.RouteStartTimeInTicks != 0) size += 1 + WireSize.Int64(row.RouteStartTimeInTicks);
        row.Size = (int)size;
        return size;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static WireWriter Write(WireWriter writer, Table table, ref Row row)
    {
        foreach (ref var item in table.ItemResponses.Slice(row.ItemResponses))
        {
            writer.WriteLength(10, ForwardPerItemResponse.Measure(table.ItemResponses, ref item));
            writer = ForwardPerItemResponse.Write(writer, table.ItemResponses, ref item);
        }

        if (row.RouteLatencyInUs != 0) writer.WriteInt64(16, row.RouteLatencyInUs);
        if (row.RouteStartTimeInTicks != 0) writer.WriteInt64(24, row.RouteStartTimeInTicks);
        writer.WriteUnknown(table.Leaves, row.Unknown);
        return writer;
    }

    internal struct Row
    {
        public Run ItemResponses;
        public long RouteLatencyInUs;
        public long RouteStartTimeInTicks;
        public int Size;
        public Run Unknown;
    }

    internal sealed class Table : Rows<Row>
    {
        public readonly Rows<Leaf> Leaves;
        public readonly ForwardPerItemResponse.Table ItemResponses;

        Table(MessageMemory memory)
            : base(memory)
        {
            Leaves = Rows<Leaf>.Of(memory);
            ItemResponses = ForwardPerItemResponse.Table.Of(memory);
        }

        public static new Table Of(MessageMemory memory) => memory.Find<Table>() ?? new(memory);
    }
}
