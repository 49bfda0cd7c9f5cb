using BenchmarkDotNet.Attributes;
using ProtoBench.Results;

namespace ProtoBench.Harness.Tests;

/// <summary>What a benchmark project says after a run. <c>.ci/own-messages</c> measures with one.</summary>
public class MessageAnswerTests
{
    static readonly ComparedLibrary[] libraries =
    [
        new("Google", "Google.Protobuf 3.36.2", bytes => bytes),
        new("PBN", "protobuf-net 3.4.40", bytes => bytes),
        new("PBNRuntime", "protobuf-net's runtime model 3.4.40", bytes => bytes),
        new("Json", "System.Text.Json 10.0.1", bytes => bytes) { FromPayload = bytes => new byte[bytes.Length * 3] },
        new("Slab", "ProtoBench.Codec 0.1.0", bytes => bytes),
    ];

    [Fact]
    public void Each_library_has_a_sentence_for_each_kind_of_work_that_was_measured()
    {
        var measured = MadeDuet.Result(
            Pair("DeserializeTouchOrderGoogle", "DeserializeTouchOrderSlab", [0.3, 0.31, 0.32], 1_900),
            Pair("DeserializeTouchOrderGoogle", "DeserializeTouchOrderSlab_Strings", [0.8, 0.81, 0.82], 1_900, 700));
        var said = Say(measured with { Partial = true });
        Assert.Matches(@"Read every field \(Google.Protobuf: 100 ns\)\n  protobuf-net      not measured: the run was stopped\n"
            + @"  ProtoBench.Codec  takes 0\.31 of Google's time \[0\.\d\d to 0\.\d\d\], and allocates 0 B instead of 1,900 B\n", said);
        Assert.Matches(@"with a .NET string for each string field \(Google.Protobuf: 100 ns\)\n"
            + @"  ProtoBench.Codec  takes 0\.81 of Google's time \[0\.\d\d to 0\.\d\d\], and allocates 700 B instead of 1,900 B\n", said);
        Assert.DoesNotContain("runtime model", said.Split("Size of a message")[0], StringComparison.Ordinal);
        Assert.Contains("Its runtime model has rows in the table of --filter '*' only.", said, StringComparison.Ordinal);
        Assert.Contains("At most one of 20 intervals is expected to be wrong", said, StringComparison.Ordinal);
        Assert.DoesNotContain("busy", said, StringComparison.Ordinal);
        Assert.Contains("\nThe machine was busy: other programs used 1.9 of 2 cores.\n\nRecommendation\n",
            Say(MadeDuet.Result() with { OtherCores = 1.93 }), StringComparison.Ordinal);
    }

    [Fact]
    public void A_kind_of_work_that_a_result_does_not_have_has_no_row()
    {
        var said = Say(Pair("DeserializeTouchOrderGoogle", "DeserializeTouchOrderSlab", [0.3, 0.31, 0.32]));
        Assert.StartsWith("\nRead every field (Google.Protobuf: 100 ns)\n  protobuf-net      not measured: it is not in this result\n", said, StringComparison.Ordinal);
        Assert.DoesNotContain("\nWrite", said, StringComparison.Ordinal);
    }

    [Fact]
    public void Sizes_are_means_over_the_payloads_and_every_protobuf_library_has_the_same() => Assert.Contains(
        "Size of a message (mean)\n  protobuf                      150 B\n  System.Text.Json              450 B\n", Say(), StringComparison.Ordinal);

