using System.Globalization;
using System.Text.RegularExpressions;

namespace ProtoBench.Report.Model;

/// <param name="Title">What heads it: the side, where there are several, and the file's name.</param>
public sealed partial record LoadFile(string Title, ResultFile File, LoadResult Result)
{
    public static IReadOnlyList<LoadFile> Of(IReadOnlyList<Side> sides) =>
    [
        .. sides.SelectMany(side => side.Files.Where(file => file.Load != null).Select(file =>
            new LoadFile((sides.Count > 1 ? side.Label + ", " : "") + Path.GetFileNameWithoutExtension(file.Path), file, file.Load!))),
    ];

    /// <summary>The variants that are neither steps of a sweep nor rows with a number of callers.</summary>
    public IReadOnlyList<LoadVariant> Plain => [.. Result.Variants.Where(variant => Step(variant) is null && variant.Callers is null)];

    public IReadOnlyList<(string Stack, IReadOnlyList<LoadVariant> Variants)> ByStack =>
        [.. Plain.GroupBy(variant => variant.Stack, StringComparer.Ordinal)
            .Select(stack => (stack.Key, (IReadOnlyList<LoadVariant>)[.. stack]))];

    public IReadOnlyList<(int? Cores, IReadOnlyList<LoadVariant> Variants)> ByCallers =>
    [
        .. Result.Variants.Where(variant => variant.Callers is not null).GroupBy(variant => variant.Server?.Cores)
            .OrderBy(group => group.Key)
            .Select(group => (group.Key, (IReadOnlyList<LoadVariant>)[.. group.OrderBy(variant => variant.Callers)])),
    ];

    /// <summary>Closed loops that differ only in the number of callers, one file each: what was sent, and the variants.</summary>
    public static IReadOnlyList<(string Title, IReadOnlyList<LoadVariant> Variants)> OverCallers(IEnumerable<LoadFile> loads) =>
    [
        .. from load in loads
           where load.Result.Settings is { Loop: "closed", Concurrency: not null } && load.Plain.Count > 0
           group load by Conditions(load) into same
           where same.Select(load => load.Result.Settings.Concurrency).Distinct().Count() > 1
           let transport = same.First().Plain[0].Transport
           select ($"requests of {Size(transport.RequestBytes)}, replies of {Size(transport.ResponseBytes)}",
               (IReadOnlyList<LoadVariant>)[.. from load in same
                                               from variant in load.Plain
                                               orderby load.Result.Settings.Concurrency
                                               select variant with { Callers = load.Result.Settings.Concurrency }]),
    ];

    static string Conditions(LoadFile load) => string.Join('|',
        (string?[])[.. load.File.Facts.Where(fact => fact.Key is not ("concurrency" or "calls a round"))
            .OrderBy(fact => fact.Key, StringComparer.Ordinal).Select(fact => $"{fact.Key}={fact.Value}"), load.File.Commit]);

    static string Size(long bytes) => bytes < 1000 ? $"{bytes} B" : (bytes / 1e3).ToString("#,0.#") + " kB";

    /// <summary>A variant's name; without its stack where that is said already.</summary>
    public static string Label(LoadVariant variant, bool withoutStack) =>
        withoutStack && variant.Name.StartsWith(variant.Stack + "-", StringComparison.Ordinal)
        ? variant.Name[(variant.Stack.Length + 1)..] : variant.Name;

    public IReadOnlyList<(string Name, IReadOnlyList<(double Percent, LoadVariant Variant)> Steps)> Sweeps =>
    [
        .. Result.Variants.Select(variant => (Step: Step(variant), Variant: variant)).Where(step => step.Step is not null)
            .GroupBy(step => step.Step!.Value.Name, step => (step.Step!.Value.Percent, step.Variant), StringComparer.Ordinal)
            .Select(sweep => (sweep.Key, (IReadOnlyList<(double, LoadVariant)>)[.. sweep.OrderBy(step => step.Percent)])),
    ];

    /// <summary>The latencies of all rounds together; null where a round has none.</summary>
    public static LatencyHistogram? Merged(LoadVariant variant, Func<LoadRound, LatencyRecord?> of)
    {
        LatencyRecord?[] records = [.. variant.Rounds.Where(round => round.Succeeded > 0).Select(of)];
        if (records.Length == 0 || records.Contains(null))
            return null;
        var all = Merged(records.OfType<LatencyRecord>());
        return all.Count == 0 ? null : all;
    }

    internal static LatencyHistogram Merged(IEnumerable<LatencyRecord> records)
    {
        var all = new LatencyHistogram();
        foreach (var record in records)
            all.Add(record.Decode());
        return all;
    }

    static (string Name, double Percent)? Step(LoadVariant variant) =>
        SweepStep().Match(variant.Name) is { Success: true } match
        && double.TryParse(match.Groups["percent"].Value, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var percent)
        ? (match.Groups["name"].Value, percent) : null;

    /// <summary>A sweep names its steps <c>grpc-dotnet-slab@40%</c>.</summary>
    [GeneratedRegex(@"^(?<name>.+)@(?<percent>[0-9.]{1,6})%$")]
    private static partial Regex SweepStep();
}
