using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message ColorGroup { int32 id = 1; string name = 2; repeated string colors = 3; }</summary>
public readonly struct ColorGroup : IMessage<ColorGroup>
{
    readonly FieldStorage storage;
    readonly int index;
    readonly int stamp;

    internal ColorGroup(FieldStorage storage, int index, int stamp) => (this.storage, this.index, this.stamp) = (storage, index, stamp);

    static bool IMessage<ColorGroup>.NeedsSizes => false;

    public int Id
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Id;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public Utf8String Name
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Name;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public Utf8StringList Colors
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Colors;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public static Message<ColorGroup> Rent() => Message<ColorGroup>.Rent();

    public void SetId(int value) => Mutable().Id = value;

    public void SetName(ReadOnlySpan<byte> utf8) => Mutable().Name = storage.Memory.StoreString(utf8);

    public void SetName(ReadOnlySpan<char> text) => Mutable().Name = storage.Memory.StoreString(text);

    public void AddColors(ReadOnlySpan<byte> utf8) => storage.Ranges.Append(ref Mutable().Colors, storage.Memory.StoreString(utf8));

    public void AddColors(ReadOnlySpan<char> text) => storage.Ranges.Append(ref Mutable().Colors, storage.Memory.StoreString(text));

    static Storage IMessage<ColorGroup>.CreateStorage(MessageMemory memory) => FieldStorage.Of(memory);

    static ColorGroup IMessage<ColorGroup>.Create(Storage storage) => new((FieldStorage)storage, 0, storage.Stamp);

    ColorGroup IMessage<ColorGroup>.At(int index) => new(storage, index, stamp);

    static void IMessage<ColorGroup>.Parse(WireReader reader, ColorGroup message) => FieldStorage.Parse(reader, message.storage, message.index, 0);

    static long IMessage<ColorGroup>.CalculateSize(ColorGroup message) => FieldStorage.CalculateSize(message.storage, ref message.storage[message.index]);

    static WireWriter IMessage<ColorGroup>.Write(WireWriter writer, ColorGroup message) => FieldStorage.Write(writer, message.storage, ref message.storage[message.index]);

    ref Fields Mutable() => ref storage.Mutable(index, stamp);

    public struct Fields
    {
        internal int Id;
        internal ByteRange Name;
        internal ElementRange Colors;
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
                        fields.Id = reader.ReadInt32();
                        if (reader.TryReadTag(18)) goto case 18;
                        continue;
                    case 18:
                        fields.Name = reader.ReadString();
                        if (reader.TryReadTag(26)) goto case 26;
                        continue;
                    case 26:
                        storage.Ranges.Append(ref fields.Colors, reader.ReadString());
                        if (reader.TryReadTag(26)) goto case 26;
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
            if (fields.Id != 0) size += 1 + WireSize.Int32(fields.Id);
            if (fields.Name.Length != 0) size += 1 + WireSize.LengthDelimited(fields.Name);
            size += fields.Colors.Count + WireSize.LengthDelimited(storage.Ranges.Slice(fields.Colors));
            return size;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static WireWriter Write(WireWriter writer, FieldStorage storage, ref Fields fields)
        {
            if (fields.Id != 0) writer.WriteInt32(8, fields.Id);
            if (fields.Name.Length != 0) writer.WriteLengthDelimited(18, fields.Name);
            foreach (var value in storage.Ranges.Slice(fields.Colors)) writer.WriteLengthDelimited(26, value);
            writer.WriteUnknownFields(storage.Ranges, fields.Unknown);
            return writer;
        }
    }
}
