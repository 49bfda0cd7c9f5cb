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
public readonly struct Unpacked : IMessage<Unpacked>
{
    readonly FieldStorage storage;
    readonly int index;
    readonly int stamp;

    internal Unpacked(FieldStorage storage, int index, int stamp) => (this.storage, this.index, this.stamp) = (storage, index, stamp);

    static bool IMessage<Unpacked>.NeedsSizes => false;

    public ReadOnlySpan<double> DoubleValues
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage.Doubles.Slice(storage[at.Index].DoubleValues);
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public ReadOnlySpan<float> FloatValues
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage.Floats.Slice(storage[at.Index].FloatValues);
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public ReadOnlySpan<int> Int32Values
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage.Ints.Slice(storage[at.Index].Int32Values);
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public ReadOnlySpan<long> Sint64Values
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage.Longs.Slice(storage[at.Index].Sint64Values);
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public ReadOnlySpan<bool> BoolValues
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage.Bools.Slice(storage[at.Index].BoolValues);
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public ReadOnlySpan<Mood> EnumValues
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage.Ints.Slice(storage[at.Index].EnumValues);
                if (storage.IsCurrent(at.Stamp)) return MemoryMarshal.Cast<int, Mood>(value);
            }
        }
    }

    public Utf8StringList StringValues
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].StringValues;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public BytesList BytesValues
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].BytesValues;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public static Message<Unpacked> Rent() => Message<Unpacked>.Rent();

    public void AddDoubleValues(double value) => storage.Doubles.Append(ref Mutable().DoubleValues, value);

    public void AddFloatValues(float value) => storage.Floats.Append(ref Mutable().FloatValues, value);

    public void AddInt32Values(int value) => storage.Ints.Append(ref Mutable().Int32Values, value);

    public void AddSint64Values(long value) => storage.Longs.Append(ref Mutable().Sint64Values, value);

    public void AddBoolValues(bool value) => storage.Bools.Append(ref Mutable().BoolValues, value);

    public void AddEnumValues(Mood value) => storage.Ints.Append(ref Mutable().EnumValues, (int)value);

    public void AddStringValues(ReadOnlySpan<byte> utf8) => storage.Ranges.Append(ref Mutable().StringValues, storage.Memory.StoreString(utf8));

    public void AddStringValues(ReadOnlySpan<char> text) => storage.Ranges.Append(ref Mutable().StringValues, storage.Memory.StoreString(text));

    public void AddBytesValues(ReadOnlySpan<byte> value) => storage.Ranges.Append(ref Mutable().BytesValues, storage.Memory.Store(value));

    static Storage IMessage<Unpacked>.CreateStorage(MessageMemory memory) => FieldStorage.Of(memory);

    static Unpacked IMessage<Unpacked>.Create(Storage storage) => new((FieldStorage)storage, 0, storage.Stamp);

    Unpacked IMessage<Unpacked>.At(int index) => new(storage, index, stamp);

    static void IMessage<Unpacked>.Parse(WireReader reader, Unpacked message) => FieldStorage.Parse(reader, message.storage, message.index, 0);

    static long IMessage<Unpacked>.CalculateSize(Unpacked message) => FieldStorage.CalculateSize(message.storage, ref message.storage[message.index]);

    static WireWriter IMessage<Unpacked>.Write(WireWriter writer, Unpacked message) => FieldStorage.Write(writer, message.storage, ref message.storage[message.index]);

    ref Fields Mutable() => ref storage.Mutable(index, stamp);

    public struct Fields
    {
        internal ElementRange DoubleValues;
        internal ElementRange FloatValues;
        internal ElementRange Int32Values;
        internal ElementRange Sint64Values;
        internal ElementRange BoolValues;
        internal ElementRange EnumValues;
        internal ElementRange StringValues;
        internal ElementRange BytesValues;
        internal ElementRange Unknown;
    }

    public sealed class FieldStorage : Storage<Fields>
    {
        internal readonly Storage<ByteRange> Ranges;
        internal readonly Storage<bool> Bools;
        internal readonly Storage<double> Doubles;
        internal readonly Storage<float> Floats;
        internal readonly Storage<int> Ints;
        internal readonly Storage<long> Longs;

        FieldStorage(MessageMemory memory)
            : base(memory)
        {
            Ranges = Storage<ByteRange>.Of(memory);
            Bools = Storage<bool>.Of(memory);
            Doubles = Storage<double>.Of(memory);
            Floats = Storage<float>.Of(memory);
            Ints = Storage<int>.Of(memory);
            Longs = Storage<long>.Of(memory);
        }

        public static new FieldStorage Of(MessageMemory memory) => memory.Find<FieldStorage>() ?? new(memory);

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void Parse(WireReader reader, FieldStorage storage, int index, int depth)
        {
            ref var fields = ref storage[index];
            while (reader.ReadTag(out var tag))
            {
                switch (tag)
                {
                    case 9:
                        storage.Doubles.Append(ref fields.DoubleValues, reader.ReadDouble());
                        if (reader.TryReadTag(9)) goto case 9;
                        if (reader.TryReadTag(21)) goto case 21;
                        continue;
                    case 10:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.Doubles.Append(ref fields.DoubleValues, packed.ReadDouble());
                        continue;
                    case 21:
                        storage.Floats.Append(ref fields.FloatValues, reader.ReadFloat());
                        if (reader.TryReadTag(21)) goto case 21;
                        if (reader.TryReadTag(24)) goto case 24;
                        continue;
                    case 18:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.Floats.Append(ref fields.FloatValues, packed.ReadFloat());
                        continue;
                    case 24:
                        storage.Ints.Append(ref fields.Int32Values, reader.ReadInt32());
                        if (reader.TryReadTag(24)) goto case 24;
                        if (reader.TryReadTag(32)) goto case 32;
                        continue;
                    case 26:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.Ints.Append(ref fields.Int32Values, packed.ReadInt32());
                        continue;
                    case 32:
                        storage.Longs.Append(ref fields.Sint64Values, reader.ReadSInt64());
                        if (reader.TryReadTag(32)) goto case 32;
                        if (reader.TryReadTag(40)) goto case 40;
                        continue;
                    case 34:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.Longs.Append(ref fields.Sint64Values, packed.ReadSInt64());
                        continue;
                    case 40:
                        storage.Bools.Append(ref fields.BoolValues, reader.ReadBool());
                        if (reader.TryReadTag(40)) goto case 40;
                        if (reader.TryReadTag(48)) goto case 48;
                        continue;
                    case 42:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.Bools.Append(ref fields.BoolValues, packed.ReadBool());
                        continue;
                    case 48:
                        storage.Ints.Append(ref fields.EnumValues, reader.ReadInt32());
                        if (reader.TryReadTag(48)) goto case 48;
                        if (reader.TryReadTag(58)) goto case 58;
                        continue;
                    case 50:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.Ints.Append(ref fields.EnumValues, packed.ReadInt32());
                        continue;
                    case 58:
                        storage.Ranges.Append(ref fields.StringValues, reader.ReadString());
                        if (reader.TryReadTag(58)) goto case 58;
                        if (reader.TryReadTag(66)) goto case 66;
                        continue;
                    case 66:
                        storage.Ranges.Append(ref fields.BytesValues, reader.ReadBytes());
                        if (reader.TryReadTag(66)) goto case 66;
                        continue;
                    default:
                        storage.Ranges.Append(ref fields.Unknown, reader.ReadUnknownField(tag, depth));
                        continue;
                }
            }
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static long CalculateSize(FieldStorage storage, ref Fields fields)
        {
            var size = WireSize.UnknownFields(storage.Ranges, fields.Unknown);
            size += fields.DoubleValues.Count + (fields.DoubleValues.Count * (long)sizeof(double));
            size += fields.FloatValues.Count + (fields.FloatValues.Count * (long)sizeof(float));
            size += fields.Int32Values.Count + WireSize.Int32(storage.Ints.Slice(fields.Int32Values));
            size += fields.Sint64Values.Count + WireSize.SInt64(storage.Longs.Slice(fields.Sint64Values));
            size += fields.BoolValues.Count + fields.BoolValues.Count;
            size += fields.EnumValues.Count + WireSize.Int32(storage.Ints.Slice(fields.EnumValues));
            size += fields.StringValues.Count + WireSize.LengthDelimited(storage.Ranges.Slice(fields.StringValues));
            size += fields.BytesValues.Count + WireSize.LengthDelimited(storage.Ranges.Slice(fields.BytesValues));
            return size;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static WireWriter Write(WireWriter writer, FieldStorage storage, ref Fields fields)
        {
            foreach (var value in storage.Doubles.Slice(fields.DoubleValues)) writer.WriteDouble(9, value);
            foreach (var value in storage.Floats.Slice(fields.FloatValues)) writer.WriteFloat(21, value);
            foreach (var value in storage.Ints.Slice(fields.Int32Values)) writer.WriteInt32(24, value);
            foreach (var value in storage.Longs.Slice(fields.Sint64Values)) writer.WriteSInt64(32, value);
            foreach (var value in storage.Bools.Slice(fields.BoolValues)) writer.WriteBool(40, value);
            foreach (var value in storage.Ints.Slice(fields.EnumValues)) writer.WriteInt32(48, value);
            foreach (var value in storage.Ranges.Slice(fields.StringValues)) writer.WriteLengthDelimited(58, value);
            foreach (var value in storage.Ranges.Slice(fields.BytesValues)) writer.WriteLengthDelimited(66, value);
            writer.WriteUnknownFields(storage.Ranges, fields.Unknown);
            return writer;
        }
    }
}
