using ProtoBench.Harness.Duet;
using ProtoBench.Results;

namespace ProtoBench.Harness.Tests;

/// <summary>What a service pays, and which library is recommended, from made results. Google.Protobuf takes 100 ns to read a message and
/// 100 ns to write one, unless a test says otherwise.</summary>
public class ServiceAnswerTests
{
    static readonly ComparedWork read = new("Read", new("ReadGoogle"),
        [new("pbn", new("ReadPbn")), new("slab", new("ReadSlab")), new("pack", new("ReadPack")), new("other", new("ReadOther"))]);

    static readonly ComparedWork strings = new("Strings", new("ReadGoogle"), [new("slab", new("StringsSlab"))]);

    static readonly ComparedWork make = new("Make", new("MakeGoogle"), [new("slab", new("MakeSlab"))]);

    static readonly ComparedWork write = new("Write", new("WriteGoogle"),
    [
        new("pbn", new("WritePbn"), "to a stream"), new("pbn", new("WritePbn_BW"), "to a buffer writer"), new("slab", new("WriteSlab")),
        new("pack", new("WritePack")), new("other", new("WriteOther")),
    ]);

    static readonly ServiceAnswer answer = new(Baseline.Google,
        [
            new("pbn", "pbn", read), new("slab", "slab", read, IsUtf8: true), new("slab with .NET strings", "slab", strings),
            new("pack", "pack", read, Size: 1.38), new("other", "other", read, Size: 0.9),
        ],
        [("makes and writes", make), ("writes", write)]);

    // Slab reads in 0.2 and writes in 0.6 of the time: 200 ns + 100 ns of Google.Protobuf make 40 ns + 60 ns.
    [Fact]
    public void A_service_pays_Googles_time_multiplied_by_the_ratio_of_each_library()
    {
        var said = Costs(
            Scaled(Pair("Read", "ReadSlab", 0.2, 900, 0), 2), Scaled(Pair("Read", "ReadPbn", 1, 900, 700), 2), Pair("Write", "WriteSlab", 0.6),
            Pair("Write", "WritePbn", 1, 100, 300));
        Assert.StartsWith("\nA service that reads every field of 1,000,000 messages a second and writes as many (--rate) pays\n", said, StringComparison.Ordinal);
        Assert.Contains("\n  Google.Protobuf    30.00 % of a core, and allocates 1,000.00 MB a second\n", said, StringComparison.Ordinal);
        Assert.Contains("\n  slab               10.00 % of a core, and allocates 0.00 MB a second\n", said, StringComparison.Ordinal);
        Assert.Contains("\n  pbn (to a stream)  30.00 % of a core, and allocates 1,000.00 MB a second\n", said, StringComparison.Ordinal);
        Assert.DoesNotContain("with .NET strings", said, StringComparison.Ordinal);
    }

    // The processes of slab were three times as slow, those of Google.Protobuf beside them too. Its median over all processes is 100 ns.
    [Fact]
    public void A_slow_process_does_not_change_what_a_library_costs()
    {
        DuetPair[] pairs =
        [
            Scaled(Pair("Read", "ReadSlab", 0.5), 3), Pair("Read", "ReadPbn", 1), Pair("Read", "ReadPack", 1), Pair("Read", "StringsSlab", 0.8),
            Pair("Write", "WriteSlab", 0.5),
        ];
        Assert.Contains("\n  slab                    10.00 % of a core", Costs(pairs), StringComparison.Ordinal);
        Assert.Contains("\n  slab with .NET strings  13.00 % of a core", Costs(pairs), StringComparison.Ordinal);
    }

    [Fact]
    public void Making_counts_where_it_was_measured()
    {
        var said = Costs(Pair("Read", "ReadSlab", 0.5), Pair("Write", "WriteSlab", 0.1), Pair("Make", "MakeSlab", 1.5));
        Assert.Contains("a second and makes and writes as many (--rate) pays\n", said, StringComparison.Ordinal);
        Assert.Contains("\n  slab             20.00 % of a core", said, StringComparison.Ordinal);
    }

