using System.Reflection;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost;

/// <summary>What --help says above the options.</summary>
static class Help
{
    /// <summary>What this build leaves out, each with the reason.</summary>
    public static IReadOnlyList<string> LeftOut { get; } =
        [.. new[] { typeof(Payloads.Hive), typeof(RpcTransports), typeof(Help) }
            .SelectMany(type => type.Assembly.GetCustomAttributes<AssemblyMetadataAttribute>())
            .Where(fact => fact.Key == "LeftOut").Select(fact => fact.Value ?? "").Distinct()];

    public static string Text { get; } =
        "gRPC hosts and a load client that measure what a codec and a stack cost: QPS, latency, memory and CPU of both sides.\n"
        + "Try: run | run --codec google,slab --interleave --rounds 6 | run --rate 5000 --payload empty | sweep --codec slab | run --attribute\n"
        + "Exit codes: 0 done, 1 the run failed, 2 wrong usage, 3 INVALID: the figures may not be believed, 130 stopped\n"
        + string.Concat(LeftOut.Select(reason => $"Left out of this build: {reason}\n"));
}
