using System.Text;

namespace ProtoBench.GrpcHost;

/// <summary>Every ratio is the geometric mean over the rounds, with an interval of 95 %.</summary>
static class SettingsTable
{
    /// <summary>The value of a column for the mean over all values.</summary>
    public const string All = "all";

    const double alpha = 0.05;

    /// <summary>Figures relative to the default; null if a round of either has no figure.</summary>
    public sealed record Row(string Setting, string Payload, string Codec, string Callers, double DelayMs, ProcessMean? Calls,
        ProcessMean? P99, ProcessMean? Cpu, IReadOnlyList<LoadFigures> Figures)
    {
        public double? CallsPerSecond => MedianOf(figures => figures.CallsPerSecond);

        /// <summary>The median over the rounds; null for a row of several loads, and for one without figures.</summary>
        public double? MedianOf(Func<LoadFigures, double?> figure)
        {
            double[] known = [.. Figures.Select(figure).OfType<double>()];
            return known.Length == 0 ? null : Median.Of(known).Value;
        }
    }

    /// <summary>Returns all rows: for each setting and load, and for each setting, payload and delay over all codecs and callers.</summary>
    public static IReadOnlyList<Row> Rows(SettingsResult result)
    {
        List<Row> rows = [];
        foreach (var cells in result.Cells.GroupBy(cell => cell.Setting))
        {
            foreach (var group in cells.GroupBy(cell => (cell.Load.Payload, cell.Load.DelayMs)))
                rows.Add(Of(cells.Key, All, All, [.. group]));
            foreach (var cell in cells)
                rows.Add(Of(cells.Key, cell.Load.Codec, cell.Load.Callers.ToString(), [cell]));
        }

        return rows;

        static Row Of(string setting, string codec, string callers, SettingsCell[] cells) => new(
            setting, cells[0].Load.Payload, codec, callers, cells[0].Load.DelayMs,
            Ratio(cells, figures => figures.CallsPerSecond), Ratio(cells, figures => figures.P99Us),
            Ratio(cells, figures => figures.CpuUsPerCall), cells.Length == 1 ? [.. cells[0].Rounds.OfType<LoadFigures>()] : []);
    }

    // A round is used if all cells have it, on both sides.
    static ProcessMean? Ratio(SettingsCell[] cells, Func<LoadFigures, double> figure)
    {
        List<double> ratios = [];
        for (var round = 0; round < cells.Min(cell => cell.Defaults.Count); round++)
        {
            double[] one = [.. cells.Where(cell => cell.Rounds[round] is not null && cell.Defaults[round] is not null)
                .Select(cell => figure(cell.Rounds[round]!) / figure(cell.Defaults[round]!))];
            if (one.Length == cells.Length && one.All(ratio => ratio > 0 && double.IsFinite(ratio)))
                ratios.Add(GeometricMean.Of(one)!.Value);
        }

        return ratios.Count == 0 ? null : ProcessMean.Of(ratios, alpha);
    }

    // for which one payload and one delay leave room; the last four are the host's
    static readonly (string Name, Func<Row, string> Text)[] details =
    [
        ("Calls/s", row => $"{row.CallsPerSecond:N0}"), ("p99 μs", row => $"{row.MedianOf(figures => figures.P99Us):N0}"),
        ("GC pause", row => row.MedianOf(figures => figures.Host?.PausePercent) is { } percent ? $"{percent:F2} %" : ""),
        ("Gen 0/1/2", row => string.Join('/', Enumerable.Range(0, 3).Select(generation => $"{Collections(row, generation):F0}"))),
        ("B/call", row => $"{row.MedianOf(figures => figures.Host?.AllocatedBytesPerCall):N0}"),
        ("Working set", row => row.MedianOf(figures => figures.Host?.WorkingSetMiB) is { } size ? $"{size:N0} MiB" : ""),
    ];

