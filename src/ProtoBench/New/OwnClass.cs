using System.Reflection;
using System.Runtime.Loader;
using System.Text.Json;
using System.Text.RegularExpressions;
using ProtoBench.Harness.Duet;
using ProtoBuf.Meta;

namespace ProtoBench;

/// <summary>A class of the user, which is measured with its own attributes. Its sources are built in a folder of their own, and the result
/// is loaded into this program.</summary>
sealed partial class OwnClass : IDisposable
{
    // of classes in an error
    const int mostNames = 20;

    readonly string build;
    readonly OwnAssemblies assemblies;

    OwnClass(string build, OwnAssemblies assemblies, IReadOnlyList<string> sources, Type type)
    {
        (this.build, this.assemblies, Sources, Type) = (build, assemblies, sources, type);
        try
        {
            Numbered = OwnMembers.Number(type);
            Schema = MakeSchema(type);
        }
        // what protobuf-net throws for a class that it does not take
        catch (Exception e) when (e is InvalidOperationException or NotSupportedException or ArgumentException or ProtoBuf.ProtoException)
        {
            Numbered = new Dictionary<Type, IReadOnlyList<OwnMember>>();
            WhyNoSchema = e.Message;
        }

        Content = new(type, isProtobuf: Schema is not null);
    }

    /// <summary>Full paths of .cs files, projects and assemblies.</summary>
    public IReadOnlyList<string> Sources { get; }

    public Type Type { get; }

    public OwnContent Content { get; }

    /// <summary>The .proto file that protobuf-net makes from the class, with the name of the message; null if it cannot.</summary>
    public (string Proto, string Message)? Schema { get; }

    /// <summary>Why there is no <see cref="Schema"/>; null if there is one.</summary>
    public string? WhyNoSchema { get; }

    /// <summary>Classes without [ProtoContract], and their members, which are fields 1, 2 and so on of the .proto file.</summary>
    public IReadOnlyDictionary<Type, IReadOnlyList<OwnMember>> Numbered { get; }

    /// <exception cref="UsageException">A source is missing or does not compile, or the class is not there or cannot be measured.</exception>
    public static async Task<OwnClass> LoadAsync(IReadOnlyList<string> sources, string name, CancellationToken stop)
    {
        foreach (var source in sources)
        {
            if (Path.GetExtension(source) is not (".cs" or ".csproj" or ".dll"))
                throw new UsageException($"{source}: --classes takes .cs files, a .csproj or a .dll");
            if (!File.Exists(source))
                throw new UsageException($"{source}: there is no such file");
        }

        string[] paths = [.. sources.Select(Path.GetFullPath)];
        if (paths.Select(Path.GetFileName).GroupBy(file => file).FirstOrDefault(group => group.Count() > 1) is { } twice)
            throw new UsageException($"--classes has two files of the name {twice.Key}");
        var build = Directory.CreateTempSubdirectory("protobench-classes-").FullName;
        var assemblies = new OwnAssemblies(Path.Combine(build, "out"));
        try
        {
            await BuildAsync(build, paths, stop);
            return new(build, assemblies, paths, Find(assemblies.Load(), name));
        }
        catch
        {
            Delete(build, assemblies);
            throw;
        }
    }

    static (string Proto, string Message) MakeSchema(Type type)
    {
        var written = OwnMembers.WrittenAs(type);

        // values of enums are in the scope of the file
        var options = new SchemaGenerationOptions
        {
            Syntax = ProtoSyntax.Proto3,
            Flags = SchemaGenerationFlags.IncludeEnumNamePrefix,
        };
        options.Types.Add(written);
        var proto = RuntimeTypeModel.Default.GetSchema(options).ReplaceLineEndings("\n");
        var package = Package().Match(proto).Groups["name"].Value;
        var message = RuntimeTypeModel.Default[written].Name is { Length: > 0 } given ? given : written.Name;

        // the classes of Google and of the slab codec are in the same program as the user's
        var @namespace = package.Length == 0 ? "OfProto" : "OfProto." + package;
        proto = Syntax().Replace(proto, line => $"{line.Value}option csharp_namespace = \"{@namespace}\";\n", 1);
        return (proto, package.Length == 0 ? message : $"{package}.{message}");
    }

    /// <summary>Writes the .proto file, and those of protobuf-net that it imports.</summary>
    /// <returns>The path of the file.</returns>
    public async Task<string> WriteProtosAsync(string proto, CancellationToken stop)
    {
        var folder = Path.Combine(build, "protos");
        var (file, bcl) = (Path.Combine(folder, Type.Name + ".proto"), Path.Combine(folder, "protobuf-net", "bcl.proto"));
        Directory.CreateDirectory(Path.GetDirectoryName(bcl)!);
        await File.WriteAllTextAsync(file, proto, stop);
        await File.WriteAllTextAsync(bcl, ProjectFiles.Read("bcl.proto.txt"), stop);
        return file;
    }

    public void Dispose() => Delete(build, assemblies);

