using System.Globalization;

namespace ProtoBench.Diagnosers;

/// <summary>Objects allocated by one operation.</summary>
/// <param name="Value">Objects per operation; null: nothing is known.</param>
/// <param name="Error">How much <paramref name="Value"/> may be off; 0 for an exact count.</param>
public sealed record ObjectCount(double? Value, double Error)
{
    // What the runtime itself and BenchmarkDotNet allocate meanwhile: an object in a hundred operations is none of the operation's.
    const double foreign = 0.01;

    /// <summary>Nothing can be said.</summary>
    public static ObjectCount Unknown { get; } = new(null, 0);

    /// <summary>The count, whole where the batches leave no doubt.</summary>
    /// <param name="objects">What the runtime reported, and over how many operations.</param>
    /// <param name="bytes">Bytes that one operation allocates: no objects, but bytes, is a trace that was not written.</param>
    public static ObjectCount Of(AllocatedObjects objects, long bytes)
    {
        if (objects.Operations == 0 || (objects.Total == 0 && bytes > 0))
            return Unknown;
        var value = objects.Total / (double)objects.Operations;
        var error = objects.Uncertain / (double)objects.Operations;
        var whole = Math.Round(value);
        return error < 0.5 && Math.Abs(value - whole) <= error + foreign ? new(whole, 0) : new(value, error);
    }

    /// <summary>"7" where the count is exact, "~10,511 ± 19" where it is not, "unknown" where there is none.</summary>
    public override string ToString()
    {
        if (Value is not { } value)
            return "unknown";
        if (Error == 0 && double.IsInteger(value))
            return value.ToString("N0", CultureInfo.InvariantCulture);
        var format = value >= 100 ? "N0" : "N2";
        return "~" + value.ToString(format, CultureInfo.InvariantCulture)
            + (Error > 0 ? " ± " + Error.ToString(format, CultureInfo.InvariantCulture) : "");
    }
}
