namespace ProtoBench.Report.Model;

/// <summary>The answer of a benchmark project, with the figures of its pairs.</summary>
/// <param name="Title">The message, and when it was measured.</param>
/// <param name="Blocks">What the console said between empty lines.</param>
public sealed record AnsweredRun(
    string Title, DuetAnswer Answer, IReadOnlyList<IReadOnlyList<string>> Blocks,
    IReadOnlyList<(string Name, IReadOnlyList<AnsweredRow> Rows)> Works)
{
    public static IReadOnlyList<AnsweredRun> Of(IReadOnlyList<Side> sides) =>
    [
        .. from side in sides
           from file in side.Files
           where file.Duet is { Answer: not null }
           let duet = file.Duet!
           orderby duet.StartedAt descending
           select new AnsweredRun(Heading(sides.Count > 1 ? side.Label + ": " : "", duet), duet.Answer!, [.. Divided(duet.Answer!.Lines)],
               [.. duet.Answer.Works.Select(work => (ResultText.Clean(work.Name), Rows(duet, work)))]),
    ];

    static string Heading(string side, DuetResult duet) => string.Create(System.Globalization.CultureInfo.InvariantCulture,
        $"{side}{ResultText.Clean(duet.Answer!.Message)}, measured on {duet.StartedAt:yyyy-MM-dd HH:mm}");

    static IReadOnlyList<AnsweredRow> Rows(DuetResult duet, AnsweredWork work) =>
    [
        .. from named in work.Pairs
           let pair = duet.Duets.FirstOrDefault(pair => pair.Old.Cell == named.Old && pair.New.Cell == named.New)
           where pair is not null
           orderby pair.Ratio
           select new AnsweredRow(ResultText.Clean(named.Library), pair, DuetVerdict.WhyNot([pair])),
    ];

    static IEnumerable<IReadOnlyList<string>> Divided(IReadOnlyList<string> lines)
    {
        for (var start = 0; start < lines.Count;)
        {
            string[] block = [.. lines.Skip(start).TakeWhile(line => line.Length > 0)];
            if (block.Length > 0)
                yield return block;
            start += block.Length + 1;
        }
    }
}

/// <param name="WhyNot">The reason why nothing may be concluded from it; null if there is none.</param>
public sealed record AnsweredRow(string Library, DuetPair Pair, string? WhyNot)
{
    public string Ratio => WhyNot is null && Pair is { Low: { } low, High: { } high }
        ? $"{Opening.Number(Pair.Ratio)} [{Opening.Number(low)} to {Opening.Number(high)}]" : $"not judged: {WhyNot ?? "no interval"}";
}
