using System.Diagnostics;
using System.Globalization;
using System.Text;
using ProtoBench.Results;

namespace ProtoBench.DuetExperiment;

/// <summary>Runs the program's own verbs, and counts what they claim.</summary>
/// <param name="cell">The cell of SensitivityBenchmarks.</param>
sealed class Experiment(string cell)
{
    const double alpha = 0.05;
    const int launches = 5;
    static readonly int[] percents = [0, 2, 5, 10];

    readonly Dictionary<(string Way, int Percent), List<(bool Claimed, double Ratio, double HalfWidth, double Seconds)>> seen = [];
    readonly string folder = Directory.CreateTempSubdirectory("duet-experiment-").FullName;
    readonly string root = Root();

    /// <summary>One duet for each percentage, at its defaults.</summary>
    public async Task DuetAsync(int repetition)
    {
        foreach (var percent in percents)
        {
            var file = Path.Combine(folder, $"duet-{repetition}-{percent}.json");
            string[] against = percent == 0 ? ["--same"] : ["--against", Name(0)];
            await RunAsync(["duet", "--filter", Name(percent), .. against, "--out", file, "--seed", $"{(repetition * 100) + percent}"]);
            var pair = DuetResultFile.Read(file).Duets.Single();
            var measured =
                pair.Processes.Sum(process =>
                    process.Pairs * ((process.OldNanoseconds * process.OldOperations)
                        + (process.NewNanoseconds * process.NewOperations))) / 1e9;
            Add("duet", percent, pair.P <= alpha, pair.Ratio,
                Math.Max(1 - (pair.Low!.Value / pair.Ratio), (pair.High!.Value / pair.Ratio) - 1), measured);
        }
    }

    /// <summary>Five launches a side, in turns; compared as compare does for a single row.</summary>
    public async Task RepeatAsync(int repetition)
    {
        var @out = Path.Combine(folder, $"repeat-{repetition}");
        await RunAsync(["repeat", $"{2 * launches}", "--filter", $"*SensitivityBenchmarks.{cell}*", "--out", @out]);
        ResultFile[] files = [.. Directory.GetFiles(@out, "*.json").Order(StringComparer.Ordinal).Select(ResultFile.Read)];
        foreach (var percent in percents)
        {
            double[] Of(int percent, int first) => [.. files.Where((_, i) => i % 2 == first).Select(file => Time(file, percent).Values[0])];
            var (old, @new) = (Of(0, 0), Of(percent, 1));
            var ratio = RatioEstimate.Of(old, @new, alpha);
            // iterations of 100 ms
            var measured = files.SelectMany((file, i) => Time(file, i % 2 == 0 ? 0 : percent).Iterations).Count() * 0.1;
            Add("repeat 5, compare", percent, MannWhitney.Test(old, @new).P <= alpha, ratio.Value,
                Math.Max(1 - (ratio.Low / ratio.Value), (ratio.High / ratio.Value) - 1), measured);
        }
    }

    /// <summary>What was seen so far, as Markdown.</summary>
    public string Table()
    {
        var table = new StringBuilder(
            "| Cell | Way | More work | Claimed | Consistent with | Median change | Median half-width | Measured |\n| --- | --- | ---: "
                + "| ---: | --- | ---: | ---: | ---: |\n");
        foreach (var ((way, percent), all) in seen.OrderBy(one => one.Key.Way, StringComparer.Ordinal).ThenBy(one => one.Key.Percent))
        {
            var claims = all.Count(one => one.Claimed);
            var (low, high) = BinomialInterval.Of(claims, all.Count, 0.95);
            table.Append(CultureInfo.InvariantCulture,
                $"| {cell} | {way} | {percent} % | {claims} of {all.Count} | {low * 100:F0} to {high * 100:F0} % | "
                    + $"{(Middle(all.Select(one => one.Ratio)) - 1) * 100:+0.00;-0.00} % | "
                        + $"{Middle(all.Select(one => one.HalfWidth)) * 100:0.0#} % | {Middle(all.Select(one => one.Seconds)):F1} s |\n");
        }

        return table.ToString();
    }

    static double Middle(IEnumerable<double> values) => Median.Of([.. values]).Value;

    Cell Time(ResultFile file, int percent) =>
        file.Cells.Single(one => one.Unit.Name == "ns/op"
        && one.Name.Full.EndsWith($".{cell}(Percent: {percent})", StringComparison.Ordinal));

    string Name(int percent) => $"*SensitivityBenchmarks.{cell}(Percent: {percent})";

    void Add(string way, int percent, bool claimed, double ratio, double halfWidth, double seconds)
    {
        if (!seen.TryGetValue((way, percent), out var all))
            seen[(way, percent)] = all = [];
        all.Add((claimed, ratio, halfWidth, seconds));
    }

    async Task RunAsync(string[] arguments)
    {
        using var program =
            Process.Start(
                new ProcessStartInfo("dotnet",
                    [Path.Combine(root, "artifacts", "bin", "ProtoBench", "release", "ProtoBench.dll"), .. arguments])
                {
                    RedirectStandardOutput = true,
                    RedirectStandardError = true,
                    WorkingDirectory = root,
                })!;
        var said = Task.WhenAll(program.StandardOutput.ReadToEndAsync(), program.StandardError.ReadToEndAsync());
        await program.WaitForExitAsync();
        if (program.ExitCode != 0)
            throw new InvalidOperationException(
                $"{string.Join(' ', arguments)} ended with {program.ExitCode}:\n{string.Concat(await said)}");
    }

    static string Root()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "ProtoBench.sln")))
            folder = folder.Parent ?? throw new InvalidOperationException("no checkout above this program");
        return folder.FullName;
    }
}
