using System.Runtime.CompilerServices;
using ProtoBench.Codec;

namespace ProtoBench.Slab;

/// <summary>message ForwardPerItemResponse { float result = 1; bytes extraResult = 2; }</summary>
public readonly struct ForwardPerItemResponse : IMessage<ForwardPerItemResponse>
{
    readonly FieldStorage storage;
    readonly int index;
    readonly int stamp;

    internal ForwardPerItemResponse(FieldStorage storage, int index, int stamp) => (this.storage, this.index, this.stamp) = (storage, index, stamp);

    static bool IMessage<ForwardPerItemResponse>.NeedsSizes => false;

    public float Result
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Result;
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public Bytes ExtraResult
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].ExtraResult;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public static Message<ForwardPerItemResponse> Rent() => Message<ForwardPerItemResponse>.Rent();

    public void SetResult(float value) => Mutable().Result = value;

    public void SetExtraResult(ReadOnlySpan<byte> value) => Mutable().ExtraResult = storage.Memory.Store(value);

    static Storage IMessage<ForwardPerItemResponse>.CreateStorage(MessageMemory memory) => FieldStorage.Of(memory);

    static ForwardPerItemResponse IMessage<ForwardPerItemResponse>.Create(Storage storage) => new((FieldStorage)storage, 0, storage.Stamp);

    ForwardPerItemResponse IMessage<ForwardPerItemResponse>.At(int index) => new(storage, index, stamp);

    static void IMessage<ForwardPerItemResponse>.Parse(WireReader reader, ForwardPerItemResponse message) => FieldStorage.Parse(reader, message.storage, message.index, 0);

    static long IMessage<ForwardPerItemResponse>.CalculateSize(ForwardPerItemResponse message) => FieldStorage.CalculateSize(message.storage, ref message.storage[message.index]);

    static WireWriter IMessage<ForwardPerItemResponse>.Write(WireWriter writer, ForwardPerItemResponse message) => FieldStorage.Write(writer, message.storage, ref message.storage[message.index]);

    ref Fields Mutable() => ref storage.Mutable(index, stamp);

    public struct Fields
    {
        internal float Result;
        internal ByteRange ExtraResult;
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
                    case 13:
                        fields.Result = reader.ReadFloat();
                        if (reader.TryReadTag(18)) goto case 18;
                        continue;
                    case 18:
                        fields.ExtraResult = reader.ReadBytes();
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
            if (BitConverter.SingleToUInt32Bits(fields.Result) != 0) size += 1 + sizeof(float);
            if (fields.ExtraResult.Length != 0) size += 1 + WireSize.LengthDelimited(fields.ExtraResult);
            return size;
        }

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static WireWriter Write(WireWriter writer, FieldStorage storage, ref Fields fields)
        {
            if (BitConverter.SingleToUInt32Bits(fields.Result) != 0) writer.WriteFloat(13, fields.Result);
            if (fields.ExtraResult.Length != 0) writer.WriteLengthDelimited(18, fields.ExtraResult);
            writer.WriteUnknownFields(storage.Ranges, fields.Unknown);
            return writer;
        }
    }
}
