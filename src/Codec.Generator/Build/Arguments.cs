namespace ProtoBench.Codec.Generator.Build;

/// <summary>Represents the arguments of a build. They are read from a file, because a build may have more files than a command line has
/// room for.</summary>
sealed class Arguments
{
    readonly List<ProtoItem> files = [];
    readonly List<string> imports = [];

    // looked up by name: a build may have thousands of files, and each is looked up many times
    readonly Dictionary<string, ProtoItem> named = [];

    /// <summary>The path of protoc, the program that reads .proto files.</summary>
    public string Protoc { get; private set; } = "";

    /// <summary>The folder for generated files.</summary>
    public string Output { get; private set; } = "";

    public IReadOnlyList<ProtoItem> Files => files;

    /// <summary>The folders in which imports are searched after the roots of the files.</summary>
    public IReadOnlyList<string> Imports => imports;

    /// <summary>All folders in which .proto files are searched, in order, without duplicates.</summary>
    public IReadOnlyList<string> Roots { get; private set; } = [];

    /// <summary>Finds the file that imports refer to as <paramref name="name"/>. Returns null if the file is not part of the
    /// build.</summary>
    public ProtoItem? Find(string name) => named.GetValueOrDefault(name);

    /// <summary>Parses arguments: each is its name and its values, one per line, because a path may contain any other character. The values
    /// of a file are its path, root, namespace, whether it is generated, whether it has conversions, and its stubs.</summary>
    /// <exception cref="FormatException">A line has another format.</exception>
    public static Arguments Read(IEnumerable<string> lines)
    {
        var arguments = new Arguments();
        var rest = new Queue<string>(lines);
        while (rest.TryDequeue(out var name))
        {
            switch (name)
            {
                case "protoc" when arguments.Protoc.Length == 0:
                    arguments.Protoc = Next();
                    break;
                case "output" when arguments.Output.Length == 0:
                    arguments.Output = Next();
                    break;
                case "import":
                    arguments.imports.Add(Folder(Next()));
                    break;
                case "file":
                    var path = Path.GetFullPath(Next());
                    arguments.files.Add(new(path, Folder(Next()), Next(), !Is(Next(), "false"), Is(Next(), "true"), Services(path, Next())));
                    break;
                default:
                    throw new FormatException($"'{name}' is no argument of protoc-gen-slab.");
            }

            string Next() => rest.TryDequeue(out var value) ? value : throw new FormatException($"The argument '{name}' has too few values.");
        }

        arguments.Index();
        return arguments;
    }

    /// <summary>Creates arguments that contain only files, for a reader of schemas that needs the names of generated types.</summary>
    public static Arguments Of(IEnumerable<ProtoItem> items)
    {
        var arguments = new Arguments();
        arguments.files.AddRange(items);
        arguments.Index();
        return arguments;
    }

    void Index()
    {
        foreach (var file in files) named.TryAdd(file.Name, file);
        Roots = [.. files.Select(file => file.Root).Concat(imports).Distinct(StringComparer.Ordinal)];
    }

    // case-insensitive, as in MSBuild
    static bool Is(string value, string expected) => value.Equals(expected, StringComparison.OrdinalIgnoreCase);

    static GrpcServices Services(string file, string value) =>
        value.Length == 0 ? GrpcServices.None
        : Enum.GetValues<GrpcServices>().Cast<GrpcServices?>().FirstOrDefault(one => Is(value, one.ToString()!))
            ?? throw new FormatException($"{file}: GrpcServices is '{value}'. It can be Both, Server, Client or None.");

    static string Folder(string path) => Path.TrimEndingDirectorySeparator(Path.GetFullPath(path.Length == 0 ? "." : path));
}

/// <summary>Specifies which stubs are generated for the services of a file.</summary>
[Flags]
enum GrpcServices
{
    None = 0,
    Server = 1,
    Client = 2,
    Both = Server | Client,
}

/// <summary>Represents a .proto file of the build.</summary>
/// <param name="Path">The full path of the file.</param>
/// <param name="Root">The folder that imports of the file are relative to.</param>
/// <param name="Namespace">The C# namespace that the build specifies; empty if the file's own namespace applies.</param>
/// <param name="IsGenerated">False for a file whose code is in another project.</param>
/// <param name="HasGoogleConversions">Whether conversions from and to Google's classes are generated in addition.</param>
/// <param name="Services">The stubs that are generated for the services of the file.</param>
sealed record ProtoItem(string Path, string Root, string Namespace, bool IsGenerated, bool HasGoogleConversions,
    GrpcServices Services = GrpcServices.None)
{
    /// <summary>The name of the file in protoc: its path from the root, with slashes.</summary>
    public string Name { get; } = System.IO.Path.GetRelativePath(Root, Path).Replace('\\', '/');

    /// <summary>The generated file, below the output folder. The C# compiler reads no file whose name contains the character |.</summary>
    public string Output =>
        System.IO.Path.ChangeExtension(Name.Replace("../", "", StringComparison.Ordinal).Replace('|', '_'), ".slab.cs");

    /// <summary>The second generated file, with the conversions.</summary>
    public string ConversionsOutput => Output[..^".slab.cs".Length] + ".google.slab.cs";

    public IEnumerable<string> Outputs => HasGoogleConversions ? [Output, ConversionsOutput] : [Output];
}
