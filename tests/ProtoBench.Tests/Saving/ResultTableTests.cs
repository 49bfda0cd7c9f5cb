using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using ProtoBench.Benchmarks;
using ProtoBench.Harness;

namespace ProtoBench.Tests;

[Collection(DataSetContent.Tests)]
public class ResultTableTests
{
    public static TheoryData<string> Classes { get; } = [.. BenchmarkClasses.All.Select(type => type.Name)];

    [Theory]
    [MemberData(nameof(Classes))]
    public void It_fits_120_characters(string name)
    {
        var summary = MadeUp.Class(BenchmarkClasses.All.Single(type => type.Name == name), _ => [123_456.7, 234_567.8, 999_999.9], Widest);
        Assert.All(Printed(summary, wide: false).Where(line => line.StartsWith('|')), line => Assert.InRange(line.Length, 1, 120));
    }

    /// <summary>Each method, and each value of a parameter with the baseline and the longest name: columns make the content of each
    /// cell.</summary>
    static IEnumerable<BenchmarkCase> Widest(IReadOnlyList<BenchmarkCase> cells)
    {
        var longest = cells.MaxBy(cell => cell.Descriptor.WorkloadMethod.Name.Length)!.Descriptor.WorkloadMethod;
        var seen = new HashSet<string>();
        foreach (var group in cells.GroupBy(cell => cell.Parameters.DisplayInfo))
        {
            var isFirst = seen.Count == 0;
            var values = group.First().Parameters.Items.Select(item => $"{item.Name} {item.Value}").ToList();
            var isNew = !seen.IsSupersetOf(values);
            seen.UnionWith(values);
            foreach (var cell in group)
            {
                if (isFirst || (isNew && (cell.Descriptor.Baseline || cell.Descriptor.WorkloadMethod == longest)))
                    yield return cell;
            }
        }
    }

    [Fact]
    public void It_has_the_time_and_the_ratio_with_their_intervals()
    {
        var summary = MadeUp.Class(typeof(MeasureBenchmarks), [.. Enumerable.Range(0, 15).Select(i => 100_000 + (1_000.0 * i))]);
        var lines = Printed(summary, wide: false);
        Assert.Contains(lines,
            line => line.StartsWith("| Method ", StringComparison.Ordinal) && line.Contains(" Time ", StringComparison.Ordinal));

        // ranks 4 and 12 of 15: 103 and 111 around the median, 107
        Assert.Contains(lines,
            line => line.StartsWith("| MeasureRequestGoogle ", StringComparison.Ordinal)
            && line.Contains("| 107.0 μs ± 3.7 % |", StringComparison.Ordinal));
        Assert.Contains(Printed(summary, wide: true), line => line.Contains("StdDev", StringComparison.Ordinal));
    }

    [Fact]
    public void A_busy_machine_is_said_in_one_line_that_names_duet()
    {
        const string said = "The machine was busy: ";
        double[] calm = [.. Enumerable.Range(0, 15).Select(i => 100_000 + (100.0 * i))];
        double[] disturbed = [.. Enumerable.Range(0, 15).Select(i => 100_000 + (20_000.0 * i))];
        Assert.DoesNotContain(Printed(MadeUp.Class(typeof(MeasureBenchmarks), calm), wide: false), line => line.Contains(said));
        var line = Assert.Single(Printed(MadeUp.Class(typeof(MeasureBenchmarks), disturbed), wide: false), line => line.Contains(said));
        Assert.Contains("duet --filter", line, StringComparison.Ordinal);
    }

    /// <summary>The mean of the ratios of each measurement to each is above 1 wherever they differ.</summary>
    [Fact]
    public void A_baseline_s_ratio_to_itself_is_1()
    {
        var summary = MadeUp.Class(typeof(MeasureBenchmarks), 10_000, 20_000, 90_000);
        var baseline = summary.BenchmarksCases.First(cell => cell.Descriptor.Baseline);
        Assert.Equal("1.00", new RatioColumn().GetValue(summary, baseline));
        Assert.Equal("1.00", new RatioIntervalColumn().GetValue(summary, baseline));
    }

    [Fact]
    public void Another_cell_s_ratio_is_that_of_the_medians()
    {
        var (low, high) = (new[] { 10.0, 11, 12, 13, 14, 15, 200 }, new[] { 20.0, 22, 24, 26, 28, 30, 32 });
        var summary = MadeUp.Class(typeof(MeasureBenchmarks), cell => cell.Descriptor.Baseline ? low : high);
        var other = summary.BenchmarksCases.First(cell => !cell.Descriptor.Baseline);
        Assert.Equal("2.00", new RatioColumn().GetValue(summary, other));
        Assert.StartsWith("2.00 ± ", new RatioIntervalColumn().GetValue(summary, other), StringComparison.Ordinal);
    }

    /// <summary>One definition of the ratio in all tables: those of projects made by the verb <c>new</c> too.</summary>
    [Fact]
    public void A_created_project_has_the_same_ratio()
    {
        var summary = MadeUp.Class(typeof(MeasureBenchmarks), 10_000, 20_000, 90_000);
        var columns = HarnessConfig.Create(hasJob: false).GetColumnProviders().SelectMany(provider => provider.GetColumns(summary));
        Assert.IsType<RatioColumn>(Assert.Single(columns, column => column.ColumnName == "Ratio"));
    }

    static string[] Printed(BenchmarkDotNet.Reports.Summary summary, bool wide)
    {
        var log = new AccumulationLogger();
        ResultTable.Print(summary, wide, log);
        return log.GetLog().Split('\n', StringSplitOptions.TrimEntries);
    }
}
