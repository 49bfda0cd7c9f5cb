namespace ProtoBench.Results.Tests;

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
                Comparer.Compare(sides, new ComparisonOptions { Threshold = random.Next(2) * 0.05, Floor = random.Next(2) * 2 });
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
