using ProtoBench.Duet;
using ProtoBench.DuetRunner;

namespace ProtoBench.Tests.Duet;

public class SharedProcessesTests
{
    [Theory]
    [InlineData(1, "A A A B B C D D")]
    [InlineData(2, "AA A BB C DD")]
    [InlineData(3, "AAA BBC DD")]
    [InlineData(6, "AAABBC DD")]
    [InlineData(100, "AAABBC DD")]
    public void Classes_stay_together_and_cells_that_wait_stay_apart(int most, string expected)
    {
        var pairs = "AAABBCDD".Select((type, i) => new DuetMeasurement(Pair(type, i), sharedHeap: true)).ToArray();
        Assert.Equal(expected, Text(pairs, most));
        new Random(1).Shuffle(pairs);
        Assert.Equal(8, SharedProcesses.Of(pairs, most).SelectMany(process => process).Distinct().Count());
        Assert.All(SharedProcesses.Of(pairs, most), process => Assert.InRange(process.Length, 1, most));
        Assert.All(SharedProcesses.Of(pairs, most), process => Assert.Single(process.DistinctBy(pair => pair.Cells.New.Waits)));
    }

    static string Text(IEnumerable<DuetMeasurement> pairs, int most) =>
        string.Join(' ', SharedProcesses.Of(pairs, most).Select(process => string.Concat(process.Select(pair => pair.Cells.New.Type))));

    static CellPair Pair(char type, int number) => new(Cell(type, "Old" + number), Cell(type, "New" + number));

    static RunnerCell Cell(char type, string method) => new($"N.{type}.{method}", $"{type}", method, new Dictionary<string, string>(), OnlyWhenNamed: false, Refused: null) { Waits = type == 'D' };
}
