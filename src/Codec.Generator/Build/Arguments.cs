namespace ProtoBench.Codec.Generator.Build;

/// <summary>Represents the arguments of a build. They are read from a file, because a build may have more files than a command line has
/// room for.</summary>
sealed class Arguments
{
    readonly List<ProtoItem> files = [];
    readonly List<string> imports = [];

    string project = Folder(".");

    // looked up by name: a build may have thousands of files, and each is looked up many times
    readonly Dictionary<string, ProtoItem> named = [];

    // all files of the build, if these are the arguments of a part of it
    Dictionary<string, ProtoItem> byPath = [];

    /// <summary>The path of protoc, the program that reads .proto files.</summary>
    public string Protoc { get; private set; } = "";

    /// <summary>The folder for generated files.</summary>
    public string Output { get; private set; } = "";

    public IReadOnlyList<ProtoItem> Files => files;

    /// <summary>Gets the path of a file or folder as a project file contains it.</summary>
    public string FromProject(string path) => Path.GetRelativePath(project, path).Replace('\\', '/');

    /// <summary>The folders in which imports are searched after the roots of the files.</summary>
    public IReadOnlyList<string> Imports => imports;

    /// <summary>All folders in which .proto files are searched, in order, without duplicates.</summary>
    public IReadOnlyList<string> Roots { get; private set; } = [];

    /// <summary>Finds the file that imports refer to as <paramref name="name"/>. Returns null if the file is not part of the
    /// build.</summary>
    public ProtoItem? Find(string name) => named.GetValueOrDefault(name)
        ?? (byPath.Count > 0 && PathOf(name) is { } path ? byPath.GetValueOrDefault(path) : null);

    /// <summary>Finds the path of a file in the folders in which imports are searched; null if it is in none.</summary>
    public string? PathOf(string name) =>
        Roots.Select(root => Path.GetFullPath(name, root)).FirstOrDefault(File.Exists);

    /// <summary>Divides the files among runs of protoc. One run is enough, except where two files have one name below their roots, or a
    /// file can be imported by two names, because a root is inside of another one. Then each root has its run, as with Grpc.Tools, in
    /// which its own folder comes first.</summary>
    public IEnumerable<Arguments> Runs()
    {
        var roots = files.Select(file => file.Root).Distinct(StringComparer.Ordinal).ToList();
        if (named.Count == files.DistinctBy(file => file.Path).Count()
            && !roots.Exists(inner => roots.Exists(outer => inner != outer && IsIn(inner, outer))))
            return [this];
        var all = files.DistinctBy(file => file.Path).ToDictionary(file => file.Path);
        return files.GroupBy(file => string.Join('\n', file.Roots)).Select(group =>
        {
            var run = Of(group);
            (run.Protoc, run.Output, run.project, run.byPath) = (Protoc, Output, project, all);
            run.Roots = [.. run.Roots.Concat(Roots).Distinct(StringComparer.Ordinal)];
            return run;
        });
    }

    /// <summary>Parses arguments: each is its name and its values, one per line, because a path may contain any other character. The values
    /// of a file are its path and the metadata ProtoRoot, Namespace, Generate, GoogleConversions, GrpcServices, AdditionalImportDirs,
    /// Access, OutputDir and CompileOutputs. Folders are relative to the project.</summary>
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
                case "project":
                    arguments.project = Folder(Next());
                    break;
                case "file":
                    arguments.files.Add(Item(arguments.project, Next));
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

