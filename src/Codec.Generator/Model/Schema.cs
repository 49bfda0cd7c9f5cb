using Google.Protobuf.Collections;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Build;
using ProtoBench.Codec.Generator.Naming;
using Label = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Label;
using Type = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Codec.Generator.Model;

/// <summary>Represents all files of one run, including imports. All types are resolved and named.</summary>
sealed class Schema
{
    readonly Dictionary<string, ProtoMessage> messages = [];
    readonly Dictionary<string, ProtoEnum> enums = [];
    readonly List<ProtoFile> files = [];

    /// <param name="descriptors">The output of protoc, in which each file follows its imports.</param>
    /// <param name="arguments">The paths and the namespaces of the files.</param>
    /// <param name="diagnostics">The errors of the schema are added here.</param>
    public Schema(IEnumerable<FileDescriptorProto> descriptors, Arguments arguments, Diagnostics diagnostics)
    {
        foreach (var descriptor in descriptors)
        {
            var item = arguments.Find(descriptor.Name);
            var file = new ProtoFile(descriptor, item, Protoc.FindFile(descriptor.Name, arguments));
            files.Add(file);
            Restrictions.CheckNamespace(file, diagnostics);
            if (!Restrictions.CheckEdition(file, diagnostics)) continue;
            new TypeCollector(file, messages, enums).Collect();
        }

        foreach (var message in messages.Values) new FieldCollector(message, messages, enums).Collect();
        foreach (var file in files.Where(file => file.IsGenerated)) new ExtensionCollector(file, messages, enums).Collect();
        foreach (var message in messages.Values) MemberNames.Assign(message);
        foreach (var file in files.Where(file => file is { IsGenerated: true, Item.Services: not GrpcServices.None }))
            file.Services.AddRange(file.Descriptor.Service.Select((_, i) => new ProtoService(file, i, messages)));
        Descriptors.Assign(files, arguments);
        RequiredFields.Mark(messages.Values);
        foreach (var message in messages.Values) message.Layout = Layouts.Of(message);
        foreach (var file in files.Where(file => file.IsGenerated))
        {
            Restrictions.CheckImports(file, diagnostics);
            Restrictions.CheckConversions(file, diagnostics);
        }

        Restrictions.CheckNamespaces(files, diagnostics);
        Restrictions.CheckTypeNames(files.Where(file => file.IsGenerated), diagnostics);
    }

    public IReadOnlyList<ProtoFile> Files => files;
}

/// <summary>Finds and names the messages and enums of a file. Nested types are in a class Types, as in Google's generated code.</summary>
sealed class TypeCollector(ProtoFile file, Dictionary<string, ProtoMessage> messages, Dictionary<string, ProtoEnum> enums)
{
    const int fileMessages = FileDescriptorProto.MessageTypeFieldNumber;
    const int fileEnums = FileDescriptorProto.EnumTypeFieldNumber;
    const int nestedMessages = DescriptorProto.NestedTypeFieldNumber;
    const int nestedEnums = DescriptorProto.EnumTypeFieldNumber;

    // The names of members that a view or every class has, and a name that the generated code uses. A member cannot have the name of its
    // type.
    static readonly HashSet<string> reserved =
    [
        "storage", "index", "stamp", "var", "Equals", "GetHashCode", "ToString", "GetType", "MemberwiseClone", "ReferenceEquals",
        "op_Equality", "op_Inequality",
    ];

    int count;

    public void Collect()
    {
        var names =
            new NameScope([.. file.Descriptor.MessageType.Select(one => one.Name), .. file.Descriptor.EnumType.Select(one => one.Name)]);
        var package = file.Descriptor.Package.Length == 0 ? "" : "." + file.Descriptor.Package;
        for (var i = 0; i < file.Descriptor.MessageType.Count; i++)
            file.Messages.Add(Add(null, file.Descriptor.MessageType[i], [fileMessages, i], file.Qualifier, package, file.Features, names));
        for (var i = 0; i < file.Descriptor.EnumType.Count; i++)
            file.Enums.Add(Add(null, file.Descriptor.EnumType[i], [fileEnums, i], file.Qualifier, package, file.Features, names));
    }

    /// <summary>Gets the C# name of a type. It is changed only if it is reserved or begins with a digit: protoc names the entry of a map
    /// field _1 "1Entry".</summary>
    /// <param name="name">The name in the .proto file.</param>
    /// <param name="siblings">The names of all types in the same scope, as in the .proto file.</param>
    /// <param name="types">The class that contains nested types; empty for other types.</param>
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
                ProtoName = protoName[1..],
                Index = count++,
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
            message.Enums.Add(
                Add(message, descriptor.EnumType[i], [.. path, nestedEnums, i], nestedQualifier, protoName, features, inside, types));
        return message;
    }

    ProtoEnum Add(ProtoMessage? parent, EnumDescriptorProto descriptor, int[] path, string qualifier, string scopeName, Features outer,
        NameScope siblings, string outerTypes = "")
    {
        var result = new ProtoEnum(file, parent, descriptor, outer, path, qualifier, TypeName(descriptor.Name, siblings, outerTypes));
        enums.Add(scopeName + "." + descriptor.Name, result);
        return result;
    }
}

