namespace ProtoBench.Results;

/// <summary>Compares two variants whose rounds took turns. The rounds of a pair are neighbours in time, so a drift of the machine is in
/// both, and not in their ratio.</summary>
/// <param name="Old">The geometric mean of the first variant's rounds.</param>
/// <param name="New">The same of the second, so that <see cref="Ratio"/> is New by Old.</param>
/// <param name="Low">The lower end of the interval; null with fewer than three pairs.</param>
/// <param name="High">The upper end of the interval; null with fewer than three pairs.</param>
public sealed record RoundPairs(double Old, double New, double? Low, double? High)
{
    const int fewestForInterval = 3;

    public double Ratio => New / Old;

    /// <summary>Student's interval on the logarithms of the ratios.</summary>
    /// <param name="value">The compared figure of a round; at most 0 if it has none.</param>
    /// <returns>Null if no pair of rounds has the figure on both sides.</returns>
    public static RoundPairs? Of(LoadVariant old, LoadVariant @new, Func<LoadRound, double> value, double alpha)
    {
        (double Old, double New)[] pairs =
            [.. old.Rounds.Zip(@new.Rounds, (one, other) => (value(one), value(other))).Where(pair => pair.Item1 > 0 && pair.Item2 > 0)];
        if (pairs.Length == 0)
            return null;
        double[] logs = [.. pairs.Select(pair => Math.Log(pair.New / pair.Old))];
        var mean = TrimmedMean.Of(logs, 0);
        var reach = logs.Length < fewestForInterval ? (double?)null : StudentT.Critical(alpha, mean.Freedom) * mean.Error;
        return new(
            GeometricMean.Of([.. pairs.Select(pair => pair.Old)])!.Value, GeometricMean.Of([.. pairs.Select(pair => pair.New)])!.Value,
            reach is { } half ? Math.Exp(mean.Value - half) : null, reach is { } wide ? Math.Exp(mean.Value + wide) : null);
    }
}
