using System.Reflection;
using BenchmarkDotNet.Environments;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Toolchains;

namespace ProtoBench.Harness.Toolchains;

/// <summary>
/// Runs cells in programs that are compiled ahead of time, from the assemblies of this program. Needs the SDK, the package
/// Microsoft.DotNet.ILCompiler in the feed, and a linker (clang or gcc). BenchmarkDotNet 0.14 has such a toolchain for .NET 9 and older
/// only.
/// </summary>
public sealed class NativeAotToolchain : Toolchain, IEquatable<NativeAotToolchain>
{
    /// <summary>The toolchain. It has no state: all instances are equal.</summary>
    public NativeAotToolchain()
        : base("NativeAOT", new NativeAotGenerator(), new NativeAotBuilder(), new Executor())
    {
    }

    /// <summary>What <c>--runtimes</c> calls it.</summary>
    public static string Moniker { get; } = "nativeaot" + Environment.Version.ToString(2);

    /// <summary>The runtime of such programs, as tables name it.</summary>
    // The constructor is private: BenchmarkDotNet has an instance for each
    // version that it knows. Other code of it asks for the type of this object.
    public static Runtime Runtime { get; } = (Runtime)typeof(NativeAotRuntime)
        .GetConstructor(BindingFlags.NonPublic | BindingFlags.Instance, [typeof(RuntimeMoniker), typeof(string), typeof(string)])!
        .Invoke([RuntimeMoniker.NativeAot90, CurrentRuntime.Moniker, "NativeAOT " + Environment.Version.ToString(2)]);

    /// <inheritdoc/>
    // BenchmarkDotNet builds one program for all cells whose toolchains are equal.
    public bool Equals(NativeAotToolchain? other) => other is not null;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is NativeAotToolchain;

    /// <inheritdoc/>
    public override int GetHashCode() => typeof(NativeAotToolchain).GetHashCode();
}
