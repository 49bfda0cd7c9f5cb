using ProtoBench.Codec.Generator.Constructs;
using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Build;

/// <summary>Generates C# files from .proto files. Either all files are written or none.</summary>
static class Generation
{
    public static async Task<IReadOnlyList<string>> RunAsync(Arguments arguments)
    {
        Directory.CreateDirectory(arguments.Output);
        List<string> errors = [.. arguments.Files.Select(file => RootFault(file, arguments)).OfType<string>()];
        if (errors.Count == 0 && FindClash(arguments.Files) is { } clash) errors.Add(clash);
        if (errors.Count > 0) return errors;

        List<ProtoFile> files = [], imports = [];
        foreach (var (i, run) in arguments.Runs().Index())
        {
            var descriptors = Path.Combine(arguments.Output, i == 0 ? "descriptors.bin" : $"descriptors.{i}.bin");
            if (await Protoc.RunAsync(run, descriptors) is { Count: > 0 } refused)
            {
                errors.AddRange(refused);
                continue;
            }

            var reader = new DescriptorReader();
            var set = reader.Read(await File.ReadAllBytesAsync(descriptors));
            var diagnostics = new Diagnostics();
            var schema = new Schema(set.File, run, diagnostics);
            Restrictions.CheckDefaults(schema.Files, reader.IsReplaced, diagnostics);
            errors.AddRange(diagnostics.Errors);
            files.AddRange(schema.Files.Where(file => file.IsGenerated && run.Files.Contains(file.Item)));
            imports.AddRange(schema.Files.Where(file => file.Item is null));
        }

        if (errors.Count > 0) return [.. errors.Distinct()];
        await WriteAsync(arguments, files);

        // A change of an imported file that is not an item of the build requires a new generation, too.
        await WriteIfChangedAsync(Path.Combine(arguments.Output, "imports.txt"),
            string.Concat(imports.Select(file => file.DiskPath + "\n").Distinct()));
        return [];
    }

    static string? RootFault(ProtoItem file, Arguments arguments)
    {
        if (!file.Name.StartsWith("../", StringComparison.Ordinal) && !Path.IsPathRooted(file.Name)) return null;
        return $"{file.Path}(1,1): error SLAB015: The folder of ProtoRoot, {file.Root}, does not contain this file. Imports are relative to "
            + $"ProtoRoot. If this file is imported by its name alone, write ProtoRoot=\"{arguments.FromProject(Path.GetDirectoryName(file.Path)!)}\".";
    }

    /// <summary>Finds two files that would be generated into the same file: they are the same file, or differ only in the extension or in
    /// the case of letters.</summary>
    static string? FindClash(IEnumerable<ProtoItem> files)
    {
        var outputs = new Dictionary<string, ProtoItem>(StringComparer.OrdinalIgnoreCase);
        foreach (var file in files)
        {
            foreach (var output in file.Outputs.Select(output => Path.Combine(file.OutputDir, output)))
            {
                if (outputs.TryAdd(output, file)) continue;
                return $"{file.Path}(1,1): error SLAB005: This file and {outputs[output].Path} would both be generated as '{output}'. "
                    + "The names of files below their ProtoRoot must differ.";
            }
        }

        return null;
    }

    static async Task WriteAsync(Arguments arguments, IReadOnlyList<ProtoFile> files)
    {
        var folder = arguments.Output;
        var list = Path.Combine(folder, "generated.txt");
        HashSet<string> old = File.Exists(list) ? [.. await File.ReadAllLinesAsync(list)] : [];
        old.UnionWith(Directory.EnumerateFiles(folder, "*.slab.cs", SearchOption.AllDirectories).Select(Path.GetFullPath));
        List<string> written = [], compiled = [];
        foreach (var file in files)
        {
            await WriteAsync(file, file.Item!.Output, FileCode.Write(file));
            if (file.Item.HasGoogleConversions) await WriteAsync(file, file.Item.ConversionsOutput, GoogleConversions.Write(file));
        }

        // the output of a .proto file that was deleted would be compiled, too
        foreach (var path in old.Except(written, StringComparer.OrdinalIgnoreCase)) File.Delete(path);

        // a build generates all files again if one of the listed files is missing
        await WriteIfChangedAsync(list, string.Concat(written.Select(path => path + "\n")));
        await WriteIfChangedAsync(Path.Combine(folder, "compiled.txt"), string.Concat(compiled.Select(path => path + "\n")));

        async Task WriteAsync(ProtoFile file, string output, string code)
        {
            var path = Path.GetFullPath(Path.Combine(folder, file.Item!.OutputDir, output));
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            await WriteIfChangedAsync(path, code);
            written.Add(path);
            if (file.Item.IsCompiled) compiled.Add(arguments.FromProject(path));
        }
    }

    static async Task WriteIfChangedAsync(string path, string text)
    {
        if (File.Exists(path) && await File.ReadAllTextAsync(path) == text) return;
        await File.WriteAllTextAsync(path, text);
    }
}
