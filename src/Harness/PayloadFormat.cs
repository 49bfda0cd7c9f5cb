using System.Collections;
using System.Text.Json;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace ProtoBench.Harness;

/// <summary>The format of the payloads of a project, in which the content of two messages is compared.</summary>
abstract class PayloadFormat
{
    /// <param name="parser">Google's parser of the message.</param>
    public static PayloadFormat Protobuf(MessageParser parser) => new OfProtobuf(parser);

    /// <param name="type">The full name of the class.</param>
    public static PayloadFormat Json(string type) => new OfJson(type);

    /// <summary>Returns the full name of the message or of the class.</summary>
    public abstract string NameOf(ReadOnlyMemory<byte> payload);

    /// <summary>Reads a payload. It throws what the reader of the format throws.</summary>
    public abstract object Read(ReadOnlyMemory<byte> bytes);

    /// <summary>Returns the usual bytes of what was read.</summary>
    public abstract byte[] Write(object message);

    /// <summary>Compares two messages that were read.</summary>
    /// <returns>The path of the first field that differs, such as <c>items[3].name</c>; null if there is none.</returns>
    public abstract string? FirstDifference(object one, object other);

    sealed class OfProtobuf(MessageParser parser) : PayloadFormat
    {
        // required fields are in a payload only
        public override string NameOf(ReadOnlyMemory<byte> payload) => ((IMessage)Read(payload)).Descriptor.FullName;

        // the oldest measured version of Google.Protobuf takes no span
        public override object Read(ReadOnlyMemory<byte> bytes) => parser.ParseFrom(bytes.ToArray());

        public override byte[] Write(object message) => ((IMessage)message).ToByteArray();

        public override string? FirstDifference(object one, object other) =>
            one.Equals(other) ? null : FirstField((IMessage)one, (IMessage)other) ?? "the unknown fields";

        static string? FirstField(IMessage one, IMessage other)
        {
            foreach (var field in one.Descriptor.Fields.InFieldNumberOrder())
            {
                var (left, right) = (field.Accessor.GetValue(one), field.Accessor.GetValue(other));
                if (Difference(field, left, right) is { } path)
                    return field.Name + path;
            }

            return null;
        }

        static string? Difference(FieldDescriptor field, object? left, object? right)
        {
            if (field.IsMap || !field.IsRepeated)
                return left is IMessage one && right is IMessage other && FirstField(one, other) is { } inner
                    ? "." + inner : Equals(left, right) ? null : "";
            var (lefts, rights) = ((IList)left!, (IList)right!);
            for (var i = 0; i < Math.Min(lefts.Count, rights.Count); i++)
            {
                if (lefts[i] is IMessage one && rights[i] is IMessage other && FirstField(one, other) is { } inner)
                    return $"[{i}].{inner}";
                if (!Equals(lefts[i], rights[i]))
                    return $"[{i}]";
            }

            return lefts.Count == rights.Count ? null : Counts(lefts.Count, rights.Count);
        }
    }

    sealed class OfJson(string type) : PayloadFormat
    {
        public override string NameOf(ReadOnlyMemory<byte> payload) => type;

        public override object Read(ReadOnlyMemory<byte> bytes) => JsonElement.Parse(bytes.Span);

        public override byte[] Write(object message) => JsonSerializer.SerializeToUtf8Bytes((JsonElement)message);

        public override string? FirstDifference(object one, object other) =>
            Difference((JsonElement)one, (JsonElement)other) is { } path ? path.TrimStart('.') : null;

        // Null, an empty text and an empty list are one value, as they are in protobuf. A library that writes one of them as another one,
        // such as System.Text.Json's generated writer with a byte array that is null, is measured.
        static string? Difference(JsonElement one, JsonElement other)
        {
            if (IsNone(one) && IsNone(other))
                return null;
            if (one.ValueKind != other.ValueKind)
                return "";
            if (one.ValueKind == JsonValueKind.Object)
            {
                return one.EnumerateObject().Concat(other.EnumerateObject()).Select(member => member.Name).Distinct()
                    .Select(name => (Name: name, Path: Difference(Member(one, name), Member(other, name))))
                    .Where(member => member.Path is not null).Select(member => $".{member.Name}{member.Path}").FirstOrDefault();
            }

            if (one.ValueKind != JsonValueKind.Array)
                return JsonElement.DeepEquals(one, other) ? null : "";
            var (ones, others) = (one.GetArrayLength(), other.GetArrayLength());
            return one.EnumerateArray().Zip(other.EnumerateArray(), Difference).Index()
                .Where(element => element.Item is not null).Select(element => $"[{element.Index}]{element.Item}").FirstOrDefault()
                ?? (ones == others ? null : Counts(ones, others));
        }

        static JsonElement Member(JsonElement parent, string name) => parent.TryGetProperty(name, out var value) ? value : default;

        static bool IsNone(JsonElement element) => element.ValueKind switch
        {
            JsonValueKind.Undefined or JsonValueKind.Null => true,
            JsonValueKind.String => element.ValueEquals(""),
            JsonValueKind.Array => element.GetArrayLength() == 0,
            JsonValueKind.Object => element.GetPropertyCount() == 0,
            _ => false,
        };
    }

    static string Counts(int one, int other) => $" ({one} and {other} elements)";
}
