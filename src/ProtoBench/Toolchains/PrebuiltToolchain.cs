using System.Diagnostics;
using BenchmarkDotNet.Toolchains;
using BenchmarkDotNet.Toolchains.DotNetCli;

namespace ProtoBench.Toolchains;

/// <summary>
/// Runs each cell in a process of its own, as BenchmarkDotNet's default toolchain does, but builds no project: the assemblies of this program are copied, and only the generated
/// entry point is compiled, in this process. So a run measures the very assemblies that the gate has checked, needs no SDK, and has no build that could exceed a time limit.
/// </summary>
sealed class PrebuiltToolchain : Toolchain, IEquatable<PrebuiltToolchain>
{
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

    // BenchmarkDotNet builds one program for all cells whose toolchains are equal.
    public bool Equals(PrebuiltToolchain? other) => other is not null;

    public override bool Equals(object? obj) => obj is PrebuiltToolchain;

    public override int GetHashCode() => typeof(PrebuiltToolchain).GetHashCode();
}
