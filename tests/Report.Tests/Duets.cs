using System.Globalization;
using ProtoBench.Results;

namespace ProtoBench.Report.Tests;

/// <summary>Duet results that no run gave: each pair has processes around the ratio it is to show.</summary>
static class Duets
{
    /// <summary>A result file with these pairs.</summary>
    public static ResultFile File(params (string Old, string New, double Ratio, bool Valid)[] pairs)
    {
        var result = new DuetResult
        {
            StartedAt = new DateTimeOffset(2026, 11, 21, 12, 0, 0, TimeSpan.Zero),
            Environment =
                new()
                {
                    Process =
                    new()
                    {
                        Cpu = "A Processor",
                        Cores = 2,
                        Os = "An OS",
                        Runtime = ".NET 10",
                        GcMode = "Workstation",
                        Architecture = "X64"
                    }
                },
            Settings = new()
            {
                CommandLine = "duet --filter '*Request*'",
                Form = "oneProcess",
                Processes = 10,
                SecondsPerProcess = 0.5,
                SliceMilliseconds = 1,
                AllocatingSliceMilliseconds = 5,
                Alpha = 0.05
            },
            Duets = [.. pairs.Select(pair => Pair(pair.Old, pair.New, pair.Ratio, pair.Valid))],
        };
        return ResultFile.Parse(DuetResultFile.ToJson(result), "duet.json");
    }

    static DuetPair Pair(string old, string now, double ratio, bool valid)
    {
        double[] ratios = [.. Enumerable.Range(0, 10).Select(i => ratio * (1 + ((i - 4.5) * 0.004)))];
        var estimate = PairedRatio(ratios);
        return new()
        {
            Old = Side(old, 1000),
            New = Side(now, 1000 * ratio),
            Ratio = estimate.Value,
            Low = estimate.Low,
            High = estimate.High,
            P = ratio == 1 ? 0.9 : 1e-6,
            CorrectedP = ratio == 1 ? 0.9 : 1e-6,
            Clock = "cpu",
            Valid = valid,
            Processes = [.. ratios.Select(one =>
                new DuetProcess { Ratio = one, OldNanoseconds = 1000, NewNanoseconds = 1000 * one, Pairs = 250, Blocks = 250 })],
        };
    }

    static RatioEstimate PairedRatio(double[] ratios)
    {
        var middle = Math.Exp(ratios.Average(Math.Log));
        return new RatioEstimate(middle, middle * 0.99, middle * 1.01);
    }

    static DuetSide Side(string method, double nanoseconds) => new()
    {
        Cell = string.Create(CultureInfo.InvariantCulture, $"ProtoBench.T.{method}"),
        Type = "T",
        Method = method,
        NanosecondsPerOperation = nanoseconds,
        AllocatedBytesPerOperation = 100,
        Collections = [0, 0, 0],
    };
}
