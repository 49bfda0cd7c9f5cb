namespace ProtoBench.Results.Tests;

static class Samples
{
    static readonly double[] percentiles = [50, 90, 95, 99, 99.9];

    /// <summary>An interleaved open-loop run of two variants, ABBA, whose second variant is invalid.</summary>
    public static LoadResult Load() => new()
    {
        StartedAt = new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero),
        Environment = new LoadEnvironment
        {
            Client = Process(),
            Server = Process(),
            SharedCores = true,
            Commit = "0123456789abcdef0123456789abcdef01234567",
            Clean = true,
            PackageVersions = new Dictionary<string, string> { ["Google.Protobuf"] = "3.25.1" },
        },
        Settings = new LoadSettings
        {
            CommandLine = "run --codec slab,google --interleave --rate 501",
            Loop = "open",
            Arrivals = "constant",
            RatePerSecond = 501,
            RoundSeconds = 2,
            MaxInFlight = 10_000,
            Connections = 1,
            Rounds = 2,
            WarmupSeconds = 5,
            TimeoutSeconds = 10,
            Seed = 42,
        },
        Variants =
        [
            Variant("slab", [Round(0, 1.0), Round(3, 1.05)], new LoadVerdict { Valid = true, Notes = ["host and client share cores"] }),
            Variant("google", [Round(1, 3.2), Round(2, 3.1)],
                new LoadVerdict { Valid = false, Reasons = ["achieved 90 % of the attempted calls"] }),
        ],
    };

    static LoadVariant Variant(string codec, LoadRound[] rounds, LoadVerdict verdict) => new()
    {
        Name = "inbox-" + codec,
        Stack = "inbox",
        Codec = codec,
        Memory = "recycled",
        Transport = new LoadTransport
        {
            Protocol = "HTTP/2",
            Socket = "tcp",
            Tls = null,
            ConnectionsOpened = 1,
            Http2 = new Dictionary<string, long> { ["clientInitialStreamWindowBytes"] = 65_535, ["serverMaxStreamsPerConnection"] = 100 },
            RequestBytes = 290_699,
            ResponseBytes = 143_513,
            PayloadSha256 = new string('a', 64),
        },
        ConnectUs = 1_500,
        FirstCallUs = 20_000,
        Rounds = rounds,
        Verdict = verdict,
    };

    static LoadRound Round(int position, double slowness)
    {
        var service = new LatencyHistogram();
        var response = new LatencyHistogram();
        for (var i = 1; i <= 1_000; i++)
        {
            service.Record((long)((500 + i) * slowness));
            response.Record((long)((510 + i) * slowness));
        }

        var failed = new LatencyHistogram();
        failed.Record(10_000_000);
        return new LoadRound
        {
            Position = position,
            DurationSeconds = 2,
            Attempted = 1_002,
            Succeeded = 1_000,
            Skipped = 1,
            FailedByStatus = new Dictionary<string, long> { ["DEADLINE_EXCEEDED"] = 1 },
            Response = LatencyRecord.Of(response, percentiles),
            Service = LatencyRecord.Of(service, percentiles),
            Failed = LatencyRecord.Of(failed, percentiles),
            Client = Use(8_192_000, slowness),
            Server = Use(4_096_000, slowness),
        };
    }

    static ProcessUse Use(long allocated, double slowness) => new()
    {
        Calls = 1_000,
        AllocatedBytes = allocated,
        GcCollections = [2, 1, 0],
        GcPauseUs = 300,
        CpuUs = 150_000 * slowness,
        LockContentions = 3,
        Encodes = 1_000,
        Decodes = 1_000,
        SlicesOutstanding = 0,
    };

    static ProcessEnvironment Process() => new()
    {
        Runtime = ".NET 10.0.1",
        GcMode = "Server",
        TieredJit = "on, quick jit, PGO",
        Cpu = "A Processor",
        Cores = 2,
        Os = "An Operating System 1.0",
        Architecture = "X64",
    };
}
