using System.Text.RegularExpressions;
using ProtoBench.Benchmarks;
using ProtoBench.Results;

namespace ProtoBench;

/// <summary>Creates the table of the reasons why the slab codec is slower than another library in a row of the saved tables, with the row
/// that is slowest.</summary>
/// <remarks>A row of the codec is compared with the row of each other library that has the same class, parameters, job and name, and the
/// same memory form. If a library has no such form, its fastest one is used. The ratios of duets are used directly.</remarks>
static class Losses
{
    /// <param name="reasons">Lines <c>REGEX ; REASON</c>, matched with the name of the row. <c>#</c> begins a comment.</param>
    public static string Table(IEnumerable<ResultFile> files, string reasons)
    {
        (Regex Row, string Reason)[] known =
        [
            .. from line in reasons.Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
               where !line.StartsWith('#')
               let parts = line.Split(" ; ", 2)
               select parts.Length == 2 ? (new Regex(parts[0]), parts[1]) : throw new InvalidDataException($"not REGEX ; REASON: {line}"),
        ];
        Loss[] losses = [.. files.SelectMany(Of).OrderByDescending(IsOfService).ThenByDescending(loss => loss.Ratio)];
        if (Array.Find(known, reason => !losses.Any(loss => reason.Row.IsMatch(loss.Row))) is { Row: { } unused })
            throw new InvalidDataException($"a reason matches no row: {unused}");
        if (losses.Length == 0)
            return "No saved table has such a row.\n";
        return Markdown.Table(["Why", "Rows:", "The one that takes longest", "Of the time of", "Takes:", "Table"],
            losses.GroupBy(Reason).Select(reason => (reason, Most: reason.MaxBy(loss => loss.Ratio)!)).Select(one => (string[])
            [
                one.reason.Key, $"{one.reason.Select(loss => loss.Row).Distinct().Count()}", one.Most.Row, one.Most.Against, $"{one.Most.Ratio:F2}{one.Most.Interval}", one.Most.Table,
            ]));

        string Reason(Loss loss) => Array.Find(known, reason => reason.Row.IsMatch(loss.Row)).Reason
            ?? throw new InvalidDataException($"{loss.Row} has a ratio of {loss.Ratio:F2} to {loss.Against} in {loss.Table}, and no reason");
    }

    // what services do comes first
    static bool IsOfService(Loss loss) => Array.Exists(["Make", "Serve", "Forward", "Call"], verb => loss.Row.StartsWith(verb, StringComparison.Ordinal));

    static IEnumerable<Loss> Of(ResultFile file)
    {
        var table = Path.GetFileNameWithoutExtension(file.Path);
        return (file.Duet is { } duet ? OfPairs(duet) : OfCells(file.Cells)).Where(loss => Math.Round(loss.Ratio, 2) > 1)
            .Select(loss => loss with { Table = table });
    }

    static IEnumerable<Loss> OfPairs(DuetResult duet) =>
        from pair in duet.Duets
        where RowName.Parse(pair.New.Method)?.Library == "Slab" && RowName.Parse(pair.Old.Method) is { Library: not "Slab" }
            && pair.Low is null or > 1
        select new Loss(pair.New.Name, pair.Old.Name, pair.Ratio, pair is { Low: { } low, High: { } high } ? $" [{low:F2} to {high:F2}]" : "", "");

    static IEnumerable<Loss> OfCells(IEnumerable<Cell> cells)
    {
        var rows = from cell in cells
                   where cell.Unit.Name == "ns/op" && !cell.Doubtful
                   let name = RowName.Parse(cell.Name["method"] ?? "")
                   where name is not null
                   select (Cell: cell, Name: name, Key: (name.What, cell.Name["type"], cell.Name["job"], Parameters(cell)));
        foreach (var group in rows.GroupBy(row => row.Key))
        {
            foreach (var slab in group.Where(row => row.Name.Library == "Slab"))
            {
                foreach (var library in group.Where(row => row.Name.Library != "Slab").GroupBy(row => row.Name.Library))
                {
                    var other = library.OrderByDescending(row => row.Name.Form == slab.Name.Form)
                        .ThenBy(row => Nanoseconds(row.Cell)).First();
                    yield return new(slab.Cell.Name["method"] + group.Key.Item4, other.Cell.Name["method"]!,
                        Nanoseconds(slab.Cell) / Nanoseconds(other.Cell), "", "");
                }
            }
        }

        static string Parameters(Cell cell) =>
            string.Join(", ", cell.Name.Parameters.Select(name => $"{name}: {cell.Name[name]}")) is { Length: > 0 } all ? $"({all})" : "";
    }

    static double Nanoseconds(Cell cell) => cell.Values.Order().ElementAt(cell.Values.Count / 2);

    sealed record Loss(string Row, string Against, double Ratio, string Interval, string Table);
}

/// <summary>The parts of a row's name, in every table: <c>{What}{Library}[Form]</c>.</summary>
sealed record RowName(string What, string Library, string Form)
{
    static readonly string libraries = string.Join('|',
        MeasuredLibraries.Registered.Where(library => library.Codec is not null || library.ColorGroups is not null)
            .Select(library => library == SlabLibrary.Entry ? "(?<!Google|PBN)Slab" : library.Cell));

    static readonly Regex grammar = new(
        $"^(?<what>[A-Za-z0-9_]+?)(?<library>{libraries})(?<form>Alias|_[A-Za-z0-9_]+)?$", RegexOptions.ExplicitCapture);

    public static RowName? Parse(string method) => grammar.Match(method) is { Success: true } match
        ? new(match.Groups["what"].Value, match.Groups["library"].Value, match.Groups["form"].Value) : null;
}
