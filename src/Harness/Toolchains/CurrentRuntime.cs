using BenchmarkDotNet.Environments;
using BenchmarkDotNet.Jobs;

namespace ProtoBench.Harness.Toolchains;

/// <summary>
/// The runtime of this process, under a moniker that BenchmarkDotNet knows. BenchmarkDotNet 0.14 has none for .NET 10, takes it for older
/// than .NET Core 3.0, and so refuses its own threading diagnoser, disassembler and EventPipe profiler. The moniker chooses nothing else:
/// <see cref="PrebuiltToolchain"/> builds for no framework.
/// </summary>
public sealed class CurrentRuntime()
    : Runtime(RuntimeMoniker.Net90, Moniker, $".NET {Environment.Version.Major}.{Environment.Version.Minor}")
{
    /// <summary>The target framework that this program was built for.</summary>
    public static string Moniker { get; } = $"net{Environment.Version.Major}.{Environment.Version.Minor}";
}
