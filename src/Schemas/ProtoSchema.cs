using System.Collections.Frozen;
using System.Text.RegularExpressions;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec;
using ProtoBench.Codec.Generator.Build;
using MessageDescriptor = ProtoBench.Codec.Reflection.MessageDescriptor;

namespace ProtoBench.Schemas;

/// <summary>The messages, enums and services of some .proto files and of their imports. Immutable and thread-safe.</summary>
public sealed class ProtoSchema
{
    readonly FrozenDictionary<string, MessageType> messages;
    readonly FrozenDictionary<string, EnumDescriptorProto> enums;
    readonly FileDescriptorSet set;
    readonly Lazy<Reflected> reflected;

    // why a message is not there
    readonly IReadOnlyDictionary<string, string> lacking;

    ProtoSchema(FileDescriptorSet set, IReadOnlyList<string> roots, IReadOnlyList<string> includes,
        IReadOnlyDictionary<string, string>? lacking = null)
    {
        this.lacking = lacking ?? FrozenDictionary<string, string>.Empty;
        var (messages, enums) = (new Dictionary<string, MessageType>(), new Dictionary<string, EnumDescriptorProto>());
        foreach (var file in set.File)
        {
            var prefix = file.Package.Length == 0 ? "" : file.Package + ".";
            foreach (var type in file.EnumType)
                enums[prefix + type.Name] = type;
            foreach (var type in file.MessageType)
                Add(file, prefix, type, EncodingFeatures.Of(file));
        }

        this.messages = messages.ToFrozenDictionary();
        this.enums = enums.ToFrozenDictionary();
        (this.set, Files, Roots, Includes) = (set, [.. set.File], roots, includes);
        reflected = new(() => new(set));

        void Add(FileDescriptorProto file, string prefix, DescriptorProto type, EncodingFeatures outer)
        {
            var (name, features) = (prefix + type.Name, outer.With(type.Options));
            if (!messages.TryAdd(name, new(this, file, name, type, features)))
                throw new SchemaException($"{file.Name}: {name} is in another file too");
            foreach (var inner in type.EnumType)
                enums[$"{name}.{inner.Name}"] = inner;
            foreach (var inner in type.NestedType)
                Add(file, name + ".", inner, features);
        }
    }

    /// <summary>A file follows its imports.</summary>
    public IReadOnlyList<FileDescriptorProto> Files { get; }

    public IReadOnlyList<string> Roots { get; }

    /// <summary>The folders of imports, without that of the well-known types.</summary>
    public IReadOnlyList<string> Includes { get; }

    /// <summary>Full names, in alphabetical order, without map entries.</summary>
    public IEnumerable<string> MessageNames =>
        messages.Values.Where(type => !type.IsMapEntry).Select(type => type.FullName).Order(StringComparer.Ordinal);

    /// <summary>Of the files that were loaded directly.</summary>
    public IEnumerable<SchemaMethod> Methods =>
        from file in Files
        where Roots.Contains(file.Name)
        from service in file.Service
        from method in service.Method
        select new SchemaMethod(file, FullName(file, service), method);

    /// <param name="fullName">Of a service of any file.</param>
    public bool HasService(string fullName) => Files.Any(file => file.Service.Any(service => FullName(file, service) == fullName));