    // 100 ns to read and 100 ns to write: 5,000 of both take 1 ms of each second. With .NET strings, slab takes 80 + 50 ns.
    [Fact]
    public void A_service_pays_for_reading_and_writing()
    {
        var said = Say(
            Pair("DeserializeTouchOrderGoogle", "DeserializeTouchOrderSlab", [0.5, 0.5, 0.5], 1_000),
            Pair("DeserializeTouchOrderGoogle", "DeserializeTouchOrderSlab_Strings", [0.8, 0.8, 0.8], 1_000, 600),
            Pair("SerializeOrderGoogle", "SerializeOrderSlab", [0.5, 0.5, 0.5], 200));
        Assert.Matches(@"reads every field of 5,000 messages a second and writes as many \(--rate\) pays\n"
            + @"  Google.Protobuf +0\.10 ?% of a core, and allocates 6\.00 MB a second\n"
            + @"  ProtoBench.Codec +0\.05 ?% of a core, and allocates 0\.00 MB a second\n"
            + @"  ProtoBench.Codec with .NET strings +0\.06 ?% of a core, and allocates 3\.00 MB a second\n", said);
        Assert.EndsWith("""

            Recommendation
              For a service that reads every field of 5,000 messages a second and writes as many.
              Change nothing: all of it takes Google.Protobuf 0.10 % of a core. At 50,000 messages a second it takes 1 %.
              Protobuf's format, .NET strings: ProtoBench.Codec with .NET strings is surely faster.
                It takes 0.65 [0.65 to 0.65] of Google's time, and saves 0.03 % of a core. protobuf-net was not judged.
              Protobuf's format, UTF-8 text: ProtoBench.Codec is surely faster.
                It takes 0.50 [0.50 to 0.50] of Google's time, and saves 0.05 % of a core.

            """.ReplaceLineEndings("\n"), said, StringComparison.Ordinal);
    }

    // The cells Make, and a second destination, exist in some projects only.
    [Fact]
    public void Cells_of_a_project_decide_what_a_service_does_and_which_destinations_count()
    {
        ComparedLibrary[] three = [libraries[0], libraries[1], libraries[4]];
        var said = Say(MadeDuet.Result(
            Pair("DeserializeTouchOrderGoogle", "DeserializeTouchOrderPBN", [0.5, 0.5, 0.5]),
            Pair("MakeOrderGoogle", "MakeOrderPBN", [0.5, 0.5, 0.5]), Pair("MakeOrderGoogle", "MakeOrderPBN_BW", [0.25, 0.25, 0.25]),
            Pair("SerializeOrderGoogle", "SerializeOrderPBN", [2, 2, 2]), Pair("SerializeOrderGoogle", "SerializeOrderPBN_BW", [3, 3, 3])),
            typeof(MadeUpMakes), three);
        Assert.Contains("\nWrite a message that exists (Google.Protobuf: 100 ns)\n  protobuf-net (to a stream)  takes 2.00 of Google's time [2.00 to 2.00]\n", said, StringComparison.Ordinal);
        Assert.Contains("5,000 messages a second and makes and writes as many (--rate) pays\n", said, StringComparison.Ordinal);
        Assert.Matches(@"\n  protobuf-net \(to a buffer writer\) +0\.04 ?% of a core", said);
        Assert.Contains("protobuf-net also writes to a\nMemoryStream, and the faster of both is shown.\nThe slab codec", said, StringComparison.Ordinal);
    }

    // A third of the pairs, which decide nothing.
    [Fact]
    public void Serving_and_writing_are_compared_in_the_format_of_the_payloads_where_a_message_is_made()
    {
        var json = MadeDuet.Result() with { Partial = true };
        var said = Say(json, typeof(MadeUpMakes), libraries);
        Assert.Contains("\nMake a message and write it (Google.Protobuf: -)\n  protobuf-net (to a stream)  not measured: the run was stopped\n"
            + "  System.Text.Json            not measured", said, StringComparison.Ordinal);
        Assert.Contains("\nWrite a message that exists (Google.Protobuf: -)\n  protobuf-net (to a stream)  not measured: the run was stopped\n"
            + "  ProtoBench.Codec            not measured", said, StringComparison.Ordinal);
        Assert.Contains("\nServe and Write have rows of the other formats with --filter '*' only.\n", said, StringComparison.Ordinal);
        said = Say(json, typeof(MadeUpOrders), libraries);
        Assert.Matches(@"\nWrite a message that exists [^\n]*\n  protobuf-net [^\n]*\n  System\.Text\.Json ", said);
        Assert.DoesNotContain("other formats", said, StringComparison.Ordinal);
    }

