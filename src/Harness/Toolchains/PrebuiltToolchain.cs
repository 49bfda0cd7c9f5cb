using System.Diagnostics;
using System.Reflection;
using System.Text.Json.Nodes;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains;
using BenchmarkDotNet.Toolchains.DotNetCli;
using BenchmarkDotNet.Toolchains.Results;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace ProtoBench.Harness.Toolchains;

/// <summary>
/// Runs each cell in a separate process, as BenchmarkDotNet's default toolchain does, and builds no project. The assemblies of this program
/// are copied, and only the generated entry point is compiled, in this process. So a run measures the assemblies that were validated, needs
/// no SDK, and has no build that could exceed a time limit.
/// </summary>
sealed class PrebuiltToolchain : Toolchain, IEquatable<PrebuiltToolchain>
{
    /// <summary>Creates the toolchain. It has no state, and all instances are equal.</summary>
    // null is the dotnet that runs this process; BenchmarkDotNet has no annotations
    public PrebuiltToolchain()
        : base("Prebuilt", new PrebuiltGenerator(), new PrebuiltBuilder(), new DotNetCliExecutor(customDotNetCliPath: null!))
    {
    }

    /// <summary>Gets whether the assemblies were compiled with optimization. Those of a Debug build must not be measured.</summary>
    public static bool CanMeasure { get; } = typeof(PrebuiltToolchain).Assembly
        .GetCustomAttributes(typeof(DebuggableAttribute), inherit: false)
        .Cast<DebuggableAttribute>()
        .All(attribute => !attribute.IsJITOptimizerDisabled);

    // BenchmarkDotNet builds one program for all cells with equal toolchains.
    public bool Equals(PrebuiltToolchain? other) => other is not null;

    public override bool Equals(object? obj) => obj is PrebuiltToolchain;

    public override int GetHashCode() => typeof(PrebuiltToolchain).GetHashCode();
}

/// <summary>Prepares a measured program from the assemblies of this program.</summary>
abstract class OwnGenerator : GeneratorBase
{
    protected static string Source { get; } = Path.GetDirectoryName(typeof(OwnGenerator).Assembly.Location)!;

    // A folder below the program's own, so that a search for the checkout in the parent folders finds it. Two runs of one program, which
    // have the same name in BenchmarkDotNet, have different folders.
    protected override string GetBuildArtifactsDirectoryPath(BuildPartition assemblyLocation, string programName) =>
        Path.Combine(Source, $"{programName}-{Environment.ProcessId}");

    protected override string[] GetArtifactsToCleanup(ArtifactsPaths artifactsPaths) => [artifactsPaths.BuildArtifactsDirectoryPath];

    protected static JsonObject RuntimeSettings(BuildPartition partition) => JsonNode.Parse(File.ReadAllText(Path.Combine(
        Source, partition.RepresentativeBenchmarkCase.Descriptor.Type.Assembly.GetName().Name + ".runtimeconfig.json")))!.AsObject();

    // .NET Framework only
    protected override void GenerateAppConfig(BuildPartition buildPartition, ArtifactsPaths artifactsPaths)
    {
    }

    // the builders run no script
    protected override void GenerateBuildScript(BuildPartition buildPartition, ArtifactsPaths artifactsPaths)
    {
    }
}

/// <summary>
/// Prepares the folder of a measured program: copies of this program's assemblies, so that building the repository again does not disturb a
/// run, and the runtime settings of the job.
/// </summary>
sealed class PrebuiltGenerator : OwnGenerator
{
    protected override string GetExecutableExtension() => ".dll";

    protected override void CopyAllRequiredFiles(ArtifactsPaths artifactsPaths)
    {
        Directory.CreateDirectory(artifactsPaths.BinariesDirectoryPath);
        foreach (var assembly in Directory.EnumerateFiles(Source, "*.dll"))
            File.Copy(assembly, Path.Combine(artifactsPaths.BinariesDirectoryPath, Path.GetFileName(assembly)), overwrite: true);
        File.WriteAllText(Path.ChangeExtension(artifactsPaths.ExecutablePath, ".deps.json"), Dependencies().ToJsonString());
    }

    // The versions of the assemblies. Without them the host prefers an assembly of the shared framework: ASP.NET Core's has an older
    // System.Formats.Cbor.
    static JsonObject Dependencies()
    {
        const string target = ".NETCoreApp", library = "ProtoBench/1.0.0";
        var assemblies = new JsonObject();
        foreach (var path in Directory.EnumerateFiles(Source, "*.dll"))
        {
            try
            {
                assemblies[Path.GetFileName(path)] = new JsonObject
                {
                    ["assemblyVersion"] = AssemblyName.GetAssemblyName(path).Version!.ToString(),
                    ["fileVersion"] = FileVersionInfo.GetVersionInfo(path).FileVersion,
                };
            }
            catch (BadImageFormatException)
            {
                // a native library, which the host does not look for in the list
            }
        }

        return new()
        {
            ["runtimeTarget"] = new JsonObject { ["name"] = target },
            ["targets"] = new JsonObject { [target] = new JsonObject { [library] = new JsonObject { ["runtime"] = assemblies } } },
            ["libraries"] = new JsonObject { [library] = new JsonObject { ["type"] = "project", ["serviceable"] = false, ["sha512"] = "" } },
        };
    }

    /// <summary>Writes the runtime settings: those of this program, with the GC mode of the job.</summary>
    protected override void GenerateProject(BuildPartition buildPartition, ArtifactsPaths artifactsPaths, ILogger logger)
    {
        var settings = RuntimeSettings(buildPartition);
        var options = settings["runtimeOptions"]!.AsObject();
        var properties = options["configProperties"]?.AsObject();
        if (properties is null)
            options["configProperties"] = properties = [];
        var collector = buildPartition.RepresentativeBenchmarkCase.Job.Environment.Gc;
        properties["System.GC.Server"] = collector.ResolveValue(GcMode.ServerCharacteristic, buildPartition.Resolver);
        properties["System.GC.Concurrent"] = collector.ResolveValue(GcMode.ConcurrentCharacteristic, buildPartition.Resolver);
        if (collector.HasValue(GcMode.RetainVmCharacteristic))
            properties["System.GC.RetainVM"] = collector.ResolveValue(GcMode.RetainVmCharacteristic, buildPartition.Resolver);
        File.WriteAllText(Path.ChangeExtension(artifactsPaths.ExecutablePath, ".runtimeconfig.json"), settings.ToJsonString());
    }
}

/// <summary>Compiles the entry point that BenchmarkDotNet generated with references to the assemblies of this process. Nothing else is
/// built.</summary>
sealed class PrebuiltBuilder : IBuilder
{
    // The measured process has copies of the assemblies that this process may load.
    static readonly Lazy<MetadataReference[]> references = new(() =>
        [.. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Select(path => MetadataReference.CreateFromFile(path))]);

    // The list of dependencies is for the host. DependencyContext would open it, for a library that looks for types in all assemblies.
    const string noListOfDependencies = """
        static class NoListOfDependencies
        {
            [System.Runtime.CompilerServices.ModuleInitializer]
            internal static void Initialize() => System.AppContext.SetData("APP_CONTEXT_DEPS_FILES", null);
        }
        """;

    public BuildResult Build(GenerateResult generateResult, BuildPartition buildPartition, ILogger logger)
    {
        var paths = generateResult.ArtifactsPaths;
        var compilation = CSharpCompilation.Create(
            paths.ProgramName,
            [CSharpSyntaxTree.ParseText(File.ReadAllText(paths.ProgramCodePath)), CSharpSyntaxTree.ParseText(noListOfDependencies)],
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
