using ProtoBench.Codec.Generator.Model;
using ProtoBench.Codec.Generator.Naming;

namespace ProtoBench.New.Contracts;

/// <summary>The names in protobuf-net's generated contracts, with its option <c>Names="original"</c>: those of the .proto file. A name
/// that is also the name of the class around it gets the suffix that protobuf-net's generator gives it.</summary>
static class ContractNames
{
    /// <summary>Whether protobuf-net maps a type, with a leading dot, to one of .NET or to one of its own.</summary>
    public static bool IsBuiltIn(string typeName) => typeName is ".google.protobuf.Empty" || IsTime(typeName) || IsWrapper(typeName);

    /// <summary>Whether the contracts have a class for a message.</summary>
    public static bool HasClass(ProtoMessage message) => !message.IsMapEntry && !IsBuiltIn("." + message.ProtoName);

    /// <summary>Whether a message is a nullable value in the contracts.</summary>
    public static bool IsNullable(ProtoMessage? message) =>
        message is not null && ("." + message.ProtoName is var name) && (IsTime(name) || IsWrapper(name));

    public static bool IsWrapper(ProtoMessage message) => IsWrapper("." + message.ProtoName);

    public static bool IsTime(ProtoMessage message) => IsTime("." + message.ProtoName);

    /// <summary>The class of a message, from anywhere.</summary>
    public static string TypeName(ProtoMessage message) =>
        (message.Parent is { } parent
            ? TypeName(parent) : $"global::{Identifier.EscapeParts(ContractFile.NamespaceOf(message.File.Descriptor))}")
        + "." + Identifier.Escape(ClassName(message));

    /// <summary>The property of a field.</summary>
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