    // a class without a .proto file
    [Fact]
    public void Another_library_than_Google_can_be_the_first()
    {
        ComparedLibrary[] two =
            [libraries[3], new("MemoryPack", "MemoryPack 1.21.4", bytes => bytes) { FromPayload = bytes => new byte[bytes.Length] }];
        var said = Say(MadeDuet.Result(
            Pair("DeserializeTouchTripJson", "DeserializeTouchTripMemoryPack", [0.5, 0.5, 0.5]),
            Pair("SerializeTripJson", "SerializeTripMemoryPack", [0.5, 0.5, 0.5])), typeof(MadeUpTrips), two);
        Assert.StartsWith("\nRead every field (System.Text.Json: 100 ns)\n"
            + "  MemoryPack  takes 0.50 of System.Text.Json's time [0.50 to 0.50]\n", said, StringComparison.Ordinal);
        Assert.Contains("Size of a message (mean)\n  System.Text.Json  450 B\n  MemoryPack        150 B\n", said, StringComparison.Ordinal);
        Assert.Contains("\nAll read ReadOnlyMemory<byte>, and write to an IBufferWriter<byte>.\n\nRecommendation\n", said, StringComparison.Ordinal);
        Assert.EndsWith("""
              Change nothing: all of it takes System.Text.Json 0.10 % of a core. At 50,000 messages a second it takes 1 %.
              Any format: MemoryPack is surely faster.
                It takes 0.50 [0.50 to 0.50] of System.Text.Json's time, and saves 0.05 % of a core. Its messages are 67 % smaller.

            """.ReplaceLineEndings("\n"), said, StringComparison.Ordinal);
        Assert.DoesNotContain("Google", said, StringComparison.Ordinal);
        Assert.DoesNotContain("slab", said, StringComparison.Ordinal);
    }

    [Fact]
    public void A_cell_that_failed_is_named_with_its_reason()
    {
        var failed = MadeDuet.Result() with { Failed = [new("N.T.SerializeOrderGoogle", "N.T.SerializeOrderPBN", "its process ended")] };
        Assert.Contains("protobuf-net      not measured: its process ended\n", Say(failed), StringComparison.Ordinal);
    }

    // An interval needs two processes.
    [Fact]
    public void A_run_that_was_stopped_early_has_no_empty_brackets()
    {
        var said = Say(Pair("DeserializeTouchOrderGoogle", "DeserializeTouchOrderSlab", [0.5]), Pair("SerializeOrderGoogle", "SerializeOrderSlab", [0.5]));
        Assert.Contains("ProtoBench.Codec  not judged: the run was stopped before its second process\n", said, StringComparison.Ordinal);
        Assert.DoesNotContain("[ to ]", said, StringComparison.Ordinal);
        Assert.DoesNotContain("A service", said, StringComparison.Ordinal);
    }

    // The names and the lines are those of the page of the file.
    [Fact]
    public void A_file_keeps_the_lines_that_were_printed_and_the_names_of_the_libraries()
    {
        var result = MadeDuet.Result(
            Pair("DeserializeTouchOrderGoogle", "DeserializeTouchOrderPBN", [2, 2, 2]),
            Pair("DeserializeTouchOrderGoogle", "DeserializeTouchOrderSlab_Strings", [0.5, 0.5, 0.5]));
        var answer = new MessageAnswer(typeof(MadeUpOrders), null, libraries, new([new("a.bin", new byte[100]), new("b.bin", new byte[200])]))
            .Of(result, 5_000, "shop.Order", ["2 payloads"]);
        var kept = DuetResultFile.Parse(DuetResultFile.ToJson(result with { Answer = answer }), "a.json").Answer!;
        Assert.Equal(Say(result), string.Concat(kept.Lines.Concat(kept.Recommendation).Select(line => line + "\n")));
        Assert.Equal(("shop.Order", "2 payloads"), (kept.Message, Assert.Single(kept.About)));
        Assert.Equal(
            [
                "Read every field: protobuf-net N.T.DeserializeTouchOrderPBN",
                "Read every field, with a .NET string for each string field: ProtoBench.Codec N.T.DeserializeTouchOrderSlab_Strings",
            ],
            kept.Works.SelectMany(work => work.Pairs.Select(pair => $"{work.Name}: {pair.Library} {pair.New}")));
    }