    /// <summary>A row for each setting, codec and number of callers; a column for each payload and delay. With one such column, the table
    /// has the figures of the host too.</summary>
    public static SavedTable Of(SettingsResult result)
    {
        var rows = Rows(result);
        var columns = rows.Select(row => (row.Payload, row.DelayMs)).Distinct().ToList();
        var shown = columns.Count == 1 && result.Cells.Any(cell => cell.Rounds.Any(round => round?.Host is not null)) ? details : [];
        return new(
            [
                $"{result.Cpu}, {result.Cores} cores, {result.Os}, {result.Runtime}",
                $"{result.StartedAt:yyyy-MM-dd}, {MeasuredBuild.Describe(result.Commit, result.Clean)}",
                PackageList.Of(result.PackageVersions),
                $"`{result.CommandLine}`{(result.Partial ? ", stopped early" : "")}",
                "Calls per second relative to the default, with the interval of 95 % over the rounds; rows `default`: calls per second, "
                    + "medians. Client and host shared the machine.",
                .. result.Settings.Select(setting => $"{setting.Key}: `run {setting.Value}`{HostOf(setting.Key)}"),
                .. result.Cells.Where(cell => cell.Failures.Count > 0).Select(cell =>
                    $"{cell.Setting}, {cell.Load.Payload}, {cell.Load.Codec}, {cell.Load.Callers} callers, {Delay(cell.Load.DelayMs)}: "
                    + string.Join("; ", cell.Failures)),
            ],
            ["Setting", "Codec", "Callers", .. columns.Select(column => Column(column.Payload, column.DelayMs)), .. shown.Select(detail => detail.Name)],
            [
                .. from line in rows.GroupBy(row => (row.Setting, row.Codec, row.Callers))
                   where line.Key is not (Setting.Default, All, All)
                   select (string[])
                   [
                       line.Key.Setting, line.Key.Codec, line.Key.Callers,
                       .. columns.Select(column => line.FirstOrDefault(row => (row.Payload, row.DelayMs) == column) is { } row ? Cell(row) : "-"),
                       .. shown.Select(detail => line.Key.Codec == All ? "-" : detail.Text(line.First())),
                   ],
            ]);

        string HostOf(string setting) => result.Cells.FirstOrDefault(cell => cell.Setting == setting)?.Host is { } host ? $" (host: {host})" : "";
    }

    static double? Collections(Row row, int generation) => row.MedianOf(figures => figures.Host?.Collections[generation]);

    public static string ToCsv(SettingsResult result)
    {
        var text = new StringBuilder(
            "setting,payload,codec,callers,delay_ms,calls_per_second,ratio,ratio_low,ratio_high,p99_ratio,p99_low,p99_high,"
            + "cpu_ratio,cpu_low,cpu_high,host_gc_pause_percent,host_gen0,host_gen1,host_gen2,host_bytes_per_call,host_working_set_mib\n");
        foreach (var row in Rows(result))
        {
            double?[] figures =
            [
                row.DelayMs, row.CallsPerSecond,
                .. new[] { row.Calls, row.P99, row.Cpu }.SelectMany(mean => new[] { mean?.Value, mean?.Low, mean?.High }),
                row.MedianOf(figures => figures.Host?.PausePercent), Collections(row, 0), Collections(row, 1), Collections(row, 2),
                row.MedianOf(figures => figures.Host?.AllocatedBytesPerCall), row.MedianOf(figures => figures.Host?.WorkingSetMiB),
            ];
            text.Append($"{row.Setting},{row.Payload},{row.Codec},{row.Callers},");
            text.AppendJoin(',', figures.Select(figure => figure is { } number && double.IsFinite(number)
                ? number.ToString("G6") : "")).Append('\n');
        }

        return text.ToString();
    }

    static string Cell(Row row) => row switch
    {
        { Setting: Setting.Default } => row.CallsPerSecond is { } calls ? calls.ToString("N0") : "failed",
        { Calls: not { } } => "failed",
        { Calls: { P: null } mean } => $"{mean.Value:F2}",
        { Calls: { } mean } => $"{mean.Value:F2} ({mean.Low:F2} to {mean.High:F2})",
    };

    static string Column(string payload, double delayMs) =>
        $"{(payload == "1KB" ? "1 KB" : payload)}{(delayMs > 0 ? ", " + Delay(delayMs) : "")}";

    static string Delay(double milliseconds) => $"{milliseconds} ms";
}
