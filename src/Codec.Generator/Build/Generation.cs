using ProtoBench.Codec.Generator.Constructs;
using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Build;

/// <summary>Generates C# files from .proto files. Either all files are written or none.</summary>
static class Generation
{
    public static async Task<IReadOnlyList<string>> RunAsync(Arguments arguments)
    {
        Directory.CreateDirectory(arguments.Output);
        if (FindClash(arguments.Files) is { } clash) return [clash];

        var descriptors = Path.Combine(arguments.Output, "descriptors.bin");
        var errors = await Protoc.RunAsync(arguments, descriptors);
        if (errors.Count > 0) return errors;

        var reader = new DescriptorReader();
        var set = reader.Read(await File.ReadAllBytesAsync(descriptors));
        var diagnostics = new Diagnostics();
        var schema = new Schema(set.File, arguments, diagnostics);
        Restrictions.CheckDefaults(schema.Files, reader.IsReplaced, diagnostics);
        if (diagnostics.Errors.Count > 0) return diagnostics.Errors;

        await WriteAsync(arguments, schema);
        await WriteImportsAsync(arguments, schema);
        return [];
    }

    /// <summary>Finds two files that would be generated into the same file: they have the same name below their roots, or differ only in
    /// the extension.</summary>
    static string? FindClash(IEnumerable<ProtoItem> files)
    {
        var outputs = new Dictionary<string, ProtoItem>(StringComparer.OrdinalIgnoreCase);
        foreach (var file in files)
        {
            foreach (var output in file.Outputs)
            {
                if (outputs.TryAdd(output, file)) continue;
                return $"{file.Path}(1,1): error SLAB005: This file and {outputs[output].Path} would both be generated as '{output}'. "
                    + "The names of files below their ProtoRoot must differ.";
            }
        }

        return null;
    }

    static async Task WriteAsync(Arguments arguments, Schema schema)
    {
        var written = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        foreach (var file in schema.Files.Where(file => file.IsGenerated))
        {
            var path = Path.GetFullPath(Path.Combine(arguments.Output, file.Item!.Output));
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            await WriteIfChangedAsync(path, FileCode.Write(file));
            written.Add(path);
            if (!file.Item.HasGoogleConversions) continue;
            path = Path.GetFullPath(Path.Combine(arguments.Output, file.Item.ConversionsOutput));
            await WriteIfChangedAsync(path, GoogleConversions.Write(file));
            written.Add(path);
        }

        // the output of a .proto file that was deleted would be compiled, too
        foreach (var path in Directory.EnumerateFiles(arguments.Output, "*.slab.cs", SearchOption.AllDirectories))
        {
            if (!written.Contains(Path.GetFullPath(path))) File.Delete(path);
        }

        // a build generates all files again if one of the listed files is missing
        await WriteIfChangedAsync(Path.Combine(arguments.Output, "generated.txt"), string.Concat(written.Select(path => path + "\n")));
    }

    /// <summary>Lists the imported files that are not items of the build, because a change of such a file requires a new
    /// generation.</summary>
    static Task WriteImportsAsync(Arguments arguments, Schema schema) =>
        WriteIfChangedAsync(Path.Combine(arguments.Output, "imports.txt"),
            string.Concat(schema.Files.Where(file => file.Item is null).Select(file => file.DiskPath + "\n")));

    static async Task WriteIfChangedAsync(string path, string text)
    {
        if (File.Exists(path) && await File.ReadAllTextAsync(path) == text) return;
        await File.WriteAllTextAsync(path, text);
    }
}
