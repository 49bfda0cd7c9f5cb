using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Build;
using ProtoBench.Codec.Generator.Model;
using ProtoBench.Results;
using ProtoBench.Schemas;
using GeneratorErrors = ProtoBench.Codec.Generator.Diagnostics;
using GeneratorSchema = ProtoBench.Codec.Generator.Model.Schema;

namespace ProtoBench.New;

/// <summary>The names in a benchmark project.</summary>
sealed class ProjectNames
{
    const string slab = "Slab";

    /// <exception cref="UsageException">The slab codec's generator refuses the schema.</exception>
    public ProjectNames(string project, ProtoSchema schema, MessageType type)
    {
        (Project, Schema, Type) = (project, schema, type);
        Protos = [.. schema.Files.Where(file => !IsWellKnown(file)).Select(file => new ProjectProto(file.Name, SlabNamespace(file)))];
        GoogleMessage = Find([]);
        SlabMessage =
            Find([.. Protos.Select(proto =>
                new ProtoItem(Path.GetFullPath(proto.Name), Directory.GetCurrentDirectory(), proto.SlabNamespace, IsGenerated: true,
                    HasGoogleConversions: false))]);
    }

    /// <summary>The project, without its extension.</summary>
    public string Project { get; }

    public ProtoSchema Schema { get; }

    /// <summary>The message that is measured.</summary>
    public MessageType Type { get; }

    /// <summary>The .proto files, without those of the well-known types.</summary>
    public IReadOnlyList<ProjectProto> Protos { get; }

    /// <summary>The message with the names of Google's generated code.</summary>
    public ProtoMessage GoogleMessage { get; }

    /// <summary>The message with the names of the slab codec's generated code.</summary>
    public ProtoMessage SlabMessage { get; }

    /// <summary>The message's name in the names of cells.</summary>
    public string Message => GoogleMessage.Name.TrimStart('@');

    /// <summary>The class with the cells.</summary>
    public string Class => Message + "Benchmarks";

    /// <summary>Google's class of the message, from anywhere.</summary>
    public string Google => GoogleName(GoogleMessage);

    /// <summary>The slab codec's view of the message, from anywhere.</summary>
    public string Slab => SlabMessage.TypeName;

    /// <summary>Google's class of a message. The generator's names are Google's, but the well-known types are at home elsewhere.</summary>
    public static string GoogleName(ProtoMessage message)
    {
        if (message.File.Descriptor.Package != "google.protobuf")
            return message.TypeName;
        var home = message.File.Descriptor.Name == "google/protobuf/descriptor.proto" ? "Reflection" : "WellKnownTypes";
        return $"global::Google.Protobuf.{home}.{message.TypeName[message.File.Qualifier.Length..]}";
    }

    /// <summary>Whether a file belongs to protobuf itself.</summary>
    public static bool IsWellKnown(FileDescriptorProto file) => file.Name.StartsWith("google/protobuf/", StringComparison.Ordinal);

    // Both libraries' types of one file are in the same program: the slab codec's move into a namespace of their own.
    static string SlabNamespace(FileDescriptorProto file)
    {
        var own = new ProtoFile(file, null, file.Name).Namespace;
        return own.Length == 0 ? slab : $"{slab}.{own}";
    }

    ProtoMessage Find(IEnumerable<ProtoItem> files)
    {
        var diagnostics = new GeneratorErrors();
        var schema = new GeneratorSchema(Schema.Files, Arguments.Of(files), diagnostics);
        if (diagnostics.Errors.Count > 0)
            throw new UsageException(diagnostics.Errors[0]);
        return schema.Files.SelectMany(file => file.AllMessages).Single(message => message.ProtoName == Type.FullName);
    }
}

/// <summary>A .proto file of a benchmark project.</summary>
/// <param name="Name">As imports name it.</param>
/// <param name="SlabNamespace">The namespace of the slab codec's types.</param>
sealed record ProjectProto(string Name, string SlabNamespace);