    /// <param name="includes">Searched first for imports, before each file's own folder and its parent folders.</param>
    /// <exception cref="SchemaException">Thrown when a file is missing or does not compile, with file, line and reason.</exception>
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
            var set = new DescriptorReader().Read(await File.ReadAllBytesAsync(output, stop));
            string[] roots = [.. files.Select(file => ImportName(file, folders))];
            return new(set, roots, folders);
        }
        finally
        {
            File.Delete(output);
        }
    }

    /// <summary>Reads a FileDescriptorSet, as <c>protoc --include_imports --descriptor_set_out</c> writes it.</summary>
    /// <exception cref="SchemaException">Thrown when it is none, or lacks a type.</exception>
    public static async Task<ProtoSchema> LoadSetAsync(string file, CancellationToken stop = default)
    {
        try
        {
            return Of(new DescriptorReader().Read(await File.ReadAllBytesAsync(file, stop)), file);
        }
        catch (Exception e) when (e is InvalidProtocolBufferException or IndexOutOfRangeException or ArgumentException)
        {
            throw new SchemaException($"{file} is not a FileDescriptorSet: protoc --include_imports --descriptor_set_out writes one", e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new SchemaException($"{file}: {e.Message}", e);
        }
    }

    /// <summary>All files of the set are loaded directly.</summary>
    /// <param name="source">Where it comes from, for messages.</param>
    /// <exception cref="SchemaException">Thrown when the set lacks a type, or has one twice.</exception>
    public static ProtoSchema Of(FileDescriptorSet set, string source)
    {
        var schema = Checked(set, source);
        foreach (var method in schema.Methods)
        {
            foreach (var type in new[] { method.Request, method.Reply })
            {
                if (!schema.messages.ContainsKey(type))
                    throw new SchemaException($"{source} lacks {type}, which {method.Path} uses");
            }
        }

        return schema;
    }

    /// <summary>Takes the files that a server describes, and changes them. Messages that use a type that no file has are left out: the
    /// exception of <see cref="Message"/> has the name of this type. Of several types with one name the first is taken.</summary>
    /// <param name="files">All of them are loaded directly.</param>
    /// <param name="source">Where they come from, for messages.</param>
    /// <exception cref="SchemaException">Thrown when a file has an error that protoc would not have compiled.</exception>
    public static ProtoSchema OfServer(IEnumerable<FileDescriptorProto> files, string source)
    {
        var incomplete = new IncompleteFiles(files);
        var reasons = incomplete.Missing.ToDictionary(type => type, type => $"{source} lacks {type}");
        foreach (var (message, type) in incomplete.Remove())
            reasons[message] = $"{source} lacks {type}, which {message} uses";
        return Checked(new() { File = { incomplete.Files } }, source, reasons);
    }

    /// <summary>Returns the full names of the types that messages and methods of some files use, and of further ones, which no file
    /// has. A type that an earlier file has is removed from the later file.</summary>
    public static IReadOnlyList<string> MissingTypes(IEnumerable<FileDescriptorProto> files, IEnumerable<string> further)
    {
        var incomplete = new IncompleteFiles(files);
        return [.. incomplete.Missing.Union(further.Where(name => !incomplete.Has(name)))];
    }

    /// <summary>Returns the files of the well-known types, which are part of protoc.</summary>
    /// <exception cref="SchemaException">Thrown when protoc is not there.</exception>
    public static async Task<IReadOnlyList<FileDescriptorProto>> WellKnownFilesAsync(CancellationToken stop = default) =>
        (await LoadAsync(Directory.GetFiles(Path.Combine(Protoc.WellKnownTypes, "google", "protobuf"), "*.proto"),
            [Protoc.WellKnownTypes], stop)).Files;

    static ProtoSchema Checked(FileDescriptorSet set, string source, IReadOnlyDictionary<string, string>? lacking = null)
    {
        var schema = new ProtoSchema(set, [.. set.File.Select(file => file.Name)], [], lacking);
        // protoc made these checks of its own files; a server may send what it likes
        foreach (var type in schema.messages.Values)
        {
            if (type.IsMapEntry && type.Fields is not [{ Number: 1 }, { Number: 2 }])
                throw new SchemaException($"{source}: {type.FullName} is no entry of a map");
            foreach (var field in type.Fields)
            {
                if (!Enum.IsDefined(field.Type))
                    throw new SchemaException($"{source}: {type.FullName} has the field '{field.Name}' without a type");
                Require(field.TypeName, type.FullName, field.Type switch
                {
                    FieldDescriptorProto.Types.Type.Message or FieldDescriptorProto.Types.Type.Group => schema.messages.ContainsKey,
                    FieldDescriptorProto.Types.Type.Enum => schema.enums.ContainsKey,
                    _ => _ => true,
                });
            }
        }

        return schema;

        void Require(string name, string by, Func<string, bool> isThere)
        {
            if (!isThere(name.TrimStart('.')))
                throw new SchemaException($"{source} lacks {name.TrimStart('.')}, which {by} uses");
        }
    }

    public byte[] ToDescriptors() => set.ToByteArray();

    /// <summary>Returns a message by the name that a user typed: the full name, or its end if no other name has this end.</summary>
    /// <exception cref="SchemaException">Thrown when there is none, or several. The message has their names.</exception>
    public MessageType Named(string name)
    {
        string[] ends = messages.ContainsKey(name.TrimStart('.')) ? []
            : [.. MessageNames.Where(full => full.EndsWith("." + name.TrimStart('.'), StringComparison.Ordinal))];
        return ends.Length > 1
            ? throw new SchemaException($"the schema has several messages {name}: {string.Join(", ", ends)}") : Message(ends is [var only] ? only : name);
    }

    /// <exception cref="SchemaException">Thrown when there is none. The message has similar names.</exception>
    public MessageType Message(string fullName)
    {
        if (messages.TryGetValue(fullName.TrimStart('.'), out var found) && !found.IsMapEntry)
            return found;
        if (lacking.TryGetValue(fullName.TrimStart('.'), out var reason))
            throw new SchemaException(reason);
        var last = fullName.Split('.')[^1];
        string[] close = [.. MessageNames.Where(name => name.Split('.')[^1].Equals(last, StringComparison.OrdinalIgnoreCase)).Take(3)];
        if (close.Length == 0 && SimilarNames.Meant(last, MessageNames.Select(name => name.Split('.')[^1])) is { } meant)
            throw new SchemaException($"the schema has no message {fullName}, {meant}");
        if (close.Length == 0)
            close = [.. MessageNames.Where(name => name.Contains(last, StringComparison.OrdinalIgnoreCase)).Take(3)];
        if (close.Length == 0)
            close = [.. Files.Where(file => Roots.Contains(file.Name))
                .SelectMany(file => MessageNames.Where(name => messages[name].File == file)).Take(5)];
        throw new SchemaException(
            $"the schema has no message {fullName}; it has {string.Join(", ", close)}{(close.Length < MessageNames.Count() ? ", ..." : "")}");
    }

    /// <param name="name">Its name in imports.</param>
    public string PathOf(string name) =>
        Includes.Append(Protoc.WellKnownTypes).Select(folder => Path.Combine(folder, name)).First(File.Exists);

    internal MessageDescriptor ReflectedOf(string fullName) => reflected.Value.Types[fullName];

    internal ProtoJsonOptions JsonOptions(bool allowsUnknown) => allowsUnknown ? reflected.Value.AllowingUnknown : reflected.Value.Strict;

    internal MessageType Resolve(string typeName) => messages[typeName.TrimStart('.')];

    internal EnumDescriptorProto ResolveEnum(string typeName) => enums[typeName.TrimStart('.')];

    static string FullName(FileDescriptorProto file, ServiceDescriptorProto service) =>
        file.Package.Length == 0 ? service.Name : $"{file.Package}.{service.Name}";

    static string ImportName(string file, IEnumerable<string> folders) =>
        Path.GetRelativePath(folders.First(folder => ImportFolders.IsBelow(folder, file)), Path.GetFullPath(file)).Replace('\\', '/');
}

