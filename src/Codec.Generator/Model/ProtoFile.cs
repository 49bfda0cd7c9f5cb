using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Build;
using ProtoBench.Codec.Generator.Naming;

namespace ProtoBench.Codec.Generator.Model;

sealed class ProtoFile
{
    static readonly HashSet<string> runtimeFiles = [.. new[] { "any", "api", "duration", "empty", "field_mask", "source_context", "struct",
        "timestamp", "type", "wrappers" }.Select(name => name + ".proto")];

    public ProtoFile(FileDescriptorProto descriptor, ProtoItem? item, string diskPath)
    {
        Descriptor = descriptor;
        Item = item;
        DiskPath = diskPath;
        Source = new(descriptor.SourceCodeInfo);
        Features = Features.Of(descriptor);
        Namespace = item is { Namespace.Length: > 0 } ? item.Namespace
            : item is { HasGoogleConversions: true } && !IsInRuntime ? BesideGoogle(descriptor) : DefaultNamespace(descriptor);
        EscapedNamespace = Identifier.EscapeParts(Namespace);
    }

    public FileDescriptorProto Descriptor { get; }

    /// <summary>The item of the build for this file; null for an import that is not an item.</summary>
    public ProtoItem? Item { get; }

    /// <summary>Whether code is generated for the file in this run. For a copy of a well-known type's file, code is generated only if the
    /// build specifies a namespace for it, because the runtime contains these messages.</summary>
    public bool IsGenerated => Item is { IsGenerated: true } item && (item.Namespace.Length > 0 || !IsInRuntime);

    /// <summary>Whether the runtime contains the messages of the file, regardless of the folder of the file.</summary>
    public bool IsInRuntime => Descriptor.Package == "google.protobuf" && runtimeFiles.Contains(Path.GetFileName(Descriptor.Name));

    /// <summary>The access modifier of the types that are not in another one.</summary>
    public string Access => Item is { IsInternal: true } ? "internal" : "public";

    /// <summary>The path in errors: the path of the file in the build.</summary>
    public string DiskPath { get; }

    public SourceMap Source { get; }

    public Features Features { get; }

    /// <summary>The C# namespace; empty for none.</summary>
    public string Namespace { get; }

    public string EscapedNamespace { get; }

    /// <summary>The prefix of the names of the file's types.</summary>
    public string Qualifier => EscapedNamespace.Length == 0 ? "global::" : $"global::{EscapedNamespace}.";

    public List<ProtoMessage> Messages { get; } = [];

    public List<ProtoEnum> Enums { get; } = [];

    /// <summary>The extensions that are declared outside of messages, as far as the extended message has code.</summary>
    public List<ProtoField> Extensions { get; } = [];

    /// <summary>The services for which stubs are generated.</summary>
    public List<ProtoService> Services { get; } = [];

    /// <summary>The class that has the descriptor of the file.</summary>
    public string ReflectionClass { get; set; } = "";

    /// <summary>The descriptors of the imports, as C# expressions, in the order of the imports.</summary>
    public IReadOnlyList<string> ImportedDescriptors { get; set; } = [];

    /// <summary>The descriptors of imports without code that are in the class of this file.</summary>
    public IReadOnlyList<EmbeddedDescriptor> EmbeddedDescriptors { get; set; } = [];

    /// <summary>All messages of the file, including nested messages and map entries.</summary>
    public IEnumerable<ProtoMessage> AllMessages => Messages.SelectMany(message => message.WithNested);

    /// <summary>The namespace of Google's classes.</summary>
    public string GoogleNamespace => NamespaceOf(Descriptor);

    // the well-known types are in the package of the runtime
    static string DefaultNamespace(FileDescriptorProto descriptor) =>
        descriptor.Package == "google.protobuf" ? "ProtoBench.Codec.WellKnownTypes" : NamespaceOf(descriptor);

    /// <summary>Gets the namespace of slab messages in a project that has Google's classes of the same file.</summary>
    public static string BesideGoogle(FileDescriptorProto descriptor) => NamespaceOf(descriptor) is { Length: > 0 } google
        ? google + ".Slab" : "Slab";

    static string NamespaceOf(FileDescriptorProto descriptor)
    {
        if (descriptor.Options?.HasCsharpNamespace == true) return descriptor.Options.CsharpNamespace;
        return CSharpCase.Namespace(descriptor.Package);
    }
}

/// <summary>Finds the positions and comments of a .proto file's elements. An element is identified by its path of field numbers and
/// indexes.</summary>
sealed class SourceMap
{
    readonly Dictionary<string, SourceCodeInfo.Types.Location> locations = [];

    public SourceMap(SourceCodeInfo? info)
    {
        foreach (var location in info?.Location ?? []) locations.TryAdd(string.Join(',', location.Path), location);
    }

    /// <summary>Gets the line and the column, counted from 1. An element without a position has the position of the element that contains
    /// it.</summary>
    public (int Line, int Column) PlaceOf(IEnumerable<int> path)
    {
        for (var rest = path.ToArray(); ; rest = rest[..^1])
        {
            if (locations.TryGetValue(string.Join(',', rest), out var location)) return (location.Span[0] + 1, location.Span[1] + 1);
            if (rest.Length == 0) return (1, 1);
        }
    }

    /// <summary>Gets the lines of the element's comment: the comment above it, or else the comment after it.</summary>
    public IReadOnlyList<string> CommentOf(IEnumerable<int> path)
    {
        if (!locations.TryGetValue(string.Join(',', path), out var location)) return [];
        var text = location.HasLeadingComments ? location.LeadingComments : location.TrailingComments;
        var lines = text.Split('\n').Select(line => line.Trim()).ToList();
        while (lines.Count > 0 && lines[^1].Length == 0) lines.RemoveAt(lines.Count - 1);
        while (lines.Count > 0 && lines[0].Length == 0) lines.RemoveAt(0);
        return lines;
    }
}
