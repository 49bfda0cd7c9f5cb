using System.Buffers;
using ProtoBench.Codec.Reflection;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec.WellKnownTypes;

/// <summary>Copies messages in their binary form without the fields that a mask does not name, or without those that it names. The arrays
/// are rented.</summary>
/// <remarks>The bytes that it reads were written by this package, into an array of its own, so they are valid.</remarks>
struct FieldMaskFilter : IDisposable
{
    const uint varint = 0, fixed64 = 1, lengthDelimited = 2, startGroup = 3, endGroup = 4;

    FieldTree named;
    RentedStack<byte> output;

    byte[]? input;
    int at;
    int end;

    // whether the fields that are named are kept, or the others
    bool keepsNamed;
    bool replacesMessages;
    bool replacesRepeated;

    /// <summary>Whether the mask names something.</summary>
    public readonly bool HasFields => named.HasFields;

    /// <summary>The number of bytes that were written.</summary>
    public readonly int Written => output.Count;

    public void Add(FieldMask mask, MessageDescriptor type)
    {
        foreach (var path in mask.Paths) named.Add(path.Span, type);

        // it throws if the message was released while its paths were read
        _ = mask.Paths;
    }

    /// <summary>Writes the fields of a message that are named.</summary>
    public void Keep<T>(T message)
        where T : struct, ISlabMessage<T>
    {
        keepsNamed = true;
        Copy(message);
    }

    /// <summary>Writes the fields of a message that a merge keeps: those that are not named, and those that the source is added
    /// to.</summary>
    public void Drop<T>(T message, FieldMaskMergeOptions? options)
        where T : struct, ISlabMessage<T>
    {
        keepsNamed = false;
        replacesMessages = options is { ReplaceMessageFields: true };
        replacesRepeated = options is { ReplaceRepeatedFields: true };
        Copy(message);
    }

    /// <summary>Writes the first bytes of what was written again.</summary>
    public void WriteAgain(int count)
    {
        var from = output.Count;
        output.Push(zeros: count);
        output.Items.AsSpan(0, count).CopyTo(output.From(from));
    }

    /// <summary>Replaces the content of a message by what was written from a position on.</summary>
    public readonly void Replace<T>(T message, int start)
        where T : struct, ISlabMessage<T>
    {
        using var result = Message<T>.Rent();
        try
        {
            result.Parse(output.From(start));
        }
        catch (WireFormatException e)
        {
            throw new InvalidOperationException($"The result would be no {T.FullName}. {e.Message}", e);
        }

        message.CopyFrom(result.Value);
    }

    public void Dispose()
    {
        named.Dispose();
        output.Dispose();
        if (input is not null) ArrayPool<byte>.Shared.Return(input);
        input = null;
    }

    void Copy<T>(T message)
        where T : struct, ISlabMessage<T>
    {
        using (var copy = Message<T>.Rent())
        {
            copy.Value.CopyFrom(message);
            end = copy.CalculateSize();
            if (input is not null) ArrayPool<byte>.Shared.Return(input);
            input = null;
            input = ArrayPool<byte>.Shared.Rent(end);
            copy.WriteTo(input);
        }

        at = 0;
        Fields(0, T.Descriptor, endTag: 0);
    }

    /// <param name="parent">The node of the message.</param>
    /// <param name="type">The type of the message.</param>
    /// <param name="endTag">The tag that ends a group; 0 for a message that has a length.</param>
    void Fields(int parent, MessageDescriptor type, uint endTag)
    {
        while (at < end)
        {
            var start = at;
            var tag = (uint)Varint();
            if (tag == endTag) return;
            var (node, field) = Find(parent, type, tag);
            if (node != 0 && !named[node].IsEnd)
            {
                Message(node, field!, tag);
                continue;
            }

            Skip(tag);
            if (node != 0 && keepsNamed) named[node].IsInSource = true;
            if (keepsNamed ? node != 0 : node == 0 || IsAddedTo(node, field!)) output.Push(input.AsSpan(start, at - start));
        }
    }

    void Message(int node, FieldDescriptor field, uint tag)
    {
        Write(tag);
        if (field.IsDelimited)
        {
            Fields(node, field.MessageType!, field.EndTag);
            Write(field.EndTag);
            return;
        }

        // The length has five bytes, so that the body need not be moved.
        const int longest = 5;
        var length = (int)Varint();
        var outer = end;
        end = at + length;
        output.Push(zeros: longest);
        var body = output.Count;
        Fields(node, field.MessageType!, endTag: 0);
        end = outer;
        length = output.Count - body;
        for (var i = 0; i < longest; i++)
            output.Items[body - longest + i] = (byte)(((length >> (7 * i)) & 0x7F) | (i < longest - 1 ? 0x80 : 0));
    }

    /// <summary>Finds what the mask says about a field. A field with another wire type than its own is an unknown field, but for the values
    /// that a closed enum does not define: they belong to the field, and are never packed.</summary>
    readonly (int Node, FieldDescriptor? Field) Find(int parent, MessageDescriptor type, uint tag)
    {
        var number = (int)(tag >> 3);
        var node = named.Find(parent, number);
        if (node == 0) return default;
        var field = type.FindFieldByNumber(number)!;
        var isOwn = tag == field.Tag || (field.IsRepeated && field.EnumType is not null && (tag & 7) == varint);
        return isOwn ? (node, field) : default;
    }

    /// <summary>Determines whether the destination's value of a field stays, and the source's is added to it.</summary>
    readonly bool IsAddedTo(int node, FieldDescriptor field)
    {
        if (field.IsRepeated) return !replacesRepeated;
        if (field.MessageType is not { } message || replacesMessages) return false;
        return message.WellKnown != WellKnownKind.Wrapper || !named[node].IsInSource;
    }

    void Skip(uint tag)
    {
        for (var groups = 0; ; tag = (uint)Varint())
        {
            switch (tag & 7)
            {
                case varint:
                    Varint();
                    break;
                case fixed64:
                    at += sizeof(ulong);
                    break;
                case lengthDelimited:
                    var length = (int)Varint();
                    at += length;
                    break;
                case startGroup:
                    groups++;
                    break;
                case endGroup:
                    groups--;
                    break;
                default:
                    at += sizeof(uint);
                    break;
            }

            if (groups == 0) return;
        }
    }

    ulong Varint()
    {
        var value = 0ul;
        for (var shift = 0; ; shift += 7)
        {
            var one = input![at++];
            value |= (ulong)(one & 0x7F) << shift;
            if (one < 0x80) return value;
        }
    }

    void Write(uint tag)
    {
        for (; tag >= 0x80; tag >>= 7) output.Push((byte)(tag | 0x80));
        output.Push((byte)tag);
    }
}
