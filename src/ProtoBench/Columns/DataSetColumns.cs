using System.Globalization;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Running;
using ProtoBench.Benchmarks;
using ProtoBench.Running;

namespace ProtoBench.Columns;

/// <summary>What tables of data sets have beside the others' columns.</summary>
static class DataSetColumns
{
    /// <summary>All of them, in the order of the table.</summary>
    public static IReadOnlyList<IColumn> All => [Set, Compressed];

    /// <summary>The data set.</summary>
    public static IColumn Set { get; } =
        new CellColumn("Data set", "The content that is read or written", cell => typeof(IDataSetCells).IsAssignableFrom(cell.Descriptor.Type),
            report => IDataSetCells.NameOf(report.BenchmarkCase.Descriptor.Type))
        {
            Category = ColumnCategory.Params,
        };

    /// <summary>Bytes behind the compressor.</summary>
    public static IColumn Compressed { get; } =
        new CellColumn("Compressed", "Bytes of the compressed message", cell => cell.Descriptor.Type == typeof(CompressionBenchmarks),
            report => Bytes(report.BenchmarkCase).ToString("N0", CultureInfo.InvariantCulture));

    static long Bytes(BenchmarkCase cell)
    {
        var cells = new CompressionBenchmarks
        {
            DataSet = (string)cell.Parameters[nameof(CompressionBenchmarks.DataSet)],
            Format = (string)cell.Parameters[nameof(CompressionBenchmarks.Format)],
        };
        cells.Setup();
        return (long)cell.Descriptor.WorkloadMethod.Invoke(cells, null)!;
    }
}
