namespace ProtoBench.Results;

/// <summary>The samples of one cell in one unit, from all files of a side.</summary>
sealed class Pool(CellName name, string sample)
{
    readonly List<double> values = [];
    readonly List<double> doubtful = [];
    readonly List<double> iterations = [];
    bool invalid;

    public CellName Name => name;

    public string Sample => sample;

    /// <summary>What is compared. Doubtful launches stand in only where there are no others, and then the pool is not valid.</summary>
    public IReadOnlyList<double> Values => values.Count > 0 ? values : doubtful;

    public bool Valid => !invalid && values.Count > 0;

    public string WhyInvalid => invalid ? "an INVALID run: no verdict" : "every launch was too short or still warming up: no verdict";

    public void Add(Cell cell)
    {
        (cell.Doubtful ? doubtful : values).AddRange(cell.Values);
        iterations.AddRange(cell.Doubtful ? [] : cell.Iterations);
        invalid |= !cell.Valid;
    }

    public SampleSummary Summary() => new(Values.Count, Median.Of(Values)) { Bimodal = Bimodality.Of(values) || Bimodality.Of(iterations) };
}
