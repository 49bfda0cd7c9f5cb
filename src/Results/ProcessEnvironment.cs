using System.Globalization;

namespace ProtoBench.Results;

// compiled into the runner of a duet too, which uses no other assembly of this project
public sealed record ProcessEnvironment
{
    /// <summary>For example ".NET 10.0.1".</summary>
    public required string Runtime { get; init; }

    /// <summary>For example "Workstation concurrent" or "Server".</summary>
    public required string GcMode { get; init; }

    /// <summary>For example "on, quick jit, PGO" or "off".</summary>
    public string? TieredJit { get; init; }

    public required string Cpu { get; init; }

    public required int Cores { get; init; }

    public required string Os { get; init; }

    /// <summary>X64, Arm64, ...</summary>
    public required string Architecture { get; init; }

    /// <summary>Returns the facts that should be equal for two processes that are compared.</summary>
    internal IEnumerable<(string Fact, string? Value)> Facts() =>
    [
        ("processor", Cpu), ("cores", Cores.ToString(CultureInfo.InvariantCulture)), ("operating system", Os),
        ("architecture", Architecture), ("runtime", Runtime), ("GC", GcMode), ("tiered JIT", TieredJit),
    ];
}
