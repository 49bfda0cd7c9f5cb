namespace ProtoBench.GrpcHost;

/// <summary>The text that --help shows above the options.</summary>
static class Help
{
    public static string Text { get; } =
        "gRPC hosts and a load client that measure codecs and transports: QPS, latency, memory and CPU of both sides.\n"
        + "Examples:\n"
        + "  run\n"
        + "  run --codec google,slab --interleave --rounds 6\n"
        + "  run --rate 5000 --payload empty\n"
        + "  run --attribute\n"
        + "  sweep --codec slab\n"
        + "  settings --quick --setting server-window-8MB,gzip\n"
        + "  drive --scenarios scenarios.json --workers 10.0.0.1:10000,10.0.0.2:10000 --out r.json\n"
        + "Exit codes: 0 done, 1 the run failed, 2 wrong usage, 3 INVALID: the figures are not reliable, 130 stopped\n";
}
