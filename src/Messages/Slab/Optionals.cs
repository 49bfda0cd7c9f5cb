using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message Optionals of zoo.proto:
/// optional int32 int32_value = 1;
/// optional double double_value = 2;
/// optional bool bool_value = 3;
/// optional string string_value = 4;
/// optional bytes bytes_value = 5;
/// optional Mood enum_value = 6;
/// </summary>
public readonly record struct Optionals : IMessage<Optionals>
{
    readonly Table table;
    readonly int index;

    internal Optionals(Table table, int index) => (this.table, this.index) = (table, index);

    public static bool NeedsMeasure => false;

    public int? Int32Value => (table[index].Has & 1) == 0 ? null : table[index].Int32Value;

    public double? DoubleValue => (table[index].Has & 2) == 0 ? null : table[index].DoubleValue;

    public bool? BoolValue => (table[index].Has & 4) == 0 ? null : table[index].BoolValue;

    public Text? StringValue => (table[index].Has & 8) == 0 ? null : new Text(table.Memory, table[index].StringValue);

    public Bytes? BytesValue => (table[index].Has & 16) == 0 ? null : new Bytes(table.Memory, table[index].BytesValue);

    public Mood? EnumValue => (table[index].Has & 32) == 0 ? null : table[index].EnumValue;

    public static Message<Optionals> Rent() => Message<Optionals>.Rent();

    public void SetInt32Value(int value) => (table[index].Has, table[index].Int32Value) = (table[index].Has | 1, value);

    public void SetDoubleValue(double value) => (table[index].Has, table[index].DoubleValue) = (table[index].Has | 2, value);

    public void SetBoolValue(bool value) => (table[index].Has, table[index].BoolValue) = (table[index].Has | 4, value);

    public void SetStringValue(ReadOnlySpan<byte> utf8) => (table[index].Has, table[index].StringValue) = (table[index].Has | 8, table.Memory.StoreText(utf8));

    public void SetStringValue(ReadOnlySpan<char> text) => (table[index].Has, table[index].StringValue) = (table[index].Has | 8, table.Memory.StoreText(text));

    public void SetBytesValue(ReadOnlySpan<byte> value) => (table[index].Has, table[index].BytesValue) = (table[index].Has | 16, table.Memory.Store(value));

    public void SetEnumValue(Mood value) => (table[index].Has, table[index].EnumValue) = (table[index].Has | 32, value);

    public static Optionals Create(MessageMemory memory) => new(Table.Of(memory), 0);

    public static void Parse(WireReader reader, Optionals message) => Parse(reader, message.table, message.index, 0);

    public static long Measure(Optionals message) => Measure(message.table, ref message.table[message.index]);

    public static WireWriter Write(WireWriter writer, Optionals message) => Write(writer, message.table, ref message.table[message.index]);

    public Optionals Sibling(int distance) => new(table, index + distance);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Parse(WireReader reader, Table table, int index, int depth)
    {
        ref var row = ref table[index];
        while (reader.ReadTag(out var tag))
        {
            switch (tag)
            {
                case 8:
                    row.Int32Value = reader.ReadInt32();
                    row.Has |= 1;
                    if (reader.TryTag(17)) goto case 17;
                    continue;
                case 17:
                    row.DoubleValue = reader.ReadDouble();
                    row.Has |= 2;
                    if (reader.TryTag(24)) goto case 24;
                    continue;
                case 24:
                    row.BoolValue = reader.ReadBool();
                    row.Has |= 4;
                    if (reader.TryTag(34)) goto case 34;
                    continue;
                case 34:
                    row.StringValue = reader.ReadText();
                    row.Has |= 8;
                    if (reader.TryTag(42)) goto case 42;
                    continue;
                case 42:
                    row.BytesValue = reader.ReadBytes();
                    row.Has |= 16;
                    if (reader.TryTag(48)) goto case 48;
                    continue;
                case 48:
                    row.EnumValue = (Mood)reader.ReadInt32();
                    row.Has |= 32;
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
        if ((row.Has & 1) != 0) size += 1 + WireSize.Int32(row.Int32Value);
        if ((row.Has & 2) != 0) size += 1 + sizeof(double);
        if ((row.Has & 4) != 0) size += 1 + sizeof(bool);
        if ((row.Has & 8) != 0) size += 1 + WireSize.Leaf(row.StringValue);
        if ((row.Has & 16) != 0) size += 1 + WireSize.Leaf(row.BytesValue);
        if ((row.Has & 32) != 0) size += 1 + WireSize.Int32((int)row.EnumValue);
        return size;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static WireWriter Write(WireWriter writer, Table table, ref Row row)
    {
        if ((row.Has & 1) != 0) writer.WriteInt32(8, row.Int32Value);
        if ((row.Has & 2) != 0) writer.WriteDouble(17, row.DoubleValue);
        if ((row.Has & 4) != 0) writer.WriteBool(24, row.BoolValue);
        if ((row.Has & 8) != 0) writer.WriteLeaf(34, row.StringValue);
        if ((row.Has & 16) != 0) writer.WriteLeaf(42, row.BytesValue);
        if ((row.Has & 32) != 0) writer.WriteInt32(48, (int)row.EnumValue);
        writer.WriteUnknown(table.Leaves, row.Unknown);
        return writer;
    }

    internal struct Row
    {
        public int Int32Value;
        public double DoubleValue;
        public bool BoolValue;
        public Leaf StringValue;
        public Leaf BytesValue;
        public Mood EnumValue;
        public uint Has;
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
