namespace ProtoBench.Report.Model;

public sealed record Measured
{
    /// <summary>What stands in the place of a library for lower bounds, in files of any age.</summary>
    public const string FloorLibrary = "Floor";

    public static Unit TimeUnit { get; } = new("ns/op", Scale.Nanoseconds);

    public static Unit AllocatedUnit => Unit.BytesPerOperation;

    public static Unit RateUnit { get; } = new("MB/s", Scale.Plain) { HigherIsBetter = true, Derived = true };

    /// <summary>The label of the side, and of the series where a side has several; empty when the page shows one of each.</summary>
    public required string Side { get; init; }

    /// <summary>The run that measured it: cells of one are compared first of all with each other.</summary>
    public required string Run { get; init; }

    public required CellName Name { get; init; }

    /// <summary>Cells that are drawn in one chart: verb and message, or for other classes the class and what the method does.</summary>
    public required string Category { get; init; }

    /// <summary>The parameters and the job, which divide a chart into groups; empty without any.</summary>
    public required string Group { get; init; }

    /// <summary>What tells the cell from the others of its category and group.</summary>
    public required string ShortLabel { get; init; }

    public string Label => Side.Length == 0 ? ShortLabel : $"{ShortLabel} · {Side}";

    /// <summary>The library; outside of the hive the way in which the work is done. It has one colour on the whole page.</summary>
    public required string Way { get; init; }

    public int Order { get; init; }

    /// <summary>Nanoseconds per operation.</summary>
    public required Estimate Time { get; init; }

    /// <summary>Nanoseconds per operation of each iteration, all launches together.</summary>
    public IReadOnlyList<double> Iterations { get; init; } = [];

    /// <summary>Whether no launch can be believed, so that a comparison has no verdict on the cell (<see cref="Cell.Doubtful"/>).</summary>
    public bool Doubtful { get; init; }

    /// <summary>What a row of the slab codec that reads does with strings; empty for other rows. Other libraries always make .NET
    /// strings.</summary>
    public string Strings => Way != "Slab" || Name["verb"]?.StartsWith("Deserialize", StringComparison.Ordinal) != true ? ""
        : Name["verb"] == nameof(HiveVerb.DeserializeStrings) || Name["memory"] is "Strings" or "Pooled" || Buffer is "Strings" or "Pooled"
            ? "with .NET strings" : "without .NET strings";

    public string Mark => Doubtful ? ", no verdict: too short or still warming up" : "";

    /// <summary>Bytes allocated per operation; null where they were not measured.</summary>
    public double? Allocated { get; init; }

    /// <summary>Objects allocated per operation; null where they were not counted.</summary>
    public double? Objects { get; init; }

    /// <summary>Megabytes (10^6 bytes) of the wire per second; null where the file has none.</summary>
    public double? Rate { get; init; }

    /// <summary>Sub-items of the message: what the file says, or the parameter Items; null where neither is there.</summary>
    public double? Items { get; init; }

    public double? PerItem => Time.Value / Items;

    public bool IsFloor => Name["library"] == FloorLibrary;

    public string? Buffer => Name["buffer"];

    public string Class => (Name["type"] ?? "").Replace("Benchmarks", "", StringComparison.Ordinal);

    public string FullLabel => Group.Length == 0 ? Label : $"{Label} ({Group})";

    /// <summary>What filters look at: class, verb, message, way and buffer, with a bar between them.</summary>
    public string Key => $"{Class}|{Name["verb"]}|{Name["message"]}|{Way}|{Buffer}";

    public string Sentence => $"{FullLabel}{Mark}: {Time.Text(TimeUnit)}" + (Rate is { } rate ? $", {Figures.Of(RateUnit, rate)} MB/s" : "")
        + (Allocated is { } bytes ? $", {Figures.Of(AllocatedUnit, bytes)} B allocated" : "");
}

public sealed record Estimate(double Value, double Low, double High, int N, string Of)
{
    /// <summary>The median of the samples. A single launch has no interval of its own, so it takes the one of its iterations.</summary>
    public static Estimate From(IReadOnlyList<double> samples, IReadOnlyList<double> iterations, string of)
    {
        var median = Median.Of(samples);
        if (samples.Count > 1 || iterations.Count < 2)
            return new Estimate(median.Value, median.Low, median.High, samples.Count, of);
        var within = Median.Of(iterations);
        return new Estimate(median.Value, within.Low, within.High, iterations.Count, "iteration");
    }

    /// <summary>How many of what: "15 iterations".</summary>
    public string Basis => $"{N} {Of}{(N == 1 ? "" : Of == "launch" ? "es" : "s")}";

    public string Text(Unit unit) =>
        Low == High ? Figures.Of(unit, Value) : $"{Figures.Of(unit, Value)} [{Figures.Of(unit, Low)}, {Figures.Of(unit, High)}]";
}
