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
public readonly struct Scalars : IMessage<Scalars>
{
    readonly FieldStorage storage;
    readonly int index;
    readonly int stamp;

    internal Scalars(FieldStorage storage, int index, int stamp) => (this.storage, this.index, this.stamp) = (storage, index, stamp);

    static bool IMessage<Scalars>.NeedsSizes => false;

    public double DoubleValue
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].DoubleValue;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public float FloatValue
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].FloatValue;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public int Int32Value
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Int32Value;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public long Int64Value
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Int64Value;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public uint Uint32Value
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Uint32Value;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public ulong Uint64Value
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Uint64Value;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public int Sint32Value
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Sint32Value;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public long Sint64Value
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Sint64Value;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public uint Fixed32Value
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Fixed32Value;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public ulong Fixed64Value
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Fixed64Value;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public int Sfixed32Value
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Sfixed32Value;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public long Sfixed64Value
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Sfixed64Value;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public bool BoolValue
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].BoolValue;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public Utf8String StringValue
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].StringValue;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public Bytes BytesValue
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].BytesValue;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public Mood EnumValue
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].EnumValue;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public int LargestNumber
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].LargestNumber;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public static Message<Scalars> Rent() => Message<Scalars>.Rent();

    public void SetDoubleValue(double value) => Mutable().DoubleValue = value;

    public void SetFloatValue(float value) => Mutable().FloatValue = value;

    public void SetInt32Value(int value) => Mutable().Int32Value = value;

    public void SetInt64Value(long value) => Mutable().Int64Value = value;

    public void SetUint32Value(uint value) => Mutable().Uint32Value = value;

    public void SetUint64Value(ulong value) => Mutable().Uint64Value = value;

    public void SetSint32Value(int value) => Mutable().Sint32Value = value;

    public void SetSint64Value(long value) => Mutable().Sint64Value = value;

    public void SetFixed32Value(uint value) => Mutable().Fixed32Value = value;

    public void SetFixed64Value(ulong value) => Mutable().Fixed64Value = value;

    public void SetSfixed32Value(int value) => Mutable().Sfixed32Value = value;

    public void SetSfixed64Value(long value) => Mutable().Sfixed64Value = value;

    public void SetBoolValue(bool value) => Mutable().BoolValue = value;

    public void SetStringValue(ReadOnlySpan<byte> utf8) => Mutable().StringValue = storage.Memory.StoreString(utf8);

    public void SetStringValue(ReadOnlySpan<char> text) => Mutable().StringValue = storage.Memory.StoreString(text);

    public void SetBytesValue(ReadOnlySpan<byte> value) => Mutable().BytesValue = storage.Memory.Store(value);

    public void SetEnumValue(Mood value) => Mutable().EnumValue = value;

    public void SetLargestNumber(int value) => Mutable().LargestNumber = value;

    static Storage IMessage<Scalars>.CreateStorage(MessageMemory memory) => FieldStorage.Of(memory);

    static Scalars IMessage<Scalars>.Create(Storage storage) => new((FieldStorage)storage, 0, storage.Stamp);

    Scalars IMessage<Scalars>.At(int index) => new(storage, index, stamp);

    static void IMessage<Scalars>.Parse(WireReader reader, Scalars message) => FieldStorage.Parse(reader, message.storage, message.index, 0);

    static long IMessage<Scalars>.CalculateSize(Scalars message) => FieldStorage.CalculateSize(message.storage, ref message.storage[message.index]);

    static WireWriter IMessage<Scalars>.Write(WireWriter writer, Scalars message) => FieldStorage.Write(writer, message.storage, ref message.storage[message.index]);

    ref Fields Mutable() => ref storage.Mutable(index, stamp);

    public struct Fields
    {
        internal double DoubleValue;
        internal float FloatValue;
        internal int Int32Value;
        internal long Int64Value;
        internal uint Uint32Value;
        internal ulong Uint64Value;
        internal int Sint32Value;
        internal long Sint64Value;
        internal uint Fixed32Value;
        internal ulong Fixed64Value;
        internal int Sfixed32Value;
        internal long Sfixed64Value;
        internal bool BoolValue;
        internal ByteRange StringValue;
        internal ByteRange BytesValue;
        internal Mood EnumValue;
        internal int LargestNumber;
        internal ElementRange Unknown;
    }

    public sealed class FieldStorage : Storage<Fields>
    {
        internal readonly Storage<ByteRange> Ranges;

        FieldStorage(MessageMemory memory)
            : base(memory) => Ranges = Storage<ByteRange>.Of(memory);

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
                        fields.DoubleValue = reader.ReadDouble();
                        if (reader.TryReadTag(21)) goto case 21;
                        continue;
                    case 21:
                        fields.FloatValue = reader.ReadFloat();
                        if (reader.TryReadTag(24)) goto case 24;
                        continue;
                    case 24:
                        fields.Int32Value = reader.ReadInt32();
                        if (reader.TryReadTag(32)) goto case 32;
                        continue;
                    case 32:
                        fields.Int64Value = reader.ReadInt64();
                        if (reader.TryReadTag(40)) goto case 40;
                        continue;
                    case 40:
                        fields.Uint32Value = reader.ReadUInt32();
                        if (reader.TryReadTag(48)) goto case 48;
                        continue;
                    case 48:
                        fields.Uint64Value = reader.ReadUInt64();
                        if (reader.TryReadTag(56)) goto case 56;
                        continue;
                    case 56:
                        fields.Sint32Value = reader.ReadSInt32();
                        if (reader.TryReadTag(64)) goto case 64;
                        continue;
                    case 64:
                        fields.Sint64Value = reader.ReadSInt64();
                        if (reader.TryReadTag(77)) goto case 77;
                        continue;
                    case 77:
                        fields.Fixed32Value = reader.ReadFixed32();
                        if (reader.TryReadTag(81)) goto case 81;
                        continue;
                    case 81:
                        fields.Fixed64Value = reader.ReadFixed64();
                        if (reader.TryReadTag(93)) goto case 93;
                        continue;
                    case 93:
                        fields.Sfixed32Value = reader.ReadSFixed32();
                        if (reader.TryReadTag(97)) goto case 97;
                        continue;
                    case 97:
                        fields.Sfixed64Value = reader.ReadSFixed64();
                        if (reader.TryReadTag(104)) goto case 104;
                        continue;
                    case 104:
                        fields.BoolValue = reader.ReadBool();
                        if (reader.TryReadTag(114)) goto case 114;
                        continue;
                    case 114:
                        fields.StringValue = reader.ReadString();
                        if (reader.TryReadTag(122)) goto case 122;
                        continue;
                    case 122:
                        fields.BytesValue = reader.ReadBytes();
                        if (reader.TryReadTag(128)) goto case 128;
                        continue;
                    case 128:
                        fields.EnumValue = (Mood)reader.ReadInt32();
                        if (reader.TryReadTag(4294967288)) goto case 4294967288;
                        continue;
                    case 4294967288:
                        fields.LargestNumber = reader.ReadInt32();
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
            if (BitConverter.DoubleToUInt64Bits(fields.DoubleValue) != 0) size += 1 + sizeof(double);
            if (BitConverter.SingleToUInt32Bits(fields.FloatValue) != 0) size += 1 + sizeof(float);
            if (fields.Int32Value != 0) size += 1 + WireSize.Int32(fields.Int32Value);
            if (fields.Int64Value != 0) size += 1 + WireSize.Int64(fields.Int64Value);
            if (fields.Uint32Value != 0) size += 1 + WireSize.Varint(fields.Uint32Value);
            if (fields.Uint64Value != 0) size += 1 + WireSize.Varint(fields.Uint64Value);
            if (fields.Sint32Value != 0) size += 1 + WireSize.SInt32(fields.Sint32Value);
            if (fields.Sint64Value != 0) size += 1 + WireSize.SInt64(fields.Sint64Value);
            if (fields.Fixed32Value != 0) size += 1 + sizeof(uint);
            if (fields.Fixed64Value != 0) size += 1 + sizeof(ulong);
            if (fields.Sfixed32Value != 0) size += 1 + sizeof(int);
            if (fields.Sfixed64Value != 0) size += 1 + sizeof(long);
            if (fields.BoolValue) size += 1 + sizeof(bool);
            if (fields.StringValue.Length != 0) size += 1 + WireSize.LengthDelimited(fields.StringValue);
            if (fields.BytesValue.Length != 0) size += 1 + WireSize.LengthDelimited(fields.BytesValue);
            if (fields.EnumValue != 0) size += 2 + WireSize.Int32((int)fields.EnumValue);
            if (fields.LargestNumber != 0) size += 5 + WireSize.Int32(fields.LargestNumber);
            return size;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static WireWriter Write(WireWriter writer, FieldStorage storage, ref Fields fields)
        {
            if (BitConverter.DoubleToUInt64Bits(fields.DoubleValue) != 0) writer.WriteDouble(9, fields.DoubleValue);
            if (BitConverter.SingleToUInt32Bits(fields.FloatValue) != 0) writer.WriteFloat(21, fields.FloatValue);
            if (fields.Int32Value != 0) writer.WriteInt32(24, fields.Int32Value);
            if (fields.Int64Value != 0) writer.WriteInt64(32, fields.Int64Value);
            if (fields.Uint32Value != 0) writer.WriteUInt32(40, fields.Uint32Value);
            if (fields.Uint64Value != 0) writer.WriteUInt64(48, fields.Uint64Value);
            if (fields.Sint32Value != 0) writer.WriteSInt32(56, fields.Sint32Value);
            if (fields.Sint64Value != 0) writer.WriteSInt64(64, fields.Sint64Value);
            if (fields.Fixed32Value != 0) writer.WriteFixed32(77, fields.Fixed32Value);
            if (fields.Fixed64Value != 0) writer.WriteFixed64(81, fields.Fixed64Value);
            if (fields.Sfixed32Value != 0) writer.WriteSFixed32(93, fields.Sfixed32Value);
            if (fields.Sfixed64Value != 0) writer.WriteSFixed64(97, fields.Sfixed64Value);
            if (fields.BoolValue) writer.WriteBool(104, fields.BoolValue);
            if (fields.StringValue.Length != 0) writer.WriteLengthDelimited(114, fields.StringValue);
            if (fields.BytesValue.Length != 0) writer.WriteLengthDelimited(122, fields.BytesValue);
            if (fields.EnumValue != 0) writer.WriteInt32(128, (int)fields.EnumValue);
            if (fields.LargestNumber != 0) writer.WriteInt32(4294967288, fields.LargestNumber);
            writer.WriteUnknownFields(storage.Ranges, fields.Unknown);
            return writer;
        }
    }
}
