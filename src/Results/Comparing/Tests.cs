using System.Globalization;

namespace ProtoBench.Results;

sealed class Tests
{
    readonly ComparisonOptions options;
    readonly Table table;
    readonly (Unit Unit, (string Name, Pool?[] Pools)[] Rows)[] blocks;
    readonly Dictionary<(Pool Old, Pool New), Tested> tested = [];
    readonly int wanted;

    public Tests(ComparisonOptions options, Table table)
    {
        (this.options, this.table) = (options, table);
        blocks = [.. table.Units().Select(unit => (unit, table.Rows(unit).Select(row => (row, table.Pools(row, unit))).ToArray()))];

        // All p-values of the table come first, because the correction needs them.
        (Unit Unit, Pool Old, Pool New)[] pairs =
        [
            .. from block in blocks
               where !block.Unit.Derived
               from row in block.Rows
               from pool in row.Pools.Skip(1)
               where row.Pools[0] is { } old && pool != null && old.Valid && pool.Valid
               && (!block.Unit.Exact || Varies(block.Unit, old, pool))
               select (block.Unit, row.Pools[0]!, pool),
        ];
        wanted = pairs.Length;
        pairs = [.. pairs.Where(pair => MannWhitney.SmallestP(pair.Old.Values.Count, pair.New.Values.Count) <= options.Alpha)];
        Tested[] raw = [.. pairs.AsParallel().AsOrdered().Select(pair => Test(pair.Unit, pair.Old, pair.New))];
        var (corrected, beyond) = (Holm.Correct([.. raw.Select(test => test.P)]), Holm.Correct([.. raw.Select(test => test.BeyondP)]));
        for (var i = 0; i < pairs.Length; i++)
            tested.Add((pairs[i].Old, pairs[i].New), raw[i] with { Corrected = corrected[i], BeyondP = beyond[i] });
    }

    /// <summary>Gets the number of samples on each side with which each row of this table could be judged.</summary>
    public int Needed => SamplesFor(options.Alpha / Math.Max(1, wanted));

    public Block[] Blocks() => [.. blocks.Select(block => Block(block.Unit, block.Rows))];

    // BeyondP is for the question whether the change could be as small as the limit: the U test with the old side scaled by the limit.
    Tested Test(Unit unit, Pool old, Pool @new)
    {
        var (limit, p) = (Limit(unit, old), MannWhitney.Test(old.Values, @new.Values).P);
        if (limit == 0 || Ratio(old, @new) is not { } ratio)
            return new(limit, p, p, p);
        var factor = ratio.Value > 1 ? 1 + limit : 1 / (1 + limit);
        return new(limit, p, p,
            ExactChange.Within(ratio.Value, limit) ? 1 : MannWhitney.Test([.. old.Values.Select(value => value * factor)], @new.Values).P);
    }

    Block Block(Unit unit, (string Name, Pool?[] Pools)[] rows)
    {
        Row[] finished = [.. rows.AsParallel().AsOrdered().Select(row => Row(unit, row.Name, row.Pools))];
        return Comparer.Block(unit, finished, table.Columns.Count);
    }

    Row Row(Unit unit, string name, Pool?[] pools) => new(
        name,
        [.. pools.Select(pool => pool?.Summary())],
        [.. pools.Select((pool, column) => column == 0 || pool == null || pools[0] == null ? null : Change(unit, pools[0]!, pool))]);

    Change Change(Unit unit, Pool old, Pool @new)
    {
        if (unit.Derived)
            return new Change(Verdict.Untested, Ratio(old, @new));
        if (!old.Valid || !@new.Valid)
            return new Change(Verdict.Unclear, Ratio(old, @new), Judgeable: false, Note: (old.Valid ? @new : old).WhyInvalid);
        return unit.Exact && !Varies(unit, old, @new)
            ? ExactChange.Of(unit, Median.Of(old.Values).Value, Median.Of(@new.Values).Value, options.Threshold)
            : Judge(unit, old, @new);
    }

