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
        select new SchemaMethod(file, (file.Package.Length == 0 ? "" : file.Package + ".") + service.Name, method);

    /// <summary>Compiles .proto files.</summary>
    /// <param name="files">Their paths.</param>
    /// <param name="includes">The folders that imports are looked up in first. Then each file's own folder and its parent folders are.</param>
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

        var folders = ImportFolders.Find(files, includes);
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

    static string ImportName(string file, IEnumerable<string> folders) =>
        Path.GetRelativePath(folders.First(folder => ImportFolders.IsBelow(folder, file)), Path.GetFullPath(file)).Replace('\\', '/');
}

/// <summary>A message of a schema. Immutable: any thread may read it.</summary>
public sealed class MessageType
{
    readonly ProtoSchema schema;
    readonly FrozenDictionary<string, FieldDescriptorProto> byName;

    internal MessageType(ProtoSchema schema, FileDescriptorProto file, string fullName, DescriptorProto descriptor)
    {
        (this.schema, File, FullName, Descriptor) = (schema, file, fullName, descriptor);
        Fields = [.. descriptor.Field.OrderBy(field => field.Number)];
        var names = new Dictionary<string, FieldDescriptorProto>();
        foreach (var field in Fields)
            names[field.Name] = names[field.JsonName] = field;
        byName = names.ToFrozenDictionary();
    }

    /// <summary>The package and the name, without a leading dot.</summary>
    public string FullName { get; }

    /// <summary>The file that declares it.</summary>
    public FileDescriptorProto File { get; }

    /// <summary>As protoc describes it.</summary>
    public DescriptorProto Descriptor { get; }

    /// <summary>The fields in the order of their numbers.</summary>
    public IReadOnlyList<FieldDescriptorProto> Fields { get; }

    /// <summary>Whether protoc made this message for a map field.</summary>
    public bool IsMapEntry => Descriptor.Options?.MapEntry ?? false;

    /// <summary>The field of this name in the .proto file or in JSON; null where there is none.</summary>
    public FieldDescriptorProto? Find(string name) => byName.GetValueOrDefault(name);

    /// <summary>The message that a field of type message or group holds.</summary>
    public MessageType MessageOf(FieldDescriptorProto field) => schema.Resolve(field.TypeName);

    /// <summary>The enum that a field of type enum holds.</summary>
    public EnumDescriptorProto EnumOf(FieldDescriptorProto field) => schema.ResolveEnum(field.TypeName);

    /// <summary>Whether a field is a map.</summary>
    public bool IsMap(FieldDescriptorProto field) =>
        IsRepeated(field) && field.Type == FieldDescriptorProto.Types.Type.Message && MessageOf(field).IsMapEntry;

    /// <summary>Whether a field is repeated; a map is.</summary>
    public static bool IsRepeated(FieldDescriptorProto field) => field.Label == FieldDescriptorProto.Types.Label.Repeated;

    /// <summary>Whether the schema asks for the packed form of a repeated field. Readers accept both.</summary>
    public bool IsPacked(FieldDescriptorProto field) =>
        IsRepeated(field)
        && field.Type is not (FieldDescriptorProto.Types.Type.String or FieldDescriptorProto.Types.Type.Bytes
            or FieldDescriptorProto.Types.Type.Message or FieldDescriptorProto.Types.Type.Group)
        && (field.Options is { HasPacked: true } options ? options.Packed : File.Syntax is not ("" or "proto2"));

    /// <summary>A message by its full name, from the same schema.</summary>
    /// <exception cref="SchemaException">There is none.</exception>
    public MessageType Other(string fullName) => schema.Message(fullName);
}

/// <summary>A method of a gRPC service.</summary>
/// <param name="File">The file that declares it.</param>
/// <param name="Service">The service's full name.</param>
/// <param name="Method">The method.</param>
public sealed record SchemaMethod(FileDescriptorProto File, string Service, MethodDescriptorProto Method)
{
    /// <summary>How gRPC addresses it, without the leading slash: <c>acme.Orders/Place</c>.</summary>
    public string Path => $"{Service}/{Method.Name}";

    /// <summary>Full name of the request's message.</summary>
    public string Request => Method.InputType.TrimStart('.');

    /// <summary>Full name of the reply's message.</summary>
    public string Reply => Method.OutputType.TrimStart('.');

    /// <summary>One line for a list of methods, in the form of a .proto file.</summary>
    public override string ToString() =>
        $"{Path} ({(Method.ClientStreaming ? "stream " : "")}{Request}) returns ({(Method.ServerStreaming ? "stream " : "")}{Reply})";
}

/// <summary>A schema or a payload cannot be used. The message is one line for
/// the user: the file, the place where it is known, and the reason.</summary>
public sealed class SchemaException(string message, Exception? inner = null) : Exception(message, inner);
