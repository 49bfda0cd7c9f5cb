using System.Reflection;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace ProtoBench.Harness.Duet;

/// <summary>The program whose cells a duet measures, and what is needed to build it again.</summary>
/// <param name="Name">The name of the assembly and of the project file.</param>
/// <param name="Root">The folder below which the program was built; null if it was copied elsewhere, and cannot be built again.</param>
/// <param name="Project">The folder of the project, relative to <paramref name="Root"/>.</param>
/// <param name="VersionsFile">The file with the versions of the measured packages, relative to <paramref name="Root"/>.</param>
/// <param name="Builds">The folder of other builds, relative to <paramref name="Root"/>.</param>
/// <param name="Packages">The packages whose versions are kept with a result.</param>
sealed record MeasuredProgram(
    string Name, string? Root, string Project, string VersionsFile, string Builds, string Configuration,
    IReadOnlyCollection<string> Packages)
{
    /// <summary>The properties that the current build was given, as "Name=Value".</summary>
    public IReadOnlyList<string> GivenProperties { get; init; } = [];

    /// <summary>The parts of the name of a cell's method; null for a method with another name.</summary>
    public Func<string, CellFacts?> FactsOf { get; init; } = _ => null;

    /// <summary>Keeps a result with its table by name, and returns what to say about it; null for a program that keeps none.</summary>
    public Func<string, DuetResult, SavedTable, string>? Save { get; init; }

    /// <summary>Tries before a measurement whether a result can be kept; null for a program that keeps none.</summary>
    public Action? CheckSave { get; init; }

    public Build Current => new(
        Path.Combine(AppContext.BaseDirectory, Name + ".dll"),
        null,
        Root is null ? null : Git.Commit(Root),
        Root is null ? null : Git.IsClean(Root),
        Packages);

    /// <exception cref="UsageException">Thrown in a Debug build.</exception>
    public void RequireRelease(string verb)
    {
        if (!string.Equals(Configuration, "Release", StringComparison.Ordinal))
            throw new UsageException($"{verb}: this is a Debug build; build with -c Release");
    }

    /// <summary>The folder with a file, from that of the program upwards; null if there is none.</summary>
    public static string? FolderWith(string file)
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, file)))
                return folder.FullName;
        }

        return null;
    }

    public static string ConfigurationOf(Assembly assembly) =>
        assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()?.Configuration ?? "";
}

/// <summary>A build is a commit, a folder, or the current sources with another package version.</summary>
sealed partial class BaseBuild(MeasuredProgram program, TextWriter progress)
{
    public async Task<Build> MakeAsync(string name, CancellationToken stop)
    {
        if (Directory.Exists(name))
            return await OfFolderAsync(Path.GetFullPath(name), name, stop);
        var root = program.Root
            ?? throw new UsageException($"{program.Name} lies outside of its sources, so only a folder can be the base");
        var file = Path.Combine(root, program.VersionsFile);
        if (Property().IsMatch(name))
            return await OfPropertyAsync(PackageVersion(await File.ReadAllTextAsync(file, stop), program.Packages, name), stop);
        var commit = Git.Ask(root, "rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}")
            ?? throw new UsageException($"'{name}' is neither a commit of {root}, nor a folder, nor Property=Version");
        return await OfCommitAsync(root, commit, name, stop);
    }

    public async Task<Build> OfVersionAsync(string package, string version, CancellationToken stop)
    {
        var root = program.Root
            ?? throw new UsageException($"versions: {program.Name} lies outside of its sources, so it cannot be built");
        if (IsRuntime(package))
        {
            var runtime = await DotnetRuntime.MakeAsync(Path.Combine(root, program.Builds), version, progress, stop);
            return program.Current with { Label = $"{package} {version}", Runtime = runtime };
        }

        if (program.Current.PackageVersions().GetValueOrDefault(package) == version)
            return program.Current with { Label = $"{package} {version}" };
        var file = Path.Combine(root, program.VersionsFile);
        var given = $"{PropertyOf(package, file)}={version}";
        return await OfPropertyAsync(PackageVersion(await File.ReadAllTextAsync(file, stop), program.Packages, given), stop);
    }

