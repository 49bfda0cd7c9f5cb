namespace ProtoBench.Harness.Duet;

/// <summary>A library with which a service could read and write its messages instead of the baseline.</summary>
/// <param name="Name">Its name in sentences.</param>
/// <param name="Library">Its name in the kinds of work.</param>
/// <param name="Read">The work in which it reads every field.</param>
/// <param name="IsUtf8">Whether it reads strings as views of UTF-8, and not as .NET strings.</param>
/// <param name="Size">The size of its messages by that of protobuf's; null if it keeps protobuf's format. Without protobuf's, by that of the
/// baseline.</param>
sealed record Alternative(string Name, string Library, ComparedWork Read, bool IsUtf8 = false, double? Size = null);

/// <summary>Says what a service pays that reads every field of some messages and writes as many others, and which library is recommended
/// for it.</summary>
/// <param name="baseline">The library that the others were measured against.</param>
/// <param name="writes">What a service does to write a message, as a verb, with its work. The first one that was measured counts.</param>
sealed class ServiceAnswer(Baseline baseline, IReadOnlyList<Alternative> alternatives,
    IReadOnlyList<(string Does, ComparedWork Work)> writes)
{
    // of the baseline's time: a saving that is less certain than this is not promised
    const double mostUncertain = 0.15;

    // of a core, below which no library is worth a change
    const double little = 0.01;

    /// <summary>Writes the cost for a service with each library. A time is the baseline's, multiplied by the ratio of
    /// the library.</summary>
    public void WriteCosts(DuetResult result, double rate, TextWriter output)
    {
        var (does, judged) = Judge(result);
        (string Name, Cost Cost)[] costs = [.. from one in judged where one.Cost is not null select (one.Name, one.Cost)];
        if (costs.Length == 0)
            return;
        output.WriteLine($"\nA service that {Does(does, rate)} (--rate) pays");
        var width = costs.Select(one => one.Name).Append(baseline.Label).Max(name => name.Length) + 2;
        Write(baseline.Label, costs[0].Cost.Baseline * rate, costs[0].Cost.BaselineBytes * rate);
        foreach (var (name, cost) in costs)
            Write(name, cost.Nanoseconds * rate, cost.Bytes * rate);
        output.WriteLine($"""
            This is the processor time of reading and writing these messages, with its collections. It is the time of
            {baseline.Label}, multiplied by the ratios above. It has no other part of a service, such as its connections.
            """);

        void Write(string name, double nanoseconds, double bytes) => output.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"  {name.PadRight(width)}{Cores(nanoseconds)}, and allocates {bytes / 1e6:N2} MB a second"));
    }

    /// <summary>Writes which library to take, where the intervals decide it. Reading and writing count together
    /// (<see cref="CombinedRatio"/>). A library is surely faster if its interval is below 1, and narrow enough. Two libraries are
    /// distinguished if their intervals do not overlap, because both were measured against the baseline only.</summary>
    public void WriteRecommendation(DuetResult result, double rate, TextWriter output)
    {
        var (does, judged) = Judge(result);
        output.WriteLine("\nRecommendation");
        if (judged.Select(one => one.Cost).OfType<Cost>().MaxBy(cost => cost.Baseline) is not { } largest)
        {
            output.WriteLine("  None: no library was judged both when it reads every field and when it writes.");
            return;
        }

        output.WriteLine($"  For a service that {Does(does, rate)}.");
        var isLittle = largest.Baseline * rate / 1e9 < little;
        if (isLittle)
        {
            output.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"  Change nothing: all of it takes {baseline.Label} {Cores(largest.Baseline * rate)}. At {Rounded(
                    little * 1e9 / largest.Baseline):N0} messages a second it takes {little:P0}."));
        }

        Judged[] strings = [.. judged.Where(one => one.Way is { Size: null, IsUtf8: false })];
        Judged[] views = [.. judged.Where(one => one.Way is { Size: null, IsUtf8: true })];
        Judged[] others = [.. judged.Where(one => one.Way.Size is not null)];
        Write("Protobuf's format, .NET strings", strings, []);
        Write("Protobuf's format, UTF-8 text", views, strings);
        Write(judged.Any(one => one.Way.Size is null) ? "Another format, .NET strings" : "Any format", others, strings);

        void Write(string needs, Judged[] asked, Judged[] also)
        {
            if (asked.Length == 0)
                return;
            var (choice, reasons) = Choose(asked, also, rate, isLittle);
            output.WriteLine($"  {needs}: {choice}.\n    {string.Join(' ', reasons)}");
        }
    }

    /// <param name="asked">The libraries that are asked about, of which those that were not judged are named.</param>
    /// <param name="also">Others that meet the need.</param>
    (string Choice, IEnumerable<string> Reasons) Choose(Judged[] asked, Judged[] also, double rate, bool isLittle)
    {
        Judged[] all = [.. asked.Concat(also).Where(one => one.Ratio is not null).OrderBy(one => one.Ratio!.Value.Value)];
        var missing = Names(asked.Where(one => one.Ratio is null), "was not judged", "were not judged");
        if (!asked.Any(one => one.Ratio is not null))
            return ("no recommendation", missing);
        if (Array.Find(all, one => IsSurelyFaster(one.Ratio!.Value)) is not { } best)
        {
            var uncertain = all[0].Ratio!.Value.High < 1 ? ", which is too uncertain" : "";
            return ($"stay with {baseline.Label}",
                [$"No library is surely faster. The best is {all[0].Name}: {Text(all[0])}{uncertain}.", .. missing]);
        }

        var ratio = best.Ratio!.Value;
        var alike = all.Where(one => one != best && one.Ratio!.Value.Low <= ratio.High && one.Ratio.Value.High >= ratio.Low);
        var keep = also.Contains(best) && asked.Any(one => one.Way.Size is not null) ? "keep protobuf's format; " : "";
        return (keep + (isLittle ? $"{best.Name} is surely faster" : $"take {best.Name}"),
        [
            $"It takes {Text(best)}, and saves {Cores((1 - ratio.Value) * best.Cost!.Baseline * rate)}.", .. Bytes(best.Way.Size),
            .. Names(alike, "is not distinguished from it", "are not distinguished from it"), .. missing,
        ]);

        string Text(Judged one) =>
            one.Ratio is { } ratio ? $"{Answer.Ratio(ratio.Value, ratio.Low, ratio.High)} of {baseline.Possessive} time" : "-";
    }

    static bool IsSurelyFaster(RatioEstimate ratio) => ratio.High < 1 && (ratio.High - ratio.Low) / 2 <= mostUncertain;

    static string[] Bytes(double? size) => size is not { } of ? [] : [string.Create(CultureInfo.InvariantCulture,
        $"Its messages are {Math.Abs(of - 1):P0} {(of < 1 ? "smaller" : "larger")}.")];

    static string[] Names(IEnumerable<Judged> some, string verb, string verbOfSeveral) => some.Select(one => one.Name).ToArray() switch
    {
        [] => [],
        [var name] => [$"{name} {verb}."],
        [.. var names, var last] => [$"{string.Join(", ", names)} and {last} {verbOfSeveral}."],
    };

    static string Does(string writes, double rate) => string.Create(CultureInfo.InvariantCulture,
        $"reads every field of {rate:#,0.###} message{(rate == 1 ? "" : "s")} a second and {writes} as many");

    static string Cores(double nanosecondsOfSecond) => (nanosecondsOfSecond / 1e9) is > 1 and var cores
        ? string.Create(CultureInfo.InvariantCulture, $"{cores:N1} cores")
        : string.Create(CultureInfo.InvariantCulture, $"{nanosecondsOfSecond / 1e9:P2} of a core");

    // to two digits
    static double Rounded(double number)
    {
        var unit = Math.Pow(10, Math.Floor(Math.Log10(number)) - 1);
        return Math.Round(number / unit) * unit;
    }

    (string Does, Judged[] All) Judge(DuetResult result)
    {
        var (does, write) = writes.FirstOrDefault(one => one.Work.IsIn(result), writes[^1]);
        return (does, [.. alternatives.Where(way => write.Libraries.Contains(way.Library) && way.Read.Libraries.Contains(way.Library))
            .Select(way => Judge(result, way, write))]);
    }

    static Judged Judge(DuetResult result, Alternative way, ComparedWork write)
    {
        var ((_, read), (destination, written)) = (way.Read.Of(result, way.Library), write.Of(result, way.Library));
        if (read is null || written is null || ComparedWork.WhyNot(read) is not null || ComparedWork.WhyNot(written) is not null
            || way.Read.BaselineTime(result) is not { } readTime || write.BaselineTime(result) is not { } writeTime)
            return new(way, way.Name, null, null);
        return new(way, destination.Destination is { } to ? $"{way.Name} ({to})" : way.Name,
            CombinedRatio.Of(readTime, Estimate(read), writeTime, Estimate(written)),
            new(readTime.Value + writeTime.Value, (readTime.Value * read.Ratio) + (writeTime.Value * written.Ratio),
                read.Old.AllocatedBytesPerOperation + written.Old.AllocatedBytesPerOperation,
                read.New.AllocatedBytesPerOperation + written.New.AllocatedBytesPerOperation));

        static RatioEstimate Estimate(DuetPair pair) => new(pair.Ratio, pair.Low!.Value, pair.High!.Value);
    }

    /// <param name="Ratio">Its time for both by the baseline's; null if a part has no verdict.</param>
    sealed record Judged(Alternative Way, string Name, RatioEstimate? Ratio, Cost? Cost);

    /// <summary>For one message that is read and one that is written.</summary>
    sealed record Cost(double Baseline, double Nanoseconds, double BaselineBytes, double Bytes);
}
