using System.Globalization;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using ProtoBench.Libraries;
using ProtoBench.Payloads;

namespace ProtoBench.Columns;

/// <summary>What turns a hive cell's time and bytes into figures that travel: per second, per item, per byte on the wire.</summary>
public static class HiveColumns
{
    /// <summary>Megabytes (10^6 bytes) of payload a second.</summary>
    public static IColumn Rate { get; } = new CellColumn("MB/s", "Payload megabytes (10^6 bytes) per second, from the mean", (cell, report) =>
        Format(cell.WireBytes / Nanoseconds(report) * 1e3, "N0"));

    /// <summary>Bytes of the message on the wire.</summary>
    public static IColumn Payload { get; } = new CellColumn("Payload", "Bytes of the message on the wire", (cell, _) => Format(cell.WireBytes, "N0"));

    /// <summary>Nanoseconds for each of the payload's sub-items.</summary>
    public static IColumn PerItem { get; } = new CellColumn("ns/item", $"Nanoseconds for each of the {Hive.Items} sub-items, from the mean", (_, report) =>
        Format(Nanoseconds(report) / Hive.Items, "N2"));

    /// <summary>Managed bytes allocated for each byte on the wire.</summary>
    public static IColumn AllocatedPerWireByte { get; } = new CellColumn("Alloc/wire B", "Allocated bytes for each byte on the wire", (cell, report) =>
        report.GcStats.GetBytesAllocatedPerOperation(report.BenchmarkCase) is { } bytes ? Format((double)bytes / cell.WireBytes, "N3") : null);

    /// <summary>The library's package and version.</summary>
    public static IColumn Library { get; } = new CellColumn("Library", "Package and version that was measured", (cell, _) => HiveLibraries.Find(cell.Library)?.PackageAndVersion ?? "-");

    static double Nanoseconds(BenchmarkReport report) => report.ResultStatistics!.Mean;

    static string Format(double value, string format) => value.ToString(format, CultureInfo.InvariantCulture);
}
