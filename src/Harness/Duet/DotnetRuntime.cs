using System.Runtime.Versioning;

namespace ProtoBench.Harness.Duet;

/// <summary>A runtime from NuGet's packages, in a folder of its own, which is laid out like that of an installed .NET. The measured program
/// is not built for it: its files are the same with each runtime.</summary>
/// <param name="Dotnet">The program <c>dotnet</c> of this folder, which finds no other runtime.</param>
sealed record DotnetRuntime(string Version, string Dotnet)
{
    public const string Package = "Microsoft.NETCore.App";

    // The projects of a checkout do not apply to this one. The package of the runtime has the part of the host that finds the runtime.
    // The program dotnet starts that part, and is no part of a package, so it is the one that builds.
    const string project = """
        <Project>
          <PropertyGroup>
            <ImportDirectoryBuildProps>false</ImportDirectoryBuildProps>
            <ImportDirectoryBuildTargets>false</ImportDirectoryBuildTargets>
            <ImportDirectoryPackagesProps>false</ImportDirectoryPackagesProps>
          </PropertyGroup>
          <Import Project="Sdk.props" Sdk="Microsoft.NET.Sdk" />
          <PropertyGroup>
            <TargetFramework>net$(BundledNETCoreAppTargetFrameworkVersion)</TargetFramework>
            <Pack>$(NETCoreSdkPortableRuntimeIdentifier)</Pack>
          </PropertyGroup>
          <ItemGroup>
            <PackageDownload Include="Microsoft.NETCore.App.Runtime.$(Pack)" Version="[$(RuntimeVersion)]" />
            <PackageDownload Include="Microsoft.AspNetCore.App.Runtime.$(Pack)" Version="[$(RuntimeVersion)]" />
          </ItemGroup>
          <Import Project="Sdk.targets" Sdk="Microsoft.NET.Sdk" />
          <Target Name="Place">
            <PropertyGroup>
              <Files>$(RuntimeVersion.ToLowerInvariant())/runtimes/$(Pack)</Files>
              <NetCoreFiles>$(NuGetPackageRoot)microsoft.netcore.app.runtime.$(Pack)/$(Files)</NetCoreFiles>
              <AspNetCoreFiles>$(NuGetPackageRoot)microsoft.aspnetcore.app.runtime.$(Pack)/$(Files)</AspNetCoreFiles>
            </PropertyGroup>
            <ItemGroup>
              <Finder Include="$(NetCoreFiles)/native/*hostfxr*" />
              <NetCore Include="$(NetCoreFiles)/lib/*/*;$(NetCoreFiles)/native/*" Exclude="@(Finder)" />
              <AspNetCore Include="$(AspNetCoreFiles)/lib/*/*;$(AspNetCoreFiles)/native/*" />
            </ItemGroup>
            <Copy SourceFiles="@(NetCore)" DestinationFolder="shared/Microsoft.NETCore.App/$(RuntimeVersion)" SkipUnchangedFiles="true" />
            <Copy SourceFiles="@(AspNetCore)" DestinationFolder="shared/Microsoft.AspNetCore.App/$(RuntimeVersion)" SkipUnchangedFiles="true" />
            <Copy SourceFiles="@(Finder)" DestinationFolder="host/fxr/$(RuntimeVersion)" SkipUnchangedFiles="true" />
            <Copy SourceFiles="$(DOTNET_HOST_PATH)" DestinationFolder="." SkipUnchangedFiles="true" />
          </Target>
        </Project>
        """;

    /// <param name="builds">The folder of other builds. Below it NuGet finds the feeds of the measured program.</param>
    /// <exception cref="UsageException">Thrown for a version that this program cannot run with.</exception>
    /// <exception cref="RunException">Thrown if no feed has this version for this platform.</exception>
    public static async Task<DotnetRuntime> MakeAsync(string builds, string version, TextWriter progress, CancellationToken stop)
    {
        if (version.Split('-')[0].Split('.') is not [var major, _, _])
            throw new UsageException($"--versions: '{version}' is not the version of a runtime, which has three numbers, such as 10.0.12");
        if (int.Parse(major, CultureInfo.InvariantCulture) < OldestMajor)
            throw new UsageException($"--versions: this program is built for .NET {OldestMajor}, and cannot run with .NET {version}");

        var folder = Directory.CreateDirectory(Path.Combine(builds, $"{Package}={version}")).FullName;
        var (file, log) = (Path.Combine(folder, "Runtime.csproj"), folder + ".log");
        await progress.WriteLineAsync($"placing the runtime {version}: {log}");
        await File.WriteAllTextAsync(file, project, stop);
        string[] place = ["msbuild", file, "-restore", "-t:Place", $"-p:RuntimeVersion={version}", "--nologo", "-v:q", "-nodeReuse:false"];
        await BaseBuild.RunDotnetAsync(place, folder, log, $"{Package} {version} cannot be had for this platform", stop);
        return new(version, Path.Combine(folder, Path.GetFileName(DotnetHost.Program)));
    }

    /// <param name="reported">What a process reports as its runtime.</param>
    /// <exception cref="RunException">Thrown if it is another one, so that no result has a wrong version.</exception>
    public void Check(string? reported)
    {
        if (!string.Equals(reported, ".NET " + Version, StringComparison.OrdinalIgnoreCase))
            throw new RunException(ExitCode.Failed, $"a process ran with {reported} instead of .NET {Version}");
    }

    // of the program that runs now, which is the measured one
    static int OldestMajor =>
        AppContext.TargetFrameworkName is { } name ? new FrameworkName(name).Version.Major : Environment.Version.Major;
}
