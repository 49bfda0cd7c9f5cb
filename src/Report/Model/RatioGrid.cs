using System.Globalization;
using System.Text.RegularExpressions;

namespace ProtoBench.Report.Model;

/// <summary>What libraries take of another library's time, for some rows of a duet, or of a table of cells.</summary>
/// <param name="Heads">What stands above the columns, beginning with the names of the rows.</param>
public sealed partial record RatioGrid(IReadOnlyList<string> Heads, IReadOnlyList<RatioRow> Rows)
{
    // More columns do not fit on a page, so they become rows.
    const int mostColumns = 4;

    /// <param name="rows">Selects rows by the name of the cell, as BenchmarkDotNet writes it, in a duet followed by " against " and the name
    /// of the other cell.</param>
    /// <param name="baseline">The part of the names of cells that the others are compared with, such as Google. A duet has its own.</param>
    /// <exception cref="InvalidDataException">Thrown when no row matches.</exception>
    public static RatioGrid Of(ResultFile file, Regex rows, string baseline = "Google")
    {
        Entry[] entries = [.. file.Duet is { } duet ? OfPairs(duet, rows) : OfCells(file.Cells, rows, baseline)];
        if (entries.Length == 0)
            throw new InvalidDataException($"{file.Path}: no row matches {rows}");
        if (Array.TrueForAll(entries, entry => SizeText.Parse(entry.Parameters) is not null))
            entries = [.. entries.GroupBy(entry => entry.Work).SelectMany(work => work.OrderBy(entry => entry.Parameters, SizeText.Order))];
        var works = entries.Select(entry => entry.Work).Distinct().ToArray();
        var columns = entries.Select(entry => entry.Column).Distinct().ToArray();
        var parameters = entries.Select(entry => entry.Parameters).Distinct().ToArray();
        // one comparison of several works over a parameter, such as data sets
        if (columns.Length == 1 && works.Length > 1 && parameters.Length > works.Length)
            return Laid(Parameter(entries), entries, entry => entry.Parameters, entry => entry.Work, work => $"{work}: {Takes(columns[0])}", withTime: false);
        string Full(Entry entry) => works.Length == 1 && entry.Parameters.Length > 0 ? entry.Parameters
            : entry.Parameters.Length == 0 ? entry.Work : $"{entry.Work}, {entry.Parameters}";
        var oneBase = columns.Select(column => column.Of).Distinct().Count() == 1;
        return columns.Length <= mostColumns ? Laid(works.Length == 1 ? Parameter(entries) : "Row", entries, Full, entry => entry.Column, Takes, withTime: oneBase)
            : oneBase ? Laid($"Takes of {columns[0].Of}'s time", entries, entry => entry.Column.Library, Full, work => work, withTime: false)
            : Laid("Row", entries, entry => Takes(entry.Column), Full, work => work, withTime: false);
    }

    static RatioGrid Laid<TColumn>(string name, Entry[] entries, Func<Entry, string> row, Func<Entry, TColumn> column,
        Func<TColumn, string> head, bool withTime)
        where TColumn : notnull
    {
        TColumn[] columns = [.. entries.Select(column).Distinct()];
        var cells = entries.ToLookup(entry => (row(entry), column(entry)));
        return new(
            [name, .. withTime ? [entries[0].Column.Of + "'s time"] : Array.Empty<string>(), .. columns.Select(head)],
            [
                .. entries.GroupBy(row).Select(group => new RatioRow(group.Key, withTime ? Figures.Nanoseconds(group.First().Nanoseconds) : "",
                    [.. columns.Select(one => Only(cells[(group.Key, one)])?.Ratio)])),
            ]);
    }

    static Entry? Only(IEnumerable<Entry> entries) => entries.ToArray() switch
    {
        [] => null,
        [var one] => one,
        [var one, ..] => throw new InvalidDataException($"two rows are {one.Work}, {one.Parameters}: {Takes(one.Column)}"),
    };

    // the name of the parameter that the rows have
    static string Parameter(Entry[] entries) => entries[0].Parameter switch { "DataSet" => "Data set", "" => "Row", var name => name };

    static string Takes((string Library, string Of) column) => $"{column.Library} takes of {column.Of}'s time";

    static IEnumerable<Entry> OfPairs(DuetResult duet, Regex rows)
    {
        foreach (var pair in duet.Duets.Where(pair => rows.IsMatch($"{pair.New.Name} against {pair.Old.Name}")))
        {
            var (work, of, library) = Divide(pair.Old.Method, pair.New.Method);
            yield return new(
                work, string.Join(", ", pair.New.Parameters.Keys), string.Join(", ", pair.New.Parameters.Values), (Named(library), Named(of)),
                pair.Old.NanosecondsPerOperation, new(pair.Ratio, pair.Valid ? pair.Low : null, pair.Valid ? pair.High : null));
        }
    }

