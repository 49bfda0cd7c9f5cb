using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Build;
using ProtoBench.Codec.Generator.Model;
using ProtoBench.Schemas;
using GeneratorArguments = ProtoBench.Codec.Generator.Build.Arguments;
using GeneratorErrors = ProtoBench.Codec.Generator.Diagnostics;
using GeneratorSchema = ProtoBench.Codec.Generator.Model.Schema;

namespace ProtoBench.New;

/// <summary>Has the names in a benchmark project.</summary>
sealed class ProjectNames
{
    const string slab = "Slab";

    /// <param name="project">The name of the project.</param>
    /// <param name="schema">The schema.</param>
    /// <param name="type">The message that is measured.</param>
    /// <param name="method">The method whose calls are also measured; null for none.</param>
    /// <exception cref="UsageException">Thrown when the slab codec's generator refuses the schema.</exception>
    public ProjectNames(string project, ProtoSchema schema, MessageType type, SchemaMethod? method = null)
    {
        (Project, Schema, Type) = (project, schema, type);
        Protos =
        [
            .. from file in schema.Files
               where !IsWellKnown(file)
               select new ProjectProto(file.Name, SlabNamespace(file), HasMethod: method?.File == file),
        ];
        var google = Read([]);
        var slabTypes = Read([.. Protos.Select(proto =>
            new ProtoItem(Path.GetFullPath(proto.Name), Directory.GetCurrentDirectory(), proto.SlabNamespace, IsGenerated: true,
                HasGoogleConversions: false, proto.HasMethod ? GrpcServices.Both : GrpcServices.None))]);
        GoogleMessage = Find(google, type.FullName);
        SlabMessage = Find(slabTypes, type.FullName);
        if (method is not null)
            Method = new(method, Find(google, method.Reply), Find(slabTypes, method.Reply),
                slabTypes.Files.SelectMany(file => file.Services).Single(service => service.ProtoName == method.Service));
    }

    /// <summary>Gets the name of the project.</summary>
    public string Project { get; }

    public ProtoSchema Schema { get; }

    /// <summary>Gets the message that is measured.</summary>
    public MessageType Type { get; }

    /// <summary>Gets the method whose calls are also measured; null for none.</summary>
    public MethodNames? Method { get; }

    /// <summary>Gets the .proto files, without those of the well-known types.</summary>
    public IReadOnlyList<ProjectProto> Protos { get; }

    /// <summary>Gets the message with the names of Google's generated code.</summary>
    public ProtoMessage GoogleMessage { get; }

    /// <summary>Gets the message with the names of the slab codec's generated code.</summary>
    public ProtoMessage SlabMessage { get; }

    /// <summary>Gets the name of the message in cells.</summary>
    public string Message => GoogleMessage.Name.TrimStart('@');

    /// <summary>Gets the class with the cells.</summary>
    public string Class => Message + "Benchmarks";

    /// <summary>Gets the qualified name of Google's class of the message.</summary>
    public string Google => GoogleName(GoogleMessage);

    /// <summary>Gets the qualified name of the slab codec's view of the message.</summary>
    public string Slab => SlabMessage.TypeName;

    /// <summary>Returns the qualified name of Google's class of a message. The namespaces of the well-known types differ from those in the
    /// generator.</summary>
    public static string GoogleName(ProtoMessage message)
    {
        if (message.File.Descriptor.Package != "google.protobuf")
            return message.TypeName;
        var home = message.File.Descriptor.Name == "google/protobuf/descriptor.proto" ? "Reflection" : "WellKnownTypes";
        return $"global::Google.Protobuf.{home}.{message.TypeName[message.File.Qualifier.Length..]}";
    }

    /// <summary>Returns whether a file is part of protobuf.</summary>
    public static bool IsWellKnown(FileDescriptorProto file) => file.Name.StartsWith("google/protobuf/", StringComparison.Ordinal);

    // Both libraries' types of one file are in the same program, so those of the slab codec have another namespace.
    static string SlabNamespace(FileDescriptorProto file)
    {
        var own = new ProtoFile(file, null, file.Name).Namespace;
        return own.Length == 0 ? slab : $"{slab}.{own}";
    }

    GeneratorSchema Read(IEnumerable<ProtoItem> files)
    {
        var diagnostics = new GeneratorErrors();
        var schema = new GeneratorSchema(Schema.Files, GeneratorArguments.Of(files), diagnostics);
        return diagnostics.Errors.Count == 0 ? schema : throw new UsageException(diagnostics.Errors[0]);
    }

    static ProtoMessage Find(GeneratorSchema schema, string fullName) =>
        schema.Files.SelectMany(file => file.AllMessages).Single(message => message.ProtoName == fullName);
}

/// <summary>Has the names of a method whose calls are measured.</summary>
/// <param name="described">The method.</param>
/// <param name="googleReply">The reply with the names of Google's generated code.</param>
/// <param name="slabReply">The reply with the names of the slab codec's generated code.</param>
/// <param name="slabService">The service with the names of the slab codec's generated code.</param>
sealed class MethodNames(SchemaMethod described, ProtoMessage googleReply, ProtoMessage slabReply, ProtoService slabService)
{
    readonly ProtoMethod method = slabService.Methods.Single(method => method.Descriptor.Name == described.Method.Name);

    /// <summary>Gets the path of the method in gRPC.</summary>
    public string Path => described.Path;

    /// <summary>Gets the name in the .proto file, which Google's stubs also use.</summary>
    public string Name => described.Method.Name;

    /// <summary>Gets the class with the cells.</summary>
    public string Class => Name + "Calls";

    /// <summary>Gets the qualified name of Google's stubs.</summary>
    public string GoogleService { get; } = new ProtoFile(described.File, null, described.File.Name).Qualifier + slabService.Name;

    /// <summary>Gets the qualified name of the stubs of slab messages.</summary>
    public string SlabService => slabService.TypeName;

    /// <summary>Gets the base class of services, in either library's stubs.</summary>
    public string Base => slabService.Base;

    /// <summary>Gets the client, in either library's stubs.</summary>
    public string Client => slabService.Client;

    /// <summary>Gets the method that a service with slab messages overrides.</summary>
    public string SlabHandler => method.Handler;

    /// <summary>Gets the client's asynchronous method.</summary>
    public string SlabCall => method.AsyncCall;

    /// <summary>Returns a name, changed if the service has a method of this name. So a class of the service can have a member with
    /// it.</summary>
    public string Free(string name)
    {
        while (slabService.Methods.Any(method => method.Descriptor.Name == name || method.Handler == name))
            name += "_";
        return name;
    }

    /// <summary>Gets the qualified name of Google's class of the reply.</summary>
    public string GoogleReply => ProjectNames.GoogleName(googleReply);

    /// <summary>Gets the qualified name of the slab codec's view of the reply.</summary>
    public string SlabReply => slabReply.TypeName;
}

/// <summary>Represents a .proto file of a benchmark project.</summary>
/// <param name="Name">Its name in imports.</param>
/// <param name="SlabNamespace">The namespace of the slab codec's types.</param>
/// <param name="HasMethod">Whether the file has the method whose calls are measured.</param>
sealed record ProjectProto(string Name, string SlabNamespace, bool HasMethod);
