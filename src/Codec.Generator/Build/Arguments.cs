namespace ProtoBench.Codec.Generator.Build;

/// <summary>What a build asks for: a file of lines, because a build has more files than a command line has room for.</summary>
sealed class Arguments
{
    readonly List<ProtoItem> files = [];
    readonly List<string> imports = [];

    // by name: a build has thousands of files, and each is looked for many times
    readonly Dictionary<string, ProtoItem> named = [];

    /// <summary>The program that reads .proto files.</summary>
    public string Protoc { get; private set; } = "";

    /// <summary>The folder for generated files.</summary>
    public string Output { get; private set; } = "";

    public IReadOnlyList<ProtoItem> Files => files;

    /// <summary>Folders in which imports are looked for, behind the roots of the files.</summary>
    public IReadOnlyList<string> Imports => imports;

    /// <summary>Every folder that a .proto is looked for in, once, in order.</summary>
    public IReadOnlyList<string> Roots { get; private set; } = [];

    /// <summary>The file that imports call <paramref name="name"/>; null if it is no file of the build.</summary>
    public ProtoItem? Find(string name) => named.GetValueOrDefault(name);

    /// <summary>Reads lines like <c>file|protos/zoo.proto|protos|My.Namespace|true|false|Both</c>; no path has the character |.</summary>
    /// <exception cref="FormatException">A line is something else.</exception>
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

    /// <summary>Arguments that only name files: for a reader of schemas that asks for the names of generated types.</summary>
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

    // as MSBuild compares its values
    static bool Is(string value, string expected) => value.Equals(expected, StringComparison.OrdinalIgnoreCase);

    static GrpcServices Services(string file, string value) =>
        value.Length == 0 ? GrpcServices.None
        : Enum.GetValues<GrpcServices>().Cast<GrpcServices?>().FirstOrDefault(one => Is(value, one.ToString()!))
            ?? throw new FormatException($"{file}: GrpcServices is '{value}'. It can be Both, Server, Client or None.");

    static string Folder(string path) => Path.TrimEndingDirectorySeparator(Path.GetFullPath(path.Length == 0 ? "." : path));
}

/// <summary>Which stubs are generated for the services of a file.</summary>
[Flags]
enum GrpcServices
{
    None = 0,
    Server = 1,
    Client = 2,
    Both = Server | Client,
}

/// <summary>A .proto file of the build.</summary>
/// <param name="Path">Its full path.</param>
/// <param name="Root">The folder that imports of it are relative to.</param>
/// <param name="Namespace">The C# namespace that the build chose; empty for the file's own.</param>
/// <param name="IsGenerated">False for a file whose code is in another project.</param>
/// <param name="HasGoogleConversions">Whether conversions from and to Google's classes are generated too.</param>
/// <param name="Services">The stubs that are generated for its services.</param>
sealed record ProtoItem(string Path, string Root, string Namespace, bool IsGenerated, bool HasGoogleConversions,
    GrpcServices Services = GrpcServices.None)
{
    /// <summary>What protoc calls the file: its path from the root, with slashes.</summary>
    public string Name { get; } = System.IO.Path.GetRelativePath(Root, Path).Replace('\\', '/');

    /// <summary>The generated file, below the output folder.</summary>
    public string Output => System.IO.Path.ChangeExtension(Name.Replace("../", "", StringComparison.Ordinal), ".slab.cs");

    /// <summary>The second generated file, with the conversions.</summary>
    public string ConversionsOutput => Output[..^".slab.cs".Length] + ".google.slab.cs";

    public IEnumerable<string> Outputs => HasGoogleConversions ? [Output, ConversionsOutput] : [Output];
}
