using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Build;
using ProtoBench.Codec.Generator.Naming;

namespace ProtoBench.Codec.Generator.Model;

/// <summary>A .proto file.</summary>
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
        Namespace = item is { Namespace.Length: > 0 } ? item.Namespace : DefaultNamespace(descriptor);
        EscapedNamespace = Identifier.EscapeParts(Namespace);
    }

    public FileDescriptorProto Descriptor { get; }

    /// <summary>The file as an item of the build; null for an import that is none.</summary>
    public ProtoItem? Item { get; }

    /// <summary>Whether code is generated for it in this run. A copy of a well-known type's file is only generated if the build chose a
    /// namespace for it: the runtime has these messages.</summary>
    public bool IsGenerated => Item is { IsGenerated: true } item && (item.Namespace.Length > 0 || !IsInRuntime);

    /// <summary>Whether the runtime has its messages, wherever the file lies.</summary>
    public bool IsInRuntime => Descriptor.Package == "google.protobuf" && runtimeFiles.Contains(Path.GetFileName(Descriptor.Name));

    /// <summary>The path that errors name: as the build knows the file.</summary>
    public string DiskPath { get; }

    public SourceMap Source { get; }

    public Features Features { get; }

    /// <summary>The C# namespace; empty for none.</summary>
    public string Namespace { get; }

    public string EscapedNamespace { get; }

    /// <summary>What the names of the file's types begin with.</summary>
    public string Qualifier => EscapedNamespace.Length == 0 ? "global::" : $"global::{EscapedNamespace}.";

    public List<ProtoMessage> Messages { get; } = [];

    public List<ProtoEnum> Enums { get; } = [];

    /// <summary>The services that stubs are generated for.</summary>
    public List<ProtoService> Services { get; } = [];

    /// <summary>Every message of the file, nested ones and map entries too.</summary>
    public IEnumerable<ProtoMessage> AllMessages => Messages.SelectMany(message => message.WithNested);

    /// <summary>The namespace of Google's classes.</summary>
    public string GoogleNamespace => NamespaceOf(Descriptor);

    // the well-known types are in the runtime's package
    static string DefaultNamespace(FileDescriptorProto descriptor) =>
        descriptor.Package == "google.protobuf" ? "ProtoBench.Codec.WellKnownTypes" : NamespaceOf(descriptor);

    static string NamespaceOf(FileDescriptorProto descriptor)
    {
        if (descriptor.Options?.HasCsharpNamespace == true) return descriptor.Options.CsharpNamespace;
        return CSharpCase.Namespace(descriptor.Package);
    }
}

/// <summary>Places and comments of a .proto's elements, which are found by their path of field numbers and indexes.</summary>
sealed class SourceMap
{
    readonly Dictionary<string, SourceCodeInfo.Types.Location> locations = [];

    public SourceMap(SourceCodeInfo? info)
    {
        foreach (var location in info?.Location ?? []) locations.TryAdd(string.Join(',', location.Path), location);
    }

    /// <summary>Line and column, from 1; of what the element is in, if it has no place of its own.</summary>
    public (int Line, int Column) PlaceOf(IEnumerable<int> path)
    {
        for (var rest = path.ToArray(); ; rest = rest[..^1])
        {
            if (locations.TryGetValue(string.Join(',', rest), out var location)) return (location.Span[0] + 1, location.Span[1] + 1);
            if (rest.Length == 0) return (1, 1);
        }
    }

    /// <summary>The lines of the element's comment: what stands above it, else what stands behind it.</summary>
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
