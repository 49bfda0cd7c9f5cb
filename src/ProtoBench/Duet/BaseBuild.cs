using System.Text.Json;
using System.Text.RegularExpressions;
using ProtoBench.Libraries;
using ProtoBench.Results;

namespace ProtoBench.Duet;

/// <summary>A build is a commit, a folder, or the current sources with another package version. All files are in artifacts/duet.</summary>
static partial class BaseBuild
{
    static readonly string program = Path.Combine("src", "ProtoBench");

    public static async Task<Build> MakeAsync(string name, TextWriter progress, CancellationToken stop)
    {
        if (Directory.Exists(name))
            return await OfFolderAsync(Path.GetFullPath(name), name, progress, stop);
        var root = Checkout.Root
            ?? throw new UsageException("--base: this program lies outside a checkout, so only a folder can be the base");
        if (Property().IsMatch(name))
            return await OfPropertyAsync(root,
                PackageVersion(await File.ReadAllTextAsync(Path.Combine(root, "Directory.Packages.props"), stop), name), progress, stop);
        var commit = Git.Ask(root, "rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}")
            ?? throw new UsageException($"--base: '{name}' is neither a commit of {root}, nor a folder, nor Property=Version");
        return await OfCommitAsync(root, commit, name, progress, stop);
    }

    /// <param name="project">The folder of the project; null for this program.</param>
    public static async Task<Build> OfVersionAsync(string? project, string package, string version, TextWriter progress,
        CancellationToken stop)
    {
        if (project is null)
        {
            var root = Checkout.Root ?? throw new UsageException("versions: this program lies outside a checkout, so it cannot be built");
            var packages = Path.Combine(root, "Directory.Packages.props");
            if (Build.Current.PackageVersions().GetValueOrDefault(package) == version)
                return Build.Current with { Label = $"{package} {version}" };
            var given = PackageVersion(await File.ReadAllTextAsync(packages, stop), $"{PropertyOf(package, packages)}={version}");
            return await OfPropertyAsync(root, given, progress, stop);
        }

        var file = ProjectFile(project);
        var property = $"{PropertyOf(package, file)}={version}";
        // sources in a folder whose name begins with a dot are ignored
        var folder = Path.Combine(Path.GetDirectoryName(file)!, ".versions", property);
        await MakeAsync(Path.GetDirectoryName(file)!, file, [$"-p:{property}", $"-p:ArtifactsPath={folder}"], folder + ".log", property,
            progress, stop);
        var name = Path.GetFileNameWithoutExtension(file);
        return new(Path.Combine(folder, "bin", name, "release", name + ".dll"), property, null, null);
    }

    internal static string ProjectFile(string folder) =>
        Directory.Exists(folder) && Directory.GetFiles(Path.GetFullPath(folder), "*.csproj") is [var file] ? file
            : throw new UsageException($"--project: {folder} is not a folder with one project file");

    internal static string PropertyOf(string package, string file)
    {
        var known = VersionByProperty().Matches(File.ReadAllText(file)).DistinctBy(match => match.Groups[1].Value)
            .ToDictionary(match => match.Groups[1].Value, match => match.Groups[2].Value, StringComparer.OrdinalIgnoreCase);
        return known.TryGetValue(package, out var property) ? property : throw new UsageException(
            $"--package: {file} does not choose the version of {package} by a property; it does for "
                + string.Join(", ", known.Keys.Order(StringComparer.Ordinal)));
    }

    internal static bool IsVersion(string text) => Version().IsMatch(text);

    // MSBuild ignores properties that it does not know, so both builds would be the same.
    /// <param name="packages">Directory.Packages.props, which stores such properties in GivenProperties.</param>
    internal static string PackageVersion(string packages, string given)
    {
        string[] known = [.. VersionProperty().Matches(packages).Select(match => match.Groups[1].Value)];
        var (name, version) =
            (given[..given.IndexOf('=', StringComparison.Ordinal)], given[(given.IndexOf('=', StringComparison.Ordinal) + 1)..]);
        if (!known.Contains(name, StringComparer.Ordinal))
            throw new UsageException($"--base: {name} is not the version of a measured package; those are {string.Join(", ", known)}");
        return Version().IsMatch(version) ? given : throw new UsageException($"--base: '{version}' is not a version such as 3.21.9");
    }

    // The sources are in a worktree only while they are built. BenchmarkDotNet does not run if there is a second ProtoBench.csproj below
    // the checkout.
    static async Task<Build> OfCommitAsync(string root, string commit, string label, TextWriter progress, CancellationToken stop)
    {
        var folder = Path.Combine(root, "artifacts", "duet", commit[..12]);
        var (done, sources) = (folder + ".built", folder + ".source");
        if (!File.Exists(done) || Find(folder) is null)
        {
            RemoveWorktree(root, sources); // a build that was killed may have left it
            _ = Git.Ask(root, "worktree", "add", "--detach", sources, commit)
                ?? throw new RunException(ExitCode.Failed, $"--base: git could not make a worktree of {commit[..12]} in {sources}");
            try
            {
                await MakeAsync(sources, program, [$"-p:ArtifactsPath={folder}"], folder + ".log", label, progress, stop);
            }
            finally
            {
                RemoveWorktree(root, sources);
            }

            await File.WriteAllTextAsync(done, commit, stop);
        }

        return new(Built(folder, label), label, commit, true);
    }

