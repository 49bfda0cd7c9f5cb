using ProtoBench.Schemas;

namespace ProtoBench.New;

/// <summary>The names in a benchmark project.</summary>
sealed class ProjectNames
{
    public ProjectNames(string project, string folder, ProtoSchema schema, MessageType type)
    {
        (Project, Folder, Schema, Type) = (project, folder, schema, type);
        Protos = [.. schema.Files.Select(file => file.Name).Where(name => !name.StartsWith("google/protobuf/", StringComparison.Ordinal))];
    }

    /// <summary>The project, without its extension.</summary>
    public string Project { get; }

    /// <summary>Where the project will be.</summary>
    public string Folder { get; }

    public ProtoSchema Schema { get; }

    /// <summary>The message that is measured.</summary>
    public MessageType Type { get; }

    /// <summary>The .proto files by the names that imports use, without the well-known types.</summary>
    public IReadOnlyList<string> Protos { get; }

    /// <summary>The message's name in the names of cells.</summary>
    public string Message => Google.Split('.')[^1].TrimStart('@');

    /// <summary>The class with the cells.</summary>
    public string Class => Message + "Benchmarks";

    /// <summary>Google's class of the message, from anywhere.</summary>
    public string Google => throw new NotSupportedException();

    /// <summary>The slab codec's view of the message, from anywhere.</summary>
    public string Slab => throw new NotSupportedException();
}
