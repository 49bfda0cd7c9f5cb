namespace ProtoBench.Results.Tests.Duet;

/// <summary>Duet results as a measurement would have left them.</summary>
static class MadeDuet
{
    public static DuetResult Result(params DuetPair[] pairs)
    {
        var corrected = Holm.Correct([.. pairs.Select(pair => pair.P ?? 1)]);
        return new()
        {
            StartedAt = new(2026, 1, 2, 3, 4, 5, TimeSpan.Zero),
            Environment =
                new()
                {
                    Process =
                    new()
                    {
                        Runtime = ".NET 10.0.1",
                        GcMode = "Workstation concurrent",
                        Cpu = "A processor",
                        Cores = 2,
                        Os = "An OS",
                        Architecture = "X64"
                    },
                    Commit = "abc",
                    Clean = true
                },
            Settings = new()
            {
                Form = "oneProcess",
                Processes = 3,
                SecondsPerProcess = 0.5,
                SliceMilliseconds = 1,
                AllocatingSliceMilliseconds = 5,
                Alpha = 0.05
            },
            Duets = [.. pairs.Select((pair, i) => pair with { CorrectedP = pair.P is null ? null : corrected[i] })],
        };
    }

    public static DuetPair Pair(string old, string @new, double[] ratios)
    {
        var mean = ProcessMean.Of(ratios, 0.05);
        return new()
        {
            Old = Side(old, 100),
            New = Side(@new, 100 * mean.Value),
            Ratio = mean.Value,
            Low = ratios.Length > 1 ? mean.Low : null,
            High = ratios.Length > 1 ? mean.High : null,
            P = mean.P,
            Clock = "cpu",
            Valid = ratios.Length > 1,
            Processes = [.. ratios.Select(ratio =>
                new DuetProcess { Ratio = ratio, OldNanoseconds = 100, NewNanoseconds = 100 * ratio, Pairs = 250, Blocks = 250 })],
        };
    }

    static DuetSide Side(string method, double time) =>
        new()
        {
            Cell = "N.T." + method,
            Type = "T",
            Method = method,
            NanosecondsPerOperation = time,
            AllocatedBytesPerOperation = 0,
            Collections = [0, 0, 0]
        };
}
