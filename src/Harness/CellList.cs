using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Running;

namespace ProtoBench.Harness;

/// <summary>The answer to --list: a line for each method, with the values of its parameters, which BenchmarkDotNet leaves out.</summary>
static class CellList
{
    const string list = "--list", flat = "flat";

    /// <returns>False if the arguments ask for something else.</returns>
    public static bool Write(string[] args, IConfig config, IEnumerable<Type> types, TextWriter output)
    {
        if (Rest(args) is not { } rest)
            return false;
        if (BenchmarkArguments.Parse(rest, config, "--help") is not { } asked)
            return false;
        var all = ManualConfig.Union(config, asked.Config);
        Write(types.SelectMany(type => BenchmarkConverter.TypeToBenchmarks(type, all).BenchmarksCases), output);
        return true;
    }

    /// <summary>Returns the other arguments; null if the arguments ask for something else.</summary>
    public static string[]? Rest(string[] args)
    {
        var at = Array.IndexOf(args, list);
        return at < 0 || (at + 1 < args.Length && args[at + 1][0] != '-' && !args[at + 1].Equals(flat, StringComparison.OrdinalIgnoreCase))
            ? null : [.. args[..at], .. args[(at + 1)..].SkipWhile(one => one.Equals(flat, StringComparison.OrdinalIgnoreCase))];
    }

    internal static void Write(IEnumerable<BenchmarkCase> cells, TextWriter output)
    {
        foreach (var method in cells.GroupBy(cell => cell.Descriptor.GetFilterName()))
        {
            var parameters = method.SelectMany(cell => cell.Parameters.Items).GroupBy(one => one.Name, one => one.ToDisplayText())
                .Select(one => $"{one.Key}: {string.Join(", ", one.Distinct())}").ToArray();
            output.WriteLine(method.Key + (parameters.Length == 0 ? "" : $"({string.Join("; ", parameters)})"));
        }
    }
}
