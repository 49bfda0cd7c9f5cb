using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message ForwardResponse of hive.proto:
/// repeated ForwardPerItemResponse itemResponses = 1;
/// int64 routeLatencyInUs = 2;
/// int64 routeStartTimeInTicks = 3;
/// </summary>
public readonly struct ForwardResponse : IMessage<ForwardResponse>
{
    readonly FieldStorage storage;
    readonly int index;
    readonly int stamp;

    internal ForwardResponse(FieldStorage storage, int index, int stamp) => (this.storage, this.index, this.stamp) = (storage, index, stamp);

    static bool IMessage<ForwardResponse>.NeedsSizes => false;

    public MessageList<ForwardPerItemResponse> ItemResponses
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var child = storage.ItemResponses.Stamp;
                var value = storage[at.Index].ItemResponses;
                if (storage.IsCurrent(at.Stamp)) return new(new(storage.ItemResponses, 0, child), value);
            }
        }
    }

    public long RouteLatencyInUs
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].RouteLatencyInUs;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public long RouteStartTimeInTicks
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].RouteStartTimeInTicks;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public static Message<ForwardResponse> Rent() => Message<ForwardResponse>.Rent();

    public ForwardPerItemResponse AddItemResponses()
    {
        var range = Mutable().ItemResponses;
        var at = storage.ItemResponses.Add(ref range);
        Mutable().ItemResponses = range;
        return new(storage.ItemResponses, at, storage.ItemResponses.Stamp);
    }

    public void SetRouteLatencyInUs(long value) => Mutable().RouteLatencyInUs = value;

    public void SetRouteStartTimeInTicks(long value) => Mutable().RouteStartTimeInTicks = value;

    static Storage IMessage<ForwardResponse>.CreateStorage(MessageMemory memory) => FieldStorage.Of(memory);

    static ForwardResponse IMessage<ForwardResponse>.Create(Storage storage) => new((FieldStorage)storage, 0, storage.Stamp);

    ForwardResponse IMessage<ForwardResponse>.At(int index) => new(storage, index, stamp);

    static void IMessage<ForwardResponse>.Parse(WireReader reader, ForwardResponse message) => FieldStorage.Parse(reader, message.storage, message.index, 0);

    static long IMessage<ForwardResponse>.CalculateSize(ForwardResponse message) => FieldStorage.CalculateSize(message.storage, ref message.storage[message.index], 0);

    static WireWriter IMessage<ForwardResponse>.Write(WireWriter writer, ForwardResponse message) => FieldStorage.Write(writer, message.storage, ref message.storage[message.index]);

    ref Fields Mutable() => ref storage.Mutable(index, stamp);

    public struct Fields
    {
        internal ElementRange ItemResponses;
        internal long RouteLatencyInUs;
        internal long RouteStartTimeInTicks;
        public int Size;
        internal ElementRange Unknown;
    }

    public sealed class FieldStorage : Storage<Fields>
    {
        internal readonly Storage<ByteRange> Ranges;
        internal readonly ForwardPerItemResponse.FieldStorage ItemResponses;

        FieldStorage(MessageMemory memory)
            : base(memory)
        {
            Ranges = Storage<ByteRange>.Of(memory);
            ItemResponses = ForwardPerItemResponse.FieldStorage.Of(memory);
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
                        var itemResponses = fields.ItemResponses;
                        do
                        {
                            ForwardPerItemResponse.FieldStorage.Parse(reader.ReadMessage(depth), storage.ItemResponses, storage.ItemResponses.Append(ref itemResponses), depth + 1);
                        }
                        while (reader.TryReadTag(10));
                        fields = ref storage[index];
                        fields.ItemResponses = itemResponses;
                        if (reader.TryReadTag(16)) goto case 16;
                        continue;
                    case 16:
                        fields.RouteLatencyInUs = reader.ReadInt64();
                        if (reader.TryReadTag(24)) goto case 24;
                        continue;
                    case 24:
                        fields.RouteStartTimeInTicks = reader.ReadInt64();
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
            if (fields.ItemResponses.Count != 0) WireSize.ThrowIfTooDeep(depth + 1);
            foreach (ref var item in storage.ItemResponses.Slice(fields.ItemResponses)) size += 1 + WireSize.Body(ForwardPerItemResponse.FieldStorage.CalculateSize(storage.ItemResponses, ref item));
            if (fields.RouteLatencyInUs != 0) size += 1 + WireSize.Int64(fields.RouteLatencyInUs);
            if (fields.RouteStartTimeInTicks != 0) size += 1 + WireSize.Int64(fields.RouteStartTimeInTicks);
            fields.Size = (int)size;
            return size;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static WireWriter Write(WireWriter writer, FieldStorage storage, ref Fields fields)
        {
            foreach (ref var item in storage.ItemResponses.Slice(fields.ItemResponses))
            {
                writer.WriteLength(10, ForwardPerItemResponse.FieldStorage.CalculateSize(storage.ItemResponses, ref item));
                writer = ForwardPerItemResponse.FieldStorage.Write(writer, storage.ItemResponses, ref item);
            }

            if (fields.RouteLatencyInUs != 0) writer.WriteInt64(16, fields.RouteLatencyInUs);
            if (fields.RouteStartTimeInTicks != 0) writer.WriteInt64(24, fields.RouteStartTimeInTicks);
            writer.WriteUnknownFields(storage.Ranges, fields.Unknown);
            return writer;
        }
    }
}
