using System.Globalization;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains;

namespace ProtoBench.Harness.Toolchains;

/// <summary>Prepares the folder of a program that is compiled ahead of time: a project around
/// the entry point that BenchmarkDotNet has generated, and this program's assemblies.</summary>
sealed class NativeAotGenerator : GeneratorBase
{
    const string folder = "aot";

    static readonly string source = Path.GetDirectoryName(typeof(NativeAotGenerator).Assembly.Location)!;

    protected override string GetBuildArtifactsDirectoryPath(BuildPartition assemblyLocation, string programName) =>
        Path.Combine(source, programName);

    protected override string GetProjectFilePath(string buildArtifactsDirectoryPath) =>
        Path.Combine(buildArtifactsDirectoryPath, "Measured.csproj");

    protected override string GetBinariesDirectoryPath(string buildArtifactsDirectoryPath, string configuration) =>
        Path.Combine(buildArtifactsDirectoryPath, folder);

    protected override string GetExecutableExtension() => OperatingSystem.IsWindows() ? ".exe" : "";

    protected override string[] GetArtifactsToCleanup(ArtifactsPaths artifactsPaths) => [artifactsPaths.BuildArtifactsDirectoryPath];

    protected override void CopyAllRequiredFiles(ArtifactsPaths artifactsPaths) =>
        Directory.CreateDirectory(artifactsPaths.BuildArtifactsDirectoryPath);

    protected override void GenerateAppConfig(BuildPartition buildPartition, ArtifactsPaths artifactsPaths)
    {
        // .NET Framework only
    }

    protected override void GenerateBuildScript(BuildPartition buildPartition, ArtifactsPaths artifactsPaths)
    {
        // NativeAotBuilder calls dotnet itself
    }

    protected override void GenerateProject(BuildPartition buildPartition, ArtifactsPaths artifactsPaths, ILogger logger)
    {
        // In lower case: the runtime of native code takes "True" for false.
        var collector = buildPartition.RepresentativeBenchmarkCase.Job.Environment.Gc;
        var server = collector.ResolveValue(GcMode.ServerCharacteristic, buildPartition.Resolver);
        var concurrent = collector.ResolveValue(GcMode.ConcurrentCharacteristic, buildPartition.Resolver);
        var references =
            string.Join("\n", Directory.EnumerateFiles(source, "*.dll").Select(file => $"    <Reference Include=\"{file}\" />"));

        // Everything that the cells can reach is compiled, and of BenchmarkDotNet what it finds
        // by reflection. Code that only the parent process uses may warn: it is never called.
        File.WriteAllText(artifactsPaths.ProjectFilePath, string.Create(CultureInfo.InvariantCulture, $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>{CurrentRuntime.Moniker}</TargetFramework>
                <AssemblyName>{artifactsPaths.ProgramName}</AssemblyName>
                <EnableDefaultCompileItems>false</EnableDefaultCompileItems>
                <AllowUnsafeBlocks>true</AllowUnsafeBlocks>
                <PublishAot>true</PublishAot>
                <OptimizationPreference>Speed</OptimizationPreference>
                <IlcInstructionSet>native</IlcInstructionSet>
                <InvariantGlobalization>true</InvariantGlobalization>
                <ServerGarbageCollection>{(server ? "true" : "false")}</ServerGarbageCollection>
                <ConcurrentGarbageCollection>{(concurrent ? "true" : "false")}</ConcurrentGarbageCollection>
                <SuppressTrimAnalysisWarnings>true</SuppressTrimAnalysisWarnings>
                <NoWarn>$(NoWarn);IL2104;IL3053;CS1591;MSB3277</NoWarn>
              </PropertyGroup>
              <ItemGroup>
                <Compile Include="{artifactsPaths.ProgramCodePath}" />
            {references}
                <TrimmerRootAssembly Include="Perfolizer" />
                <RdXmlFile Include="rd.xml" />
              </ItemGroup>
            </Project>

            """));
        File.WriteAllText(Path.Combine(artifactsPaths.BuildArtifactsDirectoryPath, "rd.xml"), """
            <Directives>
              <Application>
                <Assembly Name="BenchmarkDotNet" Dynamic="Required All" />
                <Assembly Name="System.Runtime"><Type Name="System.GC" Dynamic="Required All" /></Assembly>
                <Assembly Name="System.Threading.ThreadPool"><Type Name="System.Threading.ThreadPool" Dynamic="Required All" /></Assembly>
                <Assembly Name="System.Threading"><Type Name="System.Threading.Monitor" Dynamic="Required All" /></Assembly>
              </Application>
            </Directives>

            """);
    }
}
