using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message ForwardRequest of hive.proto:
/// string traceId = 1;
/// repeated ForwardPerItemRequest itemRequests = 2;
/// bytes requestContextInfo = 3;
/// </summary>
public readonly struct ForwardRequest : IMessage<ForwardRequest>
{
    readonly FieldStorage storage;
    readonly int index;
    readonly int stamp;

    internal ForwardRequest(FieldStorage storage, int index, int stamp) => (this.storage, this.index, this.stamp) = (storage, index, stamp);

    static bool IMessage<ForwardRequest>.NeedsSizes => false;

    public Utf8String TraceId
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].TraceId;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public MessageList<ForwardPerItemRequest> ItemRequests
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var child = storage.ItemRequests.Stamp;
                var value = storage[at.Index].ItemRequests;
                if (storage.IsCurrent(at.Stamp)) return new(new(storage.ItemRequests, 0, child), value);
            }
        }
    }

    public Bytes RequestContextInfo
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].RequestContextInfo;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public static Message<ForwardRequest> Rent() => Message<ForwardRequest>.Rent();

    public void SetTraceId(ReadOnlySpan<byte> utf8) => Mutable().TraceId = storage.Memory.StoreString(utf8);

    public void SetTraceId(ReadOnlySpan<char> text) => Mutable().TraceId = storage.Memory.StoreString(text);

    public ForwardPerItemRequest AddItemRequests()
    {
        var range = Mutable().ItemRequests;
        var at = storage.ItemRequests.Add(ref range);
        Mutable().ItemRequests = range;
        return new(storage.ItemRequests, at, storage.ItemRequests.Stamp);
    }

    public void SetRequestContextInfo(ReadOnlySpan<byte> value) => Mutable().RequestContextInfo = storage.Memory.Store(value);

    static Storage IMessage<ForwardRequest>.CreateStorage(MessageMemory memory) => FieldStorage.Of(memory);

    static ForwardRequest IMessage<ForwardRequest>.Create(Storage storage) => new((FieldStorage)storage, 0, storage.Stamp);

    ForwardRequest IMessage<ForwardRequest>.At(int index) => new(storage, index, stamp);

    static void IMessage<ForwardRequest>.Parse(WireReader reader, ForwardRequest message) => FieldStorage.Parse(reader, message.storage, message.index, 0);

    static long IMessage<ForwardRequest>.CalculateSize(ForwardRequest message) => FieldStorage.CalculateSize(message.storage, ref message.storage[message.index], 0);

    static WireWriter IMessage<ForwardRequest>.Write(WireWriter writer, ForwardRequest message) => FieldStorage.Write(writer, message.storage, ref message.storage[message.index]);

    ref Fields Mutable() => ref storage.Mutable(index, stamp);

    public struct Fields
    {
        internal ByteRange TraceId;
        internal ElementRange ItemRequests;
        internal ByteRange RequestContextInfo;
        public int Size;
        internal ElementRange Unknown;
    }

    public sealed class FieldStorage : Storage<Fields>
    {
        internal readonly Storage<ByteRange> Ranges;
        internal readonly ForwardPerItemRequest.FieldStorage ItemRequests;

        FieldStorage(MessageMemory memory)
            : base(memory)
        {
            Ranges = Storage<ByteRange>.Of(memory);
            ItemRequests = ForwardPerItemRequest.FieldStorage.Of(memory);
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
                        fields.TraceId = reader.ReadString();
                        if (reader.TryReadTag(18)) goto case 18;
                        continue;
                    case 18:
                        var itemRequests = fields.ItemRequests;
                        do
                        {
                            ForwardPerItemRequest.FieldStorage.Parse(reader.ReadMessage(depth), storage.ItemRequests, storage.ItemRequests.Append(ref itemRequests), depth + 1);
                        }
                        while (reader.TryReadTag(18));
                        fields = ref storage[index];
                        fields.ItemRequests = itemRequests;
                        if (reader.TryReadTag(26)) goto case 26;
                        continue;
                    case 26:
                        fields.RequestContextInfo = reader.ReadBytes();
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
            if (fields.TraceId.Length != 0) size += 1 + WireSize.LengthDelimited(fields.TraceId);
            if (fields.ItemRequests.Count != 0) WireSize.ThrowIfTooDeep(depth + 1);
            foreach (ref var item in storage.ItemRequests.Slice(fields.ItemRequests)) size += 1 + WireSize.Body(ForwardPerItemRequest.FieldStorage.CalculateSize(storage.ItemRequests, ref item));
            if (fields.RequestContextInfo.Length != 0) size += 1 + WireSize.LengthDelimited(fields.RequestContextInfo);
            fields.Size = (int)size;
            return size;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static WireWriter Write(WireWriter writer, FieldStorage storage, ref Fields fields)
        {
            if (fields.TraceId.Length != 0) writer.WriteLengthDelimited(10, fields.TraceId);
            foreach (ref var item in storage.ItemRequests.Slice(fields.ItemRequests))
            {
                writer.WriteLength(18, ForwardPerItemRequest.FieldStorage.CalculateSize(storage.ItemRequests, ref item));
                writer = ForwardPerItemRequest.FieldStorage.Write(writer, storage.ItemRequests, ref item);
            }

            if (fields.RequestContextInfo.Length != 0) writer.WriteLengthDelimited(26, fields.RequestContextInfo);
            writer.WriteUnknownFields(storage.Ranges, fields.Unknown);
            return writer;
        }
    }
}
