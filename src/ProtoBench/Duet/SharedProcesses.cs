namespace ProtoBench.Duet;

/// <summary>Which pairs share a process.</summary>
static class SharedProcesses
{
    /// <summary>Puts the pairs of the same two methods, which differ in their parameters only, into processes of at most
    /// <paramref name="most"/>. Other pairs do not share: they would share library code too, and the JIT would optimize it for all of them
    /// together (SerializeResponse was 26 % further ahead of Google in one process with seven other pairs than alone).</summary>
    /// <param name="pairs">The pairs.</param>
    /// <param name="most">At least 1.</param>
    public static IReadOnlyList<DuetMeasurement[]> Of(IEnumerable<DuetMeasurement> pairs, int most) =>
        [.. pairs.GroupBy(pair => (pair.Cells.Old.Type, pair.Cells.Old.Method, pair.Cells.New.Type, pair.Cells.New.Method))
            .SelectMany(methods => methods.Chunk(most))];
}
