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
public readonly struct Optionals : IMessage<Optionals>
{
    readonly FieldStorage storage;
    readonly int index;
    readonly int stamp;

    internal Optionals(FieldStorage storage, int index, int stamp) => (this.storage, this.index, this.stamp) = (storage, index, stamp);

    static bool IMessage<Optionals>.NeedsSizes => false;

    public int? Int32Value
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                ref readonly var fields = ref storage[at.Index];
                var value = (fields.Has & 1) == 0 ? default(int?) : fields.Int32Value;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public double? DoubleValue
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                ref readonly var fields = ref storage[at.Index];
                var value = (fields.Has & 2) == 0 ? default(double?) : fields.DoubleValue;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public bool? BoolValue
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                ref readonly var fields = ref storage[at.Index];
                var value = (fields.Has & 4) == 0 ? default(bool?) : fields.BoolValue;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public Utf8String? StringValue
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                ref readonly var fields = ref storage[at.Index];
                var value = (fields.Has & 8) == 0 ? default(Utf8String?) : new Utf8String(storage, fields.StringValue, at.Stamp);
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public Bytes? BytesValue
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                ref readonly var fields = ref storage[at.Index];
                var value = (fields.Has & 16) == 0 ? default(Bytes?) : new Bytes(storage, fields.BytesValue, at.Stamp);
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public Mood? EnumValue
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                ref readonly var fields = ref storage[at.Index];
                var value = (fields.Has & 32) == 0 ? default(Mood?) : fields.EnumValue;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public static Message<Optionals> Rent() => Message<Optionals>.Rent();

    public void SetInt32Value(int value)
    {
        ref var fields = ref Mutable();
        fields.Int32Value = value;
        fields.Has |= 1;
    }

    public void SetDoubleValue(double value)
    {
        ref var fields = ref Mutable();
        fields.DoubleValue = value;
        fields.Has |= 2;
    }

    public void SetBoolValue(bool value)
    {
        ref var fields = ref Mutable();
        fields.BoolValue = value;
        fields.Has |= 4;
    }

    public void SetStringValue(ReadOnlySpan<byte> utf8)
    {
        ref var fields = ref Mutable();
        fields.StringValue = storage.Memory.StoreString(utf8);
        fields.Has |= 8;
    }

    public void SetStringValue(ReadOnlySpan<char> text)
    {
        ref var fields = ref Mutable();
        fields.StringValue = storage.Memory.StoreString(text);
        fields.Has |= 8;
    }

    public void SetBytesValue(ReadOnlySpan<byte> value)
    {
        ref var fields = ref Mutable();
        fields.BytesValue = storage.Memory.Store(value);
        fields.Has |= 16;
    }

    public void SetEnumValue(Mood value)
    {
        ref var fields = ref Mutable();
        fields.EnumValue = value;
        fields.Has |= 32;
    }

    static Storage IMessage<Optionals>.CreateStorage(MessageMemory memory) => FieldStorage.Of(memory);

    static Optionals IMessage<Optionals>.Create(Storage storage) => new((FieldStorage)storage, 0, storage.Stamp);

    Optionals IMessage<Optionals>.At(int index) => new(storage, index, stamp);

    static void IMessage<Optionals>.Parse(WireReader reader, Optionals message) => FieldStorage.Parse(reader, message.storage, message.index, 0);

    static long IMessage<Optionals>.CalculateSize(Optionals message) => FieldStorage.CalculateSize(message.storage, ref message.storage[message.index]);

    static WireWriter IMessage<Optionals>.Write(WireWriter writer, Optionals message) => FieldStorage.Write(writer, message.storage, ref message.storage[message.index]);

    ref Fields Mutable() => ref storage.Mutable(index, stamp);

    public struct Fields
    {
        internal int Int32Value;
        internal double DoubleValue;
        internal bool BoolValue;
        internal ByteRange StringValue;
        internal ByteRange BytesValue;
        internal Mood EnumValue;
        internal uint Has;
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
                    case 8:
                        fields.Int32Value = reader.ReadInt32();
                        fields.Has |= 1;
                        if (reader.TryReadTag(17)) goto case 17;
                        continue;
                    case 17:
                        fields.DoubleValue = reader.ReadDouble();
                        fields.Has |= 2;
                        if (reader.TryReadTag(24)) goto case 24;
                        continue;
                    case 24:
                        fields.BoolValue = reader.ReadBool();
                        fields.Has |= 4;
                        if (reader.TryReadTag(34)) goto case 34;
                        continue;
                    case 34:
                        fields.StringValue = reader.ReadString();
                        fields.Has |= 8;
                        if (reader.TryReadTag(42)) goto case 42;
                        continue;
                    case 42:
                        fields.BytesValue = reader.ReadBytes();
                        fields.Has |= 16;
                        if (reader.TryReadTag(48)) goto case 48;
                        continue;
                    case 48:
                        fields.EnumValue = (Mood)reader.ReadInt32();
                        fields.Has |= 32;
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
            if ((fields.Has & 1) != 0) size += 1 + WireSize.Int32(fields.Int32Value);
            if ((fields.Has & 2) != 0) size += 1 + sizeof(double);
            if ((fields.Has & 4) != 0) size += 1 + sizeof(bool);
            if ((fields.Has & 8) != 0) size += 1 + WireSize.LengthDelimited(fields.StringValue);
            if ((fields.Has & 16) != 0) size += 1 + WireSize.LengthDelimited(fields.BytesValue);
            if ((fields.Has & 32) != 0) size += 1 + WireSize.Int32((int)fields.EnumValue);
            return size;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static WireWriter Write(WireWriter writer, FieldStorage storage, ref Fields fields)
        {
            if ((fields.Has & 1) != 0) writer.WriteInt32(8, fields.Int32Value);
            if ((fields.Has & 2) != 0) writer.WriteDouble(17, fields.DoubleValue);
            if ((fields.Has & 4) != 0) writer.WriteBool(24, fields.BoolValue);
            if ((fields.Has & 8) != 0) writer.WriteLengthDelimited(34, fields.StringValue);
            if ((fields.Has & 16) != 0) writer.WriteLengthDelimited(42, fields.BytesValue);
            if ((fields.Has & 32) != 0) writer.WriteInt32(48, (int)fields.EnumValue);
            writer.WriteUnknownFields(storage.Ranges, fields.Unknown);
            return writer;
        }
    }
}
