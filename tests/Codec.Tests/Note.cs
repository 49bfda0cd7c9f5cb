using System.Runtime.CompilerServices;

namespace ProtoBench.Codec.Tests;

/// <summary>message Note { string text = 1; repeated Note replies = 2; bytes data = 3; repeated int32 numbers = 4; }</summary>
public readonly record struct Note : IMessage<Note>
{
    readonly Table table;
    readonly int index;

    internal Note(Table table, int index) => (this.table, this.index) = (table, index);

    public static bool NeedsMeasure => true;

    public Text Text => new(table.Memory, table[index].Text);

    public MessageList<Note> Replies => new(new(table.Replies, table[index].Replies.Start), table[index].Replies.Count);

    public Bytes Data => new(table.Memory, table[index].Data);

    public ReadOnlySpan<int> Numbers => table.Ints.Slice(table[index].Numbers);

    public static Message<Note> Rent() => Message<Note>.Rent();

    public void SetText(ReadOnlySpan<byte> utf8) => table[index].Text = table.Memory.StoreText(utf8);

    public void SetText(ReadOnlySpan<char> text) => table[index].Text = table.Memory.StoreText(text);

    public Note AddReplies()
    {
        var run = table[index].Replies;
        var at = table.Replies.Append(ref run);
        table[index].Replies = run;
        return new(table.Replies, at);
    }

    public void SetData(ReadOnlySpan<byte> value) => table[index].Data = table.Memory.Store(value);

    public void AddNumbers(int value) => table.Ints.Append(ref table[index].Numbers, value);

    public static Note Create(MessageMemory memory) => new(Table.Of(memory), 0);

    public static void Parse(WireReader reader, Note message) => Parse(reader, message.table, message.index, 0);

    public static long Measure(Note message) => Measure(message.table, ref message.table[message.index], 0);

    public static WireWriter Write(WireWriter writer, Note message) => Write(writer, message.table, ref message.table[message.index]);

    public Note Sibling(int distance) => new(table, index + distance);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Parse(WireReader reader, Table table, int index, int depth)
    {
        ref var row = ref table[index];
        while (reader.ReadTag(out var tag))
        {
            switch (tag)
            {
                case 10:
                    row.Text = reader.ReadText();
                    if (reader.TryTag(18)) goto case 18;
                    continue;
                case 18:
                    var replies = row.Replies;
                    do
                    {
                        Note.Parse(reader.Enter(depth), table.Replies, table.Replies.Append(ref replies), depth + 1);
                    }
                    while (reader.TryTag(18));
                    row = ref table[index];
                    row.Replies = replies;
                    if (reader.TryTag(26)) goto case 26;
                    continue;
                case 26:
                    row.Data = reader.ReadBytes();
                    if (reader.TryTag(34)) goto case 34;
                    continue;
                case 34:
                    for (var packed = reader.Enter(0); packed.More();) table.Ints.Append(ref row.Numbers, packed.ReadInt32());
                    continue;
                case 32:
                    table.Ints.Append(ref row.Numbers, reader.ReadInt32());
                    continue;
                default:
                    table.Leaves.Append(ref row.Unknown, reader.Skip(tag, depth));
                    continue;
            }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static long Measure(Table table, ref Row row, int depth)
    {
        WireSize.ThrowIfTooDeep(depth);
        var size = WireSize.Unknown(table.Leaves, row.Unknown);
        if (row.Text.Length != 0) size += 1 + WireSize.Leaf(row.Text);
        foreach (ref var item in table.Replies.Slice(row.Replies)) size += 1 + WireSize.Body(Note.Measure(table.Replies, ref item, depth + 1));
        if (row.Data.Length != 0) size += 1 + WireSize.Leaf(row.Data);
        if (row.Numbers.Count != 0) size += 1 + WireSize.Body(WireSize.Int32(table.Ints.Slice(row.Numbers)));
        row.Size = (int)size;
        return size;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static WireWriter Write(WireWriter writer, Table table, ref Row row)
    {
        if (row.Text.Length != 0) writer.WriteLeaf(10, row.Text);
        foreach (ref var item in table.Replies.Slice(row.Replies))
        {
            writer.WriteLength(18, item.Size);
            writer = Note.Write(writer, table.Replies, ref item);
        }

        if (row.Data.Length != 0) writer.WriteLeaf(26, row.Data);
        if (row.Numbers.Count != 0) writer.WriteLength(34, WireSize.Int32(table.Ints.Slice(row.Numbers)));
        foreach (var value in table.Ints.Slice(row.Numbers)) writer.WriteInt32(0, value);
        writer.WriteUnknown(table.Leaves, row.Unknown);
        return writer;
    }

    internal struct Row
    {
        public Leaf Text;
        public Run Replies;
        public Leaf Data;
        public Run Numbers;
        public int Size;
        public Run Unknown;
    }

    internal sealed class Table : Rows<Row>
    {
        public readonly Rows<Leaf> Leaves;
        public readonly Rows<int> Ints;
        public readonly Note.Table Replies;

        Table(MessageMemory memory)
            : base(memory)
        {
            Leaves = Rows<Leaf>.Of(memory);
            Ints = Rows<int>.Of(memory);
            Replies = Note.Table.Of(memory);
        }

        public static new Table Of(MessageMemory memory) => memory.Find<Table>() ?? new(memory);
    }
}
