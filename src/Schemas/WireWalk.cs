using System.Text.Unicode;
using Google.Protobuf.Reflection;
using FieldType = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Schemas;

/// <summary>Reads the bytes of a message by its schema.</summary>
public sealed class WireWalk
{
    const int maxDepth = 100;

    readonly HashSet<string> unknown = [];
    bool hasKnown;

    WireWalk()
    {
    }

    /// <summary>The field, the offset and the reason of the first error; null if the bytes are a message of this type.</summary>
    public string? Error { get; private set; }

    /// <summary>The fields that the messages of the schema do not have with this number and wire type, each once. A parser skips them, or
    /// keeps them unread.</summary>
    public IReadOnlyCollection<string> Unknown => unknown;

    public bool IsAllUnknown => !hasKnown && unknown.Count > 0;

    public static WireWalk Of(MessageType type, ReadOnlySpan<byte> wire)
    {
        var walk = new WireWalk();
        var at = 0;
        walk.Message(type, wire, ref at, wire.Length, "", 0, group: 0);
        return walk;
    }

    /// <summary>Reads a varint; null if it is incomplete or has more than ten bytes.</summary>
    internal static ulong? Varint(ReadOnlySpan<byte> wire, ref int at)
    {
        var value = 0ul;
        for (var shift = 0; shift < 70 && at < wire.Length; shift += 7)
        {
            var b = wire[at++];
            value |= (ulong)(b & 0x7F) << shift;
            if (b < 0x80)
                return value;
        }

        return null;
    }

    bool Message(MessageType? type, ReadOnlySpan<byte> wire, ref int at, int end, string path, int depth, uint group)
    {
        if (depth > maxDepth)
            return Fail(path, at, $"messages are nested more than {maxDepth} deep");
        while (at < end)
        {
            var start = at;
            if (Varint(wire[..end], ref at) is not { } tag || tag is < 8 or > uint.MaxValue)
                return Fail(path, start, "there is no valid tag");
            if ((tag & 7) == 4)
                return group == tag >> 3 || Fail(path, start, "a group ends that was not begun here");
            var field = type?.Fields.FirstOrDefault(field => field.Number == (int)(tag >> 3));
            var inner = path + (path.Length == 0 ? "" : ".") + (field?.Name ?? $"(field {tag >> 3})");
            if (type is not null)
                Note(type, field, (uint)tag, inner);
            if (!Field(type, field, wire, ref at, end, (uint)tag, inner, depth))
                return false;
        }

        return group == 0 || Fail(path, at, "a group does not end");
    }

    void Note(MessageType type, FieldDescriptorProto? field, uint tag, string path)
    {
        var number = tag >> 3;
        if (field is null
            ? type.Descriptor.ExtensionRange.Any(range => range.Start <= number && number < range.End) : Fits(type, field, tag & 7))
            hasKnown = true;
        else
            unknown.Add(field is null ? path : $"{path} with wire type {tag & 7}");
    }

    static bool Fits(MessageType type, FieldDescriptorProto field, uint wireType) => field.Type switch
    {
        FieldType.String or FieldType.Bytes => wireType == 2,
        FieldType.Message or FieldType.Group => wireType == (type.IsGroup(field) ? 3 : 2),
        _ => wireType == NumberKind.Of(field.Type).WireType || (wireType == 2 && MessageType.IsRepeated(field)),
    };

    bool Field(MessageType? type, FieldDescriptorProto? field, ReadOnlySpan<byte> wire, ref int at, int end, uint tag, string path,
        int depth)
    {
        var start = at;
        switch (tag & 7)
        {
            case 0:
                return Varint(wire[..end], ref at) is not null || Fail(path, start, "a varint is cut off or has more than ten bytes");
            case 1 or 5:
                at += (tag & 7) == 1 ? 8 : 4;
                return at <= end || Fail(path, start, "the bytes end inside a number");
            case 2:
                if (Varint(wire[..end], ref at) is not { } length || length > (ulong)(end - at))
                    return Fail(path, start, "the length goes beyond the end of the message");
                return Delimited(type, field, wire, ref at, at + (int)length, path, depth);
            case 3:
                var nested = field is not null && type!.IsGroup(field) ? type.MessageOf(field) : null;
                return Message(nested, wire, ref at, end, path, depth + 1, tag >> 3);
            default:
                return Fail(path, start, $"wire type {tag & 7} does not exist");
        }
    }

    bool Delimited(MessageType? type, FieldDescriptorProto? field, ReadOnlySpan<byte> wire, ref int at, int end, string path, int depth)
    {
        if (field is { Type: FieldType.Message } && !type!.IsGroup(field)
            && !Message(type.MessageOf(field), wire, ref at, end, path, depth + 1, group: 0))
            return false;
        if (field is { Type: FieldType.String } && !Utf8.IsValid(wire[at..end]))
            return Fail(path, at, "the string is not UTF-8");
        at = end;
        return true;
    }

    bool Fail(string path, int at, string reason)
    {
        Error ??= $"{(path.Length == 0 ? "" : path + ", ")}byte {at}: {reason}";
        return false;
    }
}
