using System.Text.Json.Nodes;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains;

namespace ProtoBench.Harness.Toolchains;

/// <summary>
/// Prepares the folder of a measured program: copies of this program's assemblies, so that
/// building the repository again does not disturb a run, and the runtime's settings of the job.
/// </summary>
sealed class PrebuiltGenerator : GeneratorBase
{
    static readonly string source = Path.GetDirectoryName(typeof(PrebuiltGenerator).Assembly.Location)!;

    // A folder below the program's own: whatever looks for the checkout from there finds it.
    protected override string GetBuildArtifactsDirectoryPath(BuildPartition assemblyLocation, string programName) =>
        Path.Combine(source, programName);

    protected override string GetExecutableExtension() => ".dll";

    protected override string[] GetArtifactsToCleanup(ArtifactsPaths artifactsPaths) => [artifactsPaths.BuildArtifactsDirectoryPath];

    protected override void CopyAllRequiredFiles(ArtifactsPaths artifactsPaths)
    {
        Directory.CreateDirectory(artifactsPaths.BinariesDirectoryPath);
        foreach (var assembly in Directory.EnumerateFiles(source, "*.dll"))
            File.Copy(assembly, Path.Combine(artifactsPaths.BinariesDirectoryPath, Path.GetFileName(assembly)), overwrite: true);
    }

    protected override void GenerateAppConfig(BuildPartition buildPartition, ArtifactsPaths artifactsPaths)
    {
        // .NET Framework only
    }

    /// <summary>The runtime's settings: those of this program, with the collector that the job asks for.</summary>
    protected override void GenerateProject(BuildPartition buildPartition, ArtifactsPaths artifactsPaths, ILogger logger)
    {
        var program = buildPartition.RepresentativeBenchmarkCase.Descriptor.Type.Assembly.GetName().Name;
        var settings = JsonNode.Parse(File.ReadAllText(Path.Combine(source, program + ".runtimeconfig.json")))!.AsObject();
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

    protected override void GenerateBuildScript(BuildPartition buildPartition, ArtifactsPaths artifactsPaths)
    {
        // PrebuiltBuilder runs no command
    }
}
