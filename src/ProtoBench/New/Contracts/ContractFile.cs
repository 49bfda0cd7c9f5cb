using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Model;
using ProtoBench.Codec.Generator.Naming;
using ProtoBench.Schemas;

namespace ProtoBench.New.Contracts;

/// <summary>Represents a .proto file for protobuf-net's generator.</summary>
/// <param name="Name">Its name in imports.</param>
/// <param name="Namespace">The namespace of its types, which differs from that of Google's types.</param>
/// <param name="HasTypes">Whether its types are generated. A file that is imported only for its options has none.</param>
/// <param name="IsWellKnown">Whether it is part of protobuf, so that it is not among the user's files.</param>
sealed record ContractFile(string Name, string Namespace, bool HasTypes, bool IsWellKnown)
{
    /// <summary>The root of all namespaces.</summary>
    public const string Root = "ProtobufNet";

    /// <summary>Returns the files that the message needs, and those that they import.</summary>
    public static IReadOnlyList<ContractFile> Of(ProtoSchema schema, MessageType type)
    {
        var generated = WithTypes(schema, type.File);
        return
        [
            .. from file in schema.Files
               let isWellKnown = ProjectNames.IsWellKnown(file)
               where !isWellKnown || generated.Contains(file)
               select new ContractFile(file.Name, NamespaceOf(file), generated.Contains(file), isWellKnown),
        ];
    }

    /// <summary>Returns the namespace of a file's types.</summary>
    public static string NamespaceOf(FileDescriptorProto file)
    {
        var google = new ProtoFile(file, null, file.Name).GoogleNamespace;
        return google.Length == 0 ? Root : $"{Root}.{google}";
    }

    // A file is generated as a whole, so every type that one of its messages names must exist.
    static HashSet<FileDescriptorProto> WithTypes(ProtoSchema schema, FileDescriptorProto root)
    {
        var homes = new Dictionary<string, FileDescriptorProto>();
        foreach (var file in schema.Files)
        {
            var scope = file.Package.Length == 0 ? "" : "." + file.Package;
            foreach (var name in file.EnumType.Select(type => type.Name).Concat(file.MessageType.SelectMany(type => Names(type, ""))))
                homes[$"{scope}.{name}"] = file;
        }

        var (found, next) = (new HashSet<FileDescriptorProto> { root }, new Queue<FileDescriptorProto>([root]));
        while (next.TryDequeue(out var file))
        {
            foreach (var home in References(file).Where(name => !ContractNames.IsBuiltIn(name)).Select(name => homes[name])
                .Where(found.Add))
                next.Enqueue(home);
        }

        return found;
    }

    static IEnumerable<string> Names(DescriptorProto type, string scope) =>
        type.NestedType.SelectMany(inner => Names(inner, $"{scope}{type.Name}."))
            .Concat(type.EnumType.Select(inner => $"{scope}{type.Name}.{inner.Name}")).Prepend(scope + type.Name);

    static IEnumerable<string> References(FileDescriptorProto file) =>
        file.Extension.SelectMany(Types).Concat(file.MessageType.SelectMany(References)).Where(name => name.Length > 0);

    static IEnumerable<string> References(DescriptorProto type) =>
        type.Field.Concat(type.Extension).SelectMany(Types).Concat(type.NestedType.SelectMany(References));

    static string[] Types(FieldDescriptorProto field) => [field.TypeName, field.Extendee];
}

/// <summary>Has the names in protobuf-net's generated contracts with its option <c>Names="original"</c>, which are those of the .proto
/// file. A name that equals the name of the class around it has the suffix of protobuf-net's generator.</summary>
static class ContractNames
{
    /// <summary>Returns whether protobuf-net maps a type, with a leading dot, to a type of .NET or of the library.</summary>
    public static bool IsBuiltIn(string typeName) => typeName is ".google.protobuf.Empty" || IsTime(typeName) || IsWrapper(typeName);

    /// <summary>Returns whether the contracts have a class for a message.</summary>
    public static bool HasClass(ProtoMessage message) => !message.IsMapEntry && !IsBuiltIn("." + message.ProtoName);

    /// <summary>Returns whether a message is a nullable value in the contracts.</summary>
    public static bool IsNullable(ProtoMessage? message) =>
        message is not null && ("." + message.ProtoName is var name) && (IsTime(name) || IsWrapper(name));

    public static bool IsWrapper(ProtoMessage message) => IsWrapper("." + message.ProtoName);

    public static bool IsTime(ProtoMessage message) => IsTime("." + message.ProtoName);

    /// <summary>Returns the qualified name of the class of a message.</summary>
    public static string TypeName(ProtoMessage message) =>
        (message.Parent is { } parent
            ? TypeName(parent) : $"global::{Identifier.EscapeParts(ContractFile.NamespaceOf(message.File.Descriptor))}")
        + "." + Identifier.Escape(ClassName(message));

    /// <summary>Returns the property of a field.</summary>
    public static string Property(ProtoField field) => Identifier.Escape(Inner(field.Descriptor.Name, ClassName(field.Owner)));

    static string ClassName(ProtoMessage message) =>
        message.Parent is { } parent ? Inner(message.Descriptor.Name, ClassName(parent)) : message.Descriptor.Name;

    static string Inner(string name, string scope) => name == scope ? name + "Value" : name;

    static bool IsTime(string typeName) => typeName is ".google.protobuf.Timestamp" or ".google.protobuf.Duration";

    static bool IsWrapper(string typeName) => typeName is ".google.protobuf.DoubleValue" or ".google.protobuf.FloatValue"
        or ".google.protobuf.Int64Value" or ".google.protobuf.UInt64Value" or ".google.protobuf.Int32Value"
        or ".google.protobuf.UInt32Value" or ".google.protobuf.BoolValue" or ".google.protobuf.StringValue"
        or ".google.protobuf.BytesValue";
}
