using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Naming;

namespace ProtoBench.Codec.Generator.Model;

/// <summary>Finds and names the messages and enums of a file. Nested ones are in a class Types, as in Google's generated code.</summary>
sealed class TypeCollector(ProtoFile file, Dictionary<string, ProtoMessage> messages, Dictionary<string, ProtoEnum> enums)
{
    const int fileMessages = FileDescriptorProto.MessageTypeFieldNumber;
    const int fileEnums = FileDescriptorProto.EnumTypeFieldNumber;
    const int nestedMessages = DescriptorProto.NestedTypeFieldNumber;
    const int nestedEnums = DescriptorProto.EnumTypeFieldNumber;

    public void Collect()
    {
        var package = file.Descriptor.Package.Length == 0 ? "" : "." + file.Descriptor.Package;
        for (var i = 0; i < file.Descriptor.MessageType.Count; i++)
            file.Messages.Add(Add(null, file.Descriptor.MessageType[i], [fileMessages, i], file.Qualifier, package, file.Features, new()));
        for (var i = 0; i < file.Descriptor.EnumType.Count; i++)
            file.Enums.Add(Add(file.Descriptor.EnumType[i], [fileEnums, i], file.Qualifier, package, file.Features, new()));
    }

    /// <summary>The name as it is; but the entry of a map field _1 is called 1Entry by
    /// protoc, and a view has fields of its own, and its code says var.</summary>
    static string TypeName(string name, NameScope siblings)
    {
        if (char.IsAsciiDigit(name[0])) name = "_" + name;
        else if (name is "storage" or "index" or "stamp" or "var") name += "_";
        return Identifier.Escape(siblings.Take(name));
    }

    ProtoMessage Add(ProtoMessage? parent, DescriptorProto descriptor, int[] path, string qualifier, string scopeName, Features outer,
        NameScope siblings)
    {
        var features = outer.With(descriptor.Options?.Features);
        var protoName = scopeName + "." + descriptor.Name;
        var name = TypeName(descriptor.Name, siblings);
        var message =
            new ProtoMessage(file, parent, descriptor, features, path)
            {
                Name = name,
                TypeName = qualifier + name,
                ProtoName = protoName[1..]
            };
        messages.Add(protoName, message);

        var types = descriptor.Name == "Types" ? "Types_" : "Types";
        var nestedQualifier = $"{message.TypeName}.{types}.";
        var inside = new NameScope(types);
        for (var i = 0; i < descriptor.NestedType.Count; i++)
            message.Messages.Add(
                Add(message, descriptor.NestedType[i], [.. path, nestedMessages, i], nestedQualifier, protoName, features, inside));
        for (var i = 0; i < descriptor.EnumType.Count; i++)
            message.Enums.Add(Add(descriptor.EnumType[i], [.. path, nestedEnums, i], nestedQualifier, protoName, features, inside));
        return message;
    }

    ProtoEnum Add(EnumDescriptorProto descriptor, int[] path, string qualifier, string scopeName, Features outer, NameScope siblings)
    {
        var result = new ProtoEnum(file, descriptor, outer, path, qualifier, TypeName(descriptor.Name, siblings));
        enums.Add(scopeName + "." + descriptor.Name, result);
        return result;
    }
}