    [Fact]
    public void The_faster_destination_counts_and_is_named()
    {
        DuetPair[] pairs = [Pair("Read", "ReadPbn", 1), Pair("Write", "WritePbn", 1.2), Pair("Write", "WritePbn_BW", 0.8)];
        Assert.Contains("\n  pbn (to a buffer writer)  18.00 % of a core", Costs(pairs), StringComparison.Ordinal);
        Assert.Equal("pbn (to a buffer writer)", write.Of(MadeDuet.Result(pairs), "pbn").Cell.Name);
        Assert.Equal("pbn (to a stream)", write.Of(MadeDuet.Result(pairs[..2]), "pbn").Cell.Name);
        DuetPair[] unjudged = [.. pairs[..2], MadeDuet.Pair("WriteGoogle", "WritePbn_BW", [0.8])];
        Assert.Equal("pbn (to a stream)", write.Of(MadeDuet.Result(unjudged), "pbn").Cell.Name);
    }

    // 0.5 and 0.42 of equal times are 0.46. Three processes that differ by 1 % have an interval of 2.5 % (4.303 * 1 % / sqrt(3)).
    [Fact]
    public void A_library_that_is_surely_faster_is_recommended_with_what_it_saves()
    {
        var said = Recommended(
            Pair("Read", "ReadSlab", 0.5), Pair("Write", "WriteSlab", 0.42), Pair("Read", "StringsSlab", 1.6), Pair("Read", "ReadPbn", 1.3),
            Pair("Write", "WritePbn", 1.1));
        Assert.Equal("""

            Recommendation
              For a service that reads every field of 1,000,000 messages a second and writes as many.
              Protobuf's format, .NET strings: stay with Google.Protobuf.
                No library is surely faster. The best is slab with .NET strings: 1.01 [0.99 to 1.04] of Google's time.
              Protobuf's format, UTF-8 text: take slab.
                It takes 0.46 [0.45 to 0.47] of Google's time, and saves 10.80 % of a core.
              Another format, .NET strings: no recommendation.
                pack and other were not judged.

            """.ReplaceLineEndings("\n"), said);
    }

    [Theory]
    [InlineData(1.02, 1, "1.01 [0.99 to 1.04] of Google's time. pbn was not judged.\n")]
    [InlineData(0.98, 1, "0.99 [0.97 to 1.02] of Google's time. pbn was not judged.\n")]
    [InlineData(1.3, 0.9, "1.10 [1.07 to 1.13] of Google's time. pbn was not judged.\n")]
    public void Google_stays_where_the_interval_of_both_together_contains_1_or_is_above(double reading, double writing, string best) =>
        Assert.Contains("Protobuf's format, .NET strings: stay with Google.Protobuf.\n    No library is surely faster. The best is slab with .NET strings: " + best,
            Recommended(Pair("Read", "StringsSlab", reading), Pair("Write", "WriteSlab", writing)), StringComparison.Ordinal);

    [Fact]
    public void A_wide_interval_decides_nothing()
    {
        var said = Recommended(MadeDuet.Pair("ReadGoogle", "StringsSlab", [0.3, 0.5, 0.7]), Pair("Write", "WriteSlab", 0.3));
        Assert.Contains("No library is surely faster. The best is slab with .NET strings: 0.39 [0.23 to 0.83] of Google's time, which is too uncertain. pbn was not judged.\n",
            said, StringComparison.Ordinal);
    }

    [Fact]
    public void Libraries_whose_intervals_overlap_are_not_distinguished()
    {
        DuetPair[] pairs =
        [
            Pair("Read", "ReadPack", 0.6), Pair("Write", "WritePack", 0.6), Pair("Read", "ReadOther", 0.61), Pair("Write", "WriteOther", 0.61),
            Pair("Read", "StringsSlab", 0.9), Pair("Write", "WriteSlab", 0.3), Pair("Read", "ReadSlab", 0.2),
        ];
        var said = Recommended(pairs);
        Assert.Contains("\n  Another format, .NET strings: take pack.\n    It takes 0.60 [0.59 to 0.62] of Google's time, and saves 8.00 % "
            + "of a core. Its messages are 38 % larger. slab with .NET strings and other are not distinguished from it.\n", said, StringComparison.Ordinal);
        Assert.Contains("\n  Protobuf's format, UTF-8 text: take slab.\n    It takes 0.25 [0.24 to 0.26] of Google's time, and saves 15.00 % of a core.\n", said, StringComparison.Ordinal);
        Assert.Contains("Another format, .NET strings: take other.\n    It takes 0.50 [0.49 to 0.51] of Google's time, and saves 10.00 % of a core. Its messages are 10 % smaller.\n",
            Recommended([.. pairs[..2], Pair("Read", "ReadOther", 0.5), Pair("Write", "WriteOther", 0.5)]), StringComparison.Ordinal);
        Assert.Contains("Another format, .NET strings: keep protobuf's format; take slab with .NET strings.\n    It takes 0.35 [0.34 to 0.36] of",
            Recommended([.. pairs[..4], Pair("Read", "StringsSlab", 0.4), pairs[5]]), StringComparison.Ordinal);
    }