public sealed partial class MessageType
{
    readonly ProtoSchema schema;
    readonly EncodingFeatures features;
    readonly FrozenDictionary<string, FieldDescriptorProto> byName;

    internal MessageType(ProtoSchema schema, FileDescriptorProto file, string fullName, DescriptorProto descriptor,
        EncodingFeatures features)
    {
        (this.schema, this.features, File, FullName, Descriptor) = (schema, features, file, fullName, descriptor);
        Fields = [.. descriptor.Field.OrderBy(field => field.Number)];
        var names = new Dictionary<string, FieldDescriptorProto>();
        foreach (var field in Fields)
            names[field.Name] = names[JsonName(field)] = field;
        byName = names.ToFrozenDictionary();
    }

    /// <summary>Package and name, without a leading dot.</summary>
    public string FullName { get; }

    public FileDescriptorProto File { get; }

    public DescriptorProto Descriptor { get; }

    /// <summary>In the order of their numbers.</summary>
    public IReadOnlyList<FieldDescriptorProto> Fields { get; }

    internal MessageDescriptor Reflected => schema.ReflectedOf(FullName);

    internal ProtoJsonOptions JsonOptions(bool allowsUnknown) => schema.JsonOptions(allowsUnknown);

    /// <summary>Whether protoc created this message for a map field.</summary>
    public bool IsMapEntry => Descriptor.Options?.MapEntry ?? false;

