using System.Runtime.CompilerServices;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec.Tests;

/// <summary>message Note { string text = 1; repeated Note replies = 2; bytes data = 3; repeated int32 numbers = 4; }</summary>
public readonly struct Note : ISlabMessage<Note>
{
    readonly FieldStorage storage;
    readonly int index;
    readonly int stamp;

    internal Note(FieldStorage storage, int index, int stamp) => (this.storage, this.index, this.stamp) = (storage, index, stamp);

    static string ISlabMessage<Note>.FullName => "Note";

    static bool ISlabMessage<Note>.NeedsSizes => true;

    byte[] ISlabMessage<Note>.ToByteArray() => MessageMemory.ToByteArray(storage, stamp, this);

    public Utf8String Text
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Text;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public MessageList<Note> Replies
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var child = storage.Replies.Stamp;
                var value = storage[at.Index].Replies;
                if (storage.IsCurrent(at.Stamp)) return new(new(storage.Replies, 0, child), value);
            }
        }
    }

    public Bytes Data
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage[at.Index].Data;
                if (storage.IsCurrent(at.Stamp)) return new(storage, value, at.Stamp);
            }
        }
    }

    public ReadOnlySpan<int> Numbers
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            for (var at = (Index: index, Stamp: stamp); ; at = storage.Find(at))
            {
                var value = storage.Ints.Slice(storage[at.Index].Numbers);
                if (storage.IsCurrent(at.Stamp)) return value;
            }
        }
    }

    public static Message<Note> Rent() => Message<Note>.Rent();

    public void SetText(ReadOnlySpan<byte> utf8) => Mutable().Text = storage.Memory.StoreString(utf8);

    public void SetText(ReadOnlySpan<char> text) => Mutable().Text = storage.Memory.StoreString(text);

    public Note AddReplies()
    {
        var range = Mutable().Replies;
        var at = storage.Replies.Add(ref range);
        Mutable().Replies = range;
        return new(storage.Replies, at, storage.Replies.Stamp);
    }

    public void SetData(ReadOnlySpan<byte> value) => Mutable().Data = storage.Memory.Store(value);

    public void AddNumbers(int value) => storage.Ints.Append(ref Mutable().Numbers, value);

    static Storage ISlabMessage<Note>.CreateStorage(MessageMemory memory) => FieldStorage.Of(memory);

    static Note ISlabMessage<Note>.Create(Storage storage) => new((FieldStorage)storage, 1, storage.Stamp);

    Note IListElement<Note>.At(int index) => new(storage, index, stamp);

    static void ISlabMessage<Note>.Parse(WireReader reader, Note message) => FieldStorage.Parse(reader, message.storage, message.index, 0);

    static long ISlabMessage<Note>.CalculateSize(Note message) =>
        FieldStorage.CalculateSize(message.storage, ref message.storage[message.index], 0);

    static void ISlabMessage<Note>.Write(ref WireWriter writer, Note message) =>
        writer = FieldStorage.Write(writer, message.storage, ref message.storage[message.index]);

    static void ISlabMessage<Note>.Print<TPrinter>(ref TPrinter printer, Note message) => throw new NotSupportedException();

    ref Fields Mutable() => ref storage.Mutable(index, stamp);

    public struct Fields
    {
        internal ByteRange Text;
        internal ElementRange Replies;
        internal ByteRange Data;
        internal ElementRange Numbers;
        public int Size;
        internal ElementRange Unknown;
    }

    public sealed class FieldStorage : Storage<Fields>
    {
        internal readonly Storage<ByteRange> Ranges;
        internal readonly Storage<int> Ints;
        internal readonly Note.FieldStorage Replies;

        FieldStorage(MessageMemory memory)
            : base(memory)
        {
            Ranges = Storage<ByteRange>.Of(memory);
            Ints = Storage<int>.Of(memory);
            Replies = Note.FieldStorage.Of(memory);
        }

        public static new FieldStorage Of(MessageMemory memory) => memory.Find<FieldStorage>() ?? new(memory);

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void Parse(WireReader reader, FieldStorage storage, int index, int depth)
        {
            ref var fields = ref storage[index];
            var scratch = default(WireReader);
            while (reader.ReadTag(out var tag, ref scratch))
            {
                switch (tag)
                {
                    case 10:
                        fields.Text = reader.ReadString(ref scratch);
                        if (reader.TryReadTag(18)) goto case 18;
                        continue;
                    case 18:
                        var replies = fields.Replies;
                        do
                        {
                            Note.FieldStorage.Parse(reader.ReadMessage(depth, ref scratch), storage.Replies,
                                storage.Replies.Append(ref replies), depth + 1);
                        }
                        while (reader.TryReadTag(18));
                        fields = ref storage[index];
                        fields.Replies = replies;
                        if (reader.TryReadTag(26)) goto case 26;
                        continue;
                    case 26:
                        fields.Data = reader.ReadBytes(ref scratch);
                        if (reader.TryReadTag(34)) goto case 34;
                        continue;
                    case 34:
                        for (var packed = reader.ReadPacked(ref scratch); packed.HasMore;)
                            storage.Ints.Append(ref fields.Numbers, packed.ReadInt32(ref scratch));
                        continue;
                    case 32:
                        storage.Ints.Append(ref fields.Numbers, reader.ReadInt32(ref scratch));
                        continue;
                    default:
                        reader.ReadUnknownField(ref fields.Unknown, tag, depth, ref scratch);
                        continue;
                }
            }
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static long CalculateSize(FieldStorage storage, ref Fields fields, int depth)
        {
            WireSize.ThrowIfTooDeep(depth);
            var size = WireSize.UnknownFields(storage.Ranges, fields.Unknown);
            if (fields.Text.Length != 0) size += 1 + WireSize.LengthDelimited(fields.Text);
            foreach (ref var item in storage.Replies.Slice(fields.Replies))
                size += 1 + WireSize.Body(Note.FieldStorage.CalculateSize(storage.Replies, ref item, depth + 1));
            if (fields.Data.Length != 0) size += 1 + WireSize.LengthDelimited(fields.Data);
            if (fields.Numbers.Count != 0) size += 1 + WireSize.Body(WireSize.Int32(storage.Ints.Slice(fields.Numbers)));
            fields.Size = (int)size;
            return size;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static WireWriter Write(WireWriter writer, FieldStorage storage, ref Fields fields)
        {
            if (fields.Text.Length != 0) writer.WriteLengthDelimited(10, fields.Text);
            foreach (ref var item in storage.Replies.Slice(fields.Replies))
            {
                writer.WriteLength(18, item.Size);
                writer = Note.FieldStorage.Write(writer, storage.Replies, ref item);
            }

            if (fields.Data.Length != 0) writer.WriteLengthDelimited(26, fields.Data);
            if (fields.Numbers.Count != 0) writer.WriteLength(34, WireSize.Int32(storage.Ints.Slice(fields.Numbers)));
            foreach (var value in storage.Ints.Slice(fields.Numbers)) writer.WriteInt32(0, value);
            writer.WriteUnknownFields(storage.Ranges, fields.Unknown);
            return writer;
        }
    }
}
