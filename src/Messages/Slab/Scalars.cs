using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message Scalars of zoo.proto:
/// double double_value = 1;
/// float float_value = 2;
/// int32 int32_value = 3;
/// int64 int64_value = 4;
/// uint32 uint32_value = 5;
/// uint64 uint64_value = 6;
/// sint32 sint32_value = 7;
/// sint64 sint64_value = 8;
/// fixed32 fixed32_value = 9;
/// fixed64 fixed64_value = 10;
/// sfixed32 sfixed32_value = 11;
/// sfixed64 sfixed64_value = 12;
/// bool bool_value = 13;
/// string string_value = 14;
/// bytes bytes_value = 15;
/// Mood enum_value = 16;
/// int32 largest_number = 536870911;
/// </summary>
public readonly record struct Scalars : IMessage<Scalars>
{
    readonly Table table;
    readonly int index;

    internal Scalars(Table table, int index) => (this.table, this.index) = (table, index);

    public static bool NeedsMeasure => false;

    public double DoubleValue => table[index].DoubleValue;

    public float FloatValue => table[index].FloatValue;

    public int Int32Value => table[index].Int32Value;

    public long Int64Value => table[index].Int64Value;

    public uint Uint32Value => table[index].Uint32Value;

    public ulong Uint64Value => table[index].Uint64Value;

    public int Sint32Value => table[index].Sint32Value;

    public long Sint64Value => table[index].Sint64Value;

    public uint Fixed32Value => table[index].Fixed32Value;

    public ulong Fixed64Value => table[index].Fixed64Value;

    public int Sfixed32Value => table[index].Sfixed32Value;

    public long Sfixed64Value => table[index].Sfixed64Value;

    public bool BoolValue => table[index].BoolValue;

    public Text StringValue => new(table.Memory, table[index].StringValue);

    public Bytes BytesValue => new(table.Memory, table[index].BytesValue);

    public Mood EnumValue => table[index].EnumValue;

    public int LargestNumber => table[index].LargestNumber;

    public static Message<Scalars> Rent() => Message<Scalars>.Rent();

    public void SetDoubleValue(double value) => table[index].DoubleValue = value;

    public void SetFloatValue(float value) => table[index].FloatValue = value;

    public void SetInt32Value(int value) => table[index].Int32Value = value;

    public void SetInt64Value(long value) => table[index].Int64Value = value;

    public void SetUint32Value(uint value) => table[index].Uint32Value = value;

    public void SetUint64Value(ulong value) => table[index].Uint64Value = value;

    public void SetSint32Value(int value) => table[index].Sint32Value = value;

    public void SetSint64Value(long value) => table[index].Sint64Value = value;

    public void SetFixed32Value(uint value) => table[index].Fixed32Value = value;

    public void SetFixed64Value(ulong value) => table[index].Fixed64Value = value;

    public void SetSfixed32Value(int value) => table[index].Sfixed32Value = value;

    public void SetSfixed64Value(long value) => table[index].Sfixed64Value = value;

    public void SetBoolValue(bool value) => table[index].BoolValue = value;

    public void SetStringValue(ReadOnlySpan<byte> utf8) => table[index].StringValue = table.Memory.StoreText(utf8);

    public void SetStringValue(ReadOnlySpan<char> text) => table[index].StringValue = table.Memory.StoreText(text);

    public void SetBytesValue(ReadOnlySpan<byte> value) => table[index].BytesValue = table.Memory.Store(value);

    public void SetEnumValue(Mood value) => table[index].EnumValue = value;

    public void SetLargestNumber(int value) => table[index].LargestNumber = value;

    public static Scalars Create(MessageMemory memory) => new(Table.Of(memory), 0);

    public static void Parse(WireReader reader, Scalars message) => Parse(reader, message.table, message.index, 0);

    public static long Measure(Scalars message) => Measure(message.table, ref message.table[message.index]);

    public static WireWriter Write(WireWriter writer, Scalars message) => Write(writer, message.table, ref message.table[message.index]);

    public Scalars Sibling(int distance) => new(table, index + distance);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Parse(WireReader reader, Table table, int index, int depth)
    {
        ref var row = ref table[index];
        while (reader.ReadTag(out var tag))
        {
            switch (tag)
            {
                case 9:
                    row.DoubleValue = reader.ReadDouble();
                    if (reader.TryTag(21)) goto case 21;
                    continue;
                case 21:
                    row.FloatValue = reader.ReadFloat();
                    if (reader.TryTag(24)) goto case 24;
                    continue;
                case 24:
                    row.Int32Value = reader.ReadInt32();
                    if (reader.TryTag(32)) goto case 32;
                    continue;
                case 32:
                    row.Int64Value = reader.ReadInt64();
                    if (reader.TryTag(40)) goto case 40;
                    continue;
                case 40:
                    row.Uint32Value = reader.ReadUInt32();
                    if (reader.TryTag(48)) goto case 48;
                    continue;
                case 48:
                    row.Uint64Value = reader.ReadUInt64();
                    if (reader.TryTag(56)) goto case 56;
                    continue;
                case 56:
                    row.Sint32Value = reader.ReadSInt32();
                    if (reader.TryTag(64)) goto case 64;
                    continue;
                case 64:
                    row.Sint64Value = reader.ReadSInt64();
                    if (reader.TryTag(77)) goto case 77;
                    continue;
                case 77:
                    row.Fixed32Value = reader.ReadFixed32();
                    if (reader.TryTag(81)) goto case 81;
                    continue;
                case 81:
                    row.Fixed64Value = reader.ReadFixed64();
                    if (reader.TryTag(93)) goto case 93;
                    continue;
                case 93:
                    row.Sfixed32Value = reader.ReadSFixed32();
                    if (reader.TryTag(97)) goto case 97;
                    continue;
                case 97:
                    row.Sfixed64Value = reader.ReadSFixed64();
                    if (reader.TryTag(104)) goto case 104;
                    continue;
                case 104:
                    row.BoolValue = reader.ReadBool();
                    if (reader.TryTag(114)) goto case 114;
                    continue;
                case 114:
                    row.StringValue = reader.ReadText();
                    if (reader.TryTag(122)) goto case 122;
                    continue;
                case 122:
                    row.BytesValue = reader.ReadBytes();
                    if (reader.TryTag(128)) goto case 128;
                    continue;
                case 128:
                    row.EnumValue = (Mood)reader.ReadInt32();
                    if (reader.TryTag(4294967288)) goto case 4294967288;
                    continue;
                case 4294967288:
                    row.LargestNumber = reader.ReadInt32();
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
        if (BitConverter.DoubleToUInt64Bits(row.DoubleValue) != 0) size += 1 + sizeof(double);
        if (BitConverter.SingleToUInt32Bits(row.FloatValue) != 0) size += 1 + sizeof(float);
        if (row.Int32Value != 0) size += 1 + WireSize.Int32(row.Int32Value);
        if (row.Int64Value != 0) size += 1 + WireSize.Int64(row.Int64Value);
        if (row.Uint32Value != 0) size += 1 + WireSize.Varint(row.Uint32Value);
        if (row.Uint64Value != 0) size += 1 + WireSize.Varint(row.Uint64Value);
        if (row.Sint32Value != 0) size += 1 + WireSize.SInt32(row.Sint32Value);
        if (row.Sint64Value != 0) size += 1 + WireSize.SInt64(row.Sint64Value);
        if (row.Fixed32Value != 0) size += 1 + sizeof(uint);
        if (row.Fixed64Value != 0) size += 1 + sizeof(ulong);
        if (row.Sfixed32Value != 0) size += 1 + sizeof(int);
        if (row.Sfixed64Value != 0) size += 1 + sizeof(long);
        if (row.BoolValue) size += 1 + sizeof(bool);
        if (row.StringValue.Length != 0) size += 1 + WireSize.Leaf(row.StringValue);
        if (row.BytesValue.Length != 0) size += 1 + WireSize.Leaf(row.BytesValue);
        if (row.EnumValue != 0) size += 2 + WireSize.Int32((int)row.EnumValue);
        if (row.LargestNumber != 0) size += 5 + WireSize.Int32(row.LargestNumber);
        return size;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static WireWriter Write(WireWriter writer, Table table, ref Row row)
    {
        if (BitConverter.DoubleToUInt64Bits(row.DoubleValue) != 0) writer.WriteDouble(9, row.DoubleValue);
        if (BitConverter.SingleToUInt32Bits(row.FloatValue) != 0) writer.WriteFloat(21, row.FloatValue);
        if (row.Int32Value != 0) writer.WriteInt32(24, row.Int32Value);
        if (row.Int64Value != 0) writer.WriteInt64(32, row.Int64Value);
        if (row.Uint32Value != 0) writer.WriteUInt32(40, row.Uint32Value);
        if (row.Uint64Value != 0) writer.WriteUInt64(48, row.Uint64Value);
        if (row.Sint32Value != 0) writer.WriteSInt32(56, row.Sint32Value);
        if (row.Sint64Value != 0) writer.WriteSInt64(64, row.Sint64Value);
        if (row.Fixed32Value != 0) writer.WriteFixed32(77, row.Fixed32Value);
        if (row.Fixed64Value != 0) writer.WriteFixed64(81, row.Fixed64Value);
        if (row.Sfixed32Value != 0) writer.WriteSFixed32(93, row.Sfixed32Value);
        if (row.Sfixed64Value != 0) writer.WriteSFixed64(97, row.Sfixed64Value);
        if (row.BoolValue) writer.WriteBool(104, row.BoolValue);
        if (row.StringValue.Length != 0) writer.WriteLeaf(114, row.StringValue);
        if (row.BytesValue.Length != 0) writer.WriteLeaf(122, row.BytesValue);
        if (row.EnumValue != 0) writer.WriteInt32(128, (int)row.EnumValue);
        if (row.LargestNumber != 0) writer.WriteInt32(4294967288, row.LargestNumber);
        writer.WriteUnknown(table.Leaves, row.Unknown);
        return writer;
    }

    internal struct Row
    {
        public double DoubleValue;
        public float FloatValue;
        public int Int32Value;
        public long Int64Value;
        public uint Uint32Value;
        public ulong Uint64Value;
        public int Sint32Value;
        public long Sint64Value;
        public uint Fixed32Value;
        public ulong Fixed64Value;
        public int Sfixed32Value;
        public long Sfixed64Value;
        public bool BoolValue;
        public Leaf StringValue;
        public Leaf BytesValue;
        public Mood EnumValue;
        public int LargestNumber;
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
