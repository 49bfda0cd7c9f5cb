using System.Collections.Frozen;
using Google.Protobuf.Reflection;

namespace ProtoBench.Schemas;

/// <summary>A message of a schema. Immutable: any thread may read it.</summary>
public sealed class MessageType
{
    readonly ProtoSchema schema;
    readonly FrozenDictionary<string, FieldDescriptorProto> byName;

    internal MessageType(ProtoSchema schema, FileDescriptorProto file, string fullName, DescriptorProto descriptor)
    {
        (this.schema, File, FullName, Descriptor) = (schema, file, fullName, descriptor);
        Fields = [.. descriptor.Field.OrderBy(field => field.Number)];
        var names = new Dictionary<string, FieldDescriptorProto>();
        foreach (var field in Fields)
            names[field.Name] = names[field.JsonName] = field;
        byName = names.ToFrozenDictionary();
    }

    /// <summary>The package and the name, without a leading dot.</summary>
    public string FullName { get; }

    /// <summary>The file that declares it.</summary>
    public FileDescriptorProto File { get; }

    /// <summary>As protoc describes it.</summary>
    public DescriptorProto Descriptor { get; }

    /// <summary>The fields in the order of their numbers.</summary>
    public IReadOnlyList<FieldDescriptorProto> Fields { get; }

    /// <summary>Whether protoc made this message for a map field.</summary>
    public bool IsMapEntry => Descriptor.Options?.MapEntry ?? false;

    /// <summary>The field of this name in the .proto file or in JSON; null where there is none.</summary>
    public FieldDescriptorProto? Find(string name) => byName.GetValueOrDefault(name);

    /// <summary>The message that a field of type message or group holds.</summary>
    public MessageType MessageOf(FieldDescriptorProto field) => schema.Resolve(field.TypeName);

    /// <summary>The enum that a field of type enum holds.</summary>
    public EnumDescriptorProto EnumOf(FieldDescriptorProto field) => schema.ResolveEnum(field.TypeName);

    /// <summary>Whether a field is a map.</summary>
    public bool IsMap(FieldDescriptorProto field) =>
        IsRepeated(field) && field.Type == FieldDescriptorProto.Types.Type.Message && MessageOf(field).IsMapEntry;

    /// <summary>Whether a field is repeated; a map is.</summary>
    public static bool IsRepeated(FieldDescriptorProto field) => field.Label == FieldDescriptorProto.Types.Label.Repeated;

    /// <summary>Whether the schema asks for the packed form of a repeated field. Readers accept both.</summary>
    public bool IsPacked(FieldDescriptorProto field) =>
        IsRepeated(field)
        && field.Type is not (FieldDescriptorProto.Types.Type.String or FieldDescriptorProto.Types.Type.Bytes
            or FieldDescriptorProto.Types.Type.Message or FieldDescriptorProto.Types.Type.Group)
        && (field.Options is { HasPacked: true } options ? options.Packed : File.Syntax is not ("" or "proto2"));

    /// <summary>A message by its full name, from the same schema.</summary>
    /// <exception cref="SchemaException">There is none.</exception>
    public MessageType Other(string fullName) => schema.Message(fullName);
}
