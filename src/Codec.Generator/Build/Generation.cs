using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Constructs;
using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Build;

/// <summary>One run: .proto files to C# files. Either all files are written or none.</summary>
static class Generation
{
    public static async Task<IReadOnlyList<string>> RunAsync(Arguments arguments)
    {
        Directory.CreateDirectory(arguments.Output);
        var twice = arguments.Files.GroupBy(file => file.Name, StringComparer.OrdinalIgnoreCase).FirstOrDefault(group => group.Count() > 1);
        if (twice is not null)
            return [$"{twice.Last().Path}(1,1): error SLAB005: Two files of this build have the name '{twice.Key}' below their ProtoRoot."];

        var descriptors = Path.Combine(arguments.Output, "descriptors.bin");
        var errors = await Protoc.RunAsync(arguments, descriptors);
        if (errors.Count > 0) return errors;

        FileDescriptorSet set;
        using (var input = File.OpenRead(descriptors)) set = FileDescriptorSet.Parser.ParseFrom(input);
        var diagnostics = new Diagnostics();
        var schema = new Schema(set.File, arguments, diagnostics);
        if (diagnostics.Errors.Count > 0) return diagnostics.Errors;

        await WriteAsync(arguments, schema);
        await WriteImportsAsync(arguments, schema);
        return [];
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
            path = path[..^".slab.cs".Length] + ".google.slab.cs";
            await WriteIfChangedAsync(path, GoogleConversions.Write(file));
            written.Add(path);
        }

        // what is left of a .proto that is gone would be compiled too
        foreach (var path in Directory.EnumerateFiles(arguments.Output, "*.slab.cs", SearchOption.AllDirectories))
        {
            if (!written.Contains(Path.GetFullPath(path))) File.Delete(path);
        }

        // a build generates again when one of them is gone
        await WriteIfChangedAsync(Path.Combine(arguments.Output, "generated.txt"), string.Concat(written.Select(path => path + "\n")));
    }

    /// <summary>Lists imported files that are no items of the build: a change of one is a reason to generate again.</summary>
    static Task WriteImportsAsync(Arguments arguments, Schema schema) =>
        WriteIfChangedAsync(Path.Combine(arguments.Output, "imports.txt"),
            string.Concat(schema.Files.Where(file => file.Item is null).Select(file => file.DiskPath + "\n")));

    static async Task WriteIfChangedAsync(string path, string text)
    {
        if (File.Exists(path) && await File.ReadAllTextAsync(path) == text) return;
        await File.WriteAllTextAsync(path, text);
    }
}
