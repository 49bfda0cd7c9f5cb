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
public readonly struct Packed : IMessage<Packed>
{
    readonly FieldStorage storage;
    readonly int index;
    readonly int stamp;

    internal Packed(FieldStorage storage, int index, int stamp) => (this.storage, this.index, this.stamp) = (storage, index, stamp);

    static bool IMessage<Packed>.NeedsSizes => false;

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

    public ReadOnlySpan<long> Int64Values
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage.Longs.Slice(storage[at.Index].Int64Values);
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public ReadOnlySpan<uint> Uint32Values
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage.UInts.Slice(storage[at.Index].Uint32Values);
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public ReadOnlySpan<ulong> Uint64Values
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage.ULongs.Slice(storage[at.Index].Uint64Values);
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public ReadOnlySpan<int> Sint32Values
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage.Ints.Slice(storage[at.Index].Sint32Values);
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

    public ReadOnlySpan<uint> Fixed32Values
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage.UInts.Slice(storage[at.Index].Fixed32Values);
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public ReadOnlySpan<ulong> Fixed64Values
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage.ULongs.Slice(storage[at.Index].Fixed64Values);
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public ReadOnlySpan<int> Sfixed32Values
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage.Ints.Slice(storage[at.Index].Sfixed32Values);
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public ReadOnlySpan<long> Sfixed64Values
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage.Longs.Slice(storage[at.Index].Sfixed64Values);
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

    public static Message<Packed> Rent() => Message<Packed>.Rent();

    public void AddDoubleValues(double value) => storage.Doubles.Append(ref Mutable().DoubleValues, value);

    public void AddFloatValues(float value) => storage.Floats.Append(ref Mutable().FloatValues, value);

    public void AddInt32Values(int value) => storage.Ints.Append(ref Mutable().Int32Values, value);

    public void AddInt64Values(long value) => storage.Longs.Append(ref Mutable().Int64Values, value);

    public void AddUint32Values(uint value) => storage.UInts.Append(ref Mutable().Uint32Values, value);

    public void AddUint64Values(ulong value) => storage.ULongs.Append(ref Mutable().Uint64Values, value);

    public void AddSint32Values(int value) => storage.Ints.Append(ref Mutable().Sint32Values, value);

    public void AddSint64Values(long value) => storage.Longs.Append(ref Mutable().Sint64Values, value);

    public void AddFixed32Values(uint value) => storage.UInts.Append(ref Mutable().Fixed32Values, value);

    public void AddFixed64Values(ulong value) => storage.ULongs.Append(ref Mutable().Fixed64Values, value);

    public void AddSfixed32Values(int value) => storage.Ints.Append(ref Mutable().Sfixed32Values, value);

    public void AddSfixed64Values(long value) => storage.Longs.Append(ref Mutable().Sfixed64Values, value);

    public void AddBoolValues(bool value) => storage.Bools.Append(ref Mutable().BoolValues, value);

    public void AddEnumValues(Mood value) => storage.Ints.Append(ref Mutable().EnumValues, (int)value);

    static Storage IMessage<Packed>.CreateStorage(MessageMemory memory) => FieldStorage.Of(memory);

    static Packed IMessage<Packed>.Create(Storage storage) => new((FieldStorage)storage, 0, storage.Stamp);

    Packed IMessage<Packed>.At(int index) => new(storage, index, stamp);

    static void IMessage<Packed>.Parse(WireReader reader, Packed message) => FieldStorage.Parse(reader, message.storage, message.index, 0);

    static long IMessage<Packed>.CalculateSize(Packed message) => FieldStorage.CalculateSize(message.storage, ref message.storage[message.index]);

    static WireWriter IMessage<Packed>.Write(WireWriter writer, Packed message) => FieldStorage.Write(writer, message.storage, ref message.storage[message.index]);

    ref Fields Mutable() => ref storage.Mutable(index, stamp);

    public struct Fields
    {
        internal ElementRange DoubleValues;
        internal ElementRange FloatValues;
        internal ElementRange Int32Values;
        internal ElementRange Int64Values;
        internal ElementRange Uint32Values;
        internal ElementRange Uint64Values;
        internal ElementRange Sint32Values;
        internal ElementRange Sint64Values;
        internal ElementRange Fixed32Values;
        internal ElementRange Fixed64Values;
        internal ElementRange Sfixed32Values;
        internal ElementRange Sfixed64Values;
        internal ElementRange BoolValues;
        internal ElementRange EnumValues;
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
        internal readonly Storage<uint> UInts;
        internal readonly Storage<ulong> ULongs;

        FieldStorage(MessageMemory memory)
            : base(memory)
        {
            Ranges = Storage<ByteRange>.Of(memory);
            Bools = Storage<bool>.Of(memory);
            Doubles = Storage<double>.Of(memory);
            Floats = Storage<float>.Of(memory);
            Ints = Storage<int>.Of(memory);
            Longs = Storage<long>.Of(memory);
            UInts = Storage<uint>.Of(memory);
            ULongs = Storage<ulong>.Of(memory);
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
                    case 10:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.Doubles.Append(ref fields.DoubleValues, packed.ReadDouble());
                        if (reader.TryReadTag(18)) goto case 18;
                        continue;
                    case 9:
                        storage.Doubles.Append(ref fields.DoubleValues, reader.ReadDouble());
                        continue;
                    case 18:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.Floats.Append(ref fields.FloatValues, packed.ReadFloat());
                        if (reader.TryReadTag(26)) goto case 26;
                        continue;
                    case 21:
                        storage.Floats.Append(ref fields.FloatValues, reader.ReadFloat());
                        continue;
                    case 26:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.Ints.Append(ref fields.Int32Values, packed.ReadInt32());
                        if (reader.TryReadTag(34)) goto case 34;
                        continue;
                    case 24:
                        storage.Ints.Append(ref fields.Int32Values, reader.ReadInt32());
                        continue;
                    case 34:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.Longs.Append(ref fields.Int64Values, packed.ReadInt64());
                        if (reader.TryReadTag(42)) goto case 42;
                        continue;
                    case 32:
                        storage.Longs.Append(ref fields.Int64Values, reader.ReadInt64());
                        continue;
                    case 42:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.UInts.Append(ref fields.Uint32Values, packed.ReadUInt32());
                        if (reader.TryReadTag(50)) goto case 50;
                        continue;
                    case 40:
                        storage.UInts.Append(ref fields.Uint32Values, reader.ReadUInt32());
                        continue;
                    case 50:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.ULongs.Append(ref fields.Uint64Values, packed.ReadUInt64());
                        if (reader.TryReadTag(58)) goto case 58;
                        continue;
                    case 48:
                        storage.ULongs.Append(ref fields.Uint64Values, reader.ReadUInt64());
                        continue;
                    case 58:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.Ints.Append(ref fields.Sint32Values, packed.ReadSInt32());
                        if (reader.TryReadTag(66)) goto case 66;
                        continue;
                    case 56:
                        storage.Ints.Append(ref fields.Sint32Values, reader.ReadSInt32());
                        continue;
                    case 66:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.Longs.Append(ref fields.Sint64Values, packed.ReadSInt64());
                        if (reader.TryReadTag(74)) goto case 74;
                        continue;
                    case 64:
                        storage.Longs.Append(ref fields.Sint64Values, reader.ReadSInt64());
                        continue;
                    case 74:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.UInts.Append(ref fields.Fixed32Values, packed.ReadFixed32());
                        if (reader.TryReadTag(82)) goto case 82;
                        continue;
                    case 77:
                        storage.UInts.Append(ref fields.Fixed32Values, reader.ReadFixed32());
                        continue;
                    case 82:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.ULongs.Append(ref fields.Fixed64Values, packed.ReadFixed64());
                        if (reader.TryReadTag(90)) goto case 90;
                        continue;
                    case 81:
                        storage.ULongs.Append(ref fields.Fixed64Values, reader.ReadFixed64());
                        continue;
                    case 90:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.Ints.Append(ref fields.Sfixed32Values, packed.ReadSFixed32());
                        if (reader.TryReadTag(98)) goto case 98;
                        continue;
                    case 93:
                        storage.Ints.Append(ref fields.Sfixed32Values, reader.ReadSFixed32());
                        continue;
                    case 98:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.Longs.Append(ref fields.Sfixed64Values, packed.ReadSFixed64());
                        if (reader.TryReadTag(106)) goto case 106;
                        continue;
                    case 97:
                        storage.Longs.Append(ref fields.Sfixed64Values, reader.ReadSFixed64());
                        continue;
                    case 106:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.Bools.Append(ref fields.BoolValues, packed.ReadBool());
                        if (reader.TryReadTag(114)) goto case 114;
                        continue;
                    case 104:
                        storage.Bools.Append(ref fields.BoolValues, reader.ReadBool());
                        continue;
                    case 114:
                        for (var packed = reader.ReadPacked(); packed.HasMore;) storage.Ints.Append(ref fields.EnumValues, packed.ReadInt32());
                        continue;
                    case 112:
                        storage.Ints.Append(ref fields.EnumValues, reader.ReadInt32());
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
            if (fields.DoubleValues.Count != 0) size += 1 + WireSize.Body((fields.DoubleValues.Count * (long)sizeof(double)));
            if (fields.FloatValues.Count != 0) size += 1 + WireSize.Body((fields.FloatValues.Count * (long)sizeof(float)));
            if (fields.Int32Values.Count != 0) size += 1 + WireSize.Body(WireSize.Int32(storage.Ints.Slice(fields.Int32Values)));
            if (fields.Int64Values.Count != 0) size += 1 + WireSize.Body(WireSize.Int64(storage.Longs.Slice(fields.Int64Values)));
            if (fields.Uint32Values.Count != 0) size += 1 + WireSize.Body(WireSize.Varint(storage.UInts.Slice(fields.Uint32Values)));
            if (fields.Uint64Values.Count != 0) size += 1 + WireSize.Body(WireSize.Varint(storage.ULongs.Slice(fields.Uint64Values)));
            if (fields.Sint32Values.Count != 0) size += 1 + WireSize.Body(WireSize.SInt32(storage.Ints.Slice(fields.Sint32Values)));
            if (fields.Sint64Values.Count != 0) size += 1 + WireSize.Body(WireSize.SInt64(storage.Longs.Slice(fields.Sint64Values)));
            if (fields.Fixed32Values.Count != 0) size += 1 + WireSize.Body((fields.Fixed32Values.Count * (long)sizeof(uint)));
            if (fields.Fixed64Values.Count != 0) size += 1 + WireSize.Body((fields.Fixed64Values.Count * (long)sizeof(ulong)));
            if (fields.Sfixed32Values.Count != 0) size += 1 + WireSize.Body((fields.Sfixed32Values.Count * (long)sizeof(int)));
            if (fields.Sfixed64Values.Count != 0) size += 1 + WireSize.Body((fields.Sfixed64Values.Count * (long)sizeof(long)));
            if (fields.BoolValues.Count != 0) size += 1 + WireSize.Body(fields.BoolValues.Count);
            if (fields.EnumValues.Count != 0) size += 1 + WireSize.Body(WireSize.Int32(storage.Ints.Slice(fields.EnumValues)));
            return size;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static WireWriter Write(WireWriter writer, FieldStorage storage, ref Fields fields)
        {
            if (fields.DoubleValues.Count != 0) writer.WriteLength(10, (fields.DoubleValues.Count * (long)sizeof(double)));
            foreach (var value in storage.Doubles.Slice(fields.DoubleValues)) writer.WriteDouble(0, value);
            if (fields.FloatValues.Count != 0) writer.WriteLength(18, (fields.FloatValues.Count * (long)sizeof(float)));
            foreach (var value in storage.Floats.Slice(fields.FloatValues)) writer.WriteFloat(0, value);
            if (fields.Int32Values.Count != 0) writer.WriteLength(26, WireSize.Int32(storage.Ints.Slice(fields.Int32Values)));
            foreach (var value in storage.Ints.Slice(fields.Int32Values)) writer.WriteInt32(0, value);
            if (fields.Int64Values.Count != 0) writer.WriteLength(34, WireSize.Int64(storage.Longs.Slice(fields.Int64Values)));
            foreach (var value in storage.Longs.Slice(fields.Int64Values)) writer.WriteInt64(0, value);
            if (fields.Uint32Values.Count != 0) writer.WriteLength(42, WireSize.Varint(storage.UInts.Slice(fields.Uint32Values)));
            foreach (var value in storage.UInts.Slice(fields.Uint32Values)) writer.WriteUInt32(0, value);
            if (fields.Uint64Values.Count != 0) writer.WriteLength(50, WireSize.Varint(storage.ULongs.Slice(fields.Uint64Values)));
            foreach (var value in storage.ULongs.Slice(fields.Uint64Values)) writer.WriteUInt64(0, value);
            if (fields.Sint32Values.Count != 0) writer.WriteLength(58, WireSize.SInt32(storage.Ints.Slice(fields.Sint32Values)));
            foreach (var value in storage.Ints.Slice(fields.Sint32Values)) writer.WriteSInt32(0, value);
            if (fields.Sint64Values.Count != 0) writer.WriteLength(66, WireSize.SInt64(storage.Longs.Slice(fields.Sint64Values)));
            foreach (var value in storage.Longs.Slice(fields.Sint64Values)) writer.WriteSInt64(0, value);
            if (fields.Fixed32Values.Count != 0) writer.WriteLength(74, (fields.Fixed32Values.Count * (long)sizeof(uint)));
            foreach (var value in storage.UInts.Slice(fields.Fixed32Values)) writer.WriteFixed32(0, value);
            if (fields.Fixed64Values.Count != 0) writer.WriteLength(82, (fields.Fixed64Values.Count * (long)sizeof(ulong)));
            foreach (var value in storage.ULongs.Slice(fields.Fixed64Values)) writer.WriteFixed64(0, value);
            if (fields.Sfixed32Values.Count != 0) writer.WriteLength(90, (fields.Sfixed32Values.Count * (long)sizeof(int)));
            foreach (var value in storage.Ints.Slice(fields.Sfixed32Values)) writer.WriteSFixed32(0, value);
            if (fields.Sfixed64Values.Count != 0) writer.WriteLength(98, (fields.Sfixed64Values.Count * (long)sizeof(long)));
            foreach (var value in storage.Longs.Slice(fields.Sfixed64Values)) writer.WriteSFixed64(0, value);
            if (fields.BoolValues.Count != 0) writer.WriteLength(106, fields.BoolValues.Count);
            foreach (var value in storage.Bools.Slice(fields.BoolValues)) writer.WriteBool(0, value);
            if (fields.EnumValues.Count != 0) writer.WriteLength(114, WireSize.Int32(storage.Ints.Slice(fields.EnumValues)));
            foreach (var value in storage.Ints.Slice(fields.EnumValues)) writer.WriteInt32(0, value);
            writer.WriteUnknownFields(storage.Ranges, fields.Unknown);
            return writer;
        }
    }
}
