namespace ProtoBench.Tests;

/// <summary>By the names of its columns, which depend on the run: a garbage collection in one row adds a column to all.</summary>
static class ConsoleTable
{
    public static IReadOnlyList<IReadOnlyDictionary<string, string>> Read(string output)
    {
        var lines = output.Split('\n').Select(line => line.TrimEnd('\r')).SkipWhile(line => !line.StartsWith("| Method ", StringComparison.Ordinal))
            .TakeWhile(line => line.StartsWith('|')).Select(Cells).ToList();
        Assert.True(lines.Count > 1, output);
        return [.. lines.Skip(2).Where(cells => cells[0].Length > 0)
            .Select(cells => lines[0].Zip(cells).ToDictionary(cell => cell.First, cell => cell.Second, StringComparer.Ordinal))];
    }

    static string[] Cells(string line) => line.Trim('|').Split('|', StringSplitOptions.TrimEntries);
}