    internal static string PropertyOf(string package, string file)
    {
        var known = VersionByProperty().Matches(File.ReadAllText(file)).DistinctBy(match => match.Groups[1].Value)
            .ToDictionary(match => match.Groups[1].Value, match => match.Groups[2].Value, StringComparer.OrdinalIgnoreCase);
        return known.TryGetValue(package, out var property) ? property : throw new UsageException(
            $"--package: {file} does not choose the version of {package} by a property; it does for "
                + string.Join(", ", known.Keys.Order(StringComparer.Ordinal)));
    }

    static bool IsRuntime(string package) => string.Equals(package, DotnetRuntime.Package, StringComparison.OrdinalIgnoreCase);

    internal static bool IsVersion(string text) => Version().IsMatch(text);

    // MSBuild ignores properties that it does not know, so both builds would be the same.
    /// <param name="packages">The text of the file with the versions.</param>
    internal static string PackageVersion(string packages, IReadOnlyCollection<string> measured, string given)
    {
        string[] known =
        [
            .. VersionByProperty().Matches(packages)
                .Where(match => measured.Contains(match.Groups[1].Value, StringComparer.OrdinalIgnoreCase))
                .Select(match => match.Groups[2].Value).Distinct(),
        ];
        var (name, version) =
            (given[..given.IndexOf('=', StringComparison.Ordinal)], given[(given.IndexOf('=', StringComparison.Ordinal) + 1)..]);
        if (!known.Contains(name, StringComparer.Ordinal))
            throw new UsageException($"{name} is not the version of a measured package; those are {string.Join(", ", known)}");
        return Version().IsMatch(version) ? given : throw new UsageException($"'{version}' is not a version such as 3.21.9");
    }

    // The sources are in a worktree only while they are built. BenchmarkDotNet does not run if there is a second project file of the same
    // name below the checkout.
    async Task<Build> OfCommitAsync(string root, string commit, string label, CancellationToken stop)
    {
        var folder = Path.Combine(root, program.Builds, commit[..12]);
        var (done, sources) = (folder + ".built", folder + ".source");
        if (!File.Exists(done) || Find(folder) is null)
        {
            RemoveWorktree(root, sources); // a build that was killed may have left it
            _ = Git.Ask(root, "worktree", "add", "--detach", sources, commit)
                ?? throw new RunException(ExitCode.Failed, $"git could not make a worktree of {commit[..12]} in {sources}");
            try
            {
                // where the root lies in its repository
                var prefix = Git.Ask(root, "rev-parse", "--show-prefix") ?? "";
                await MakeAsync(Path.Combine(sources, prefix), [], folder, label, stop);
            }
            finally
            {
                RemoveWorktree(root, sources);
            }

            await File.WriteAllTextAsync(done, commit, stop);
        }

        return new(Built(folder, label), label, commit, true, program.Packages);
    }

    static void RemoveWorktree(string root, string folder)
    {
        if (Directory.Exists(folder) && Git.Ask(root, "worktree", "remove", "--force", folder) is null)
            Directory.Delete(folder, recursive: true);
        Git.Ask(root, "worktree", "prune");
    }

    async Task<Build> OfPropertyAsync(string property, CancellationToken stop)
    {
        var folder = Path.Combine(program.Root!, program.Builds,
            string.Concat(property.Select(c => char.IsLetterOrDigit(c) || c is '.' or '=' or '-' ? c : '_')));
        string[] given = [.. program.GivenProperties.Where(one => one.Split('=')[0] != property.Split('=')[0]), property];
        await MakeAsync(program.Root!, given, folder, property, stop);
        return program.Current with { Dll = Built(folder, property), Label = property };
    }

    async Task<Build> OfFolderAsync(string folder, string label, CancellationToken stop)
    {
        if (File.Exists(Path.Combine(folder, program.Project, program.Name + ".csproj")))
            await MakeAsync(folder, [], null, label, stop);
        return new(Built(folder, label), label, Git.Commit(folder), Git.IsClean(folder), program.Packages);
    }

