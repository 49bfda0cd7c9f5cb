namespace ProtoBench.Report.Charts;

public sealed class Axis
{
    // From this ratio of the largest to the smallest figure on, a linear axis would press the small ones together.
    const double logarithmicFrom = 20;

    readonly double low, high;

    Axis(double low, double high, bool logarithmic, IReadOnlyList<double> ticks)
    {
        (this.low, this.high, Logarithmic, Ticks) = (low, high, logarithmic, ticks);
    }

    public bool Logarithmic { get; }

    public IReadOnlyList<double> Ticks { get; }

    /// <summary>An axis that holds all figures: from 0, or logarithmic where the range asks for it and no figure is 0.</summary>
    public static Axis Of(IEnumerable<double> figures) => Of(figures, logarithmicFrom);

    /// <summary>A logarithmic axis; one from 0 where a figure is 0 or less.</summary>
    public static Axis OfFactors(IEnumerable<double> figures) => Of(figures, 1);

    static Axis Of(IEnumerable<double> figures, double logarithmicFrom)
    {
        double[] finite = [.. figures.Where(double.IsFinite)];
        var (least, most) = finite.Length == 0 ? (0, 1) : (finite.Min(), finite.Max());
        return least > 0 && most / least >= logarithmicFrom ? Log(least, most) : Linear(Math.Min(0, least), most > 0 ? most : 1);
    }

    /// <summary>A linear axis from 0, for figures whose lengths are compared.</summary>
    public static Axis FromZero(IEnumerable<double> figures) =>
        Linear(0, figures.Where(figure => double.IsFinite(figure) && figure > 0).DefaultIfEmpty(1).Max());

    static Axis Log(double least, double most)
    {
        var (low, high) = (least / 1.25, Math.Max(most * 1.25, least * 3));
        double[] steps = Math.Log10(high / low) > 2.5 ? [1] : Math.Log10(high / low) > 1.4 ? [1, 3] : [1, 2, 5];
        var first = (int)Math.Floor(Math.Log10(low));
        var decades = (int)Math.Ceiling(Math.Log10(high)) - first;
        var stride = Math.Max(1, (decades + 4) / 6);
        return new Axis(low, high, true,
        [
            .. Enumerable.Range(0, decades + 1).Where(i => i % stride == 0)
                .SelectMany(i => steps.Select(step => step * Math.Pow(10, first + i))).Where(tick => tick >= low && tick <= high),
        ]);
    }

    static Axis Linear(double low, double most)
    {
        var rough = (most - low) / 4;
        var power = Math.Pow(10, Math.Floor(Math.Log10(rough)));
        var step = new[] { 1, 2, 2.5, 5, 10 }.Select(factor => factor * power).First(candidate => candidate >= rough * 0.999);
        var high = most * 1.02;
        var first = (int)Math.Ceiling(low / step);
        return new Axis(low, high, false, [.. Enumerable.Range(first, (int)Math.Floor(high / step) - first + 1).Select(i => i * step)]);
    }

    /// <summary>Where a figure lies, 0 to 100; what is outside lies at the end.</summary>
    public double At(double figure)
    {
        var share = Logarithmic
            ? figure > 0 ? Math.Log(figure / low) / Math.Log(high / low) : 0
            : (figure - low) / (high - low);
        return Math.Clamp(double.IsNaN(share) ? 0 : share, 0, 1) * 100;
    }

    /// <summary>Marks whose words do not touch on the narrowest card, 300 pixels wide: both ends where there is room.</summary>
    public static IEnumerable<(double At, string Text)> Spaced(IEnumerable<(double At, string Text)> marks)
    {
        const double letter = 2.2, gap = 2; // percent of 300 pixels, at 11 pixels a line
        var all = marks.OrderBy(mark => mark.At).ToArray();
        if (all.Length == 0)
            return [];
        var kept = new List<(double At, string Text)> { all[0] };
        foreach (var mark in all.Skip(1).SkipLast(1))
        {
            if (Begin(mark) - End(kept[^1]) >= gap && Begin(all[^1]) - End(mark) >= gap)
                kept.Add(mark);
        }

        if (all.Length > 1 && Begin(all[^1]) - End(kept[^1]) >= gap)
            kept.Add(all[^1]);
        return kept;

        static double Width((double, string Text) mark) => mark.Text.Length * letter;
        static double Begin((double At, string) mark) =>
            mark.At - (Svg.Anchor(mark.At) switch { "start" => 0, "end" => 1, _ => 0.5 } * Width(mark));
        static double End((double At, string) mark) => Begin(mark) + Width(mark);
    }

    internal IEnumerable<(double At, string Kind)> Grid => Ticks.Select(tick => (At(tick), "grid-line"));

    public IEnumerable<(double At, string Text)> Marks(Unit unit) => Ticks.Select(tick => (At(tick), Text(unit, tick)));

    public static string Text(Unit unit, double figure) => figure == 0 && unit.Scale != Scale.Bytes ? "0" : unit.Scale switch
    {
        Scale.Bytes => In(figure, (1, "B"), (1e3, "kB"), (1e6, "MB"), (1e9, "GB")),
        Scale.Nanoseconds => In(figure, (1, "ns"), (1e3, "μs"), (1e6, "ms"), (1e9, "s")),
        Scale.Microseconds => In(figure, (1, "μs"), (1e3, "ms"), (1e6, "s")),
        _ => figure.ToString("#,0.####"),
    };

    static string In(double figure, params ReadOnlySpan<(double Size, string Name)> units)
    {
        var chosen = units[0];
        foreach (var unit in units)
            chosen = figure >= unit.Size * 0.9999 ? unit : chosen;
        return (figure / chosen.Size).ToString("0.###") + " " + chosen.Name;
    }
}
