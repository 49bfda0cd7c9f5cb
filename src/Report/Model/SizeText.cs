using System.Globalization;
using System.Text.RegularExpressions;
using ProtoBench.Results;

namespace ProtoBench.Report.Model;

/// <summary>Reads the values of parameters that are sizes: <c>8 KiB</c>, <c>64K</c>, <c>10,000</c>, <c>2^10-5 in all</c>.</summary>
public sealed partial class SizeText : IComparer<string>
{
    /// <summary>Orders values by size; those that are no sizes come after them, as text.</summary>
    public static SizeText Order { get; } = new();

    /// <summary>The size that a text says; null when it says none.</summary>
    /// <param name="text">The value of a parameter.</param>
    public static double? Parse(string? text)
    {
        if (Form().Match(text ?? "") is not { Success: true } match)
            return null;
        double Number(string group) =>
            match.Groups[group].Success
            ? double.Parse(match.Groups[group].Value.Replace(",", "", StringComparison.Ordinal), CultureInfo.InvariantCulture) : 0;
        if (match.Groups["power"].Success)
            return Math.Pow(2, Number("power")) - Number("less");
        var unit = match.Groups["unit"].Value;
        var factor = unit.Length == 0
            ? 1 : char.ToUpperInvariant(unit[0]) switch { 'K' => 1024.0, 'M' => 1024.0 * 1024, 'G' => 1024.0 * 1024 * 1024, _ => 1 };
        var size = Number("number") * factor;
        return double.IsFinite(size) ? size : null;
    }

    /// <summary>The words of a size beside its figure, which make it a size of something else: "in all"; empty without any.</summary>
    /// <param name="text">The value of a parameter.</param>
    public static string Of(string? text) => Form().Match(text ?? "") is { Success: true } match ? match.Groups["of"].Value : "";

    /// <inheritdoc/>
    public int Compare(string? x, string? y) => (Parse(x), Parse(y)) switch
    {
        ({ } a, { } b) when a != b => a.CompareTo(b),
        ({ }, null) => -1,
        (null, { }) => 1,
        _ => NaturalOrder.Instance.Compare(x, y),
    };

    [GeneratedRegex(@"^(2\^(?<power>\d{1,2})(-(?<less>\d{1,6}))?( (?<of>in all))?|(?<number>\d[\d,]{0,14}(\.\d{1,6})?) ?(?<unit>B|[KMG](i?B)?|[kmg]B?)?)$", RegexOptions.ExplicitCapture)]
    private static partial Regex Form();
}
