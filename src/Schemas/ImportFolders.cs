using System.Text.RegularExpressions;

namespace ProtoBench.Schemas;

static partial class ImportFolders
{
    /// <summary>An import is also searched beside its file and in the parent folders: schemas name imports relative to a root.</summary>
    /// <returns>Full paths: the given folders, then those that were found. Each file is below one of them.</returns>
    /// <exception cref="SchemaException">Thrown when an import is not found. The message has the importing file.</exception>
    public static IReadOnlyList<string> Find(IEnumerable<string> files, IEnumerable<string> given)
    {
        List<string> folders = [.. given.Select(Path.GetFullPath)];
        var known = new HashSet<string>();
        var open = new Queue<string>(files.Select(Path.GetFullPath));
        string[] roots = [.. open];
        while (open.TryDequeue(out var file))
        {
            if (!known.Add(file))
                continue;
            foreach (var import in Imports(file))
            {
                if (folders.Append(Protoc.WellKnownTypes).Select(folder => Path.Combine(folder, import)).FirstOrDefault(File.Exists)
                    is not { } found)
                {
                    var folder = Parents(file).FirstOrDefault(parent => File.Exists(Path.Combine(parent, import)))
                        ?? throw new SchemaException($"{Path.GetRelativePath(".", file)} imports \"{import}\", which is neither in "
                            + $"{(folders.Count == 0 ? "the file's own folder" : string.Join(", ", folders))} nor in a parent folder of the "
                            + "file: name the folder that it is in with --proto-path");
                    folders.Add(folder);
                    found = Path.Combine(folder, import);
                }

                open.Enqueue(Path.GetFullPath(found));
            }
        }

        // protoc needs every file to be below one of its folders
        foreach (var root in roots.Where(root => !folders.Any(folder => IsBelow(folder, root))))
            folders.Add(Path.GetDirectoryName(root)!);
        return [.. folders.Distinct()];
    }

    public static bool IsBelow(string folder, string file) =>
        !Path.GetRelativePath(folder, Path.GetFullPath(file)).StartsWith("..", StringComparison.Ordinal);

    static IEnumerable<string> Imports(string file) =>
        Import().Matches(Comment().Replace(File.ReadAllText(file), "")).Select(match => match.Groups["name"].Value);

    static IEnumerable<string> Parents(string file)
    {
        for (var folder = Path.GetDirectoryName(file); folder is not null; folder = Path.GetDirectoryName(folder))
            yield return folder;
    }

    [GeneratedRegex("""/\*.*?\*/|//[^\n]*""", RegexOptions.Singleline)]
    private static partial Regex Comment();

    [GeneratedRegex("""(?<=^|;)\s*import\s+(?:(?:public|weak|option)\s+)?(?<quote>["'])(?<name>[^"'\n]+)\k<quote>\s*;""",
        RegexOptions.Multiline | RegexOptions.ExplicitCapture)]
    private static partial Regex Import();
}
