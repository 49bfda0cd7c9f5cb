using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Build;
using ProtoBench.Codec.Generator.Constructs;
using ProtoBench.Codec.Generator.Model;
using ProtoBench.Messages.Generator;
using ProtoBench.Schemas;
using GeneratorArguments = ProtoBench.Codec.Generator.Build.Arguments;
using GeneratorErrors = ProtoBench.Codec.Generator.Diagnostics;
using GeneratorSchema = ProtoBench.Codec.Generator.Model.Schema;

namespace ProtoBench;

sealed class ProjectNames
{
    // null for a class without a .proto file
    readonly ProtoMessage? message;

    /// <summary>The names of a class without a .proto file.</summary>
    public ProjectNames(string project, OwnClassNames own)
    {
        (Project, Own, FullName) = (project, own, OwnMembers.NameOf(own.Class.Type));
        (Protos, Message) = ([], own.Class.Type.Name);
    }

    /// <summary>The names of a message, and of a class with a .proto file.</summary>
    /// <exception cref="UsageException">The slab codec's generator refuses the schema.</exception>
    public ProjectNames(string project, ProtoSchema schema, MessageType type, SchemaMethod? method = null, OwnClassNames? own = null)
    {
        (Project, Own, FullName) = (project, own, type.FullName);
        Protos =
        [
            .. from file in schema.Files
               where !file.Name.StartsWith("google/protobuf/", StringComparison.Ordinal)
               select new ProjectProto(file.Name, schema.PathOf(file.Name), SlabNamespace(file), HasMethod: method?.File == file),
        ];
        var items = Protos.Select(proto =>
            new ProtoItem(Path.GetFullPath(proto.Name), Directory.GetCurrentDirectory(), proto.SlabNamespace, IsGenerated: true,
                HasGoogleConversions: false, proto.HasMethod ? GrpcServices.Both : GrpcServices.None));
        var diagnostics = new GeneratorErrors();
        var generated = new GeneratorSchema(schema.Files, GeneratorArguments.Of(items), diagnostics);
        if (diagnostics.Errors.Count > 0)
            throw new UsageException(diagnostics.Errors[0]);
        message = generated.Files.SelectMany(file => file.AllMessages).Single(message => message.ProtoName == type.FullName);
        Message = message.Descriptor.Name;
        if (method is null)
            return;
        var service = generated.Files.SelectMany(file => file.Services).Single(service => service.ProtoName == method.Service);
        Method = new(method, service, service.Methods.Single(stub => stub.Descriptor.Name == method.Method.Name));
    }

    public string Project { get; }

    /// <summary>The full name of the message, or of a class without a .proto file.</summary>
    public string FullName { get; }

    /// <summary>Whether there is a .proto file, and the payloads are in protobuf. If not, they are in JSON.</summary>
    public bool IsProtobuf => message is not null;

    /// <summary>The method whose calls are also measured; null for none.</summary>
    public MethodNames? Method { get; }

    /// <summary>The class of the user, which is measured in place of the plain class; null for none.</summary>
    public OwnClassNames? Own { get; }

    /// <summary>The .proto files, without those of the well-known types.</summary>
    public IReadOnlyList<ProjectProto> Protos { get; }

    public string Message { get; }

    public string Class => Message + "Benchmarks";

    /// <summary>The struct with the functions that read every field and make the message.</summary>
    public string Set => Message + "Set";

    /// <summary>The class that the libraries other than Google's and the slab codec read and write.</summary>
    public string Plain => Own is { } own ? OwnMembers.CodeOf(own.Class.Type) : Values;

    /// <summary>The plain class that is made from the .proto file.</summary>
    public string Values => "Plain" + Message;

    public string Google => message is { } one ? GoogleConversions.GoogleName(one) : "";

    public string Slab => message?.TypeName ?? "";

    /// <summary>Generates the plain classes and <see cref="Set"/>; null for a class without a .proto file.</summary>
    public string? PlainCode() => message is null ? null : PlainClasses.Write(message, "Benchmarks." + Set);

    // Both libraries' types of one file are in the same program, so those of the slab codec have another namespace.
    static string SlabNamespace(FileDescriptorProto file)
    {
        var own = new ProtoFile(file, null, file.Name).Namespace;
        return own.Length == 0 ? "Slab" : $"Slab.{own}";
    }
}

/// <param name="Code">Its functions.</param>
sealed record OwnClassNames(OwnClass Class, OwnCode Code);

/// <param name="Service">The service in the slab codec's stubs.</param>
/// <param name="Stub">The method in the slab codec's stubs.</param>
sealed record MethodNames(SchemaMethod Described, ProtoService Service, ProtoMethod Stub)
{
    public string Class => Described.Method.Name + "Calls";

    public string GoogleReply => GoogleConversions.GoogleName(Stub.Response);

    // Changed if the service has a method of this name, so that a class of the service can have a member with it.
    public string Free(string name)
    {
        while (Service.Methods.Any(method => method.Descriptor.Name == name || method.Handler == name))
            name += "_";
        return name;
    }
}

/// <param name="Name">Its name in imports.</param>
/// <param name="Path">Where it was read.</param>
sealed record ProjectProto(string Name, string Path, string SlabNamespace, bool HasMethod);