    /// <summary>Returns the field with this name in the .proto file or in JSON; null if there is none.</summary>
    public FieldDescriptorProto? Find(string name) => byName.GetValueOrDefault(name);

    public MessageType MessageOf(FieldDescriptorProto field) => schema.Resolve(field.TypeName);

    public EnumDescriptorProto EnumOf(FieldDescriptorProto field) => schema.ResolveEnum(field.TypeName);

    public bool IsMap(FieldDescriptorProto field) =>
        IsRepeated(field) && field.Type == FieldDescriptorProto.Types.Type.Message && MessageOf(field).IsMapEntry;

    /// <summary>Returns whether a field is repeated. Maps are repeated fields.</summary>
    public static bool IsRepeated(FieldDescriptorProto field) => field.Label == FieldDescriptorProto.Types.Label.Repeated;

    /// <summary>Returns whether the schema has the packed form of a repeated field. Readers accept both.</summary>
    public bool IsPacked(FieldDescriptorProto field) =>
        IsRepeated(field)
        && field.Type is not (FieldDescriptorProto.Types.Type.String or FieldDescriptorProto.Types.Type.Bytes
            or FieldDescriptorProto.Types.Type.Message or FieldDescriptorProto.Types.Type.Group)
        && (field.Options is { HasPacked: true } options ? options.Packed : features.With(field.Options).IsPacked);

    /// <summary>Returns whether a field is written as a group: a group of proto2, or a message field with the feature DELIMITED. A map and
    /// the fields of its entries never are.</summary>
    public bool IsGroup(FieldDescriptorProto field) => field.Type == FieldDescriptorProto.Types.Type.Group
        || (field.Type == FieldDescriptorProto.Types.Type.Message && !IsMapEntry && !MessageOf(field).IsMapEntry
            && features.With(field.Options).IsDelimited);

    /// <exception cref="SchemaException">Thrown when there is none.</exception>
    public MessageType Other(string fullName) => schema.Message(fullName);

    // the descriptors in the code of some languages, which reflection sends, have no names of JSON
    static string JsonName(FieldDescriptorProto field) => field.JsonName.Length > 0 ? field.JsonName
        : Underscore().Replace(field.Name, match => match.Groups["next"].Value.ToUpperInvariant());

    [GeneratedRegex("_(?<next>[a-z0-9]?)", RegexOptions.ExplicitCapture)]
    private static partial Regex Underscore();
}

/// <param name="Service">Its full name.</param>
public sealed record SchemaMethod(FileDescriptorProto File, string Service, MethodDescriptorProto Method)
{
    /// <summary>Without the leading slash: <c>acme.Orders/Place</c>.</summary>
    public string Path => $"{Service}/{Method.Name}";

    public string Request => Method.InputType.TrimStart('.');

    public string Reply => Method.OutputType.TrimStart('.');

    /// <summary>In the form of a .proto file.</summary>
    public override string ToString() =>
        $"{Path} ({(Method.ClientStreaming ? "stream " : "")}{Request}) returns ({(Method.ServerStreaming ? "stream " : "")}{Reply})";
}

/// <summary>The message is one line for the user: the file, the position if it is known, and the reason.</summary>
public sealed class SchemaException(string message, Exception? inner = null) : Exception(message, inner);
