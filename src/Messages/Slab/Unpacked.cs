using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message Unpacked of zoo.proto:
/// repeated double double_values = 1 [packed = false];
/// repeated float float_values = 2 [packed = false];
/// repeated int32 int32_values = 3 [packed = false];
/// repeated sint64 sint64_values = 4 [packed = false];
/// repeated bool bool_values = 5 [packed = false];
/// repeated Mood enum_values = 6 [packed = false];
/// repeated string string_values = 7;
/// repeated bytes bytes_values = 8;
/// </summary>
public readonly record struct Unpacked : IMessage<Unpacked>
{
    readonly Table table;
    readonly int index;

    internal Unpacked(Table table, int index) => (this.table, this.index) = (table, index);

    public static bool NeedsMeasure => false;

    public ReadOnlySpan<double> DoubleValues => table.Doubles.Slice(table[index].DoubleValues);

    public ReadOnlySpan<float> FloatValues => table.Floats.Slice(table[index].FloatValues);

    public ReadOnlySpan<int> Int32Values => table.Ints.Slice(table[index].Int32Values);

    public ReadOnlySpan<long> Sint64Values => table.Longs.Slice(table[index].Sint64Values);

    public ReadOnlySpan<bool> BoolValues => table.Bools.Slice(table[index].BoolValues);

    public ReadOnlySpan<Mood> EnumValues => MemoryMarshal.Cast<int, Mood>(table.Ints.Slice(table[index].EnumValues));

    public TextList StringValues => new(table.Leaves, table[index].StringValues);

    public BytesList BytesValues => new(table.Leaves, table[index].BytesValues);

    public static Message<Unpacked> Rent() => Message<Unpacked>.Rent();

    public void AddDoubleValues(double value) => table.Doubles.Append(ref table[index].DoubleValues, value);

    public void AddFloatValues(float value) => table.Floats.Append(ref table[index].FloatValues, value);

    public void AddInt32Values(int value) => table.Ints.Append(ref table[index].Int32Values, value);

    public void AddSint64Values(long value) => table.Longs.Append(ref table[index].Sint64Values, value);

    public void AddBoolValues(bool value) => table.Bools.Append(ref table[index].BoolValues, value);

    public void AddEnumValues(Mood value) => table.Ints.Append(ref table[index].EnumValues, (int)value);

    public void AddStringValues(ReadOnlySpan<byte> utf8) => table.Leaves.Append(ref table[index].StringValues, table.Memory.StoreText(utf8));

    public void AddStringValues(ReadOnlySpan<char> text) => table.Leaves.Append(ref table[index].StringValues, table.Memory.StoreText(text));

    public void AddBytesValues(ReadOnlySpan<byte> value) => table.Leaves.Append(ref table[index].BytesValues, table.Memory.Store(value));

    public static Unpacked Create(MessageMemory memory) => new(Table.Of(memory), 0);

    public static void Parse(WireReader reader, Unpacked message) => Parse(reader, message.table, message.index, 0);

    public static long Measure(Unpacked message) => Measure(message.table, ref message.table[message.index]);

    public static WireWriter Write(WireWriter writer, Unpacked message) => Write(writer, message.table, ref message.table[message.index]);

    public Unpacked Sibling(int distance) => new(table, index + distance);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Parse(WireReader reader, Table table, int index, int depth)
    {
        ref var row = ref table[index];
        while (reader.ReadTag(out var tag))
        {
            switch (tag)
            {
                case 9:
                    table.Doubles.Append(ref row.DoubleValues, reader.ReadDouble());
                    if (reader.TryTag(9)) goto case 9;
                    if (reader.TryTag(21)) goto case 21;
                    continue;
                case 10:
                    for (var packed = reader.Enter(0); packed.More();) table.Doubles.Append(ref row.DoubleValues, packed.ReadDouble());
                    continue;
                case 21:
                    table.Floats.Append(ref row.FloatValues, reader.ReadFloat());
                    if (reader.TryTag(21)) goto case 21;
                    if (reader.TryTag(24)) goto case 24;
                    continue;
                case 18:
                    for (var packed = reader.Enter(0); packed.More();) table.Floats.Append(ref row.FloatValues, packed.ReadFloat());
                    continue;
                case 24:
                    table.Ints.Append(ref row.Int32Values, reader.ReadInt32());
                    if (reader.TryTag(24)) goto case 24;
                    if (reader.TryTag(32)) goto case 32;
                    continue;
                case 26:
                    for (var packed = reader.Enter(0); packed.More();) table.Ints.Append(ref row.Int32Values, packed.ReadInt32());
                    continue;
                case 32:
                    table.Longs.Append(ref row.Sint64Values, reader.ReadSInt64());
                    if (reader.TryTag(32)) goto case 32;
                    if (reader.TryTag(40)) goto case 40;
                    continue;
                case 34:
                    for (var packed = reader.Enter(0); packed.More();) table.Longs.Append(ref row.Sint64Values, packed.ReadSInt64());
                    continue;
                case 40:
                    table.Bools.Append(ref row.BoolValues, reader.ReadBool());
                    if (reader.TryTag(40)) goto case 40;
                    if (reader.TryTag(48)) goto case 48;
                    continue;
                case 42:
                    for (var packed = reader.Enter(0); packed.More();) table.Bools.Append(ref row.BoolValues, packed.ReadBool());
                    continue;
                case 48:
                    table.Ints.Append(ref row.EnumValues, reader.ReadInt32());
                    if (reader.TryTag(48)) goto case 48;
                    if (reader.TryTag(58)) goto case 58;
                    continue;
                case 50:
                    for (var packed = reader.Enter(0); packed.More();) table.Ints.Append(ref row.EnumValues, packed.ReadInt32());
                    continue;
                case 58:
                    table.Leaves.Append(ref row.StringValues, reader.ReadText());
                    if (reader.TryTag(58)) goto case 58;
                    if (reader.TryTag(66)) goto case 66;
                    continue;
                case 66:
                    table.Leaves.Append(ref row.BytesValues, reader.ReadBytes());
                    if (reader.TryTag(66)) goto case 66;
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
        size += row.DoubleValues.Count + (row.DoubleValues.Count * (long)sizeof(double));
        size += row.FloatValues.Count + (row.FloatValues.Count * (long)sizeof(float));
        size += row.Int32Values.Count + WireSize.Int32(table.Ints.Slice(row.Int32Values));
        size += row.Sint64Values.Count + WireSize.SInt64(table.Longs.Slice(row.Sint64Values));
        size += row.BoolValues.Count + row.BoolValues.Count;
        size += row.EnumValues.Count + WireSize.Int32(table.Ints.Slice(row.EnumValues));
        size += row.StringValues.Count + WireSize.Leaf(table.Leaves.Slice(row.StringValues));
        size += row.BytesValues.Count + WireSize.Leaf(table.Leaves.Slice(row.BytesValues));
        return size;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static WireWriter Write(WireWriter writer, Table table, ref Row row)
    {
        foreach (var value in table.Doubles.Slice(row.DoubleValues)) writer.WriteDouble(9, value);
        foreach (var value in table.Floats.Slice(row.FloatValues)) writer.WriteFloat(21, value);
        foreach (var value in table.Ints.Slice(row.Int32Values)) writer.WriteInt32(24, value);
        foreach (var value in table.Longs.Slice(row.Sint64Values)) writer.WriteSInt64(32, value);
        foreach (var value in table.Bools.Slice(row.BoolValues)) writer.WriteBool(40, value);
        foreach (var value in table.Ints.Slice(row.EnumValues)) writer.WriteInt32(48, value);
        foreach (var value in table.Leaves.Slice(row.StringValues)) writer.WriteLeaf(58, value);
        foreach (var value in table.Leaves.Slice(row.BytesValues)) writer.WriteLeaf(66, value);
        writer.WriteUnknown(table.Leaves, row.Unknown);
        return writer;
    }

    internal struct Row
    {
        public Run DoubleValues;
        public Run FloatValues;
        public Run Int32Values;
        public Run Sint64Values;
        public Run BoolValues;
        public Run EnumValues;
        public Run StringValues;
        public Run BytesValues;
        public Run Unknown;
    }

    internal sealed class Table : Rows<Row>
    {
        public readonly Rows<Leaf> Leaves;
        public readonly Rows<bool> Bools;
        public readonly Rows<double> Doubles;
        public readonly Rows<float> Floats;
        public readonly Rows<int> Ints;
        public readonly Rows<long> Longs;

        Table(MessageMemory memory)
            : base(memory)
        {
            Leaves = Rows<Leaf>.Of(memory);
            Bools = Rows<bool>.Of(memory);
            Doubles = Rows<double>.Of(memory);
            Floats = Rows<float>.Of(memory);
            Ints = Rows<int>.Of(memory);
            Longs = Rows<long>.Of(memory);
        }

        public static new Table Of(MessageMemory memory) => memory.Find<Table>() ?? new(memory);
    }
}
