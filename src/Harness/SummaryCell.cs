using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace ProtoBench.Harness;

/// <summary>A measured cell as the summary reads it.</summary>
/// <param name="Verb">The cell's category, such as DeserializeTouch.</param>
/// <param name="Library">The name of a <see cref="MeasuredLibrary"/>.</param>
/// <param name="Iterations">How often it was measured.</param>
/// <param name="Nanoseconds">Median time of an operation.</param>
/// <param name="Quartiles">The first and the third quartile of that time.</param>
/// <param name="Bytes">Bytes allocated by an operation.</param>
sealed record SummaryCell(string Verb, string Library, int Iterations, double Nanoseconds, (double Low, double High) Quartiles,
    double Bytes)
{
    // A dry run has one iteration, and that one is the first call of everything.
    const int fewestIterations = 3;

    /// <summary>Whether the figures are a measurement. Those of a dry run are not.</summary>
    public bool IsMeasurement => Iterations >= fewestIterations;

    /// <summary>Whether the middle halves of both cells' iterations have times in common.</summary>
    public bool Overlaps(SummaryCell other) => Quartiles.Low <= other.Quartiles.High && other.Quartiles.Low <= Quartiles.High;

    /// <summary>The cells of the mix that ran.</summary>
    public static SummaryCell[] Of(Summary summary) =>
        [.. summary.Reports.Where(report => report.ResultStatistics is not null && IsOfMix(report)).Select(Of).OfType<SummaryCell>()];

    /// <summary>The library that a cell measures; null for a cell that does not say it.</summary>
    public static string? LibraryOf(BenchmarkCase cell) =>
        cell.Descriptor.WorkloadMethod.GetCustomAttributes(typeof(MeasuresAttribute), inherit: false).OfType<MeasuresAttribute>()
            .FirstOrDefault()?.Library;

    static bool IsOfMix(BenchmarkReport report) =>
        report.BenchmarkCase.Parameters.Items.FirstOrDefault(item => item.Name == "Payloads")?.Value is null or PayloadSet.Mix;

    static SummaryCell? Of(BenchmarkReport report)
    {
        var descriptor = report.BenchmarkCase.Descriptor;
        var library = LibraryOf(report.BenchmarkCase);
        return library is null || descriptor.Categories is not [var verb, ..]
            ? null
            : new(
                verb, library, report.ResultStatistics!.N, report.ResultStatistics.Median,
                    (report.ResultStatistics.Q1, report.ResultStatistics.Q3),
                report.GcStats.GetBytesAllocatedPerOperation(report.BenchmarkCase) ?? 0);
    }
}
