namespace ProtoBench.Duet;

/// <summary>Which pairs share a process.</summary>
static class SharedProcesses
{
    /// <summary>Puts pairs into processes of at most <paramref name="most"/>. The pairs of a benchmark class stay together, since they share most of their code and are compiled once; small classes
    /// share a process too. Cells that wait for other threads are kept apart from those that do not: their servers compile and run in the background.</summary>
    /// <param name="pairs">The pairs; the classes come in the order of their first pair.</param>
    /// <param name="most">At least 1.</param>
    public static IReadOnlyList<DuetMeasurement[]> Of(IEnumerable<DuetMeasurement> pairs, int most)
    {
        var processes = new List<DuetMeasurement[]>();
        foreach (var kind in pairs.GroupBy(pair => pair.Cells.Old.Waits || pair.Cells.New.Waits))
        {
            var open = new List<DuetMeasurement>();
            foreach (var part in kind.GroupBy(pair => pair.Cells.New.Type).SelectMany(type => type.Chunk(most)))
            {
                if (open.Count + part.Length > most)
                {
                    processes.Add([.. open]);
                    open.Clear();
                }

                open.AddRange(part);
            }

            processes.Add([.. open]);
        }

        return processes;
    }
}
