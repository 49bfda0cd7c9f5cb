namespace ProtoBench.Harness.Tests;

public class CostSummaryTests
{
    static readonly PayloadSet payloads = new([new("one.bin", new byte[100])]);
    static readonly ComparedLibrary[] libraries =
        [new("Google", "Google.Protobuf 3.25.1", bytes => bytes), new("Slab", "ProtoBench.Codec 0.1.0", bytes => bytes)];

    [Fact]
    public void A_dry_run_has_no_figures_and_says_why()
    {
        var said = Write(Cell("DeserializeTouch", "Google", 1, 5e6, 400), Cell("DeserializeTouch", "Slab", 1, 4e6, 0));
        Assert.Contains("contains no measurements", said, StringComparison.Ordinal);
        Assert.DoesNotContain("messages/s", said, StringComparison.Ordinal);
        Assert.DoesNotContain("against", said, StringComparison.Ordinal);
    }

    [Fact]
    public void Three_iterations_are_a_measurement() =>
        Assert.Contains("400 B a message; at 5,000 messages/s 1.00 % of a core and 2.00 MB/s allocated",
            Write(Cell("DeserializeTouch", "Google", 3, 2_000, 400)), StringComparison.Ordinal);

    [Fact]
    public void Where_slab_loses_it_says_so()
    {
        var said = Write(
            Cell("Measure", "Google", 15, 100, 0), Cell("Measure", "Slab", 15, 116, 0),
            Cell("Serialize", "Google", 15, 100, 0), Cell("Serialize", "Slab", 15, 114, 0),
            Cell("Deserialize", "Google", 15, 100, 64), Cell("Deserialize", "Slab", 15, 50, 0));
        Assert.Matches(@"Measure +1\.16, 0 B to 0 B, Slab LOSES here\n", said);
        Assert.Matches(@"Serialize +1\.14, 0 B to 0 B, no difference that this run can show\n", said);
        Assert.Matches(@"Deserialize +0\.50, 64 B to 0 B\n", said);
    }

    // Touch parses as Deserialize does, and then reads.
    [Fact]
    public void A_row_that_is_faster_than_a_part_of_it_is_said_to_be_noise()
    {
        const string noise = "noise: Deserialize of Slab takes 50.0 ns, and DeserializeTouch, which includes it, only 40.0 ns";
        Assert.Contains(noise, Write(Cell("Deserialize", "Slab", 15, 50, 0), Cell("DeserializeTouch", "Slab", 15, 40, 0)),
            StringComparison.Ordinal);
        Assert.Contains("noise: Serialize of Google takes", Write(Cell("Serialize", "Google", 15, 50, 0),
            Cell("MeasureSerialize", "Google", 15, 49, 0)), StringComparison.Ordinal);
        Assert.DoesNotContain("noise:", Write(Cell("Deserialize", "Slab", 15, 40, 0), Cell("DeserializeTouch", "Slab", 15, 50, 0),
            Cell("DeserializeTouch", "Google", 15, 30, 0)), StringComparison.Ordinal);
        Assert.DoesNotContain("noise:", Write(Cell("Deserialize", "Slab", 15, 50, 0) with { Quartiles = (39, 60) },
            Cell("DeserializeTouch", "Slab", 15, 40, 0)), StringComparison.Ordinal);
    }

    [Fact]
    public void Codec_and_allocation_add_up_to_the_whole()
    {
        var said = Write(Cell("DeserializeTouch", "Google", 15, 1e9, 1_000), Cell("MeasureSerialize", "Google", 15, 10, 1e9),
            Cell("DeserializeTouch", "Slab", 15, 100, 0));
        Assert.Contains("about 0 % allocation, 100 % codec", said, StringComparison.Ordinal);
        Assert.Contains("no estimate of allocation: a loop that only allocates as many bytes, in objects of 48 B, takes ", said,
            StringComparison.Ordinal);
        Assert.Contains("all of it is codec: nothing is allocated", said, StringComparison.Ordinal);
    }

    [Fact]
    public void Where_the_quartiles_overlap_there_is_no_answer()
    {
        var said = Write(new("Measure", "Google", 15, 100, (90, 250), 0), new("Measure", "Slab", 15, 300, (240, 310), 0),
            new("Serialize", "Google", 15, 300, (240, 310), 0), new("Serialize", "Slab", 15, 100, (90, 250), 0));
        Assert.Matches(@"Measure +3\.00, 0 B to 0 B, no difference that this run can show\n", said);
        Assert.Matches(@"Serialize +0\.33, 0 B to 0 B, no difference that this run can show\n", said);
    }

