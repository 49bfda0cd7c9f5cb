namespace ProtoBench.Results;

/// <summary>The geometric mean, the mean of ratios.</summary>
public static class GeometricMean
{
    /// <summary>The geometric mean, or null when there is no value or one that is not above 0.</summary>
    /// <param name="values">The values.</param>
    public static double? Of(IReadOnlyCollection<double> values) =>
        values.Count == 0 || values.Any(value => !(value > 0)) ? null : Math.Exp(values.Average(Math.Log));
}