/// <summary>Finds the fields of a message, in the order of their numbers. They are written in this order.</summary>
sealed class FieldCollector(ProtoMessage message, Dictionary<string, ProtoMessage> messages, Dictionary<string, ProtoEnum> enums)
{
    public void Collect()
    {
        var descriptor = message.Descriptor;
        var oneofs = descriptor.OneofDecl.Select((oneof, i) =>
            new ProtoOneof(oneof, [.. message.Path, DescriptorProto.OneofDeclFieldNumber, i])).ToList();
        var inOrder =
            descriptor.Field.Select((field, i) => (Field: field, Path: (int[])[.. message.Path, DescriptorProto.FieldFieldNumber, i]));
        foreach (var (field, path) in inOrder.OrderBy(one => one.Field.Number)) Add(field, path, oneofs);
        message.Oneofs.AddRange(oneofs.Where(oneof => oneof.Fields.Count > 0));
        var bit = 0;
        foreach (var field in message.Fields.Where(field => message.IsWide || field.Presence == Presence.Bit)) field.Bit = bit++;
    }

    void Add(FieldDescriptorProto descriptor, int[] path, List<ProtoOneof> oneofs)
    {
        var field = Create(descriptor, path, message.Features, oneofs);
        if (field.IsDelimited) field.Message!.IsDelimited = true;
        message.Fields.Add(field);
    }

    /// <summary>Creates a field of the message, or an extension of it.</summary>
    /// <param name="descriptor">The field.</param>
    /// <param name="path">The path of the field.</param>
    /// <param name="outer">The features of what contains the declaration.</param>
    /// <param name="oneofs">The oneofs of the message.</param>
    public ProtoField Create(FieldDescriptorProto descriptor, int[] path, Features outer, List<ProtoOneof> oneofs)
    {
        var features = outer.With(descriptor.Options?.Features);
        var field = new ProtoField(message, descriptor, path)
        {
            Features = features,
            Message = descriptor.Type is Type.Message or Type.Group ? messages[descriptor.TypeName] : null,
            Enum = descriptor.Type == Type.Enum ? enums[descriptor.TypeName] : null,
            IsRequired = descriptor.Label == Label.Required || features.IsRequired,
        };

        // maps and the fields of their entries are never groups, whatever the features say
        field.IsDelimited = descriptor.Type == Type.Group
            || (field.Message is { IsMapEntry: false } && !message.IsMapEntry && features.IsDelimited);
        field.IsPacked = descriptor.Options?.HasPacked == true ? descriptor.Options.Packed : features.IsPacked;
        if (field.IsBytes || field.Message is not null) field.IsPacked = false;
        if (message.IsMapEntry)
        {
            field.Presence = Presence.Always;
        }
        else if (descriptor.Label == Label.Repeated)
        {
            field.Presence = Presence.Repeated;
        }
        else if (descriptor.HasOneofIndex && !descriptor.Proto3Optional)
        {
            field.Presence = Presence.Oneof;
            field.Oneof = oneofs[descriptor.OneofIndex];
            field.Oneof.Fields.Add(field);
        }
        else if (field.Message is not null)
        {
            field.Presence = Presence.Message;
        }
        else
        {
            field.Presence = features.IsImplicit && !descriptor.Proto3Optional ? Presence.Implicit : Presence.Bit;
        }

        return field;
    }
}

/// <summary>Finds the extensions that a file declares. Those without code for the extended message (own options), or for the type of the
/// value, are left out.</summary>
sealed class ExtensionCollector(ProtoFile file, Dictionary<string, ProtoMessage> messages, Dictionary<string, ProtoEnum> enums)
{
    public void Collect()
    {
        Add(file.Descriptor.Extension, null, [FileDescriptorProto.ExtensionFieldNumber], file.Features, file.Extensions);
        foreach (var one in file.AllMessages)
            Add(one.Descriptor.Extension, one, [.. one.Path, DescriptorProto.ExtensionFieldNumber], one.Features, one.Extensions);
    }

    void Add(RepeatedField<FieldDescriptorProto> from, ProtoMessage? scope, int[] path, Features features, List<ProtoField> to)
    {
        for (var i = 0; i < from.Count; i++)
        {
            // a message set has an encoding of its own
            var target = messages[from[i].Extendee];
            if (target.Descriptor.Options?.MessageSetWireFormat == true || !HasCode(target.File)) continue;
            var extension = new FieldCollector(target, messages, enums).Create(from[i], [.. path, i], features, []);
            if ((extension.Message?.File ?? extension.Enum?.File) is { } other && !HasCode(other)) continue;
            extension.Scope = scope;
            to.Add(extension);
        }
    }

    static bool HasCode(ProtoFile file) => file.Item is not null || file.IsInRuntime;
}