    static async Task BuildAsync(string build, string[] sources, CancellationToken stop)
    {
        foreach (var (name, text) in ProjectFiles.OfClasses(sources))
            await File.WriteAllTextAsync(Path.Combine(build, name), text, stop);
        CopySources(sources, build);
        string[] arguments = ["build", build, "-c", "Release", "--nologo", "-v:q", "-nodeReuse:false", "-o", Path.Combine(build, "out")];
        var (exit, said) = await DotnetHost.RunAsync(new(DotnetHost.Program, arguments) { WorkingDirectory = build }, stop);
        if (exit == 0)
            return;
        string[] errors = [.. said.Split('\n').Where(line => line.Contains("error", StringComparison.Ordinal)).Select(Shown).Distinct()];
        throw new UsageException($"the classes do not compile:\n{(errors.Length > 0 ? string.Join('\n', errors) : said.Trim())}");

        // the compiler names the copy of a file, and the project at the end of the line
        string Shown(string line)
        {
            line = line.Trim();
            foreach (var source in sources)
                line = line.Replace(Path.Combine(build, "classes", Path.GetFileName(source)), source, StringComparison.Ordinal);
            return Project().Replace(line, "");
        }
    }

    /// <summary>Copies files to the folder <c>classes</c> of a project; a project stays where it is.</summary>
    public static void CopySources(IReadOnlyList<string> sources, string project)
    {
        var folder = Path.Combine(project, "classes");
        foreach (var source in sources.Where(source => Path.GetExtension(source) != ".csproj"))
        {
            Directory.CreateDirectory(folder);
            File.Copy(source, Path.Combine(folder, Path.GetFileName(source)));
        }
    }

    internal static Type Find(IReadOnlyList<Assembly> assemblies, string name)
    {
        Type[] all;
        try
        {
            all = [.. assemblies.SelectMany(assembly => assembly.GetTypes())
                .Where(type => !type.Name.Contains('<', StringComparison.Ordinal))];
        }
        catch (ReflectionTypeLoadException e)
        {
            throw new UsageException($"the classes cannot be loaded: {e.LoaderExceptions.FirstOrDefault()?.Message ?? e.Message}", e);
        }

        Type[] found = [.. all.Where(type => OwnMembers.NameOf(type) == name)];
        if (found.Length == 0)
            found = [.. all.Where(type => OwnMembers.NameOf(type).EndsWith("." + name, StringComparison.Ordinal))];
        return found switch
        {
            [var one] => Measurable(one),
            [] => throw new UsageException($"there is no class {name}; there are {List(all.Where(type => type.IsVisible && type.IsClass))}"),
            _ => throw new UsageException($"several classes have the name {name}: {List(found)}"),
        };

        static string List(IEnumerable<Type> types)
        {
            string[] names = [.. types.Select(OwnMembers.NameOf).Distinct().Order(StringComparer.Ordinal)];
            return names.Length == 0 ? "none" : string.Join(", ", names.Take(mostNames)) + (names.Length > mostNames ? ", ..." : "");
        }
    }

    static Type Measurable(Type type)
    {
        var name = OwnMembers.NameOf(type);
        return !type.IsClass ? throw new UsageException($"{name} is no class")
            : !type.IsVisible ? throw new UsageException($"{name} is not public")
            : type.IsGenericTypeDefinition ? throw new UsageException($"{name} has type parameters")
            : type.IsAbstract && OwnMembers.DerivedFrom(type).Count > 0 ? type
            : type.IsAbstract ? throw new UsageException($"{name} is abstract or static")
            : type.GetConstructor(Type.EmptyTypes) is null
                ? throw new UsageException($"{name} has no public constructor without parameters, which the benchmarks need")
            : type;
    }

    static void Delete(string build, OwnAssemblies assemblies)
    {
        assemblies.Unload();
        try
        {
            Directory.Delete(build, recursive: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // on Windows a loaded file cannot be deleted
        }
    }

    [GeneratedRegex(@"^package (?<name>[\w.]+);", RegexOptions.Multiline | RegexOptions.ExplicitCapture)]
    private static partial Regex Package();

    [GeneratedRegex(@"^syntax = ""proto3"";\n", RegexOptions.Multiline)]
    private static partial Regex Syntax();

    [GeneratedRegex(@" \[[^\]]+\.csproj\]$")]
    private static partial Regex Project();
}

/// <summary>What was built, with the packages that it needs. A package that this program has too is loaded once, so that attributes and
/// serializers are of one assembly.</summary>
sealed class OwnAssemblies(string folder) : AssemblyLoadContext("classes", isCollectible: true)
{
    /// <summary>Loads the assemblies that are not of packages.</summary>
    public IReadOnlyList<Assembly> Load()
    {
        using var list = JsonDocument.Parse(File.ReadAllText(Path.Combine(folder, "Classes.deps.json")));
        var own = list.RootElement.GetProperty("libraries").EnumerateObject()
            .Where(library => library.Value.GetProperty("type").GetString() != "package").Select(library => library.Name).ToHashSet();
        return
        [
            .. from target in list.RootElement.GetProperty("targets").EnumerateObject()
               from library in target.Value.EnumerateObject()
               where own.Contains(library.Name) && library.Value.TryGetProperty("runtime", out _)
               from file in library.Value.GetProperty("runtime").EnumerateObject()
               select LoadFromAssemblyPath(Path.Combine(folder, Path.GetFileName(file.Name))),
        ];
    }

    protected override Assembly? Load(AssemblyName assemblyName)
    {
        try
        {
            return Default.LoadFromAssemblyName(assemblyName);
        }
        catch (Exception e) when (e is FileNotFoundException or FileLoadException)
        {
            var file = Path.Combine(folder, assemblyName.Name + ".dll");
            return File.Exists(file) ? LoadFromAssemblyPath(file) : null;
        }
    }
}