    static void RemoveWorktree(string root, string folder)
    {
        if (Directory.Exists(folder) && Git.Ask(root, "worktree", "remove", "--force", folder) is null)
            Directory.Delete(folder, recursive: true);
        Git.Ask(root, "worktree", "prune");
    }

    static async Task<Build> OfPropertyAsync(string root, string property, TextWriter progress, CancellationToken stop)
    {
        var folder = Path.Combine(root, "artifacts", "duet",
            string.Concat(property.Select(c => char.IsLetterOrDigit(c) || c is '.' or '=' or '-' ? c : '_')));
        string[] given = [.. BuildFacts.GivenProperties.Where(one => one.Split('=')[0] != property.Split('=')[0]), property];
        await MakeAsync(root, program, [.. given.Select(one => "-p:" + one), $"-p:ArtifactsPath={folder}"], folder + ".log", property, progress,
            stop);
        var (commit, clean) = (Build.Current.Commit, Build.Current.Clean);
        return new(Built(folder, property), property, commit, clean);
    }

    static async Task<Build> OfFolderAsync(string folder, string label, TextWriter progress, CancellationToken stop)
    {
        if (File.Exists(Path.Combine(folder, "ProtoBench.sln")))
            await MakeAsync(folder, program, [], Path.Combine(folder, "artifacts", "duet.log"), label, progress, stop);
        return new(Built(folder, label), label, Git.Commit(folder), Git.IsClean(folder));
    }

    static async Task MakeAsync(string folder, string project, string[] properties, string log, string label, TextWriter progress,
        CancellationToken stop)
    {
        await progress.WriteLineAsync($"building the base {label}: {log}");
        Directory.CreateDirectory(Path.GetDirectoryName(log)!);
        string[] build =
            ["build", Path.Combine(folder, project), "-c", "Release", "--nologo", "-v:q", "-nodeReuse:false",
                "-p:RunAnalyzers=false", .. properties];
        var (exitCode, lines) = await DotnetHost.RunAsync(new(DotnetHost.Program, build) { WorkingDirectory = folder }, stop);
        await File.WriteAllTextAsync(log, lines, stop);
        if (exitCode != 0)
            throw new RunException(ExitCode.Failed,
                $"--base: {label} does not build; the end of "
                    + $"{log}:\n{string.Join('\n', lines.Split('\n', StringSplitOptions.RemoveEmptyEntries).TakeLast(10))}");
    }

    static string Built(string folder, string label) =>
        Find(folder) ?? throw new UsageException($"--base: {label} holds no built ProtoBench.dll (Release)");

    // Searches a folder of build output, an artifacts folder, a checkout with such a folder, and a checkout of a version without it.
    static string? Find(string folder)
    {
        var classic = Path.Combine(folder, "src", "ProtoBench", "bin", "Release");
        string[] places =
        [
            Path.Combine(folder, "ProtoBench.dll"),
            Path.Combine(folder, "bin", "ProtoBench", "release", "ProtoBench.dll"),
            Path.Combine(folder, "artifacts", "bin", "ProtoBench", "release", "ProtoBench.dll"),
            .. Directory.Exists(classic) ? Directory.GetFiles(classic, "ProtoBench.dll", SearchOption.AllDirectories) : [],
        ];
        return places.FirstOrDefault(File.Exists);
    }

    [GeneratedRegex("<Package(?:Version|Reference) Include=\"([^\"]+)\" Version=\"\\$\\((\\w+)\\)\"")]
    private static partial Regex VersionByProperty();

    [GeneratedRegex(@"^[A-Za-z_][A-Za-z0-9_.]*=\S*$")]
    private static partial Regex Property();

    [GeneratedRegex(@"\|(\w+Version)=\$\(\1\)")]
    private static partial Regex VersionProperty();

    [GeneratedRegex(@"^[0-9]+(\.[0-9]+){1,3}(-[0-9A-Za-z.-]+)?$")]
    private static partial Regex Version();
}

/// <param name="Label">The name that the user gave; null for the current one.</param>
sealed record Build(string Dll, string? Label, string? Commit, bool? Clean)
{
    public static Build Current { get; } = new(
        Path.Combine(AppContext.BaseDirectory, "ProtoBench.dll"),
        null,
        Checkout.Root is { } root ? Git.Commit(root) : null,
        Checkout.Root is { } folder ? Git.IsClean(folder) : null);

    public string Assembly => Path.GetFileNameWithoutExtension(Dll);

    public IReadOnlyDictionary<string, string> PackageVersions()
    {
        var list = Path.ChangeExtension(Dll, ".deps.json");
        if (!File.Exists(list))
            return new Dictionary<string, string>();
        var measured = MeasuredLibraries.Registered.Select(library => library.Package).Concat(BuildFacts.MeasuredPackages)
            .ToHashSet(StringComparer.OrdinalIgnoreCase);
        using var document = JsonDocument.Parse(File.ReadAllText(list));
        return document.RootElement.GetProperty("libraries").EnumerateObject()
            .Select(library => library.Name.Split('/'))
            .Where(name => name.Length == 2 && measured.Contains(name[0]))
            .ToDictionary(name => name[0], name => name[1]);
    }
}
