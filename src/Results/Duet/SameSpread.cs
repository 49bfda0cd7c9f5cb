using System.Globalization;

namespace ProtoBench.Results;

/// <summary>How far the ratio of a cell to itself is from 1, which a difference on a machine has to exceed. From
/// <c>duet --same</c>.</summary>
/// <param name="Median">As a share: 0.01 is 1 %.</param>
/// <param name="Ninety">Nine of ten cells differ by at most this.</param>
public sealed record SameSpread(int Cells, double Median, double Ninety, double Largest)
{
    /// <exception cref="InvalidDataException">Thrown when the cells were not compared with themselves.</exception>
    public static SameSpread Of(DuetResult result)
    {
        double[] differences = [.. result.Duets.Select(pair => Math.Abs(pair.Ratio - 1)).Order()];
        if (!result.Settings.Same || differences.Length == 0)
            throw new InvalidDataException("the cells were not compared with themselves; duet --same does this");
        return new(differences.Length, Results.Median.Of(differences).Value, differences[(int)Math.Ceiling(0.9 * differences.Length) - 1],
            differences[^1]);
    }

    public string Sentence => string.Create(CultureInfo.InvariantCulture,
        $"By duet, {(Cells == 1 ? "1 cell that was compared with itself differs" : $"{Cells} cells that were compared with themselves differ")} here by {Percent(Median)} (median), {Percent(Ninety)} (nine of ten) and {Percent(
            Largest)} (largest).");

    static string Percent(double share) => (share * 100).ToString("0.0", CultureInfo.InvariantCulture) + " %";
}
