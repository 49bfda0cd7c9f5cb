using System.Diagnostics;
using System.Runtime.Intrinsics.X86;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains;
using BenchmarkDotNet.Toolchains.Results;

namespace ProtoBench.Harness.Toolchains;

/// <summary>
/// Runs cells in programs that are compiled ahead of time from the assemblies of this program, so that they measure the same assemblies as
/// the rows of the JIT. BenchmarkDotNet's own toolchain would build the project of the cells again. Needs the SDK and a linker (clang or
/// gcc).
/// </summary>
/// <param name="reflected">The names of the assemblies whose members a library finds by reflection. They are compiled completely.</param>
sealed class NativeAotToolchain(params string[] reflected)
    : Toolchain("NativeAOT", new NativeAotGenerator(reflected), new NativeAotBuilder(), new Executor()), IEquatable<NativeAotToolchain>
{
    readonly string[] reflected = reflected;

    // BenchmarkDotNet builds one program for all cells with equal toolchains.
    public bool Equals(NativeAotToolchain? other) => other is not null && reflected.SequenceEqual(other.reflected);

    public override bool Equals(object? obj) => Equals(obj as NativeAotToolchain);

    public override int GetHashCode() => typeof(NativeAotToolchain).GetHashCode();
}

/// <summary>Prepares the folder of a program that is compiled ahead of time: a project with the entry point that BenchmarkDotNet generated,
/// and this program's assemblies.</summary>
sealed class NativeAotGenerator(string[] reflected) : OwnGenerator
{
    const string folder = "aot";

    protected override string GetProjectFilePath(string buildArtifactsDirectoryPath) =>
        Path.Combine(buildArtifactsDirectoryPath, "Measured.csproj");

    protected override string GetBinariesDirectoryPath(string buildArtifactsDirectoryPath, string configuration) =>
        Path.Combine(buildArtifactsDirectoryPath, folder);

    protected override string GetExecutableExtension() => OperatingSystem.IsWindows() ? ".exe" : "";

    protected override void CopyAllRequiredFiles(ArtifactsPaths artifactsPaths) =>
        Directory.CreateDirectory(artifactsPaths.BuildArtifactsDirectoryPath);

