using System.ComponentModel;

namespace ProtoBench.Codec.Runtime;

/// <summary>Represents the unknown fields of one message, among which its extensions are. Code outside of the runtime can only make it
/// from a message's own fields.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct UnknownFields
{
    internal const uint Delimited = 2;
    internal const uint Group = 3;

    readonly ref ElementRange list;

    /// <summary>Initializes a reference to a list of unknown fields.</summary>
    /// <param name="ranges">The storage of the fields.</param>
    /// <param name="list">The fields.</param>
    public UnknownFields(Storage<ByteRange> ranges, ref ElementRange list)
    {
        Ranges = ranges;
        this.list = ref list;
    }

    internal Storage<ByteRange> Ranges { get; }

    internal ElementRange List => list;

    internal bool Has(int number, uint wireType)
    {
        foreach (var range in Ranges.Slice(list))
        {
            if (IsField(range, number, wireType, false, out _)) return true;
        }

        return false;
    }

    /// <summary>Determines whether a field has a number and a wire type, and gets its value: without the tag, the length and the end
    /// tag.</summary>
    internal bool IsField(ByteRange range, int number, uint wireType, bool withPacked, out ReadOnlySpan<byte> body)
    {
        body = WireReader.BodyOf(Ranges.Memory, Ranges.Memory.Span(range), out var tag);
        return tag >> 3 == (uint)number && ((tag & 7) == wireType || (withPacked && (tag & 7) == Delimited));
    }

    /// <summary>Gets a copy of the value of the last field with a number.</summary>
    internal byte[] BodyOfLast(int number, uint wireType)
    {
        ReadOnlySpan<byte> last = default;
        foreach (var range in Ranges.Slice(list))
        {
            if (IsField(range, number, wireType, false, out var body)) last = body;
        }

        return last.ToArray();
    }

    /// <summary>Gets a copy of the values of all fields with a number, one behind the other. For a message this is the merge of
    /// all.</summary>
    internal byte[] BodyOfAll(int number, uint wireType, bool withPacked = false)
    {
        var all = new List<byte>();
        foreach (var range in Ranges.Slice(list))
        {
            if (IsField(range, number, wireType, withPacked, out var body)) all.AddRange(body);
        }

        return [.. all];
    }

    internal void Add(int number, uint wireType, ReadOnlySpan<byte> body) => Ranges.Append(ref list, Store(number, wireType, body));

    /// <summary>Replaces all fields with a number by one field. If there is no memory for it, the fields stay as they are.</summary>
    internal void Replace(int number, uint wireType, ReadOnlySpan<byte> body)
    {
        var field = Store(number, wireType, body);
        var fields = Without(number);
        Ranges.Append(ref fields, field);
        list = fields;
    }

    internal void Remove(int number)
    {
        var kept = Without(number);
        if (kept.Count != list.Count) list = kept;
    }

    ByteRange Store(int number, uint wireType, ReadOnlySpan<byte> body)
    {
        var tag = ((uint)number << 3) | wireType;
        Span<byte> head = stackalloc byte[2 * MessageMemory.LongestVarint];
        var length = MessageMemory.PutVarint(head, tag);
        if (wireType == Delimited) length += MessageMemory.PutVarint(head[length..], (uint)body.Length);
        Span<byte> end = stackalloc byte[MessageMemory.LongestVarint];
        end = end[..(wireType == Group ? MessageMemory.PutVarint(end, tag + 1) : 0)];
        return Ranges.Memory.Store([.. head[..length], .. body, .. end]);
    }

    ElementRange Without(int number)
    {
        var kept = default(ElementRange);
        for (var i = 0; i < list.Count; i++)
        {
            var range = Ranges.Slice(list)[i];
            WireReader.BodyOf(Ranges.Memory, Ranges.Memory.Span(range), out var tag);
            if (tag >> 3 != (uint)number) Ranges.Append(ref kept, range);
        }

        return kept;
    }
}
