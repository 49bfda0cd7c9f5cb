using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message ForwardPerItemRequest { string itemId = 1; bytes itemContext = 2; }</summary>
public readonly struct ForwardPerItemRequest : IMessage<ForwardPerItemRequest>
{
    readonly FieldStorage storage;
    readonly int index;
    readonly int stamp;

    internal ForwardPerItemRequest(FieldStorage storage, int index, int stamp) => (this.storage, this.index, this.stamp) = (storage, index, stamp);

    static bool IMessage<ForwardPerItemRequest>.NeedsSizes => false;

    public Utf8String ItemId
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].ItemId;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public Bytes ItemContext
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].ItemContext;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public static Message<ForwardPerItemRequest> Rent() => Message<ForwardPerItemRequest>.Rent();

    public void SetItemId(ReadOnlySpan<byte> utf8) => Mutable().ItemId = storage.Memory.StoreString(utf8);

    public void SetItemId(ReadOnlySpan<char> text) => Mutable().ItemId = storage.Memory.StoreString(text);

    public void SetItemContext(ReadOnlySpan<byte> value) => Mutable().ItemContext = storage.Memory.Store(value);

    static Storage IMessage<ForwardPerItemRequest>.CreateStorage(MessageMemory memory) => FieldStorage.Of(memory);

    static ForwardPerItemRequest IMessage<ForwardPerItemRequest>.Create(Storage storage) => new((FieldStorage)storage, 0, storage.Stamp);

    ForwardPerItemRequest IMessage<ForwardPerItemRequest>.At(int index) => new(storage, index, stamp);

    static void IMessage<ForwardPerItemRequest>.Parse(WireReader reader, ForwardPerItemRequest message) => FieldStorage.Parse(reader, message.storage, message.index, 0);

    static long IMessage<ForwardPerItemRequest>.CalculateSize(ForwardPerItemRequest message) => FieldStorage.CalculateSize(message.storage, ref message.storage[message.index]);

    static WireWriter IMessage<ForwardPerItemRequest>.Write(WireWriter writer, ForwardPerItemRequest message) => FieldStorage.Write(writer, message.storage, ref message.storage[message.index]);

    ref Fields Mutable() => ref storage.Mutable(index, stamp);

    public struct Fields
    {
        internal ByteRange ItemId;
        internal ByteRange ItemContext;
        internal ElementRange Unknown;
    }

    public sealed class FieldStorage : Storage<Fields>
    {
        internal readonly Storage<ByteRange> Ranges;

        FieldStorage(MessageMemory memory)
            : base(memory) => Ranges = Storage<ByteRange>.Of(memory);

        public static new FieldStorage Of(MessageMemory memory) => memory.Find<FieldStorage>() ?? new(memory);

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static void Parse(WireReader reader, FieldStorage storage, int index, int depth)
        {
            ref var fields = ref storage[index];
            while (reader.ReadTag(out var tag))
            {
                switch (tag)
                {
                    case 10:
                        fields.ItemId = reader.ReadString();
                        if (reader.TryReadTag(18)) goto case 18;
                        continue;
                    case 18:
                        fields.ItemContext = reader.ReadBytes();
                        continue;
                    default:
                        storage.Ranges.Append(ref fields.Unknown, reader.ReadUnknownField(tag, depth));
                        continue;
                }
            }
        }

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static long CalculateSize(FieldStorage storage, ref Fields fields)
        {
            var size = WireSize.UnknownFields(storage.Ranges, fields.Unknown);
            if (fields.ItemId.Length != 0) size += 1 + WireSize.LengthDelimited(fields.ItemId);
            if (fields.ItemContext.Length != 0) size += 1 + WireSize.LengthDelimited(fields.ItemContext);
            return size;
        }

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static WireWriter Write(WireWriter writer, FieldStorage storage, ref Fields fields)
        {
            if (fields.ItemId.Length != 0) writer.WriteLengthDelimited(10, fields.ItemId);
            if (fields.ItemContext.Length != 0) writer.WriteLengthDelimited(18, fields.ItemContext);
            writer.WriteUnknownFields(storage.Ranges, fields.Unknown);
            return writer;
        }
    }
}
