using ProtoBench.GrpcHost.Hive;

namespace ProtoBench.GrpcHost.Runs;

/// <summary>Represents the plan of a load run.</summary>
sealed record LoadPlan
{
    /// <summary>The client that makes the calls: that of the stack, or <see cref="EventLoopClient.Name"/>.</summary>
    public string Client { get; init; } = StackClient.Name;

    /// <summary>The number of processes that make the calls. Each has a part of the connections.</summary>
    public int Processes { get; init; } = 1;

    /// <summary>The arguments of this program, for the processes of the client.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];

    /// <summary>The number of calls of a round of the closed loop; null if <see cref="Duration"/> ends it.</summary>
    public long? Requests { get; init; }

    public TimeSpan? Duration { get; init; }

    public int Concurrency { get; init; } = 1;

    public int Connections { get; init; } = 1;

    /// <summary>The calls per second of the open loop; null for the closed loop.</summary>
    public double? Rate { get; init; }

    public bool Poisson { get; init; }

    public int MaxInFlight { get; init; } = 10_000;

    public TimeSpan Warmup { get; init; }

    public int Rounds { get; init; } = 2;

    public IReadOnlyList<double> Percentiles { get; init; } = [50, 90, 95, 99, 99.9];

    /// <summary>The time limit of a call; null for none.</summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>The time that calls may take after the end of a round with a duration. Then they are cancelled, and count as
    /// failed.</summary>
    public TimeSpan Drain { get; init; } = TimeSpan.FromMinutes(1);

    public int Seed { get; init; }

    /// <summary>Whether the pacer waits in a busy loop instead of sleeping.</summary>
    public bool Spin { get; init; }

    /// <summary>Whether rounds of the variants are interleaved in the order A B B A.</summary>
    public bool Interleave { get; init; }

    /// <summary>Whether to measure the time of each part of a call.</summary>
    public bool Attribute { get; init; }

    public required HivePayload Payload { get; init; }

    public string? Out { get; init; }

    public string? Hdr { get; init; }

    /// <summary>The variants that are left out, each with the reason.</summary>
    public IReadOnlyList<string> LeftOut { get; init; } = [];

    public string CommandLine { get; init; } = "";

    /// <summary>Returns the indexes of the variants in the order of their rounds: A A B B, or A B B A A B B A if they are
    /// interleaved.</summary>
    public IEnumerable<int> Order(int variants) => Interleave
        ? Enumerable.Range(0, Rounds)
            .SelectMany(round => round % 2 == 0 ? Enumerable.Range(0, variants) : Enumerable.Range(0, variants).Reverse())
        : Enumerable.Range(0, variants).SelectMany(variant => Enumerable.Repeat(variant, Rounds));
}