    static IEnumerable<Entry> OfCells(IEnumerable<Cell> cells, Regex rows, string baseline)
    {
        Cell[] chosen = [.. cells.Where(cell => cell.Unit.Name == Measured.TimeUnit.Name && cell.Name["method"] is not null
            && rows.IsMatch(NameOf(cell)))];
        var divided = from cell in chosen
                      from of in chosen
                      where of != cell && ParametersOf(of) == ParametersOf(cell) && of.Name["type"] == cell.Name["type"]
                          && of.Name["job"] == cell.Name["job"]
                      let names = Divide(of.Name["method"]!, cell.Name["method"]!)
                      where names.Old.Trim('_') == baseline
                      select (Cell: cell, Of: of, names.Work, names.Old, names.New);
        var all = divided.ToArray();
        var bases = all.Select(one => one.Of).ToHashSet();
        foreach (var one in all.Where(one => !bases.Contains(one.Cell)).GroupBy(one => one.Cell))
        {
            // ReadWriteSlab is compared with ReadWriteGoogle and not with ReadGoogle
            var (cell, of, work, old, library) = one.MaxBy(pair => pair.Work.Length);
            yield return new(work, string.Join(", ", ParametersIn(cell)), ParametersOf(cell), (Named(library), Named(old)), Nanoseconds(of),
                new(Nanoseconds(cell) / Nanoseconds(of), null, null));
        }

        static string NameOf(Cell cell) =>
            cell.Name["method"] + (ParametersOf(cell) is { Length: > 0 } parameters ? $"({parameters})" : "");

        static IEnumerable<string> ParametersIn(Cell cell) => cell.Name.Parts
            .Where(part => part is not ("type" or "method" or "job" or "verb" or "message" or "library" or "buffer" or "memory"));

        static string ParametersOf(Cell cell) => string.Join(", ", ParametersIn(cell).Select(part => cell.Name[part]).Append(cell.Name["job"]).OfType<string>());

        static double Nanoseconds(Cell cell) => Median.Of(cell.Values).Value;
    }

    /// <summary>Divides the names of two methods into what both do and the two ways: ReadShapeGoogle and ReadShapeSlab are ReadShape,
    /// Google and Slab. A way has at least one word.</summary>
    static (string Work, string Old, string New) Divide(string old, string other)
    {
        string[] left = [.. Word().Matches(old).Select(word => word.Value)], right = [.. Word().Matches(other).Select(word => word.Value)];
        var same = left.Zip(right).TakeWhile(pair => pair.First == pair.Second).Count();
        same = Math.Min(same, Math.Min(left.Length, right.Length) - 1);
        var end = left.Reverse().Zip(right.Reverse()).TakeWhile(pair => pair.First == pair.Second).Count();
        end = Math.Min(end, Math.Min(left.Length, right.Length) - same - 1);
        return (Work(string.Concat(left[..same]) + string.Concat(left[^end..])), string.Concat(left[same..^end]),
            string.Concat(right[same..^end]));

        // the class of a data set's cells has its name, and the row its parameter
        static string Work(string text) => (text.EndsWith("Set", StringComparison.Ordinal) ? text[..^"Set".Length] : text).Trim('_');
    }

    static string Named(string library) => library.Trim('_') == "PBNRuntime" ? "protobuf-net with its runtime model"
        : library.Replace("PBN", "protobuf-net", StringComparison.Ordinal).Trim('_');

    [GeneratedRegex("[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|_[A-Za-z0-9]+|.")]
    private static partial Regex Word();

    sealed record Entry(
        string Work, string Parameter, string Parameters, (string Library, string Of) Column, double Nanoseconds, MeasuredRatio Ratio);
}

/// <param name="Time">The time that the ratios are of, with its unit; empty if there is no column of it.</param>
/// <param name="Ratios">One for each column after the name and the time; null where nothing was measured.</param>
public sealed record RatioRow(string Name, string Time, IReadOnlyList<MeasuredRatio?> Ratios);

/// <summary>A time by another time, with its interval.</summary>
/// <param name="Low">The lower end; null where one process was measured.</param>
public sealed record MeasuredRatio(double Value, double? Low, double? High)
{
    public override string ToString() => Number(Value) + (Low is { } low && High is { } high ? $" [{Number(low)} to {Number(high)}]" : "");

    // of a ratio below 0.1 two digits count, too
    static string Number(double ratio) => ratio.ToString(ratio < 0.0995 ? "0.000" : ratio < 100 ? "0.00" : "N0", CultureInfo.InvariantCulture);
}
