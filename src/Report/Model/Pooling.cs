using ProtoBench.Results;

namespace ProtoBench.Report.Model;

/// <summary>Decides which benchmark files of a side are launches of one series. Files are pooled only when they agree in job, machine,
/// settings, versions and commit.</summary>
/// <param name="Files">The files of each series.</param>
/// <param name="LeftOut">What was left out, one sentence each.</param>
/// <param name="OnlyDry">Whether all benchmarks of the side are dry runs, which measure nothing.</param>
sealed record Pooling(IReadOnlyList<(string Label, IReadOnlyList<ResultFile> Files)> Files, IReadOnlyList<string> LeftOut, bool OnlyDry)
{
    // Of facts that differ, so many stand in a label; the environment table has all of them.
    const int mostNamed = 2, longestValue = 40;

    /// <summary>Splits the benchmark files of a side into series. Dry runs are left out, unless there is nothing else.</summary>
    public static Pooling Of(Side side)
    {
        ResultFile[] files = [.. side.Files.Where(file => file is { Load: null, Duet: null })];
        ResultFile[] dry = [.. files.Where(IsDry)];
        var onlyDry = dry.Length > 0 && dry.Length == files.Length;
        var kept = onlyDry ? files : [.. files.Except(dry)];
        var series = kept.GroupBy(Conditions, StringComparer.Ordinal).Select(group => group.ToArray()).ToArray();
        return new(
            [.. Labels([.. series.Select(group => group[0])]).Zip(series, (label, group) => (label, (IReadOnlyList<ResultFile>)group))],
            onlyDry ? [] : [.. dry.Select(file => $"{file.Path}: left out, it is a dry run, which measures nothing")],
            onlyDry);
    }

    /// <summary>Whether every job of a file is dry: one iteration of one operation, without warm-up.</summary>
    static bool IsDry(ResultFile file) =>
        file.Facts.GetValueOrDefault("job")?.Split(" and ") is { } jobs
        && jobs.All(job => job == "Dry" || job.StartsWith("Dry(", StringComparison.Ordinal));

    static string Conditions(ResultFile file) =>
        string.Join('\n', Facts(file).OrderBy(fact => fact.Key, StringComparer.Ordinal).Select(fact => $"{fact.Key}={fact.Value}"));

    static IEnumerable<KeyValuePair<string, string>> Facts(ResultFile file) =>
        file.Commit is { } commit ? file.Facts.Append(new("commit", commit)) : file.Facts;

    // A series by what it does not share with the others; what is still the same gets a number.
    static string[] Labels(ResultFile[] first)
    {
        string[] labels = [.. first.Select(file => first.Length == 1 ? "" : Label(file, first))];
        return labels.Distinct(StringComparer.Ordinal).Count() == labels.Length
            ? labels : [.. labels.Select((label, i) => $"{label}, run {i + 1}")];
    }

    static string Label(ResultFile file, ResultFile[] all)
    {
        var own = Facts(file).ToDictionary(StringComparer.Ordinal);
        string[] differing = [.. all.SelectMany(other => Facts(other).Select(fact => fact.Key)).Distinct(StringComparer.Ordinal)
            .Where(fact => all.Select(other => Facts(other).FirstOrDefault(entry => entry.Key == fact).Value)
                .Distinct(StringComparer.Ordinal).Count() > 1)
            .OrderByDescending(fact => fact is "job" or "commit")];
        return string.Join(", ", differing.Take(mostNamed).Select(fact => $"{fact} {Charts.Svg.Short(Value(fact), longestValue)}"));

        string Value(string fact) =>
            own.GetValueOrDefault(fact) is not { } value
            ? "unknown" : fact switch { "commit" => Commit(value), "job" => Job(value), _ => value };
        // of a job's characteristics those that another series does not have
        string Job(string value) =>
            string.Join(", ",
                Characteristics(value)
                    .Where(part =>
                        all.Any(other => !Characteristics(other.Facts.GetValueOrDefault("job") ?? "")
                            .Contains(part)))) is { Length: > 0 } part ? part : value;
        static string[] Characteristics(string job) =>
            job.Split(['(', ')', ','], StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        static string Commit(string value) =>
            value.TrimEnd('+') is { Length: > 10 } hash ? hash[..10] + (value.EndsWith('+') ? "+" : "") : value;
    }
}
