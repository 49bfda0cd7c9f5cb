using ProtoBench.Results;

namespace ProtoBench.Tests;

public class LossesTests
{
    const string reasons = "# reasons\n^SizeSmallSlab$ ; an empty call\n";

    [Fact]
    public void A_row_that_takes_longer_is_there_with_its_reason() =>
        Assert.Equal("""
            | Why | Rows | The one that takes longest | Of the time of | Takes | Table |
            | --- | ---: | --- | --- | ---: | --- |
            | an empty call | 1 | SizeSmallSlab | SizeSmallGoogle | 1.50 | Made |

            """.ReplaceLineEndings("\n"),
            Losses.Table([Cells(("SizeSmallGoogle", 10), ("SizeSmallSlab", 15), ("ReadSmallGoogle", 10), ("ReadSmallSlab", 9))], reasons));

    [Fact]
    public void Rows_of_the_same_form_are_compared_and_else_the_fastest()
    {
        // MS against MS, although BW of Google is faster than both; the aliasing row against the fastest
        var file = Cells(("WriteGoogle_MS", 20), ("WriteGoogle_BW", 10), ("WriteSlab_MS", 15), ("WriteSlab_A", 12));
        Assert.Contains("| r | 1 | WriteSlab_A | WriteGoogle_BW | 1.20 |", Losses.Table([file], "^WriteSlab_A$ ; r"), StringComparison.Ordinal);
    }

    [Fact]
    public void Each_library_counts_and_Google_with_slab_memory_is_not_the_codec() =>
        Assert.Contains("| r | 1 | ReadSlab | ReadMemoryPack | 4.00 |", Losses.Table(
            [Cells(("ReadGoogle", 30), ("ReadGoogleSlab", 50), ("ReadPBN", 10), ("ReadMemoryPack", 5), ("ReadSlab", 20))], "^ReadSlab$ ; r"),
            StringComparison.Ordinal);

    [Fact]
    public void Pairs_of_a_duet_have_their_interval()
    {
        var pair = MadeDuet.Pair("ReadGoogle", "ReadSlab", [1.25, 1.25]) with { Low = 1.1, High = 1.4 };
        var duet = ResultFile.Parse(DuetResultFile.ToJson(MadeDuet.Result(pair)), "Made.json");
        Assert.Contains("| r | 1 | ReadSlab | ReadGoogle | 1.25 [1.10 to 1.40] | Made |", Losses.Table([duet], "^ReadSlab$ ; r"),
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_pair_that_may_be_equal_is_no_loss()
    {
        var pair = MadeDuet.Pair("ReadGoogle", "ReadSlab", [1.25, 1.25]) with { Low = 0.99, High = 1.6 };
        Assert.Equal("No saved table has such a row.\n",
            Losses.Table([ResultFile.Parse(DuetResultFile.ToJson(MadeDuet.Result(pair)), "Made.json")], ""));
    }

    [Fact]
    public void What_services_do_comes_first()
    {
        var table = Losses.Table([Cells(("ReadGoogle", 10), ("ReadSlab", 30), ("MakeSetGoogle", 10), ("MakeSetSlab", 15))], "^Read ; r\n^Make ; m");
        Assert.True(table.IndexOf("MakeSetSlab", StringComparison.Ordinal) < table.IndexOf("ReadSlab", StringComparison.Ordinal), table);
    }

    [Fact]
    public void Without_a_loss_there_is_a_sentence() =>
        Assert.Equal("No saved table has such a row.\n", Losses.Table([Cells(("ReadGoogle", 10), ("ReadSlab", 10.04))], ""));

    [Fact]
    public void A_loss_without_a_reason_and_a_reason_without_a_loss_are_errors()
    {
        Assert.Contains("SizeBigSlab has a ratio of 2.00 to SizeBigGoogle in Made, and no reason", Refused(("SizeBigGoogle", 1), ("SizeBigSlab", 2),
            ("SizeSmallGoogle", 1), ("SizeSmallSlab", 3)), StringComparison.Ordinal);
        Assert.Contains("a reason matches no row: ^SizeSmallSlab$", Refused(("SizeSmallGoogle", 1), ("SizeSmallSlab", 1)), StringComparison.Ordinal);

        static string Refused(params (string, double)[] cells) =>
            Assert.Throws<InvalidDataException>(() => Losses.Table([Cells(cells)], reasons)).Message;
    }

    static ResultFile Cells(params (string Method, double Nanoseconds)[] cells) => ResultFile.Parse(
        $$"""{ "Benchmarks": [{{string.Join(',', cells.Select(cell => $$"""{ "Type": "A", "Method": "{{cell.Method}}", "FullName": "A.{{cell.Method}}", "Statistics": { "OriginalValues": [{{cell.Nanoseconds}}] } }"""))}}] }""",
        "Made.json");
}