    protected override void GenerateProject(BuildPartition buildPartition, ArtifactsPaths artifactsPaths, ILogger logger)
    {
        // lower case, because the runtime of native code reads "True" as false
        var collector = buildPartition.RepresentativeBenchmarkCase.Job.Environment.Gc;
        var server = collector.ResolveValue(GcMode.ServerCharacteristic, buildPartition.Resolver);
        var concurrent = collector.ResolveValue(GcMode.ConcurrentCharacteristic, buildPartition.Resolver);
        var settings = RuntimeSettings(buildPartition)["runtimeOptions"]!;
        var frameworks = string.Join("\n",
            (settings["frameworks"]?.AsArray() ?? []).Select(framework => (string)framework!["name"]!)
                .Where(name => name != "Microsoft.NETCore.App").Select(name => $"    <FrameworkReference Include=\"{name}\" />"));
        var references =
            string.Join("\n", Directory.EnumerateFiles(Source, "*.dll").Select(file => $"    <Reference Include=\"{file}\" />"));

        // The JIT uses all instructions of the processor. "native" would too, but it crashes the compiler of .NET 10.0.12 on a processor
        // with AVX-512. x86-64-v3 is AVX2 and BMI2.
        var instructionSet = Avx2.IsSupported && Bmi2.IsSupported ? "x86-64-v3" : "";

        // Everything that the cells can reach is compiled, and the members that BenchmarkDotNet and the measured libraries find by
        // reflection. Code that only the parent process uses may warn, because it is never called.
        File.WriteAllText(artifactsPaths.ProjectFilePath, string.Create(CultureInfo.InvariantCulture, $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <AssemblyName>{artifactsPaths.ProgramName}</AssemblyName>
                <EnableDefaultCompileItems>false</EnableDefaultCompileItems>
                <AllowUnsafeBlocks>true</AllowUnsafeBlocks>
                <PublishAot>true</PublishAot>
                <OptimizationPreference>Speed</OptimizationPreference>
                <IlcInstructionSet>{instructionSet}</IlcInstructionSet>
                <InvariantGlobalization>true</InvariantGlobalization>
                <ServerGarbageCollection>{(server ? "true" : "false")}</ServerGarbageCollection>
                <ConcurrentGarbageCollection>{(concurrent ? "true" : "false")}</ConcurrentGarbageCollection>
                <SuppressTrimAnalysisWarnings>true</SuppressTrimAnalysisWarnings>
                <NoWarn>$(NoWarn);IL2104;IL3053;CS1591;MSB3277</NoWarn>
              </PropertyGroup>
              <ItemGroup>
                <Compile Include="{artifactsPaths.ProgramCodePath}" />
            {frameworks}
            {references}
                <TrimmerRootAssembly Include="Perfolizer" />
                <RdXmlFile Include="rd.xml" />
              </ItemGroup>
            </Project>

            """));
        File.WriteAllText(Path.Combine(artifactsPaths.BuildArtifactsDirectoryPath, "rd.xml"), $"""
            <Directives>
              <Application>
            {string.Join("\n", ((string[])["BenchmarkDotNet", .. reflected]).Select(
                assembly => $"    <Assembly Name=\"{assembly}\" Dynamic=\"Required All\" />"))}
                <Assembly Name="System.Runtime"><Type Name="System.GC" Dynamic="Required All" /></Assembly>
                <Assembly Name="System.Threading.ThreadPool"><Type Name="System.Threading.ThreadPool" Dynamic="Required All" /></Assembly>
                <Assembly Name="System.Threading"><Type Name="System.Threading.Monitor" Dynamic="Required All" /></Assembly>
              </Application>
            </Directives>

            """);
    }
}

/// <summary>Publishes the project of <see cref="NativeAotGenerator"/>, which compiles the measured program ahead of time. Takes
/// minutes.</summary>
sealed class NativeAotBuilder : IBuilder
{
    // The project is below the checkout, whose properties and package versions must not apply to it.
    static readonly string[] alone =
        ["-p:ImportDirectoryBuildProps=false", "-p:ImportDirectoryBuildTargets=false", "-p:ImportDirectoryPackagesProps=false"];

    public BuildResult Build(GenerateResult generateResult, BuildPartition buildPartition, ILogger logger)
    {
        var paths = generateResult.ArtifactsPaths;
        string[] arguments =
            ["publish", paths.ProjectFilePath, "-c", "Release", "--ucr", "-o", paths.BinariesDirectoryPath, "-nologo", .. alone,
                .. Linker()];
        var start = new ProcessStartInfo("dotnet", arguments)
        {
            WorkingDirectory = paths.BuildArtifactsDirectoryPath,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            Environment = { ["MSBUILDDISABLENODEREUSE"] = "1" },
        };
        using var publish = Process.Start(start)!;
        var error = publish.StandardError.ReadToEndAsync();
        var said = publish.StandardOutput.ReadToEnd();
        publish.WaitForExit();
        logger.WriteLine(LogKind.Default, said);
        return publish.ExitCode == 0
            ? BuildResult.Success(generateResult)
            : BuildResult.Failure(generateResult, $"dotnet publish: exit code {publish.ExitCode}\n{said}{error.GetAwaiter().GetResult()}");
    }

    // The compiler's targets use clang by default; gcc also works.
    static string[] Linker()
    {
        var folders = Environment.GetEnvironmentVariable("PATH")?.Split(Path.PathSeparator) ?? [];
        var missing = OperatingSystem.IsLinux() && !folders.Any(folder => File.Exists(Path.Combine(folder, "clang")));
        return missing ? ["-p:CppCompilerAndLinker=gcc"] : [];
    }
}