    static ProtoItem Item(string project, Func<string> next)
    {
        var path = Path.GetFullPath(next(), project);
        var roots = Folders(next());
        if (roots.Count == 0)
            roots = [IsIn(path, project) ? project : Path.GetDirectoryName(path)!];
        var root = roots.FirstOrDefault(root => IsIn(path, root)) ?? roots[0];
        var item = new ProtoItem(path, root, next(), !Is(next(), "false"), Is(next(), "true"), Services(path, next()));
        var (imports, access, output, compile) = (Folders(next()), next(), next(), next());
        if (access.Length > 0 && !Is(access, "Public") && !Is(access, "Internal"))
            throw new FormatException($"{path}: Access is '{access}'. It can be Public or Internal.");
        return item with
        {
            Roots = [.. roots.Prepend(root).Concat(imports).Distinct(StringComparer.Ordinal)],
            IsInternal = Is(access, "Internal"),
            OutputDir = output.Length == 0 ? "" : Path.GetFullPath(output, project),
            IsCompiled = !Is(compile, "false"),
        };

        // a folder may have a semicolon in its name
        IReadOnlyList<string> Folders(string value) => value.Length == 0 ? []
            : Directory.Exists(Path.GetFullPath(value, project)) ? [Folder(Path.GetFullPath(value, project))]
            : [.. value.Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
                .Select(folder => Folder(Path.GetFullPath(folder, project)))];
    }

    // the letter of a drive is a capital or not, depending on the program that wrote the path
    static bool IsIn(string path, string folder) => path.StartsWith(WithEnd(folder),
        OperatingSystem.IsWindows() ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal);

    static string WithEnd(string folder) => Path.EndsInDirectorySeparator(folder) ? folder : folder + Path.DirectorySeparatorChar;

    void Index()
    {
        foreach (var file in files) named.TryAdd(file.Name, file);
        Roots =
        [
            .. files.Select(file => file.Root).Concat(files.SelectMany(file => file.Roots)).Concat(imports)
                .Distinct(StringComparer.Ordinal),
        ];

        // Files of one name in several roots are generated into folders that have the names of the roots, as far as these differ.
        foreach (var same in files.GroupBy(file => file.Output, StringComparer.OrdinalIgnoreCase).Select(same => same.ToList()).ToList())
        {
            var roots = same.Select(file => file.Root).Distinct().Count();
            for (var depth = 1; roots > 1 && same.DistinctBy(file => file.Output).Count() < roots; depth++)
            {
                foreach (var file in same) file.Folder = string.Join('/', file.Root.Split(Path.DirectorySeparatorChar).TakeLast(depth));
            }
        }
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
/// <param name="Root">The folder that imports of the file are relative to, and that the file is in.</param>
/// <param name="Namespace">The C# namespace that the build specifies; empty if the file's own namespace applies.</param>
/// <param name="IsGenerated">False for a file whose code is in another project.</param>
/// <param name="HasGoogleConversions">Whether conversions from and to Google's classes are generated in addition.</param>
/// <param name="Services">The stubs that are generated for the services of the file.</param>
sealed record ProtoItem(string Path, string Root, string Namespace, bool IsGenerated, bool HasGoogleConversions,
    GrpcServices Services = GrpcServices.None)
{
    /// <summary>The name of the file in protoc: its path from the root, with slashes.</summary>
    public string Name { get; } = System.IO.Path.GetRelativePath(Root, Path).Replace('\\', '/');

    /// <summary>The folders in which imports of the file are searched first: its roots, and AdditionalImportDirs.</summary>
    public IReadOnlyList<string> Roots { get; init; } = [Root];

    /// <summary>Whether the generated types are internal.</summary>
    public bool IsInternal { get; init; }

    /// <summary>The folder of the generated file; empty for that of the build.</summary>
    public string OutputDir { get; init; } = "";

    /// <summary>Whether the generated file is a part of the project.</summary>
    public bool IsCompiled { get; init; } = true;

    /// <summary>A folder below the output folder, where another file has the same name; empty for none.</summary>
    public string Folder { get; set; } = "";

    /// <summary>The generated file, below the output folder. The C# compiler reads no file whose name contains the character |.</summary>
    public string Output => System.IO.Path.Combine(Folder,
        System.IO.Path.ChangeExtension(Name.Replace("../", "", StringComparison.Ordinal).Replace('|', '_'), ".slab.cs"));

    /// <summary>The second generated file, with the conversions.</summary>
    public string ConversionsOutput => Output[..^".slab.cs".Length] + ".google.slab.cs";

    public IEnumerable<string> Outputs => HasGoogleConversions ? [Output, ConversionsOutput] : [Output];
}
