using ProtoBench.GrpcHost.Hive;

namespace ProtoBench.GrpcHost.Runs;

/// <summary>The plan of a load run.</summary>
sealed record LoadPlan
{
    /// <summary>What makes the calls: the client of the stack, or <see cref="EventLoopClient.Name"/>.</summary>
    public string Client { get; init; } = StackClient.Name;

    /// <summary>Processes that make the calls; each has a part of the connections.</summary>
    public int Processes { get; init; } = 1;

    /// <summary>The arguments of this program, for the processes of the client.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];

    /// <summary>Calls of a round of the closed loop; null to end by <see cref="Duration"/>.</summary>
    public long? Requests { get; init; }

    public TimeSpan? Duration { get; init; }

    public int Concurrency { get; init; } = 1;

    public int Connections { get; init; } = 1;

    /// <summary>Calls per second of the open loop; null for the closed loop.</summary>
    public double? Rate { get; init; }

    public bool Poisson { get; init; }

    public int MaxInFlight { get; init; } = 10_000;

    public TimeSpan Warmup { get; init; }

    public int Rounds { get; init; } = 2;

    public IReadOnlyList<double> Percentiles { get; init; } = [50, 90, 95, 99, 99.9];

    /// <summary>The longest that a call may take; null for no limit.</summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>How long the calls in progress are waited for after a round that ends by its duration. Then they are given up, and have
    /// failed.</summary>
    public TimeSpan Drain { get; init; } = TimeSpan.FromMinutes(1);

    public int Seed { get; init; }

    /// <summary>The pacer waits in a busy loop instead of sleeping.</summary>
    public bool Spin { get; init; }

    /// <summary>Rounds of the variants are interleaved in the order A B B A.</summary>
    public bool Interleave { get; init; }

    /// <summary>Measure the time of each part of a call.</summary>
    public bool Attribute { get; init; }

    public required HivePayload Payload { get; init; }

    public string? Out { get; init; }

    public string? Hdr { get; init; }

    /// <summary>What is left out of the run, each with the reason.</summary>
    public IReadOnlyList<string> LeftOut { get; init; } = [];

    public string CommandLine { get; init; } = "";

    /// <summary>The variants' indexes in the order of their rounds: A A B B, or A B B A A B B A when they take turns.</summary>
    public IEnumerable<int> Order(int variants) => Interleave
        ? Enumerable.Range(0, Rounds)
            .SelectMany(round => round % 2 == 0 ? Enumerable.Range(0, variants) : Enumerable.Range(0, variants).Reverse())
        : Enumerable.Range(0, variants).SelectMany(variant => Enumerable.Repeat(variant, Rounds));
}
