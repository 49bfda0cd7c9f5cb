using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Tests;

public class GcModeTableTests
{
    [Fact]
    public void A_row_has_the_figures_of_a_variant_and_a_mode_that_the_runtime_did_not_use_is_named()
    {
        var lines = GcModeTable.Of(Result(asked: "server", used: "Workstation concurrent", cores: 1)).ToText().Split('\n');
        Assert.Contains("| server | 1 | google | 4 | 500 | 100 | too few calls | 2.00 % | 7/2/1 | 1,024 | 3 MiB | VALID |", lines);
        Assert.Contains("- server on 1 core: the runtime used Workstation concurrent.", lines);
    }

    [Fact]
    public void A_mode_that_the_runtime_used_is_not_noted() =>
        Assert.DoesNotContain("the runtime used", GcModeTable.Of(Result(asked: "server", used: "Server concurrent", cores: 2)).ToText(),
            StringComparison.Ordinal);

    [Fact]
    public void Rounds_that_rise_or_fall_are_marked()
    {
        const string trend = "the median still rises from round to round: 100, 200 μs";
        var result = Result(asked: "server", used: "Server concurrent", cores: 2);
        var variant = result.Variants[0] with { Verdict = new() { Valid = true, Notes = ["another note", trend] } };
        Assert.EndsWith($", VALID; {trend}", GcModeTable.Line(variant), StringComparison.Ordinal);
        Assert.Contains($"| VALID; {trend} |", GcModeTable.Of(result with { Variants = [variant] }).ToText(), StringComparison.Ordinal);
    }

    [Fact]
    public void The_lines_above_the_table_name_machine_day_commit_packages_and_command()
    {
        var result = Result(asked: "server", used: "Server concurrent", cores: 2);
        var versions = new Dictionary<string, string> { ["ProtoBench.Codec"] = "0.1.0", ["Google.Protobuf"] = "3.25.1" };
        result = result with { Environment = result.Environment with { Commit = "abc", Clean = true, PackageVersions = versions } };
        Assert.Equal(
            ["A processor, An OS, .NET", "2026-01-02, commit abc", "Google.Protobuf 3.25.1, ProtoBench.Codec 0.1.0", "`gc-modes`"],
            GcModeTable.Of(result).About.Take(4));
    }

    static LoadResult Result(string asked, string used, int cores)
    {
        var latency = new LatencyHistogram();
        for (var i = 0; i < 500; i++)
            latency.Record(100);
        var process =
            new ProcessEnvironment
            {
                Runtime = ".NET",
                GcMode = used,
                Cpu = "A processor",
                Cores = cores,
                Os = "An OS",
                Architecture = "X64"
            };
        return new()
        {
            StartedAt = new(2026, 1, 2, 3, 4, 5, TimeSpan.Zero),
            Environment = new() { Client = process, Server = process, SharedCores = true },
            Settings = new() { Loop = "closed", Connections = 1, Rounds = 1, CommandLine = "gc-modes" },
            Variants =
            [
                new()
                {
                    Name = "one",
                    Stack = "grpc-dotnet",
                    Codec = "google",
                    GcMode = asked,
                    Callers = 4,
                    Server = process,
                    Transport = new() { Protocol = "HTTP/2", ConnectionsOpened = 1, RequestBytes = 1, ResponseBytes = 1 },
                    Rounds =
                    [
                        new()
                        {
                            Position = 0,
                            DurationSeconds = 1,
                            Attempted = 500,
                            Succeeded = 500,
                            Service = LatencyRecord.Of(latency, [50]),
                            Server = MadeUp.Use(500) with { AllocatedBytes = 512_000, GcPauseUs = 20_000, GcCollections = [7, 2, 1],
                                WorkingSetBytes = 3 * 1024 * 1024 },
                        },
                    ],
                    Verdict = new() { Valid = true },
                },
            ],
        };
    }
}
