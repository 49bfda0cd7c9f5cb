using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains;
using BenchmarkDotNet.Toolchains.Results;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace ProtoBench.Harness.Toolchains;

/// <summary>Compiles the entry point that BenchmarkDotNet has generated
/// against the assemblies of this process. Nothing else is built.</summary>
sealed class PrebuiltBuilder : IBuilder
{
    // The assemblies that this process may load are those that the measured one will have beside it.
    static readonly Lazy<MetadataReference[]> references = new(() =>
        [.. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Select(path => MetadataReference.CreateFromFile(path))]);

    public BuildResult Build(GenerateResult generateResult, BuildPartition buildPartition, ILogger logger)
    {
        var paths = generateResult.ArtifactsPaths;
        var compilation = CSharpCompilation.Create(
            paths.ProgramName,
            [CSharpSyntaxTree.ParseText(File.ReadAllText(paths.ProgramCodePath))],
            references.Value,
            new CSharpCompilationOptions(OutputKind.ConsoleApplication, optimizationLevel: OptimizationLevel.Release, allowUnsafe: true,
                deterministic: true));
        using var executable = File.Create(paths.ExecutablePath);
        var emitted = compilation.Emit(executable);
        return emitted.Success
            ? BuildResult.Success(generateResult)
            : BuildResult.Failure(generateResult,
                string.Join('\n', emitted.Diagnostics.Where(diagnostic => diagnostic.Severity == DiagnosticSeverity.Error)));
    }
}
