using ProtoBench.Results;

namespace ProtoBench.Tests;

public class LoadTablesTests
{
    // By hand: ratios 1, 2, 2, 4; mean of the logarithms 0.6931, standard error 0.2830, t of 3 degrees of freedom 3.1824.
    [Fact]
    public void Each_variant_has_its_rate_beside_that_of_the_first() => Assert.Equal(
        """
        | Request | Callers | Variant | Calls/s | Ratio | p50, μs | p99, μs | Client B/call | Server B/call |
        | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |
        | 1,000 B | 8 | http2-google | 1,000 | 1.00 | 50 | 99 | 3,000 | 40 |
        | 1,000 B | 8 | http2-slab | 2,000 | 2.00 (0.81 to 4.92) | 50 | 99 | 3,000 | 40 |

        """.ReplaceLineEndings("\n"),
        LoadTables.Variants([Result(
            Variant("http2", "google", rates: [1_000, 1_000, 1_000, 1_000]), Variant("http2", "slab", rates: [1_000, 2_000, 2_000, 4_000]))]));

    [Fact]
    public void A_ratio_of_an_invalid_variant_says_so_and_has_no_interval()
    {
        var text = LoadTables.Variants([
            Result(Variant("http2", "google", valid: false), Variant("http2", "slab")),
            Result(Variant("http2", "google"), Variant("http2", "slab", valid: false)),
        ]);
        Assert.Equal(["1.00, INVALID", "1.00, INVALID", "1.00", "1.00, INVALID"], Column(text, 4));
    }

    [Fact]
    public void What_a_result_does_not_have_is_a_dash()
    {
        var silent = Variant("http2", "slab", rates: [0, 0, 0, 0]);
        silent = silent with { Rounds = [.. silent.Rounds.Select(round => round with { Client = null, Server = null })] };
        var text = LoadTables.Variants([Result(Variant("http2", "google"), silent) with
        {
            Settings = new() { Loop = "open", Connections = 1, Rounds = 4 },
        }]);
        Assert.Equal("| 1,000 B | - | http2-slab | 0 | - | - | - | - | - |", text.Split('\n')[3]);
    }

    [Fact]
    public void Latencies_have_a_row_for_each_stack() => Assert.Equal(
        """
        | Stack, p50 in μs | 1,000 B, google | 1,000 B, raw | 20 B, google |
        | --- | ---: | ---: | ---: |
        | http2 | 50 | 50 | 50 |
        | socket | - | 50 | - |

        """.ReplaceLineEndings("\n"),
        LoadTables.Latencies([
            Result(Variant("http2", "google"), Variant("http2", "raw"), Variant("socket", "raw")),
            Result(Variant("http2", "google", bytes: 20)),
        ]));

    [Fact]
    public void The_parts_of_a_call_are_added() => Assert.Equal(
        """
        | Part, μs | http2-google | http2-raw |
        | --- | ---: | ---: |
        | handler | 1 | 2 |
        | rest | 20 | - |
        | all | 21 | 2 |

        """.ReplaceLineEndings("\n"),
        LoadTables.Parts([Result(
            Variant("http2", "google") with { AttributionUsPerCall = new Dictionary<string, double> { ["handler"] = 1, ["rest"] = 20.4 } },
            Variant("http2", "slab"),
            Variant("http2", "raw") with { AttributionUsPerCall = new Dictionary<string, double> { ["handler"] = 2 } })]));

    [Fact]
    public void Results_without_parts_are_refused()
    {
        var error = Assert.Throws<InvalidDataException>(() => LoadTables.Parts([Result(Variant("http2", "google"))]));
        Assert.Contains("--attribute", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_page_names_the_files_of_its_tables()
    {
        using var folder = new TempFolder();
        LoadResultFile.Write(folder.File("Load.json"), Result(Variant("http2", "google")));
        var text = ReadmeTables.Refresh("<!-- load Load.json -->\nold\n<!-- end -->", folder.Path);
        Assert.StartsWith("<!-- load Load.json -->\n| Request |", text, StringComparison.Ordinal);
        Assert.EndsWith("| 40 |\n<!-- end -->", text, StringComparison.Ordinal);

        File.WriteAllText(
            folder.File("Hive.json"),
            """{ "Benchmarks": [ { "Type": "A", "Method": "B", "FullName": "A.B", "Statistics": { "OriginalValues": [1] } } ] }""");
        var error = Assert.Throws<InvalidDataException>(
            () => ReadmeTables.Refresh("<!-- load Hive.json -->\nold\n<!-- end -->", folder.Path));
        Assert.EndsWith("is no result of the load client", error.Message, StringComparison.Ordinal);
    }

    static IEnumerable<string> Column(string table, int at) =>
        table.Split('\n', StringSplitOptions.RemoveEmptyEntries).Skip(2).Select(row => row.Trim('|').Split('|')[at].Trim());

    static LoadResult Result(params LoadVariant[] variants) => new()
    {
        StartedAt = DateTimeOffset.UnixEpoch,
        Environment = new() { Client = process },
        Settings = new() { Loop = "closed", Concurrency = 8, Connections = 1, Rounds = 4 },
        Variants = variants,
    };

    static readonly ProcessEnvironment process =
        new() { Runtime = ".NET", GcMode = "Server", Cpu = "cpu", Cores = 2, Os = "os", Architecture = "X64" };

    static LoadVariant Variant(string stack, string codec, bool valid = true, long bytes = 1_000, long[]? rates = null) => new()
    {
        Name = $"{stack}-{codec}",
        Stack = stack,
        Codec = codec,
        Transport = new() { Protocol = "HTTP/2", ConnectionsOpened = 1, RequestBytes = bytes, ResponseBytes = 1 },
        Rounds = [.. (rates ?? [1_000, 1_000, 1_000, 1_000]).Select(Round)],
        Verdict = new() { Valid = valid, Reasons = valid ? [] : ["a check failed"] },
    };

    // 100 calls of 1 to 100 μs, of which half are at most 50; none at a rate of 0
    static LoadRound Round(long rate, int position)
    {
        var calls = rate == 0 ? 0 : 100;
        var latencies = new LatencyHistogram();
        for (var us = 1; us <= calls; us++)
            latencies.Record(us);
        return new()
        {
            Position = position,
            DurationSeconds = rate == 0 ? 1 : (double)calls / rate,
            Attempted = calls,
            Succeeded = calls,
            Service = LatencyRecord.Of(latencies, [50]),
            Client = Use(3_000),
            Server = Use(40),
        };
    }

    static ProcessUse Use(long bytes) =>
        new() { Calls = 10, AllocatedBytes = bytes * 10, GcCollections = [0, 0, 0], GcPauseUs = 0, CpuUs = 1 };
}
