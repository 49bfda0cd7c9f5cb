using System.Globalization;

namespace ProtoBench.Columns;

/// <summary>How far an interval reaches from its value, in percent of the value.</summary>
static class Spread
{
    /// <summary>The farther end counts. <c>± ?</c> where there were too few measurements for an interval.</summary>
    public static string Of(double value, double low, double high)
    {
        var share = Math.Max(value - low, high - value) / value * 100;
        return low <= 0 || !double.IsFinite(share)
            ? "± ?" : $"± {share.ToString(share < 9.95 ? "N1" : "N0", CultureInfo.InvariantCulture)} %";
    }
}
