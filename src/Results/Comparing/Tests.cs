using System.Globalization;

namespace ProtoBench.Results;

/// <summary>Tests every row of a table and says what each change comes to.</summary>
sealed class Tests(ComparisonOptions options, Table table)
{
    readonly Dictionary<(Pool Old, Pool New), (double P, double Corrected)> tested = [];

    public Block[] Blocks()
    {
        (Unit Unit, (string Name, Pool?[] Pools)[] Rows)[] blocks =
            [.. table.Units().Select(unit => (unit, table.Rows(unit).Select(row => (row, table.Pools(row, unit))).ToArray()))];

        // First every p of the table, since the correction needs them all.
        (Pool Old, Pool New)[] pairs =
        [
            .. from block in blocks
               where !block.Unit.Exact
               from row in block.Rows
               from pool in row.Pools.Skip(1)
               where row.Pools[0] != null && pool != null && Testable(row.Pools[0]!, pool)
               select (row.Pools[0]!, pool),
        ];
        double[] raw = [.. pairs.AsParallel().AsOrdered().Select(pair => MannWhitney.Test(pair.Old.Values, pair.New.Values).P)];
        var corrected = options.Correct ? Holm.Correct(raw) : raw;
        for (var i = 0; i < pairs.Length; i++)
            tested.Add(pairs[i], (raw[i], corrected[i]));
        return [.. blocks.Select(block => Block(block.Unit, block.Rows))];
    }

    Block Block(Unit unit, (string Name, Pool?[] Pools)[] rows)
    {
        Row[] finished = [.. rows.AsParallel().AsOrdered().Select(row => Row(unit, row.Name, row.Pools))];
        Row[] everywhere = [.. finished.Where(row => row.Samples.All(sample => sample?.Median.Value > 0))];
        var geomean = table.Columns.Select((_, column) => GeometricMean.Of([.. everywhere.Select(row => row.Samples[column]!.Median.Value)]));
        return new Block(unit, finished, [.. geomean], everywhere.Length);
    }

    Row Row(Unit unit, string name, Pool?[] pools) => new(
        name,
        [.. pools.Select(pool => pool == null ? null : new SampleSummary(pool.Values.Count, Median.Of(pool.Values)))],
        [.. pools.Select((pool, column) => column == 0 || pool == null || pools[0] == null ? null : Change(unit, pools[0]!, pool))]);

    Change Change(Unit unit, Pool old, Pool @new)
    {
        if (!old.Valid || !@new.Valid)
            return new Change { Verdict = Verdict.Unclear, Ratio = Ratio(old, @new), Note = "an INVALID run: no verdict" };
        return unit.Exact ? Exact(unit, old, @new) : Tested(unit, old, @new);
    }

    // The same program gives the same figure, so two figures differ or do not; where a side varies, only ranges that lie apart differ.
    Change Exact(Unit unit, Pool old, Pool @new)
    {
        var (a, b) = (Median.Of(old.Values).Value, Median.Of(@new.Values).Value);
        var ratio = a > 0 ? new RatioEstimate(b / a, b / a, b / a) : (RatioEstimate?)null;
        var varies = old.Values.Max() > old.Values.Min() || @new.Values.Max() > @new.Values.Min();
        if ((!varies || unit.Tolerance > 0) && Math.Abs(a - b) <= unit.Tolerance * Math.Max(Math.Abs(a), Math.Abs(b)))
            return new Change { Verdict = Verdict.Equal, Ratio = ratio };
        var note = varies ? "an exact figure that varies" : null;
        var apart = old.Values.Max() < @new.Values.Min() || @new.Values.Max() < old.Values.Min();
        return new Change { Verdict = apart ? Directed(unit, a < b, ratio?.Value) : Verdict.Unclear, Ratio = ratio, Note = note };
    }

    Change Tested(Unit unit, Pool old, Pool @new)
    {
        var (n, m) = (old.Values.Count, @new.Values.Count);
        var ratio = Ratio(old, @new);
        if (Math.Min(n, m) == 1)
        {
            var one = old.Sample == "launch" ? "one process: layout is not in this p" : "one round: drift is not in this p";
            return new Change { Verdict = Verdict.Unclear, Ratio = ratio, Note = one };
        }

        var smallest = MannWhitney.SmallestP(n, m);
        if (!tested.TryGetValue((old, @new), out var p))
            return new Change { Verdict = Verdict.Unclear, Ratio = ratio, Note = $"n too small: the smallest p it could show is {Number(smallest)}; {Needed(options.Alpha)}" };

        var strictest = options.Correct ? options.Alpha / tested.Count : options.Alpha;
        var sees = ratio == null ? double.PositiveInfinity : RatioEstimate.Of(old.Values, @new.Values, strictest).Sees - 1;
        var significant = p.Corrected <= options.Alpha;
        var change = new Change
        {
            Verdict = significant ? Directed(unit, Up(old, @new, ratio), ratio?.Value) : Verdict.Unclear,
            Ratio = ratio,
            P = p.P,
            CorrectedP = options.Correct ? p.Corrected : null,
            Sees = double.IsFinite(sees) ? sees : null,
        };
        return significant || smallest <= strictest
            ? change
            : change with { Note = $"n too small for {tested.Count} tests: the smallest corrected p it could show is {Number(Math.Min(1, smallest * tested.Count))}; {Needed(strictest)}" };
    }

    Verdict Directed(Unit unit, bool up, double? ratio) =>
        ratio is { } factor && Math.Abs(factor - 1) < options.Threshold && Math.Abs((1 / factor) - 1) < options.Threshold ? Verdict.Small
        : up == unit.HigherIsBetter ? Verdict.Better : Verdict.Worse;

    bool Testable(Pool old, Pool @new) =>
        old.Valid && @new.Valid && MannWhitney.SmallestP(old.Values.Count, @new.Values.Count) <= options.Alpha;

    // U says which side is the larger one also where there is no ratio.
    static bool Up(Pool old, Pool @new, RatioEstimate? ratio) =>
        ratio?.Value > 1 || (ratio == null && MannWhitney.Test(@new.Values, old.Values).U * 2 > (double)old.Values.Count * @new.Values.Count);

    RatioEstimate? Ratio(Pool old, Pool @new) =>
        old.Values.Concat(@new.Values).All(value => value > 0) ? RatioEstimate.Of(old.Values, @new.Values, options.Alpha) : null;

    static string Needed(double alpha) =>
        $"{Enumerable.Range(2, MannWhitney.LargestExact).First(n => MannWhitney.SmallestP(n, n) <= alpha || n == MannWhitney.LargestExact)} a side would do";

    static string Number(double p) => p.ToString("0.###", CultureInfo.InvariantCulture);
}
