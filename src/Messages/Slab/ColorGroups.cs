using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message ColorGroups { repeated ColorGroup groups = 1; }</summary>
public readonly struct ColorGroups : IMessage<ColorGroups>
{
    readonly FieldStorage storage;
    readonly int index;
    readonly int stamp;

    internal ColorGroups(FieldStorage storage, int index, int stamp) => (this.storage, this.index, this.stamp) = (storage, index, stamp);

    static bool IMessage<ColorGroups>.NeedsSizes => false;

    public MessageList<ColorGroup> Groups
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var child = storage.Groups.Stamp;
                var value = storage[at.Index].Groups;
                if (storage.IsCurrent(at.Stamp)) return new(new(storage.Groups, 0, child), value);
            }
        }
    }

    public static Message<ColorGroups> Rent() => Message<ColorGroups>.Rent();

    public ColorGroup AddGroups()
    {
        var range = Mutable().Groups;
        var at = storage.Groups.Add(ref range);
        Mutable().Groups = range;
        return new(storage.Groups, at, storage.Groups.Stamp);
    }

    static Storage IMessage<ColorGroups>.CreateStorage(MessageMemory memory) => FieldStorage.Of(memory);

    static ColorGroups IMessage<ColorGroups>.Create(Storage storage) => new((FieldStorage)storage, 0, storage.Stamp);

    ColorGroups IMessage<ColorGroups>.At(int index) => new(storage, index, stamp);

    static void IMessage<ColorGroups>.Parse(WireReader reader, ColorGroups message) => FieldStorage.Parse(reader, message.storage, message.index, 0);

    static long IMessage<ColorGroups>.CalculateSize(ColorGroups message) => FieldStorage.CalculateSize(message.storage, ref message.storage[message.index], 0);

    static WireWriter IMessage<ColorGroups>.Write(WireWriter writer, ColorGroups message) => FieldStorage.Write(writer, message.storage, ref message.storage[message.index]);

    ref Fields Mutable() => ref storage.Mutable(index, stamp);

    public struct Fields
    {
        internal ElementRange Groups;
        public int Size;
        internal ElementRange Unknown;
    }

    public sealed class FieldStorage : Storage<Fields>
    {
        internal readonly Storage<ByteRange> Ranges;
        internal readonly ColorGroup.FieldStorage Groups;

        FieldStorage(MessageMemory memory)
            : base(memory)
        {
            Ranges = Storage<ByteRange>.Of(memory);
            Groups = ColorGroup.FieldStorage.Of(memory);
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
                        var groups = fields.Groups;
                        do
                        {
                            ColorGroup.FieldStorage.Parse(reader.ReadMessage(depth), storage.Groups, storage.Groups.Append(ref groups), depth + 1);
                        }
                        while (reader.TryReadTag(10));
                        fields = ref storage[index];
                        fields.Groups = groups;
                        continue;
                    default:
                        storage.Ranges.Append(ref fields.Unknown, reader.ReadUnknownField(tag, depth));
                        continue;
                }
            }
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static long CalculateSize(FieldStorage storage, ref Fields fields, int depth)
        {
            WireSize.ThrowIfTooDeep(depth);
            var size = WireSize.UnknownFields(storage.Ranges, fields.Unknown);
            if (fields.Groups.Count != 0) WireSize.ThrowIfTooDeep(depth + 1);
            foreach (ref var item in storage.Groups.Slice(fields.Groups)) size += 1 + WireSize.Body(ColorGroup.FieldStorage.CalculateSize(storage.Groups, ref item));
            fields.Size = (int)size;
            return size;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static WireWriter Write(WireWriter writer, FieldStorage storage, ref Fields fields)
        {
            foreach (ref var item in storage.Groups.Slice(fields.Groups))
            {
                writer.WriteLength(10, ColorGroup.FieldStorage.CalculateSize(storage.Groups, ref item));
                writer = ColorGroup.FieldStorage.Write(writer, storage.Groups, ref item);
            }

            writer.WriteUnknownFields(storage.Ranges, fields.Unknown);
            return writer;
        }
    }
}
