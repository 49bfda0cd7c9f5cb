using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message ForwardPerItemResponse { float result = 1; bytes extraResult = 2; }</summary>
public readonly record struct ForwardPerItemResponse : IMessage<ForwardPerItemResponse>
{
    readonly Table table;
    readonly int index;

    internal ForwardPerItemResponse(Table table, int index) => (this.table, this.index) = (table, index);

    public static bool NeedsMeasure => false;

    public float Result => table[index].Result;

    public Bytes ExtraResult => new(table.Memory, table[index].ExtraResult);

    public static Message<ForwardPerItemResponse> Rent() => Message<ForwardPerItemResponse>.Rent();

    public void SetResult(float value) => table[index].Result = value;

    public void SetExtraResult(ReadOnlySpan<byte> value) => table[index].ExtraResult = table.Memory.Store(value);

    public static ForwardPerItemResponse Create(MessageMemory memory) => new(Table.Of(memory), 0);

    public static void Parse(WireReader reader, ForwardPerItemResponse message) => Parse(reader, message.table, message.index, 0);

    public static long Measure(ForwardPerItemResponse message) => Measure(message.table, ref message.table[message.index]);

    public static WireWriter Write(WireWriter writer, ForwardPerItemResponse message) => Write(writer, message.table, ref message.table[message.index]);

    public ForwardPerItemResponse Sibling(int distance) => new(table, index + distance);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Parse(WireReader reader, Table table, int index, int depth)
    {
        ref var row = ref table[index];
        while (reader.ReadTag(out var tag))
        {
            switch (tag)
            {
                case 13:
                    row.Result = reader.ReadFloat();
                    if (reader.TryTag(18)) goto case 18;
                    continue;
                case 18:
                    row.ExtraResult = reader.ReadBytes();
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
        if (BitConverter.SingleToUInt32Bits(row.Result) != 0) size += 1 + sizeof(float);
        if (row.ExtraResult.Length != 0) size += 1 + WireSize.Leaf(row.ExtraResult);
        return size;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static WireWriter Write(WireWriter writer, Table table, ref Row row)
    {
        if (BitConverter.SingleToUInt32Bits(row.Result) != 0) writer.WriteFloat(13, row.Result);
        if (row.ExtraResult.Length != 0) writer.WriteLeaf(18, row.ExtraResult);
        writer.WriteUnknown(table.Leaves, row.Unknown);
        return writer;
    }

    internal struct Row
    {
        public float Result;
        public Leaf ExtraResult;
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
