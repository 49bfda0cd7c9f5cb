using ProtoBench.Results;

namespace ProtoBench.Testing;

static class MadeDuet
{
    public static DuetResult Result(params DuetPair[] pairs)
    {
        var corrected = Holm.Correct([.. pairs.Select(pair => pair.P ?? 1)]);
        return new()
        {
            StartedAt = new(2026, 1, 2, 3, 4, 5, TimeSpan.Zero),
            Environment = new()
            {
                Process = new()
                {
                    Runtime = ".NET 10.0.1",
                    GcMode = "Workstation concurrent",
                    Cpu = "A Processor",
                    Cores = 2,
                    Os = "An Operating System 1.0",
                    Architecture = "X64",
                },
                Commit = "0123456789abcdef",
                Clean = true,
                PackageVersions = new Dictionary<string, string> { ["Google.Protobuf"] = "3.25.1" },
            },
            Settings = new()
            {
                CommandLine = "duet",
                Form = "oneProcess",
                Processes = 10,
                SecondsPerProcess = 0.5,
                SliceMilliseconds = 1,
                AllocatingSliceMilliseconds = 5,
                Alpha = 0.05,
            },
            Duets = [.. pairs.Select((pair, i) => pair with { CorrectedP = pair.P is null ? null : corrected[i] })],
        };
    }

    /// <summary>A pair for each list of ratios; the cells of the first pair are A and B, those of the next A1 and B1.</summary>
    public static DuetResult Of(params double[][] pairs) =>
        Result([.. pairs.Select((ratios, i) => Pair(i == 0 ? "A" : $"A{i}", i == 0 ? "B" : $"B{i}", ratios))]);

    public static DuetPair Pair(string old, string @new, double[] ratios, double oldBytes = 0, double newBytes = 0)
    {
        var mean = ProcessMean.Of(ratios, 0.05);
        return new()
        {
            Old = Side(old, 100, oldBytes),
            New = Side(@new, 100 * mean.Value, newBytes),
            Ratio = mean.Value,
            Low = ratios.Length > 1 ? mean.Low : null,
            High = ratios.Length > 1 ? mean.High : null,
            P = mean.P,
            Clock = "cpu",
            Processes = [.. ratios.Select(ratio =>
                new DuetProcess { Ratio = ratio, OldNanoseconds = 100, NewNanoseconds = 100 * ratio, Pairs = 250, Blocks = 250 })],
        };
    }

    static DuetSide Side(string method, double nanoseconds, double bytes) => new()
    {
        Cell = "N.T." + method,
        Type = "T",
        Method = method,
        NanosecondsPerOperation = nanoseconds,
        AllocatedBytesPerOperation = bytes,
        Collections = [0, 0, 0],
    };
}
