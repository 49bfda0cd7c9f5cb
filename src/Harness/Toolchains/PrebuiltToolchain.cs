using System.Diagnostics;
using BenchmarkDotNet.Toolchains;
using BenchmarkDotNet.Toolchains.DotNetCli;

namespace ProtoBench.Harness.Toolchains;

/// <summary>
/// Runs each cell in a process of its own, as BenchmarkDotNet's default toolchain does, but builds no project: the assemblies of this
/// program are copied, and only the generated entry point is compiled, in this process. So a run measures the very assemblies that were
/// validated, needs no SDK, and has no build that could exceed a time limit.
/// </summary>
public sealed class PrebuiltToolchain : Toolchain, IEquatable<PrebuiltToolchain>
{
    /// <summary>The toolchain. It has no state: all instances are equal.</summary>
    // null is the dotnet that runs this process; BenchmarkDotNet is not annotated
    public PrebuiltToolchain()
        : base("Prebuilt", new PrebuiltGenerator(), new PrebuiltBuilder(), new DotNetCliExecutor(customDotNetCliPath: null!))
    {
    }

    /// <summary>False where the assemblies were compiled without optimization (a Debug build): those must not be measured.</summary>
    public static bool CanMeasure { get; } = typeof(PrebuiltToolchain).Assembly
        .GetCustomAttributes(typeof(DebuggableAttribute), inherit: false)
        .Cast<DebuggableAttribute>()
        .All(attribute => !attribute.IsJITOptimizerDisabled);

    /// <inheritdoc/>
    // BenchmarkDotNet builds one program for all cells whose toolchains are equal.
    public bool Equals(PrebuiltToolchain? other) => other is not null;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is PrebuiltToolchain;

    /// <inheritdoc/>
    public override int GetHashCode() => typeof(PrebuiltToolchain).GetHashCode();
}
