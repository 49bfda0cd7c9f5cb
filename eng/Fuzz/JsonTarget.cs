using System.Text;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Google.Protobuf.WellKnownTypes;
using ProtoBench.Gpb;
using ProtoBench.Schemas;

namespace ProtoBench.Fuzz;

/// <summary>The first byte of an input chooses the message type, and the rest is JSON for <c>new</c> and <c>load -d</c>. It is refused with
/// a place, or becomes a message that the schema knows. If Google's parser accepts the text too, it is the same message.</summary>
static class JsonTarget
{
    static readonly MessageDescriptor[] types =
    [
        Zoo.Descriptor, Scalars.Descriptor, Struct.Descriptor, Any.Descriptor, Google.Protobuf.WellKnownTypes.Type.Descriptor,
        DescriptorProto.Descriptor,
    ];

    static readonly FileDescriptor[] files =
    [
        Timestamp.Descriptor.File, Duration.Descriptor.File, FieldMask.Descriptor.File, Int32Value.Descriptor.File, Empty.Descriptor.File,
        .. types.SelectMany(type => type.File.Dependencies.Append(type.File)),
    ];

    static readonly ProtoSchema schema =
        ProtoSchema.Of(new FileDescriptorSet { File = { files.Distinct().Select(file => file.ToProto()) } }, "the target");

    static readonly JsonParser google = new(JsonParser.Settings.Default.WithTypeRegistry(TypeRegistry.FromFiles(files)));

    public static void Run(byte[] input)
    {
        if (input.Length == 0) return;
        var (type, json) = (types[input[0] % types.Length], input[1..]);
        byte[] bytes;
        try
        {
            bytes = JsonPayload.Encode(schema.Message(type.FullName), json, "input");
        }
        catch (SchemaException e)
        {
            if (!e.Message.StartsWith("input(", StringComparison.Ordinal) || e.Message.AsSpan().ContainsAny('\r', '\n'))
                throw new FindingException($"no place, or more than one line: {e.Message}");
            return;
        }

        var walk = WireWalk.Of(schema.Message(type.FullName), bytes);
        if (walk.Error is not null || walk.Unknown.Count > 0)
            throw new FindingException($"{walk.Error} {string.Join(", ", walk.Unknown)}: {Convert.ToHexString(bytes)}");
        // capitals in the paths of a field mask are words for the parsers of C++ and here, and in places none for that of C#
        if (json.AsSpan().IndexOf("FieldMask"u8) >= 0) return;
        string expected; // NaN has several forms, which are one text
        try
        {
            expected = google.Parse(Encoding.UTF8.GetString(json), type).ToString()!;
        }
#pragma warning disable CA1031 // what Google's parser and formatter refuse, and how, is not judged
        catch
#pragma warning restore CA1031
        {
            return;
        }

        if ($"{type.Parser.ParseFrom(bytes)}" is var actual && actual != expected)
            throw new FindingException($"{actual}, and {expected} by Google's parser");
    }
}
