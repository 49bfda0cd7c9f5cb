using ProtoBench.Benchmarks;
using ProtoBench.Results;

namespace ProtoBench;

static class ShapeTable
{
    const int messages = 1_000; // of an operation, see ShapeBenchmarks

    /// <summary>Returns a row of Markdown for each shape, with the nanoseconds of a message. Google's time is the median of its duets, and
    /// the time of another library is that time its ratio, so that a row has one base.</summary>
    public static string Of(DuetResult duet)
    {
        var groups = duet.Duets.Where(pair => pair.Old.Type == nameof(ShapeBenchmarks))
            .ToLookup(pair => (Verb: pair.Old.Method[..pair.Old.Method.IndexOf("Shape", StringComparison.Ordinal)],
                Shape: pair.Old.Parameters["Shape"]));
        (string Verb, string Cell)[] columns =
        [
            .. groups.SelectMany(group => group
                .SelectMany(pair => new[] { (group.Key.Verb, pair.Old.Method), (group.Key.Verb, pair.New.Method) }))
                .Distinct().OrderBy(column => column.Verb, StringComparer.Ordinal),
        ];
        return Markdown.Table(["Shape", .. columns.Select(column => column.Cell.Replace("Shape", " ", StringComparison.Ordinal) + ":")],
            groups.Select(group => group.Key.Shape).Distinct().Select(shape => (string[])
                [shape, .. columns.Select(column => $"{Nanoseconds([.. groups[(column.Verb, shape)]], column.Cell):F1}")]));
    }

    static double Nanoseconds(DuetPair[] pairs, string cell)
    {
        var median = Median.Of([.. pairs.Select(pair => pair.Old.NanosecondsPerOperation)]).Value / messages;
        return Array.Find(pairs, pair => pair.New.Method == cell) is { } other ? median * other.Ratio : median;
    }
}
