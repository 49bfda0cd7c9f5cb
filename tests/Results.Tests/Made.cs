namespace ProtoBench.Results.Tests;

static class Made
{
    public static readonly Unit Time = new("ns/op", Scale.Nanoseconds);
    public static readonly Unit Bytes = new("B/op", Scale.Bytes) { Exact = true };
    public static readonly Unit Rate = new("calls/s", Scale.Plain) { HigherIsBetter = true };

    public static CellName Name(string method, params (string, string)[] parameters) => CellName.Benchmark(
        "Space.Cells." + method + string.Concat(parameters.Select(parameter => parameter.ToString())),
        "Cells",
        method,
        parameters.Select(parameter => KeyValuePair.Create(parameter.Item1, parameter.Item2)),
        job: null);

    public static Cell Cell(string method, Unit unit, params double[] values) => new(Name(method), unit, values, "launch");

    public static Side Side(string label, params Cell[] cells) => new(label, [File(cells)]);

    public static ResultFile File(params Cell[] cells) =>
        new() { Path = "made.json", Cells = cells, Facts = new Dictionary<string, string>() };

    /// <summary>Cells with random times in every unit, some of them changed by the factor that the side's label asks for.</summary>
    public static Side Random(string label, Random random, int rows, int n) => Side(
        label,
        [
            .. Enumerable.Range(0, rows).SelectMany(row =>
            {
                var floor = Math.Pow(10, row % 7);
                double[] Draw(double factor) =>
                    [.. Enumerable.Range(0, n).Select(_ => floor * factor * (1 + (0.05 * random.NextDouble())))];
                return new[]
                {
                    Cell($"Cell{row}", Time, Draw(1 + (0.02 * random.Next(-3, 4)))),
                    Cell($"Cell{row}", Rate, Draw(1)),
                    Cell($"Cell{row}", Bytes, [.. Enumerable.Repeat((double)(row + random.Next(2)), n)]),
                };
            }),
        ]);
}

/// <summary>Files that BenchmarkDotNet 0.14.0 wrote on a real machine. old-*.json and new-*.json are launches of two programs with the
/// iterations that are read and a few that are not; several-jobs.json has two jobs, two launches each and a cell that fails;
/// as-written.json is one file in full.</summary>
static class Data
{
    public static string Folder { get; } = Path.Combine(Golden.Root, "tests", "Results.Tests", "Data");

    public static string PathOf(string name) => Path.Combine(Folder, name);
}
