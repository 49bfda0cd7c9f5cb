using System.Text.RegularExpressions;

namespace ProtoBench.Codec.Generator.Build;

/// <summary>Runs protoc, which reads .proto files and writes descriptors of them.</summary>
static partial class Protoc
{
    /// <returns>The errors, in the format of MSBuild; empty if the descriptors were written.</returns>
    public static async Task<IReadOnlyList<string>> RunAsync(Arguments arguments, string descriptors)
    {
        var list = Path.ChangeExtension(descriptors, ".protoc.txt");
        await File.WriteAllLinesAsync(list,
        [
            .. arguments.Roots.Select(root => "--proto_path=" + root),
            "--descriptor_set_out=" + descriptors,
            "--include_imports",
            "--include_source_info",
            // protoc treats a name that begins with - as an option; a path does not begin with -, because it begins with its folder
            .. arguments.Files.Select(file => file.Name.StartsWith('-') ? file.Path : file.Name),
        ]);
        var (exit, _, lines) = await ProtocProcess.RunAsync(new(arguments.Protoc, "@" + Path.GetFileName(list))
        {
            WorkingDirectory = Path.GetDirectoryName(Path.GetFullPath(list)),
        });
        if (exit != 0) return [.. lines.Select(line => Translate(line, arguments))];
        foreach (var warning in lines) await Console.Error.WriteLineAsync(Translate(warning, arguments));
        return [];
    }

    /// <summary>Translates "zoo.proto:3:5: text" to "/full/zoo.proto(3,5): error SLAB100: text".</summary>
    static string Translate(string line, Arguments arguments)
    {
        var match = Place().Match(line);
        if (!match.Success) return Plain(line, arguments);
        var text = match.Groups["text"].Value;
        var isWarning = text.StartsWith("warning:", StringComparison.Ordinal);
        if (isWarning) text = text["warning:".Length..].TrimStart();
        return $"{FindFile(match.Groups["file"].Value, arguments)}({match.Groups["line"]},{match.Groups["column"]}): "
            + $"{(isWarning ? "warning SLAB101" : "error SLAB100")}: {text}";
    }

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

    [GeneratedRegex("^(?<file>.+?):(?<line>[0-9]+):(?<column>[0-9]+): (?<text>.*)$")]
    private static partial Regex Place();
}