    [Fact]
    public void A_row_without_a_verdict_is_no_reason_for_a_recommendation()
    {
        var good = Pair("Read", "ReadSlab", 0.5);
        DuetPair[] bad =
        [
            MadeDuet.Pair("WriteGoogle", "WriteSlab", [0.4]), Pair("Write", "WriteSlab", 0.4) with { Valid = false },
            Pair("Write", "WriteSlab", 0.4) with { Low = null, High = null },
        ];
        const string none = "\nRecommendation\n  None: no library was judged both when it reads every field and when it writes.\n";
        Assert.All(bad, pair => Assert.Equal(none, Recommended(good, pair)));
        Assert.Equal(none, Recommended(good));
        var failed = MadeDuet.Result(good, Pair("Read", "ReadPbn", 1), Pair("Write", "WritePbn", 0.2)) with
        {
            Failed = [new("N.T.WriteGoogle", "N.T.WriteSlab", "its process ended")],
        };
        Assert.Contains("Protobuf's format, UTF-8 text: no recommendation.\n    slab was not judged.\n", Said(failed), StringComparison.Ordinal);
        Assert.Contains("Protobuf's format, .NET strings: take pbn (to a stream).\n    It takes 0.60 [0.59 to 0.62] of Google's time, and saves 8.00 % of a core. slab with .NET strings was "
            + "not judged.\n", Said(failed), StringComparison.Ordinal);
    }

    // 200 ns at 40,000 messages a second are 0.8 % of a core; 1 % is 50,000.
    [Fact]
    public void Nothing_is_worth_a_change_below_one_percent_of_a_core()
    {
        DuetPair[] pairs = [Pair("Read", "ReadSlab", 0.5), Pair("Write", "WriteSlab", 0.5)];
        Assert.Contains("\n  Change nothing: all of it takes Google.Protobuf 0.80 % of a core. At 50,000 messages a second it takes 1 %.\n",
            Said(MadeDuet.Result(pairs), 40_000), StringComparison.Ordinal);
        Assert.Contains("UTF-8 text: slab is surely faster.\n", Said(MadeDuet.Result(pairs), 40_000), StringComparison.Ordinal);
        Assert.DoesNotContain("Change nothing", Said(MadeDuet.Result(pairs), 50_000), StringComparison.Ordinal);
    }

    static DuetPair Pair(string google, string other, double ratio, double oldBytes = 0, double newBytes = 0) =>
        MadeDuet.Pair(google + "Google", other, [ratio * 0.99, ratio, ratio / 0.99], oldBytes, newBytes);

    // the same pair on a machine that takes longer
    static DuetPair Scaled(DuetPair pair, double factor) => pair with
    {
        Processes =
        [
            .. pair.Processes.Select(process => process with
            {
                OldNanoseconds = process.OldNanoseconds * factor, NewNanoseconds = process.NewNanoseconds * factor,
            }),
        ],
    };

    static string Costs(params DuetPair[] pairs)
    {
        using var output = new StringWriter { NewLine = "\n" };
        answer.WriteCosts(MadeDuet.Result(pairs), 1e6, output);
        return output.ToString().ReplaceLineEndings("\n");
    }

    static string Recommended(params DuetPair[] pairs) => Said(MadeDuet.Result(pairs));

    static string Said(DuetResult result, double rate = 1e6)
    {
        using var output = new StringWriter { NewLine = "\n" };
        answer.WriteRecommendation(result, rate, output);
        return output.ToString().ReplaceLineEndings("\n");
    }
}
