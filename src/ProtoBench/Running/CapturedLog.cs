using System.Text;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;

namespace ProtoBench.Running;

/// <summary>Keeps what BenchmarkDotNet logs as text.</summary>
sealed class CapturedLog : ILogger
{
    readonly StringBuilder text = new();

    /// <summary>What <paramref name="exporter"/> makes of <paramref name="summary"/>.</summary>
    public static string Export(ExporterBase exporter, Summary summary)
    {
        var logger = new CapturedLog();
        exporter.ExportToLog(summary, logger);
        return logger.ToString();
    }

    public string Id => nameof(CapturedLog);

    public int Priority => 0;

    public void Write(LogKind logKind, string text) => this.text.Append(text);

    public void WriteLine() => text.Append('\n');

    public void WriteLine(LogKind logKind, string text) => this.text.Append(text).Append('\n');

    public void Flush()
    {
    }

    public override string ToString() => text.ToString();
}