    /// <param name="into">The folder of the output; null for that of the project.</param>
    async Task MakeAsync(string root, string[] properties, string? into, string label, CancellationToken stop)
    {
        var log = into is null ? Path.Combine(root, program.Builds + ".log") : into + ".log";
        await progress.WriteLineAsync($"building the base {label}: {log}");
        Directory.CreateDirectory(Path.GetDirectoryName(log)!);
        string[] build =
        [
            "build", Path.Combine(root, program.Project), "-c", "Release", "--nologo", "-v:q", "-nodeReuse:false", "-p:RunAnalyzers=false",
            .. properties.Select(one => "-p:" + one), .. into is null ? [] : new[] { $"-p:ArtifactsPath={into}" },
        ];
        await RunDotnetAsync(build, root, log, $"{label} does not build", stop);
    }

    internal static async Task RunDotnetAsync(string[] arguments, string folder, string log, string broken, CancellationToken stop)
    {
        var (exitCode, lines) = await DotnetHost.RunAsync(new(DotnetHost.Program, arguments) { WorkingDirectory = folder }, stop);
        await File.WriteAllTextAsync(log, lines, stop);
        if (exitCode != 0)
            throw new RunException(ExitCode.Failed,
                $"{broken}; the end of {log}:\n{string.Join('\n', lines.Split('\n', StringSplitOptions.RemoveEmptyEntries).TakeLast(10))}");
    }

    string Built(string folder, string label) =>
        Find(folder) ?? throw new UsageException($"{label} holds no built {program.Name}.dll (Release)");

    // Searches a folder of build output, an artifacts folder, a checkout with such a folder, and a project without it.
    string? Find(string folder)
    {
        var (dll, classic) = (program.Name + ".dll", Path.Combine(folder, program.Project, "bin", "Release"));
        string[] places =
        [
            Path.Combine(folder, dll),
            Path.Combine(folder, "bin", program.Name, "release", dll),
            Path.Combine(folder, "artifacts", "bin", program.Name, "release", dll),
            .. Directory.Exists(classic) ? Directory.GetFiles(classic, dll, SearchOption.AllDirectories) : [],
        ];
        return places.FirstOrDefault(File.Exists);
    }

    [GeneratedRegex("<(?:PackageVersion|PackageReference|PlainClassPackage) Include=\"([^\"]+)\" (?:Version|Of)=\"\\$\\((\\w+)\\)\"")]
    private static partial Regex VersionByProperty();

    [GeneratedRegex(@"^[A-Za-z_][A-Za-z0-9_.]*=\S*$")]
    private static partial Regex Property();

    [GeneratedRegex(@"^[0-9]+(\.[0-9]+){1,3}(-[0-9A-Za-z.-]+)?$")]
    private static partial Regex Version();
}

/// <param name="Label">The name that the user gave; null for the current one.</param>
/// <param name="Packages">The packages whose versions are kept with a result.</param>
sealed record Build(string Dll, string? Label, string? Commit, bool? Clean, IReadOnlyCollection<string> Packages)
{
    public string Assembly => Path.GetFileNameWithoutExtension(Dll);

    /// <summary>The runtime of its processes; null for the installed one that the host chooses.</summary>
    public DotnetRuntime? Runtime { get; init; }

    public IReadOnlyDictionary<string, string> PackageVersions()
    {
        var list = Path.ChangeExtension(Dll, ".deps.json");
        if (!File.Exists(list))
            return new Dictionary<string, string>();
        using var document = JsonDocument.Parse(File.ReadAllText(list));
        return document.RootElement.GetProperty("libraries").EnumerateObject()
            .Select(library => library.Name.Split('/'))
            .Where(name => name.Length == 2 && Packages.Contains(name[0], StringComparer.OrdinalIgnoreCase))
            .ToDictionary(name => name[0], name => name[1]);
    }
}
