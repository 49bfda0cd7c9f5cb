namespace ProtoBench.Results.Tests;

public class FiguresTests
{
    [Theory]
    [InlineData(0, "0 ns")]
    [InlineData(0.00123456, "0.001235 ns")]
    [InlineData(1.5, "1.500 ns")]
    [InlineData(12.345, "12.35 ns")]
    [InlineData(250, "250 ns")]
    [InlineData(250.84, "250.8 ns")]
    [InlineData(999.96, "1.000 μs")]
    [InlineData(1_072.19, "1.072 μs")]
    [InlineData(12_345_678, "12.35 ms")]
    [InlineData(2e9, "2 s")]
    [InlineData(1.2345e13, "12,345 s")]
    public void Times_have_four_digits_and_the_unit_that_fits(double nanoseconds, string text) =>
        Assert.Equal(text, Figures.Of(Made.Time, nanoseconds));

    [Theory]
    [InlineData(0, "0")]
    [InlineData(24, "24")]
    [InlineData(8_592, "8,592")]
    [InlineData(290_699, "290,699")]
    [InlineData(0.5, "0.5")]
    [InlineData(812.34, "812.3")]
    public void Bytes_are_written_out(double value, string text) => Assert.Equal(text, Figures.Of(Made.Bytes, value));

    [Theory]
    [InlineData(1, "0.00%")]
    [InlineData(1.05, "+5.00%")]
    [InlineData(0.95, "-5.00%")]
    [InlineData(1.00001, "+0.00%")]
    [InlineData(0, "-100.00%")]
    [InlineData(15, "+1,400%")]
    [InlineData(double.PositiveInfinity, "?")]
    public void Changes_have_a_sign_unless_there_is_none(double factor, string text) => Assert.Equal(text, Figures.Percent(factor));

    [Theory, InlineData(0.0005, "<0.001"), InlineData(0.00794, "=0.008"), InlineData(1, "=1.000")]
    public void P_is_never_printed_as_zero(double p, string text) => Assert.Equal(text, Figures.P(p));
}

public class WidthTests
{
    // A terminal of 120 columns: names, labels, figures, notes and warnings of any length, in tables of two to four columns.
    [Fact]
    public void No_line_of_a_text_table_is_longer_than_a_terminal()
    {
        const int seed = 71;
        var random = new Random(seed);
        for (var run = 0; run < 300; run++)
        {
            string[] names = [.. Enumerable.Range(0, 6).Select(i => $"Cell{i}{Text(random.Next(random.Next(2) == 0 ? 20 : 200))}")];
            var n = random.Next(1, 9);
            Side[] sides = [.. Enumerable.Range(0, random.Next(2, 5)).Select(i => Side($"{i}{Text(random.Next(90))}"))];
            var comparison =
                Comparer.Compare(sides, new ComparisonOptions { Threshold = random.Next(2) * 0.05 });
            using var writer = new StringWriter();
            TextTable.Write(comparison, writer);
            var longest = writer.ToString().Split('\n').MaxBy(line => line.Length)!;
            Assert.True(longest.Length <= TextTable.Width, $"seed {seed}, run {run}: {longest.Length} characters: {longest}");
            Assert.All(names, name => Assert.Contains(name.Length <= 40 ? name : name[..40], writer.ToString(), StringComparison.Ordinal));

            Side Side(string label)
            {
                var side = Made.Side(
                    label,
                    [
                        .. names.SelectMany(name =>
                        {
                            var scale = Math.Pow(10, random.Next(-3, 12));
                            double[] Values() =>
                                [.. Enumerable.Range(0, n).Select(_ => scale * (1 + random.NextDouble() + (random.Next(3) * 4)))];
                            return new[] { Made.Cell(name, Made.Time, Values()), Made.Cell(name, Made.Rate, Values()),
                                Made.Cell(name, Made.Bytes, Values()) };
                        }),
                    ]);
                var facts = new Dictionary<string, string> { ["processor"] = Text(random.Next(150)), ["runtime"] = ".NET" };
                return side with
                {
                    Files =
                    [side.Files[0] with { Facts = facts, Commit = new string('a', 40) + "+",
                        Failed = [Made.Name("Broken" + Text(random.Next(200)))] }]
                };
            }
        }

        string Text(int length) => string.Concat(Enumerable.Range(0, length).Select(_ => "abc =,"[random.Next(6)]));
    }
}

public class GoldenTableTests
{
    static readonly double[] hundred = [100, 101, 102, 103, 104, 105];
    static readonly Unit throughput = new("MB/s", Scale.Plain) { HigherIsBetter = true, Derived = true };

    [Fact]
    public void Text() => Check("two-sides.txt", TextTable.Write, Two());

    [Fact]
    public void Markdown() => Check("two-sides.md", MarkdownTable.Write, Two());

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
