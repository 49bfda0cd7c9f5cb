using ProtoBench.Results;

namespace ProtoBench.Report.Model;

/// <summary>A median, its interval, and what the interval rests on.</summary>
/// <param name="Value">The median.</param>
/// <param name="Low">The lower end of the interval.</param>
/// <param name="High">The upper end of the interval.</param>
/// <param name="N">How many values it is the median of.</param>
/// <param name="Of">What a value is: iteration, launch or round.</param>
public sealed record Estimate(double Value, double Low, double High, int N, string Of)
{
    /// <summary>The median of the samples. A single launch has no interval of its own, so it takes the one of its iterations.</summary>
    /// <param name="samples">Launches or rounds; at least one.</param>
    /// <param name="iterations">The iterations behind them.</param>
    /// <param name="of">What a sample is.</param>
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

    /// <summary>The figure with its interval, as people read it.</summary>
    /// <param name="unit">Its unit.</param>
    public string Text(Unit unit) =>
        Low == High ? Figures.Of(unit, Value) : $"{Figures.Of(unit, Value)} [{Figures.Of(unit, Low)}, {Figures.Of(unit, High)}]";
}
