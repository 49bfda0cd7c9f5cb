using System.Reflection;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost;

/// <summary>The text of --help above the options.</summary>
static class Help
{
    /// <summary>Packages that this program can use and that are not in this build: one entry for each reason.</summary>
    public static IReadOnlyList<string> LeftOut { get; } =
        [.. new[] { typeof(Payloads.Hive), typeof(RpcTransports), typeof(Help) }
            .SelectMany(type => type.Assembly.GetCustomAttributes<AssemblyMetadataAttribute>())
            .Where(fact => fact.Key == "LeftOut").Select(fact => (fact.Value ?? "").Split(": ", 2)).Where(fact => IsUsed(fact[0]))
            .GroupBy(fact => Reason(fact[1]), fact => fact[0])
            .Select(reason => $"{string.Join(", ", reason.Distinct())} ({reason.Key})")];

    public static string Text { get; } =
        "gRPC hosts and a load client that measure codecs and transports: QPS, latency, memory and CPU of both sides.\n"
        + "Examples:\n"
        + "  run\n"
        + "  run --codec google,slab --interleave --rounds 6\n"
        + "  run --rate 5000 --payload empty\n"
        + "  run --attribute\n"
        + "  sweep --codec slab\n"
        + "Exit codes: 0 done, 1 the run failed, 2 wrong usage, 3 INVALID: the figures are not reliable, 130 stopped\n"
        + string.Concat(LeftOut.Select(reason => $"Left out of this build: {reason}\n"));

    // the payloads' assembly also has formats that only the benchmarks use
    static bool IsUsed(string package) =>
        package.StartsWith("protobuf-net", StringComparison.Ordinal) || package.StartsWith("Grpc.", StringComparison.Ordinal);

    static string Reason(string reason) =>
        reason.StartsWith("the package feed cannot", StringComparison.Ordinal) ? "not available from the package feed" : reason;
}