    // compare says "no verdict" of the same cell, by the same check.
    [Fact]
    public void A_cell_that_was_still_warming_up_gets_no_verdict()
    {
        var doubtful = Cell("DeserializeTouch", "Slab", 15, 50, 0) with { Fault = "still warming up" };
        var said = Write(Cell("DeserializeTouch", "Google", 15, 100, 0), doubtful);
        Assert.Matches(@"DeserializeTouch +0\.50, 0 B to 0 B, no verdict, still warming up\n", said);
        Assert.Contains("not to be believed, still warming up\n", said, StringComparison.Ordinal);
    }

    [Fact]
    public void A_form_of_a_cell_has_a_line_of_its_own()
    {
        var said = Write(Cell("DeserializeTouch", "Google", 15, 100, 64), Cell("DeserializeTouch", "Slab", 15, 70, 0),
            Cell("DeserializeTouch", "Slab", 15, 80, 64) with { Form = "Strings" },
            Cell("DeserializeTouch", "Slab", 15, 40, 0) with { Form = "Pooled" });
        Assert.Matches(@"DeserializeTouch +0\.70, 64 B to 0 B\n", said);
        Assert.Matches(@"DeserializeTouch, Pooled +0\.40, 64 B to 0 B\n", said);
        Assert.Matches(@"read it with strings +80\.0 ns and +64 B", said);
        Assert.Matches(@"with pooled strings +40\.0 ns and +0 B", said);
    }

    [Fact]
    public void Each_library_is_compared_with_the_first()
    {
        ComparedLibrary[] three = [libraries[0], new("PBN", "protobuf-net 3.4.40", bytes => bytes), libraries[1]];
        var said = new CostSummary(payloads, three, 5_000).Write([Cell("Measure", "Google", 15, 100, 0), Cell("Measure", "PBN", 15, 200, 0),
            Cell("Measure", "Slab", 15, 50, 0)]).ReplaceLineEndings("\n");
        Assert.Matches(@"PBN against Google [^\n]*\n  Measure +2\.00,", said);
        Assert.Matches(@"Slab against Google [^\n]*\n  Measure +0\.50,", said);
        Assert.DoesNotContain("against PBN", said, StringComparison.Ordinal);
    }

    [Fact]
    public void A_library_with_a_format_of_its_own_reads_and_writes_that_in_the_loop()
    {
        var wrong = new ComparedLibrary("Own", "Own 1.0", bytes => bytes.Length == 1 ? bytes : throw new FormatException("protobuf"))
        {
            FromProtobuf = bytes => [1],
        };
        var said = new CostSummary(payloads, [libraries[0], wrong], 5_000).Write([Cell("Serialize", "Own", 15, 50, 0)]);
        Assert.Contains("Own 1.0", said, StringComparison.Ordinal);
        Assert.Contains("garbage collections pause", said, StringComparison.Ordinal);
    }

    [Fact]
    public void Calls_have_a_rate_percentiles_and_bytes()
    {
        var said = Write(Cell("Call, 8 callers", "Google", 15, 100_000, 9_000) with { Calls = new(8, 700_000, 2_500_000) },
            Cell("Call, 8 callers", "Slab", 15, 50_000, 4_000) with { Calls = new(8, 400, null) });
        Assert.Matches(@"calls, 8 callers +10,000 calls/s, p50 700\.00 μs, p99 2,500\.00 μs, 9,000 B a call on both sides together\n", said);
        Assert.Matches(@"calls, 8 callers +20,000 calls/s, p50 400\.0 ns, p99 unknown \(too few calls\), 4,000 B a call", said);
        Assert.Matches(@"Call, 8 callers +0\.50, 9,000 B to 4,000 B\n", said);
        Assert.DoesNotContain("garbage collections pause", said, StringComparison.Ordinal);
    }

    static SummaryCell Cell(string verb, string library, int iterations, double nanoseconds, double bytes) =>
        new(verb, library, iterations, nanoseconds, (nanoseconds, nanoseconds), bytes);

    static string Write(params SummaryCell[] cells) => new CostSummary(payloads, libraries, 5_000).Write(cells).ReplaceLineEndings("\n");
}
