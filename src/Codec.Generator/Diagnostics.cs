using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator;

/// <summary>Collects the errors of the generator, each with its position in a .proto file, in the format of MSBuild and editors.</summary>
sealed class Diagnostics
{
    readonly List<string> errors = [];

    public IReadOnlyList<string> Errors => errors;

    /// <param name="file">The file.</param>
    /// <param name="path">The path of the element, as specified in descriptor.proto.</param>
    /// <param name="code">The code of the error: SLAB and three digits. docs/codec.md lists the codes.</param>
    /// <param name="text">The error, and how to correct it.</param>
    public void Error(ProtoFile file, IReadOnlyList<int> path, string code, string text)
    {
        var (line, column) = file.Source.PlaceOf(path);
        var error = $"{file.DiskPath}({line},{column}): error {code}: {text}";

        // one line, even if the .proto file or its name contains line breaks
        errors.Add(string.Concat(error.Select(c => char.IsControl(c) || CodeWriter.EndsLine(c) ? '?' : c)));
    }
}
