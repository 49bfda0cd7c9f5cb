using ProtoBench.Duet;
using ProtoBench.DuetRunner;

namespace ProtoBench.Tests.Duet;

public class SharedProcessesTests
{
    [Theory]
    [InlineData(1, "A1 A2 A3 B1 B2 C1")]
    [InlineData(2, "A1A2 A3 B1B2 C1")]
    [InlineData(16, "A1A2A3 B1B2 C1")]
    public void Only_pairs_of_the_same_two_methods_share_a_process(int most, string expected)
    {
        string[] names = ["A1", "B1", "A2", "C1", "A3", "B2"];
        var pairs = names.Select(name =>
            new DuetMeasurement(new CellPair(Cell("Old" + name[0], name[1]), Cell("New" + name[0], name[1])), sharedHeap: true)).ToArray();
        var processes = SharedProcesses.Of(pairs, most);
        Assert.Equal(expected,
            string.Join(' ',
                processes.Select(process => string.Concat(process.Select(pair => names[Array.IndexOf(pairs, pair)])))
                    .Order(StringComparer.Ordinal)));
    }

    static RunnerCell Cell(string method, char size) =>
        new($"N.T.{method}(Size: {size})", "T", method, new Dictionary<string, string> { ["Size"] = $"{size}" }, OnlyWhenNamed: false,
            Refused: null);
}
