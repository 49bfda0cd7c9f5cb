using System.Diagnostics;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains;
using BenchmarkDotNet.Toolchains.Results;

namespace ProtoBench.Harness.Toolchains;

/// <summary>Publishes the project of <see cref="NativeAotGenerator"/>, which
/// compiles the measured program ahead of time. Takes minutes.</summary>
sealed class NativeAotBuilder : IBuilder
{
    // The project lies below the checkout, whose properties and package versions are not for it.
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

    // The compiler's targets ask for clang; gcc links as well.
    static string[] Linker()
    {
        var folders = Environment.GetEnvironmentVariable("PATH")?.Split(Path.PathSeparator) ?? [];
        var missing = OperatingSystem.IsLinux() && !folders.Any(folder => File.Exists(Path.Combine(folder, "clang")));
        return missing ? ["-p:CppCompilerAndLinker=gcc"] : [];
    }
}
