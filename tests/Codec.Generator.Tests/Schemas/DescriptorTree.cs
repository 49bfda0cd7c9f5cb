using System.Globalization;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Slab = ProtoBench.Codec.Reflection;

namespace ProtoBench.Codec.Generator.Tests.Schemas;

/// <summary>The text of all that descriptors tell: of Google's and of ours, which must be equal.</summary>
static class DescriptorTree
{
    /// <summary>Google's descriptors of the files, each of which follows its imports.</summary>
    public static IReadOnlyList<FileDescriptor> Google(IEnumerable<FileDescriptorProto> files) =>
        FileDescriptor.BuildFromByteStrings(files.Select(file => file.ToByteString()));

    public static IReadOnlyList<Slab.FileDescriptor> Load(IEnumerable<FileDescriptorProto> files) =>
        Slab.FileDescriptor.Load(files.Select(file => new ReadOnlyMemory<byte>(file.ToByteArray())));

    public static string Of(FileDescriptor file) => Lines(
    [
        $"{file.Name} {file.Package} {(file.ToProto().Syntax is { Length: > 0 } syntax ? syntax : "proto2")}",
        .. file.Dependencies.Select(one => "import " + one.Name),
        .. file.MessageTypes.Select(Of),
        .. file.EnumTypes.Select(Of),
        .. file.Extensions.UnorderedExtensions.Select(Of),
        .. file.Services.Select(service => Lines([$"service {service.Name} {service.FullName}", .. service.Methods.Select(method =>
            $"{method.Name} {method.FullName} {method.InputType.FullName} {method.OutputType.FullName} "
                + $"{method.IsClientStreaming} {method.IsServerStreaming}")])),
    ]);

    public static string Of(Slab.FileDescriptor file) => Lines(
    [
        $"{file.Name} {file.Package} {file.Syntax}",
        .. file.Dependencies.Select(one => "import " + one.Name),
        .. file.MessageTypes.Select(one => Of(one, null)),
        .. file.EnumTypes.Select(one => Of(one, null)),
        .. file.Extensions.Select(Of),
        .. file.Services.Select(service => Lines([$"service {service.Name} {service.FullName}", .. service.Methods.Select(method =>
            $"{method.Name} {method.FullName} {method.InputType.FullName} {method.OutputType.FullName} "
                + $"{method.IsClientStreaming} {method.IsServerStreaming}")])),
    ]);

    static string Of(MessageDescriptor message) => Lines(
    [
        $"message {message.Name} {message.FullName} {message.ContainingType?.FullName} {message.IsMapEntry}",
        .. message.Fields.InFieldNumberOrder().Select(Of),
        .. message.NestedTypes.Select(Of),
        .. message.EnumTypes.Select(Of),
        .. message.Extensions.UnorderedExtensions.Select(Of),
        .. message.Oneofs.Where(oneof => !oneof.IsSynthetic)
            .Select(oneof => $"oneof {oneof.Name} {string.Join(' ', oneof.Fields.Select(field => field.Name))}"),
    ]);

    static string Of(Slab.MessageDescriptor message, Slab.MessageDescriptor? parent)
    {
        Assert.Same(parent, message.ContainingType);
        return Lines(
        [
            $"message {message.Name} {message.FullName} {message.ContainingType?.FullName} {message.IsMapEntry}",
            .. message.Fields.Select(Of),
            .. message.NestedTypes.Select(one => Of(one, message)),
            .. message.EnumTypes.Select(one => Of(one, message)),
            .. message.Extensions.Select(Of),
            .. message.Oneofs.Select(oneof => $"oneof {oneof.Name} {string.Join(' ', oneof.Fields.Select(field => field.Name))}"),
        ]);
    }

    static string Of(EnumDescriptor type) => Lines([$"enum {type.Name} {type.FullName}",
        .. type.Values.Select(value => $"{value.Name} = {value.Number}")]);

    static string Of(Slab.EnumDescriptor type, Slab.MessageDescriptor? parent)
    {
        Assert.Same(parent, type.ContainingType);
        return Lines([$"enum {type.Name} {type.FullName}", .. type.Values.Select(value => $"{value.Name} = {value.Number}")]);
    }

    static string Of(FieldDescriptor field)
    {
        var value = field.FieldType is FieldType.Message or FieldType.Group ? field.MessageType.FullName
            : field.FieldType == FieldType.Enum ? field.EnumType.FullName : "";
        return $"{field.Name} {field.FullName} {field.JsonName} {Number(field.FieldNumber)} {field.FieldType} {value} "
            + Facts(("repeated", field.IsRepeated), ("map", field.IsMap), ("packed", IsPackable(field) && field.IsPacked),
                ("required", field.IsRequired), ("presence", field.HasPresence || (field.IsExtension && !field.IsRepeated)), ("delimited", field.FieldType == FieldType.Group),
                ("extension", field.IsExtension))
            + $"of {(field.IsExtension ? field.ExtendeeType : field.ContainingType).FullName} {field.RealContainingOneof?.Name}";
    }

    static string Of(Slab.FieldDescriptor field)
    {
        return $"{field.Name} {field.FullName} {field.JsonName} {Number(field.FieldNumber)} {field.FieldType} "
            + $"{field.MessageType?.FullName}{field.EnumType?.FullName} "
            + Facts(("repeated", field.IsRepeated), ("map", field.IsMap), ("packed", field.IsPacked), ("required", field.IsRequired),
                ("presence", field.HasPresence), ("delimited", field.IsDelimited), ("extension", field.IsExtension))
            + $"of {field.ContainingType.FullName} {field.ContainingOneof?.Name}";
    }

    // Google's says so of any field of proto3, and knows that an extension has presence only if it has code
    static bool IsPackable(FieldDescriptor field) => field.IsRepeated
        && field.FieldType is not (FieldType.String or FieldType.Bytes or FieldType.Message or FieldType.Group);

    static string Facts(params IEnumerable<(string Name, bool Is)> facts) =>
        string.Concat(facts.Where(fact => fact.Is).Select(fact => fact.Name + " "));

    static string Number(int number) => number.ToString(CultureInfo.InvariantCulture);

    static string Lines(IEnumerable<string> lines) => string.Join('\n', lines);
}
