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

    // Names that a view or every class has already, and one that its code uses. A member cannot have the name of its type.
    static readonly HashSet<string> reserved =
    [
        "storage", "index", "stamp", "var", "Equals", "GetHashCode", "ToString", "GetType", "MemberwiseClone", "ReferenceEquals",
        "op_Equality", "op_Inequality",
    ];

    public void Collect()
    {
        var names =
            new NameScope([.. file.Descriptor.MessageType.Select(one => one.Name), .. file.Descriptor.EnumType.Select(one => one.Name)]);
        var package = file.Descriptor.Package.Length == 0 ? "" : "." + file.Descriptor.Package;
        for (var i = 0; i < file.Descriptor.MessageType.Count; i++)
            file.Messages.Add(Add(null, file.Descriptor.MessageType[i], [fileMessages, i], file.Qualifier, package, file.Features, names));
        for (var i = 0; i < file.Descriptor.EnumType.Count; i++)
            file.Enums.Add(Add(file.Descriptor.EnumType[i], [fileEnums, i], file.Qualifier, package, file.Features, names));
    }

    /// <summary>The name as it is, unless it is reserved or begins with a digit: protoc calls the entry of a map field _1 "1Entry".</summary>
    /// <param name="name">The name in the .proto.</param>
    /// <param name="siblings">The names of all types beside it, as the .proto has them.</param>
    /// <param name="types">The class that nested types are in; empty for others.</param>
    static string TypeName(string name, NameScope siblings, string types = "")
    {
        if (char.IsAsciiDigit(name[0])) return siblings.Take("_" + name);
        return reserved.Contains(name) || name == types ? siblings.Take(name + "_") : Identifier.Escape(name);
    }

    ProtoMessage Add(ProtoMessage? parent, DescriptorProto descriptor, int[] path, string qualifier, string scopeName, Features outer,
        NameScope siblings, string outerTypes = "")
    {
        var features = outer.With(descriptor.Options?.Features);
        var protoName = scopeName + "." + descriptor.Name;
        var name = TypeName(descriptor.Name, siblings, outerTypes);
        var message =
            new ProtoMessage(file, parent, descriptor, features, path)
            {
                Name = name,
                TypeName = qualifier + name,
                ProtoName = protoName[1..]
            };
        messages.Add(protoName, message);

        var types = name == "Types" ? "Types_" : "Types";
        var nestedQualifier = $"{message.TypeName}.{types}.";
        var inside =
            new NameScope([types, .. descriptor.NestedType.Select(one => one.Name), .. descriptor.EnumType.Select(one => one.Name)]);
        for (var i = 0; i < descriptor.NestedType.Count; i++)
            message.Messages.Add(
                Add(message, descriptor.NestedType[i], [.. path, nestedMessages, i], nestedQualifier, protoName, features, inside, types));
        for (var i = 0; i < descriptor.EnumType.Count; i++)
            message.Enums.Add(Add(descriptor.EnumType[i], [.. path, nestedEnums, i], nestedQualifier, protoName, features, inside, types));
        return message;
    }

    ProtoEnum Add(EnumDescriptorProto descriptor, int[] path, string qualifier, string scopeName, Features outer, NameScope siblings,
        string outerTypes = "")
    {
        var result = new ProtoEnum(file, descriptor, outer, path, qualifier, TypeName(descriptor.Name, siblings, outerTypes));
        enums.Add(scopeName + "." + descriptor.Name, result);
        return result;
    }
}