    static DuetPair Pair(string google, string other, double[] ratios, double oldBytes = 0, double newBytes = 0)
    {
        var pair = MadeDuet.Pair(google, other, ratios, oldBytes, newBytes);
        var mix = new Dictionary<string, string> { ["Payloads"] = PayloadSet.Mix };
        return pair with { Old = pair.Old with { Parameters = mix }, New = pair.New with { Parameters = mix } };
    }

    static string Say(params DuetPair[] pairs) => Say(MadeDuet.Result(pairs));

    static string Say(DuetResult result) => Say(result, typeof(MadeUpOrders), libraries);

    static string Say(DuetResult result, Type benchmarks, ComparedLibrary[] compared)
    {
        using var output = new StringWriter { NewLine = "\n" };
        MessageAnswer.Write(new MessageAnswer(benchmarks, null, compared, new([new("a.bin", new byte[100]), new("b.bin", new byte[200])]))
            .Of(result, 5_000, "shop.Order", []), output);
        return output.ToString().ReplaceLineEndings("\n");
    }
}

#pragma warning disable CA1822 // cells are instance methods
public class MadeUpOrders
{
    [Benchmark, BenchmarkCategory("DeserializeTouch"), Measures("Google")] public int DeserializeTouchOrderGoogle() => 1;

    [Benchmark, BenchmarkCategory("DeserializeTouch"), Measures("PBN")] public int DeserializeTouchOrderPBN() => 1;

    [Benchmark, BenchmarkCategory("DeserializeTouch"), Measures("PBNRuntime")] public int DeserializeTouchOrderPBNRuntime() => 1;

    [Benchmark, BenchmarkCategory("DeserializeTouch"), Measures("Slab")] public int DeserializeTouchOrderSlab() => 1;

    [Benchmark, BenchmarkCategory("DeserializeTouch"), Measures("Slab")] public int DeserializeTouchOrderSlab_Strings() => 1;

    [Benchmark, BenchmarkCategory("Serialize"), Measures("Google")] public int SerializeOrderGoogle() => 1;

    [Benchmark, BenchmarkCategory("Serialize"), Measures("PBN")] public int SerializeOrderPBN() => 1;

    [Benchmark, BenchmarkCategory("Serialize"), Measures("Slab")] public int SerializeOrderSlab() => 1;

    [Benchmark, BenchmarkCategory("Serialize"), Measures("Json")] public int SerializeOrderJson() => 1;
}

public class MadeUpTrips
{
    [Benchmark, BenchmarkCategory("DeserializeTouch"), Measures("Json")] public int DeserializeTouchTripJson() => 1;

    [Benchmark, BenchmarkCategory("DeserializeTouch"), Measures("MemoryPack")] public int DeserializeTouchTripMemoryPack() => 1;

    [Benchmark, BenchmarkCategory("Serialize"), Measures("Json")] public int SerializeTripJson() => 1;

    [Benchmark, BenchmarkCategory("Serialize"), Measures("MemoryPack")] public int SerializeTripMemoryPack() => 1;
}

public class MadeUpMakes : MadeUpOrders
{
    [Benchmark, BenchmarkCategory("Make"), Measures("Json")] public int MakeOrderJson() => 1;

    [Benchmark, BenchmarkCategory("Serialize"), Measures("PBN")] public int SerializeOrderPBN_BW() => 1;

    [Benchmark, BenchmarkCategory("Make"), Measures("Google")] public int MakeOrderGoogle() => 1;

    [Benchmark, BenchmarkCategory("Make"), Measures("PBN")] public int MakeOrderPBN() => 1;

    [Benchmark, BenchmarkCategory("Make"), Measures("PBN")] public int MakeOrderPBN_BW() => 1;
}
#pragma warning restore CA1822
