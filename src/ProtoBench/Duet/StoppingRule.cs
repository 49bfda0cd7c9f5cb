using ProtoBench.Results;

namespace ProtoBench.Duet;

/// <summary>When a measurement looks at what it has found, and which pairs are then done.</summary>
/// <param name="Looks">The numbers of processes at which it looks, rising, fixed before it
/// begins; the last one is the end. The chance of a false claim is divided among them.</param>
/// <param name="IsEnough">Whether a pair needs no further process.</param>
sealed record StoppingRule(IReadOnlyList<int> Looks, Func<DuetMeasurement, bool> IsEnough)
{
    /// <summary>The rule of <c>--processes</c>, and of <c>--until</c> where it is given.</summary>
    public static StoppingRule Of(DuetSettings settings) => settings.Until is { } until
        ? new(Results.Looks.Of(settings.Processes), pair => pair.Estimate(settings.Alpha / settings.Looks).HalfWidth <= until)
        : new([settings.Processes], _ => false);
}
