using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message Packed of zoo.proto:
/// repeated double double_values = 1;
/// repeated float float_values = 2;
/// repeated int32 int32_values = 3;
/// repeated int64 int64_values = 4;
/// repeated uint32 uint32_values = 5;
/// repeated uint64 uint64_values = 6;
/// repeated sint32 sint32_values = 7;
/// repeated sint64 sint64_values = 8;
/// repeated fixed32 fixed32_values = 9;
/// repeated fixed64 fixed64_values = 10;
/// repeated sfixed32 sfixed32_values = 11;
/// repeated sfixed64 sfixed64_values = 12;
/// repeated bool bool_values = 13;
/// repeated Mood enum_values = 14;
/// </summary>
public readonly record struct Packed : IMessage<Packed>
{
    readonly Table table;
    readonly int index;

    internal Packed(Table table, int index) => (this.table, this.index) = (table, index);

    public static bool NeedsMeasure => false;

    public ReadOnlySpan<double> DoubleValues => table.Doubles.Slice(table[index].DoubleValues);

    public ReadOnlySpan<float> FloatValues => table.Floats.Slice(table[index].FloatValues);

    public ReadOnlySpan<int> Int32Values => table.Ints.Slice(table[index].Int32Values);

    public ReadOnlySpan<long> Int64Values => table.Longs.Slice(table[index].Int64Values);

    public ReadOnlySpan<uint> Uint32Values => table.UInts.Slice(table[index].Uint32Values);

    public ReadOnlySpan<ulong> Uint64Values => table.ULongs.Slice(table[index].Uint64Values);

    public ReadOnlySpan<int> Sint32Values => table.Ints.Slice(table[index].Sint32Values);

    public ReadOnlySpan<long> Sint64Values => table.Longs.Slice(table[index].Sint64Values);

    public ReadOnlySpan<uint> Fixed32Values => table.UInts.Slice(table[index].Fixed32Values);

    public ReadOnlySpan<ulong> Fixed64Values => table.ULongs.Slice(table[index].Fixed64Values);

    public ReadOnlySpan<int> Sfixed32Values => table.Ints.Slice(table[index].Sfixed32Values);

    public ReadOnlySpan<long> Sfixed64Values => table.Longs.Slice(table[index].Sfixed64Values);

    public ReadOnlySpan<bool> BoolValues => table.Bools.Slice(table[index].BoolValues);

    public ReadOnlySpan<Mood> EnumValues => MemoryMarshal.Cast<int, Mood>(table.Ints.Slice(table[index].EnumValues));

    public static Message<Packed> Rent() => Message<Packed>.Rent();

    public void AddDoubleValues(double value) => table.Doubles.Append(ref table[index].DoubleValues, value);

    public void AddFloatValues(float value) => table.Floats.Append(ref table[index].FloatValues, value);

    public void AddInt32Values(int value) => table.Ints.Append(ref table[index].Int32Values, value);

    public void AddInt64Values(long value) => table.Longs.Append(ref table[index].Int64Values, value);

    public void AddUint32Values(uint value) => table.UInts.Append(ref table[index].Uint32Values, value);

    public void AddUint64Values(ulong value) => table.ULongs.Append(ref table[index].Uint64Values, value);

    public void AddSint32Values(int value) => table.Ints.Append(ref table[index].Sint32Values, value);

    public void AddSint64Values(long value) => table.Longs.Append(ref table[index].Sint64Values, value);

    public void AddFixed32Values(uint value) => table.UInts.Append(ref table[index].Fixed32Values, value);

    public void AddFixed64Values(ulong value) => table.ULongs.Append(ref table[index].Fixed64Values, value);

    public void AddSfixed32Values(int value) => table.Ints.Append(ref table[index].Sfixed32Values, value);

    public void AddSfixed64Values(long value) => table.Longs.Append(ref table[index].Sfixed64Values, value);

    public void AddBoolValues(bool value) => table.Bools.Append(ref table[index].BoolValues, value);

    public void AddEnumValues(Mood value) => table.Ints.Append(ref table[index].EnumValues, (int)value);

    public static Packed Create(MessageMemory memory) => new(Table.Of(memory), 0);

    public static void Parse(WireReader reader, Packed message) => Parse(reader, message.table, message.index, 0);

    public static long Measure(Packed message) => Measure(message.table, ref message.table[message.index]);

    public static WireWriter Write(WireWriter writer, Packed message) => Write(writer, message.table, ref message.table[message.index]);

    public Packed Sibling(int distance) => new(table, index + distance);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Parse(WireReader reader, Table table, int index, int depth)
    {
        ref var row = ref table[index];
        while (reader.ReadTag(out var tag))
        {
            switch (tag)
            {
                case 10:
                    for (var packed = reader.Enter(0); packed.More();) table.Doubles.Append(ref row.DoubleValues, packed.ReadDouble());
                    if (reader.TryTag(18)) goto case 18;
                    continue;
                case 9:
                    table.Doubles.Append(ref row.DoubleValues, reader.ReadDouble());
                    continue;
                case 18:
                    for (var packed = reader.Enter(0); packed.More();) table.Floats.Append(ref row.FloatValues, packed.ReadFloat());
                    if (reader.TryTag(26)) goto case 26;
                    continue;
                case 21:
                    table.Floats.Append(ref row.FloatValues, reader.ReadFloat());
                    continue;
                case 26:
                    for (var packed = reader.Enter(0); packed.More();) table.Ints.Append(ref row.Int32Values, packed.ReadInt32());
                    if (reader.TryTag(34)) goto case 34;
                    continue;
                case 24:
                    table.Ints.Append(ref row.Int32Values, reader.ReadInt32());
                    continue;
                case 34:
                    for (var packed = reader.Enter(0); packed.More();) table.Longs.Append(ref row.Int64Values, packed.ReadInt64());
                    if (reader.TryTag(42)) goto case 42;
                    continue;
                case 32:
                    table.Longs.Append(ref row.Int64Values, reader.ReadInt64());
                    continue;
                case 42:
                    for (var packed = reader.Enter(0); packed.More();) table.UInts.Append(ref row.Uint32Values, packed.ReadUInt32());
                    if (reader.TryTag(50)) goto case 50;
                    continue;
                case 40:
                    table.UInts.Append(ref row.Uint32Values, reader.ReadUInt32());
                    continue;
                case 50:
                    for (var packed = reader.Enter(0); packed.More();) table.ULongs.Append(ref row.Uint64Values, packed.ReadUInt64());
                    if (reader.TryTag(58)) goto case 58;
                    continue;
                case 48:
                    table.ULongs.Append(ref row.Uint64Values, reader.ReadUInt64());
                    continue;
                case 58:
                    for (var packed = reader.Enter(0); packed.More();) table.Ints.Append(ref row.Sint32Values, packed.ReadSInt32());
                    if (reader.TryTag(66)) goto case 66;
                    continue;
                case 56:
                    table.Ints.Append(ref row.Sint32Values, reader.ReadSInt32());
                    continue;
                case 66:
                    for (var packed = reader.Enter(0); packed.More();) table.Longs.Append(ref row.Sint64Values, packed.ReadSInt64());
                    if (reader.TryTag(74)) goto case 74;
                    continue;
                case 64:
                    table.Longs.Append(ref row.Sint64Values, reader.ReadSInt64());
                    continue;
                case 74:
                    for (var packed = reader.Enter(0); packed.More();) table.UInts.Append(ref row.Fixed32Values, packed.ReadFixed32());
                    if (reader.TryTag(82)) goto case 82;
                    continue;
                case 77:
                    table.UInts.Append(ref row.Fixed32Values, reader.ReadFixed32());
                    continue;
                case 82:
                    for (var packed = reader.Enter(0); packed.More();) table.ULongs.Append(ref row.Fixed64Values, packed.ReadFixed64());
                    if (reader.TryTag(90)) goto case 90;
                    continue;
                case 81:
                    table.ULongs.Append(ref row.Fixed64Values, reader.ReadFixed64());
                    continue;
                case 90:
                    for (var packed = reader.Enter(0); packed.More();) table.Ints.Append(ref row.Sfixed32Values, packed.ReadSFixed32());
                    if (reader.TryTag(98)) goto case 98;
                    continue;
                case 93:
                    table.Ints.Append(ref row.Sfixed32Values, reader.ReadSFixed32());
                    continue;
                case 98:
                    for (var packed = reader.Enter(0); packed.More();) table.Longs.Append(ref row.Sfixed64Values, packed.ReadSFixed64());
                    if (reader.TryTag(106)) goto case 106;
                    continue;
                case 97:
                    table.Longs.Append(ref row.Sfixed64Values, reader.ReadSFixed64());
                    continue;
                case 106:
                    for (var packed = reader.Enter(0); packed.More();) table.Bools.Append(ref row.BoolValues, packed.ReadBool());
                    if (reader.TryTag(114)) goto case 114;
                    continue;
                case 104:
                    table.Bools.Append(ref row.BoolValues, reader.ReadBool());
                    continue;
                case 114:
                    for (var packed = reader.Enter(0); packed.More();) table.Ints.Append(ref row.EnumValues, packed.ReadInt32());
                    continue;
                case 112:
                    table.Ints.Append(ref row.EnumValues, reader.ReadInt32());
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
        if (row.DoubleValues.Count != 0) size += 1 + WireSize.Body((row.DoubleValues.Count * (long)sizeof(double)));
        if (row.FloatValues.Count != 0) size += 1 + WireSize.Body((row.FloatValues.Count * (long)sizeof(float)));
        if (row.Int32Values.Count != 0) size += 1 + WireSize.Body(WireSize.Int32(table.Ints.Slice(row.Int32Values)));
        if (row.Int64Values.Count != 0) size += 1 + WireSize.Body(WireSize.Int64(table.Longs.Slice(row.Int64Values)));
        if (row.Uint32Values.Count != 0) size += 1 + WireSize.Body(WireSize.Varint(table.UInts.Slice(row.Uint32Values)));
        if (row.Uint64Values.Count != 0) size += 1 + WireSize.Body(WireSize.Varint(table.ULongs.Slice(row.Uint64Values)));
        if (row.Sint32Values.Count != 0) size += 1 + WireSize.Body(WireSize.SInt32(table.Ints.Slice(row.Sint32Values)));
        if (row.Sint64Values.Count != 0) size += 1 + WireSize.Body(WireSize.SInt64(table.Longs.Slice(row.Sint64Values)));
        if (row.Fixed32Values.Count != 0) size += 1 + WireSize.Body((row.Fixed32Values.Count * (long)sizeof(uint)));
        if (row.Fixed64Values.Count != 0) size += 1 + WireSize.Body((row.Fixed64Values.Count * (long)sizeof(ulong)));
        if (row.Sfixed32Values.Count != 0) size += 1 + WireSize.Body((row.Sfixed32Values.Count * (long)sizeof(int)));
        if (row.Sfixed64Values.Count != 0) size += 1 + WireSize.Body((row.Sfixed64Values.Count * (long)sizeof(long)));
        if (row.BoolValues.Count != 0) size += 1 + WireSize.Body(row.BoolValues.Count);
        if (row.EnumValues.Count != 0) size += 1 + WireSize.Body(WireSize.Int32(table.Ints.Slice(row.EnumValues)));
        return size;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static WireWriter Write(WireWriter writer, Table table, ref Row row)
    {
        if (row.DoubleValues.Count != 0) writer.WriteLength(10, (row.DoubleValues.Count * (long)sizeof(double)));
        foreach (var value in table.Doubles.Slice(row.DoubleValues)) writer.WriteDouble(0, value);
        if (row.FloatValues.Count != 0) writer.WriteLength(18, (row.FloatValues.Count * (long)sizeof(float)));
        foreach (var value in table.Floats.Slice(row.FloatValues)) writer.WriteFloat(0, value);
        if (row.Int32Values.Count != 0) writer.WriteLength(26, WireSize.Int32(table.Ints.Slice(row.Int32Values)));
        foreach (var value in table.Ints.Slice(row.Int32Values)) writer.WriteInt32(0, value);
        if (row.Int64Values.Count != 0) writer.WriteLength(34, WireSize.Int64(table.Longs.Slice(row.Int64Values)));
        foreach (var value in table.Longs.Slice(row.Int64Values)) writer.WriteInt64(0, value);
        if (row.Uint32Values.Count != 0) writer.WriteLength(42, WireSize.Varint(table.UInts.Slice(row.Uint32Values)));
        foreach (var value in table.UInts.Slice(row.Uint32Values)) writer.WriteUInt32(0, value);
        if (row.Uint64Values.Count != 0) writer.WriteLength(50, WireSize.Varint(table.ULongs.Slice(row.Uint64Values)));
        foreach (var value in table.ULongs.Slice(row.Uint64Values)) writer.WriteUInt64(0, value);
        if (row.Sint32Values.Count != 0) writer.WriteLength(58, WireSize.SInt32(table.Ints.Slice(row.Sint32Values)));
        foreach (var value in table.Ints.Slice(row.Sint32Values)) writer.WriteSInt32(0, value);
        if (row.Sint64Values.Count != 0) writer.WriteLength(66, WireSize.SInt64(table.Longs.Slice(row.Sint64Values)));
        foreach (var value in table.Longs.Slice(row.Sint64Values)) writer.WriteSInt64(0, value);
        if (row.Fixed32Values.Count != 0) writer.WriteLength(74, (row.Fixed32Values.Count * (long)sizeof(uint)));
        foreach (var value in table.UInts.Slice(row.Fixed32Values)) writer.WriteFixed32(0, value);
        if (row.Fixed64Values.Count != 0) writer.WriteLength(82, (row.Fixed64Values.Count * (long)sizeof(ulong)));
        foreach (var value in table.ULongs.Slice(row.Fixed64Values)) writer.WriteFixed64(0, value);
        if (row.Sfixed32Values.Count != 0) writer.WriteLength(90, (row.Sfixed32Values.Count * (long)sizeof(int)));
        foreach (var value in table.Ints.Slice(row.Sfixed32Values)) writer.WriteSFixed32(0, value);
        if (row.Sfixed64Values.Count != 0) writer.WriteLength(98, (row.Sfixed64Values.Count * (long)sizeof(long)));
        foreach (var value in table.Longs.Slice(row.Sfixed64Values)) writer.WriteSFixed64(0, value);
        if (row.BoolValues.Count != 0) writer.WriteLength(106, row.BoolValues.Count);
        foreach (var value in table.Bools.Slice(row.BoolValues)) writer.WriteBool(0, value);
        if (row.EnumValues.Count != 0) writer.WriteLength(114, WireSize.Int32(table.Ints.Slice(row.EnumValues)));
        foreach (var value in table.Ints.Slice(row.EnumValues)) writer.WriteInt32(0, value);
        writer.WriteUnknown(table.Leaves, row.Unknown);
        return writer;
    }

    internal struct Row
    {
        public Run DoubleValues;
        public Run FloatValues;
        public Run Int32Values;
        public Run Int64Values;
        public Run Uint32Values;
        public Run Uint64Values;
        public Run Sint32Values;
        public Run Sint64Values;
        public Run Fixed32Values;
        public Run Fixed64Values;
        public Run Sfixed32Values;
        public Run Sfixed64Values;
        public Run BoolValues;
        public Run EnumValues;
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
        public readonly Rows<uint> UInts;
        public readonly Rows<ulong> ULongs;

        Table(MessageMemory memory)
            : base(memory)
        {
            Leaves = Rows<Leaf>.Of(memory);
            Bools = Rows<bool>.Of(memory);
            Doubles = Rows<double>.Of(memory);
            Floats = Rows<float>.Of(memory);
            Ints = Rows<int>.Of(memory);
            Longs = Rows<long>.Of(memory);
            UInts = Rows<uint>.Of(memory);
            ULongs = Rows<ulong>.Of(memory);
        }

        public static new Table Of(MessageMemory memory) => memory.Find<Table>() ?? new(memory);
    }
}
