namespace ProtoBench.Codec.Generator.Build;

/// <summary>Represents the arguments of a build. They are read from a file with one argument per line, because a build may have more files
/// than a command line has room for.</summary>
sealed class Arguments
{
    readonly List<ProtoItem> files = [];
    readonly List<string> imports = [];
    readonly List<(string Message, string Type)> plain = [];

    // looked up by name: a build may have thousands of files, and each is looked up many times
    readonly Dictionary<string, ProtoItem> named = [];

    /// <summary>The path of protoc, the program that reads .proto files.</summary>
    public string Protoc { get; private set; } = "";

    /// <summary>The folder for generated files.</summary>
    public string Output { get; private set; } = "";

    public IReadOnlyList<ProtoItem> Files => files;

    /// <summary>The folders in which imports are searched after the roots of the files.</summary>
    public IReadOnlyList<string> Imports => imports;

    /// <summary>The messages for which plain classes are generated, each with the qualified name of the type that gets the functions for
    /// them. This is for benchmarks, and not documented for users of the package.</summary>
    public IReadOnlyList<(string Message, string Type)> Plain => plain;

    /// <summary>All folders in which .proto files are searched, in order, without duplicates.</summary>
    public IReadOnlyList<string> Roots { get; private set; } = [];

    /// <summary>Finds the file that imports refer to as <paramref name="name"/>. Returns null if the file is not part of the
    /// build.</summary>
    public ProtoItem? Find(string name) => named.GetValueOrDefault(name);

    /// <summary>Parses lines like <c>file|protos/zoo.proto|protos|My.Namespace|true|false|Both</c>. Paths do not contain the character
    /// |.</summary>
    /// <exception cref="FormatException">A line has another format.</exception>
    public static Arguments Read(IEnumerable<string> lines)
    {
        var arguments = new Arguments();
        foreach (var line in lines.Where(line => line.Length > 0))
        {
            var parts = line.Split('|');
            switch (parts[0])
            {
                case "protoc" when parts.Length == 2 && arguments.Protoc.Length == 0:
                    arguments.Protoc = parts[1];
                    break;
                case "output" when parts.Length == 2 && arguments.Output.Length == 0:
                    arguments.Output = parts[1];
                    break;
                case "import" when parts.Length == 2:
                    arguments.imports.Add(Folder(parts[1]));
                    break;
                case "plain" when parts.Length == 3:
                    arguments.plain.Add((parts[1], parts[2]));
                    break;
                case "file" when parts.Length == 7:
                    arguments.files.Add(
                        new(Path.GetFullPath(parts[1]), Folder(parts[2]), parts[3], !Is(parts[4], "false"), Is(parts[5], "true"),
                            Services(parts[1], parts[6])));
                    break;
                default:
                    throw new FormatException($"'{line}' is no argument of protoc-gen-slab.");
            }
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

    /// <summary>The generated file, below the output folder.</summary>
    public string Output => System.IO.Path.ChangeExtension(Name.Replace("../", "", StringComparison.Ordinal), ".slab.cs");

    /// <summary>The second generated file, with the conversions.</summary>
    public string ConversionsOutput => Output[..^".slab.cs".Length] + ".google.slab.cs";

    public IEnumerable<string> Outputs => HasGoogleConversions ? [Output, ConversionsOutput] : [Output];
}
