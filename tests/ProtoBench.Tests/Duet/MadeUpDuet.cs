using ProtoBench.Results;

namespace ProtoBench.Tests.Duet;

/// <summary>Duet results whose ratios a test names.</summary>
static class MadeUpDuet
{
    /// <summary>One process for each ratio; the cells of the first pair are A and B, those of the next A1 and B1.</summary>
    public static DuetResult Of(params double[][] pairs) => new()
    {
        StartedAt = DateTimeOffset.UnixEpoch,
        Environment = new() { Process = new() { Runtime = "", GcMode = "", Cpu = "", Cores = 1, Os = "", Architecture = "" } },
        Settings = new()
        {
            Form = "oneProcess",
            Processes = pairs.Max(ratios => ratios.Length),
            SecondsPerProcess = 1,
            SliceMilliseconds = 1,
            AllocatingSliceMilliseconds = 5,
            Alpha = 0.05,
        },
        Duets = [.. pairs.Select((ratios, i) => Pair(i == 0 ? "" : $"{i}", ratios))],
    };

    static DuetPair Pair(string number, double[] ratios)
    {
        var mean = ProcessMean.Of(ratios, 0.05);
        return new()
        {
            Old = Side("A" + number),
            New = Side("B" + number),
            Ratio = mean.Value,
            Low = ratios.Length > 1 ? mean.Low : null,
            High = ratios.Length > 1 ? mean.High : null,
            P = mean.P,
            CorrectedP = mean.P,
            Clock = "cpu",
            Processes = [.. ratios.Select(one =>
                new DuetProcess { Ratio = one, OldNanoseconds = 1, NewNanoseconds = one, Pairs = 9, Blocks = 9 })],
        };
    }

    static DuetSide Side(string name) =>
        new()
        {
            Cell = "N.T." + name,
            Type = "T",
            Method = name,
            NanosecondsPerOperation = 1,
            AllocatedBytesPerOperation = 0,
            Collections = [0, 0, 0]
        };
}
