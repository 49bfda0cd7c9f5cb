using System.Text.RegularExpressions;

namespace ProtoBench.Codec.Generator.Build;

/// <summary>Runs protoc, which reads .proto files and writes descriptors of them.</summary>
static partial class Protoc
{
    const string notFound = ": File not found.";

    /// <returns>The errors, in the format of MSBuild; empty if the descriptors were written.</returns>
    public static async Task<IReadOnlyList<string>> RunAsync(Arguments arguments, string descriptors)
    {
        // protoc treats a name that begins with - as an option; a path does not begin with -, because it begins with its folder
        var files = arguments.Files.Select(file => file.Name.StartsWith('-') ? file.Path : file.Name);
        var (exit, lines) = await RunAsync(arguments, descriptors, files);
        if (exit != 0)
        {
            string[] errors = [.. Explain(await ReadAllErrorsAsync(arguments, descriptors), arguments)];
            return errors.Length > 0 ? errors : [.. lines.Select(line => Translate(line, arguments))];
        }

        foreach (var warning in lines) await Console.Error.WriteLineAsync(Translate(warning, arguments));
        return [];
    }

    static async Task<(int Exit, string[] Lines)> RunAsync(Arguments arguments, string descriptors, IEnumerable<string> files)
    {
        var list = Path.ChangeExtension(descriptors, ".protoc.txt");
        await File.WriteAllLinesAsync(list,
        [
            .. arguments.Roots.Select(root => "--proto_path=" + root),
            "--proto_path=" + arguments.Output,
            "--descriptor_set_out=" + descriptors,
            "--include_imports",
            "--include_source_info",
            .. files,
        ]);
        var (exit, _, lines) = await ProtocProcess.RunAsync(new(arguments.Protoc, "@" + Path.GetFileName(list))
        {
            WorkingDirectory = Path.GetDirectoryName(Path.GetFullPath(list)),
        });
        return (exit, lines);
    }

    /// <summary>Reads the errors of all files. protoc stops after the first of its files that has an error, but reads all imports of a
    /// file. So there is a file that imports all of them.</summary>
    static async Task<IReadOnlyList<string>> ReadAllErrorsAsync(Arguments arguments, string descriptors)
    {
        const string name = "protoc-gen-slab.all.proto";
        var path = Path.Combine(arguments.Output, name);
        await File.WriteAllLinesAsync(path, arguments.Files.Select(file =>
            $"import \"{file.Name.Replace("\"", "\\\"", StringComparison.Ordinal)}\";").Prepend("syntax = \"proto3\";"));
        var (_, lines) = await RunAsync(arguments, descriptors, [name]);
        File.Delete(path);
        return [.. lines.Where(line => !line.Contains(name, StringComparison.Ordinal))];
    }

    /// <summary>Reduces the errors of protoc to one for each fault. protoc reports a missing import several times: as a file, as an import,
    /// at each file that imports this one, and at each use of a type of it.</summary>
    static IEnumerable<string> Explain(IReadOnlyList<string> lines, Arguments arguments)
    {
        var places = lines.Select(line => Place().Match(line)).ToList();
        var missing = lines.Where(IsNotFound).Select(line => line[..^notFound.Length]).ToHashSet();
        var incomplete = places.Where(place => Import().IsMatch(Text(place))).Select(File).ToHashSet();
        foreach (var (line, place) in lines.Zip(places))
        {
            if (Import().Match(Text(place)) is { Success: true } import)
            {
                // the first place only
                var name = import.Groups["name"].Value;
                if (!missing.Remove(name)) continue;
                yield return $"{Position(place, arguments)}: error SLAB017: {Missing(name, File(place), arguments)}";
            }
            else if (!IsNotFound(line) && !(incomplete.Contains(File(place)) && IsNotDefined(Text(place))))
            {
                yield return Translate(line, arguments);
            }
        }

        // items that do not exist, and that no file imports
        foreach (var name in missing) yield return Translate(name + notFound, arguments);

        static bool IsNotFound(string line) => line.EndsWith(notFound, StringComparison.Ordinal);

        static bool IsNotDefined(string text) => text.EndsWith("is not defined.", StringComparison.Ordinal);

        static string Text(Match place) => place.Groups["text"].Value;

        static string File(Match place) => place.Groups["file"].Value;
    }

    static string Missing(string name, string importer, Arguments arguments)
    {
        // the file itself, among the items and in the folders above the file that imports it
        var end = Path.DirectorySeparatorChar + name.Replace('/', Path.DirectorySeparatorChar);
        var found = arguments.Files.Select(item => item.Path).FirstOrDefault(path => path.EndsWith(end, StringComparison.Ordinal))
            ?? Above(FindFile(importer, arguments)).Select(folder => Path.GetFullPath(name, folder)).FirstOrDefault(File.Exists);
        var folders = string.Join(", ", arguments.Roots.Order(StringComparer.Ordinal));
        return $"The imported file {name} is in none of the folders {folders}. "
            + (found is null ? "Add the folder that it is in to AdditionalImportDirs, or as a SlabImport item."
                : $"It is {found}: write ProtoRoot=\"{arguments.FromProject(found[..^end.Length])}\".");

        static IEnumerable<string> Above(string path)
        {
            while (Path.GetDirectoryName(path) is { Length: > 0 } folder) yield return path = folder;
        }
    }

    /// <summary>Translates "zoo.proto:3:5: text" to "/full/zoo.proto(3,5): error SLAB100: text".</summary>
    static string Translate(string line, Arguments arguments)
    {
        var match = Place().Match(line);
        if (!match.Success) return Plain(line, arguments);
        var text = match.Groups["text"].Value;
        var isWarning = text.StartsWith("warning:", StringComparison.Ordinal);
        if (isWarning) text = text["warning:".Length..].TrimStart();
        return $"{Position(match, arguments)}: {(isWarning ? "warning SLAB101" : "error SLAB100")}: {text}";
    }

    static string Position(Match place, Arguments arguments) =>
        $"{FindFile(place.Groups["file"].Value, arguments)}({place.Groups["line"]},{place.Groups["column"]})";

    static string Plain(string line, Arguments arguments)
    {
        var colon = line.IndexOf(".proto:", StringComparison.Ordinal);
        if (colon < 0) return "protoc-gen-slab: error SLAB100: " + line;
        var file = line[..(colon + ".proto".Length)];
        return $"{FindFile(file, arguments)}(1,1): error SLAB100: {line[(colon + ".proto:".Length)..].TrimStart()}";
    }

    /// <summary>Finds the path of a file by its name in protoc.</summary>
    public static string FindFile(string name, Arguments arguments) =>
        arguments.Find(name)?.Path ?? arguments.PathOf(name) ?? name;

    [GeneratedRegex("^Import \"(?<name>.+)\" was not found or had errors\\.$")]
    private static partial Regex Import();

    [GeneratedRegex("^(?<file>.+?):(?<line>[0-9]+):(?<column>[0-9]+): (?<text>.*)$")]
    private static partial Regex Place();
}
