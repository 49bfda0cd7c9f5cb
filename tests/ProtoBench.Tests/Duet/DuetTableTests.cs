using ProtoBench.Harness.Duet;
using ProtoBench.Results;

namespace ProtoBench.Tests;

public class DuetTableTests
{
    [Fact]
    public void Two_cells_have_a_ratio_and_no_old_and_new_side()
    {
        var result = MadeDuet.Result(MadeDuet.Pair("ReadGoogle", "ReadSlab", [0.25, 0.25], oldBytes: 40));
        var table = DuetTable.Of(result);
        Assert.Equal(
            ["Pair", "Takes of the time", "Interval", "Time", "Time of the other", "p", "Verdict", "Processes", "B/op", "B/op of the other"],
            table.Columns);
        Assert.Equal(["ReadSlab against ReadGoogle", "0.25", "[0.25 to 0.25]", "25 ns", "100 ns"], table.Rows[0][..5]);
        Assert.Equal(["0", "40"], table.Rows[0][^2..]);
        Assert.Contains("  takes 0.25 of the time [0.25 to 0.25], 25 ns instead of 100 ns, better", Text(result), StringComparison.Ordinal);
    }

    [Fact]
    public void Two_builds_of_a_cell_have_a_change()
    {
        var result = MadeDuet.Result(MadeDuet.Pair("ReadSlab", "ReadSlab", [0.9, 0.9]));
        Assert.Equal(["Pair", "Old", "New", "Change", "Interval"], DuetTable.Of(result).Columns.Take(5));
        Assert.Contains("  100 ns -> 90 ns, -10.00% [-10.00%, -10.00%], better", Text(result), StringComparison.Ordinal);
    }

    static string Text(DuetResult result)
    {
        using var output = new StringWriter();
        DuetTable.Formats["text"](result, output);
        return output.ToString();
    }
}
