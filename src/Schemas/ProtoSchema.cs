using System.Collections.Frozen;
using Google.Protobuf.Reflection;

namespace ProtoBench.Schemas;

/// <summary>The messages, enums and services of some .proto files and of
/// everything that they import. Immutable: any thread may read it.</summary>
public sealed class ProtoSchema
{
    readonly FrozenDictionary<string, MessageType> messages;
    readonly FrozenDictionary<string, EnumDescriptorProto> enums;

    ProtoSchema(FileDescriptorSet set, IReadOnlyList<string> roots, IReadOnlyList<string> includes)
    {
        var (messages, enums) = (new Dictionary<string, MessageType>(), new Dictionary<string, EnumDescriptorProto>());
        foreach (var file in set.File)
        {
            var prefix = file.Package.Length == 0 ? "" : file.Package + ".";
            foreach (var type in file.EnumType)
                enums.Add(prefix + type.Name, type);
            foreach (var type in file.MessageType)
                Add(file, prefix, type);
        }

        this.messages = messages.ToFrozenDictionary();
        this.enums = enums.ToFrozenDictionary();
        (Files, Roots, Includes) = ([.. set.File], roots, includes);

        void Add(FileDescriptorProto file, string prefix, DescriptorProto type)
        {
            var name = prefix + type.Name;
            messages.Add(name, new(this, file, name, type));
            foreach (var inner in type.EnumType)
                enums.Add($"{name}.{inner.Name}", inner);
            foreach (var inner in type.NestedType)
                Add(file, name + ".", inner);
        }
    }

    /// <summary>Every file, imported ones first.</summary>
    public IReadOnlyList<FileDescriptorProto> Files { get; }

    /// <summary>The files that were asked for, as their imports would name them.</summary>
    public IReadOnlyList<string> Roots { get; }

    /// <summary>The folders that imports are looked up in, without the one of the well-known types.</summary>
    public IReadOnlyList<string> Includes { get; }

    /// <summary>Full names of all messages that are not map entries, in alphabetical order.</summary>
    public IEnumerable<string> MessageNames =>
        messages.Values.Where(type => !type.IsMapEntry).Select(type => type.FullName).Order(StringComparer.Ordinal);

    /// <summary>The methods of all services in the files that were asked for.</summary>
    public IEnumerable<SchemaMethod> Methods =>
        from file in Files
        where Roots.Contains(file.Name)
        from service in file.Service
        from method in service.Method
        select new SchemaMethod((file.Package.Length == 0 ? "" : file.Package + ".") + service.Name, method);

    /// <summary>Compiles .proto files.</summary>
    /// <param name="files">Their paths.</param>
    /// <param name="includes">The folders that imports are looked up in. Without one, each file's own folder is.</param>
    /// <param name="stop">Stops protoc.</param>
    /// <exception cref="SchemaException">A file is missing or does not compile;
    /// the message has the file, the line and the reason.</exception>
    public static async Task<ProtoSchema> LoadAsync(IReadOnlyList<string> files, IReadOnlyList<string> includes,
        CancellationToken stop = default)
    {
        foreach (var file in files)
        {
            if (!File.Exists(file))
                throw new SchemaException($"{file}: there is no such file");
        }

        foreach (var missing in includes.Where(include => !Directory.Exists(include)))
            throw new SchemaException($"{missing}: there is no such folder");

        // protoc wants every file below one of its folders; a file that is in none of them brings its own.
        string[] given = [.. includes.Select(Path.GetFullPath)];
        string[] folders =
            [.. given, .. files.Where(file => !given.Any(folder => IsBelow(folder, file)))
                .Select(file => Path.GetDirectoryName(Path.GetFullPath(file))!).Distinct()];
        var output = Path.GetTempFileName();
        try
        {
            string[] arguments =
            [
                "--include_imports", "--include_source_info", "--descriptor_set_out=" + output,
                    .. folders.Append(Protoc.WellKnownTypes).Select(folder => "--proto_path=" + folder),
                .. files.Select(Path.GetFullPath),
            ];
            await Protoc.RunAsync(arguments, default, stop);
            var set = FileDescriptorSet.Parser.ParseFrom(await File.ReadAllBytesAsync(output, stop));
            string[] roots = [.. files.Select(file => ImportName(file, folders))];
            return new(set, roots, folders);
        }
        finally
        {
            File.Delete(output);
        }
    }

    /// <summary>The message of this full name.</summary>
    /// <exception cref="SchemaException">There is none; the message names the closest ones.</exception>
    public MessageType Message(string fullName)
    {
        if (messages.TryGetValue(fullName.TrimStart('.'), out var found) && !found.IsMapEntry)
            return found;
        var last = fullName.Split('.')[^1];
        string[] close = [.. MessageNames.Where(name => name.Split('.')[^1].Equals(last, StringComparison.OrdinalIgnoreCase)).Take(3)];
        if (close.Length == 0)
            close = [.. MessageNames.Where(name => name.Contains(last, StringComparison.OrdinalIgnoreCase)).Take(3)];
        if (close.Length == 0)
            close = [.. Files.Where(file => Roots.Contains(file.Name))
                .SelectMany(file => MessageNames.Where(name => messages[name].File == file)).Take(5)];
        throw new SchemaException(
            $"the schema has no message {fullName}; it has {string.Join(", ", close)}{(close.Length < MessageNames.Count() ? ", ..." : "")}");
    }

    /// <summary>Where a file of <see cref="Files"/> is on the disk.</summary>
    /// <param name="name">As imports name it.</param>
    public string PathOf(string name) =>
        Includes.Append(Protoc.WellKnownTypes).Select(folder => Path.Combine(folder, name)).First(File.Exists);

    internal MessageType Resolve(string typeName) => messages[typeName.TrimStart('.')];

    internal EnumDescriptorProto ResolveEnum(string typeName) => enums[typeName.TrimStart('.')];

    static bool IsBelow(string folder, string file) =>
        !Path.GetRelativePath(folder, Path.GetFullPath(file)).StartsWith("..", StringComparison.Ordinal);

    static string ImportName(string file, IEnumerable<string> folders) =>
        Path.GetRelativePath(folders.First(folder => IsBelow(folder, file)), Path.GetFullPath(file)).Replace('\\', '/');
}
