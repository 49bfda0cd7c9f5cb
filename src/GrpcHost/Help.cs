using System.Reflection;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost;

/// <summary>The text of --help above the options.</summary>
static class Help
{
    /// <summary>Libraries that are not in this build, each with the reason.</summary>
    public static IReadOnlyList<string> LeftOut { get; } =
        [.. new[] { typeof(Payloads.Hive), typeof(RpcTransports), typeof(Help) }
            .SelectMany(type => type.Assembly.GetCustomAttributes<AssemblyMetadataAttribute>())
            .Where(fact => fact.Key == "LeftOut").Select(fact => fact.Value ?? "").Distinct()];

    public static string Text { get; } =
        "gRPC hosts and a load client that measure codecs and transports: QPS, latency, memory and CPU of both sides.\n"
        + "Try: run | run --codec google,slab --interleave --rounds 6 | run --rate 5000 --payload empty | sweep --codec slab | run "
            + "--attribute\n"
        + "Exit codes: 0 done, 1 the run failed, 2 wrong usage, 3 INVALID: a check on the figures failed, 130 stopped\n"
        + string.Concat(LeftOut.Select(reason => $"Left out of this build: {reason}\n"));
}
