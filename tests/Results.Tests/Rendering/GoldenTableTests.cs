using ProtoBench.Testing;

namespace ProtoBench.Results.Tests;

/// <summary>Every form of a table that has one of everything, against a committed file.</summary>
public class GoldenTableTests
{
    static readonly double[] hundred = [100, 101, 102, 103, 104, 105];
    static readonly Unit throughput = new("MB/s", Scale.Plain) { HigherIsBetter = true, Derived = true };

    [Fact]
    public void Text() => Check("two-sides.txt", TextTable.Write, Two());

    [Fact]
    public void Markdown() => Check("two-sides.md", MarkdownTable.Write, Two());

    [Fact]
    public void Csv() => Check("two-sides.csv", CsvTable.Write, Two());

    [Fact]
    public void Json() => Check("two-sides.json", JsonTable.Write, Two());

    [Fact]
    public void CustomSmallerIsBetter() => Check("two-sides.smaller-is-better.json", SmallerIsBetter.Write, Two());

    [Fact]
    public void Text_of_three_sides() => Check("three-sides.txt", TextTable.Write, Three());

    [Fact]
    public void Markdown_of_three_sides() => Check("three-sides.md", MarkdownTable.Write, Three());

    static void Check(string file, Action<Comparison, TextWriter> write, Comparison comparison)
    {
        using var writer = new StringWriter();
        write(comparison, writer);
        Golden.Check(file, writer.ToString());
    }

    static Comparison Two()
    {
        var old = Made.File(
            Times("DeserializeRequestGoogle_BA", 4.213),
            Times("DeserializeRequestSlab_ROM", 3.1e3),
            Times("SerializeRequestSlab_BW", 2.5e6),
            Times("SerializeRequestGoogle_BW", 0.0123),
            Made.Cell("Single", Made.Time, 1e9),
            Made.Cell("Three", Made.Time, 1.001, 1.002, 1.003),
            Times("Parse<Odd|Name, \"quoted\">", 1),
            Times("Zero", 0),
            Times("OnlyOld", 5),
            Made.Cell("DeserializeRequestGoogle_BA", Made.Bytes, 8_592, 8_592),
            Made.Cell("DeserializeRequestSlab_ROM", Made.Bytes, 24, 24),
            Made.Cell("SerializeRequestSlab_BW", Made.Bytes, 0, 0),
            Made.Cell("SerializeRequestGoogle_BW", Made.Bytes, 100, 104),
            new Cell(Made.Name("DeserializeRequestSlab_ROM"), throughput, [.. hundred.Select(value => value * 70)], "launch"),
            new Cell(Made.Name("inbox-slab"), Made.Rate, [.. hundred.Select(value => value * 100)], "round"));
        var @new = Made.File(
            Times("DeserializeRequestGoogle_BA", 4.22),
            Times("DeserializeRequestSlab_ROM", 2.1e3),
            Times("SerializeRequestSlab_BW", 3.75e6),
            Times("SerializeRequestGoogle_BW", 0.0113),
            Made.Cell("Single", Made.Time, 2e9),
            Made.Cell("Three", Made.Time, 2.001, 2.002, 2.003),
            Times("Parse<Odd|Name, \"quoted\">", 1.0001),
            Times("Zero", 1),
            Times("OnlyNew", 5),
            Made.Cell("DeserializeRequestGoogle_BA", Made.Bytes, 8_592, 8_592),
            Made.Cell("DeserializeRequestSlab_ROM", Made.Bytes, 0, 0),
            Made.Cell("SerializeRequestSlab_BW", Made.Bytes, 32, 32),
            Made.Cell("SerializeRequestGoogle_BW", Made.Bytes, 102, 102),
            new Cell(Made.Name("DeserializeRequestSlab_ROM"), throughput, [.. hundred.Select(value => value * 76.92)], "launch"),
            new Cell(Made.Name("inbox-slab"), Made.Rate, [.. hundred.Select(value => value * 137)], "round"));
        return Comparer.Compare(
            [
                new Side("old", [old with { Commit = "0123456789abcdef", Facts = Facts(".NET 10.0.1") }]),
                new Side("new", [@new with { Commit = "fedcba9876543210+", Facts = Facts(".NET 10.0.2"), Failed = [Made.Name("Broken")] }]),
            ],
            new ComparisonOptions { Threshold = 0.1 });
    }

    static Comparison Three() => Comparer.Compare(
        [
            Made.Side("10.0.1", Times("Parse", 200), Times("Write", 100), Made.Cell("Parse", Made.Bytes, 24)),
            Made.Side("10.0.2", Times("Parse", 190), Times("Write", 100), Made.Cell("Parse", Made.Bytes, 24)),
            Made.Side("10.0.3", Times("Parse", 100), Made.Cell("Parse", Made.Bytes, 48)),
        ],
        new ComparisonOptions());

    static Cell Times(string method, double scale) => Made.Cell(method, Made.Time, [.. hundred.Select(value => value * scale / 100)]);

    static Dictionary<string, string> Facts(string runtime) => new() { ["processor"] = "A Processor", ["cores"] = "2", ["runtime"] = runtime, ["GC"] = "Workstation concurrent" };
}