    Change Judge(Unit unit, Pool old, Pool @new)
    {
        var (n, m) = (old.Values.Count, @new.Values.Count);
        var ratio = Ratio(old, @new);
        var varies = unit.Exact ? "varies between launches, so it is tested" : null;
        if (Math.Min(n, m) == 1)
        {
            var one = old.Sample == "launch"
                ? "one process per side: effects of code layout are not included"
                : "one round per side: drift is not included";
            return new Change(Verdict.Unclear, ratio, Judgeable: false, Note: one);
        }

        var smallest = MannWhitney.SmallestP(n, m);
        if (!tested.TryGetValue((old, @new), out var test))
        {
            var small = $"n too small: the smallest p it could show is {Number(smallest)}; {Needed} a side would do";
            return new Change(Verdict.Unclear, ratio, Judgeable: false, Note: small);
        }

        var strictest = options.Alpha / tested.Count;
        var sees = ratio == null ? double.PositiveInfinity : RatioEstimate.Of(old.Values, @new.Values, strictest).Sees - 1;
        var significant = test.Corrected <= options.Alpha;
        var verdict = !significant
            ? Verdict.Unclear : test.BeyondP <= options.Alpha ? ExactChange.Directed(unit, Up(old, @new, ratio)) : Verdict.Small;
        var change = new Change(verdict, ratio, test.P, test.Corrected, double.IsFinite(sees) ? sees : null,
            test.Limit, Note: varies);
        return significant || smallest <= strictest
            ? change
            : change with
            {
                Judgeable = false,
                Note = $"n too small for {tested.Count} tests: the smallest corrected p it could show is "
                    + $"{Number(Math.Min(1, smallest * tested.Count))}; {Needed} a side would do",
            };
    }

    double Limit(Unit unit, Pool old)
    {
        var limit = Math.Max(options.Threshold, unit.Floor / Median.Of(old.Values).Value);
        return double.IsFinite(limit) ? limit : options.Threshold;
    }

    static bool Varies(Unit unit, params IEnumerable<Pool> pools) =>
        pools.Any(pool => !ExactChange.Same(unit, pool.Values.Min(), pool.Values.Max()));

    // U also gives the direction if there is no ratio.
    static bool Up(Pool old, Pool @new, RatioEstimate? ratio) =>
        ratio?.Value > 1
        || (ratio == null && MannWhitney.Test(@new.Values, old.Values).U * 2 > (double)old.Values.Count * @new.Values.Count);

    RatioEstimate? Ratio(Pool old, Pool @new) =>
        old.Values.Concat(@new.Values).All(value => value > 0) ? RatioEstimate.Of(old.Values, @new.Values, options.Alpha) : null;

    static int SamplesFor(double alpha) =>
        Enumerable.Range(2, MannWhitney.LargestExact).First(n => MannWhitney.SmallestP(n, n) <= alpha || n == MannWhitney.LargestExact);

    static string Number(double p) => p.ToString("0.###", CultureInfo.InvariantCulture);

    // The p-value of no change, the same corrected, and the p-value of a change that is not larger than the limit (raw, later corrected).
    readonly record struct Tested(double Limit, double P, double Corrected, double BeyondP);
}

/// <summary>Compares figures that the same program always repeats: bytes, counts, sizes.</summary>
static class ExactChange
{
    public static Change Of(Unit unit, double old, double @new, double threshold)
    {
        var ratio = old > 0 ? new RatioEstimate(@new / old, @new / old, @new / old) : (RatioEstimate?)null;
        if (Same(unit, old, @new))
            return new Change(Verdict.Equal, ratio);
        return new Change(Within(ratio?.Value, threshold) ? Verdict.Small : Directed(unit, old < @new), ratio, Limit: threshold);
    }

    public static bool Same(Unit unit, double a, double b) =>
        Math.Abs(a - b) <= Math.Max(unit.Floor, a == 0 || b == 0 ? 0 : unit.Tolerance * Math.Max(Math.Abs(a), Math.Abs(b)));

    public static bool Within(double? ratio, double limit) => ratio is { } factor && factor < 1 + limit && factor > 1 / (1 + limit);

    public static Verdict Directed(Unit unit, bool up) => up == unit.HigherIsBetter ? Verdict.Better : Verdict.Worse;
}
