using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator;

/// <summary>What the generator refuses, each with its place in a .proto, in the form that MSBuild and editors know.</summary>
sealed class Diagnostics
{
    readonly List<string> errors = [];

    public IReadOnlyList<string> Errors => errors;

    /// <param name="file">The file.</param>
    /// <param name="path">The element, as descriptor.proto numbers it.</param>
    /// <param name="code">SLAB and three digits; docs/codec.md has the list.</param>
    /// <param name="text">What is wrong and what to do.</param>
    public void Error(ProtoFile file, IReadOnlyList<int> path, string code, string text)
    {
        var (line, column) = file.Source.PlaceOf(path);
        var error = $"{file.DiskPath}({line},{column}): error {code}: {text}";

        // one line, also where the .proto or its name contains line breaks
        errors.Add(string.Concat(error.Select(c => char.IsControl(c) || CodeWriter.EndsLine(c) ? '?' : c)));
    }
}
