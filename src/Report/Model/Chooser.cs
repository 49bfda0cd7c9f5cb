namespace ProtoBench.Report.Model;

/// <summary>Which library to take: a row for what a program does, and a column for what its messages are like. It is made of the duets of
/// the data sets' cells, and of loads of prepared bytes (<c>raw</c>).</summary>
/// <param name="Transport">The bytes of a call without a codec, ascending, and the processor time of its server in nanoseconds.</param>
public sealed record Chooser(
    IReadOnlyList<MessageKind> Kinds, IReadOnlyList<ChooserRow> Rows, IReadOnlyList<(double Bytes, double Nanoseconds)> Transport)
{
    const string google = "Google.Protobuf";

    /// <summary>What messages are like, with the data set that stands for it, and the mean size of its messages.</summary>
    public static IReadOnlyList<MessageKind> AllKinds { get; } =
    [
        new("small", "Order", 225), new("middle", "Search", 6_655), new("large", "Hive", 290_699), new("many strings", "Log", 913_769),
        new("numbers", "Updates", 689_137), new("packed numbers", "Embeddings", 796_692),
    ];

    static readonly (string Does, string Verb, (string Cell, string Label)[] Libraries)[] works =
    [
        ("read every field, text as UTF-8", "DeserializeTouch", [("Slab", "slab"), ("PBN", "protobuf-net")]),
        ("read every field, .NET strings", "DeserializeTouch", [("Slab_Strings", "slab"), ("PBN", "protobuf-net")]),
        ("make and write", "Make", [("Slab", "slab"), ("PBN", "protobuf-net"), ("PBN_BW", "protobuf-net")]),
        ("forward: read and write again", "Forward", [("Slab", "slab"), ("PBN", "protobuf-net"), ("PBN_BW", "protobuf-net")]),
        ("serve over gRPC, both sides", "Call", [("Slab", "slab")]),
    ];

    /// <returns>Null if the files have no kind of message that was both read and made, or if they are of two processors.</returns>
    public static Chooser? Of(IEnumerable<ResultFile> files)
    {
        ResultFile[] all = [.. files];
        ResultFile[] duets = [.. all.Where(file => file.Duet is { Settings.Same: false, Package: null, Base: null })];
        if (duets.Select(file => file.Facts.GetValueOrDefault("processor")).Distinct().Count() > 1)
            return null; // no field may be of two machines
        DuetPair[] pairs = [.. duets.SelectMany(file => file.Duet!.Duets).DistinctBy(pair => (pair.Old.Cell, pair.New.Cell))];
        MessageKind[] kinds = [.. AllKinds
            .Where(kind => Array.Exists(works, work => Pairs(pairs, kind, work.Verb, work.Libraries).Any()))
            .Select(kind => kind with { Costs = Costs(pairs, kind) })];
        return !Array.Exists(kinds, kind => kind.Costs.Count > 0) ? null : new(
            kinds,
            [
                .. works.Select(work =>
                        new ChooserRow(work.Does, [.. kinds.Select(kind => Choose(Pairs(pairs, kind, work.Verb, work.Libraries)))]))
                    .Where(row => row.Choices.Any(choice => choice is not null)),
            ],
            [
                .. all.Select(file => file.Load).OfType<LoadResult>().Where(load => load.Settings is { Loop: "closed", Concurrency: 1 })
                    .SelectMany(load => load.Variants).Where(variant => variant is { Codec: "raw", Stack: "grpc-dotnet", Verdict.Valid: true }
                        && variant.Rounds.All(round => round.AttributionUsPerCall is null))
                    .Select(variant => (
                        Bytes: (double)(variant.Transport.RequestBytes + variant.Transport.ResponseBytes),
                        Nanoseconds: variant.Rounds.Select(round => round.Server?.CpuUsPerCall * 1_000).OfType<double>().ToArray()))
                    .GroupBy(one => one.Bytes, one => one.Nanoseconds)
                    .Select(size => (Bytes: size.Key, Nanoseconds: size.SelectMany(times => times).ToArray()))
                    .Where(size => size.Nanoseconds.Length > 0).Select(size => (size.Bytes, Median.Of(size.Nanoseconds).Value))
                    .OrderBy(size => size.Bytes),
            ]);
    }

    /// <summary>The processor time of a server's transport for a call with so many bytes, in nanoseconds: between two measured sizes, and
    /// beyond them, on the line through the nearest two. 0 without two measured sizes.</summary>
    public double TransportOf(double bytes)
    {
        if (Transport.Count < 2)
            return 0;
        var right = Math.Clamp(Transport.Count(point => point.Bytes < bytes), 1, Transport.Count - 1);
        var (from, to) = (Transport[right - 1], Transport[right]);
        return Math.Max(0, from.Nanoseconds + ((bytes - from.Bytes) / (to.Bytes - from.Bytes) * (to.Nanoseconds - from.Nanoseconds)));
    }

    // Of several destinations the faster one counts. Of the libraries that are surely faster than Google.Protobuf the fastest is taken.
    static Choice? Choose(IEnumerable<(string Library, DuetPair Pair)> measured)
    {
        (string Library, DuetPair Pair)[] all = [.. measured.OrderBy(one => one.Pair.Ratio)];
        if (all.Length == 0)
            return null;
        var at = Array.FindIndex(all, one => one.Pair is { Valid: true, High: < 1 });
        var (library, pair) = all[Math.Max(at, 0)];
        var ratio = new MeasuredRatio(pair.Ratio, pair.Low, pair.High);
        return new(at >= 0 ? library : google, library, ratio);
    }

    static IEnumerable<(string Library, DuetPair Pair)> Pairs(
        DuetPair[] pairs, MessageKind kind, string verb, (string Cell, string Label)[] libraries) =>
        from library in libraries
        from pair in pairs
        where pair.Old.Method == $"{verb}SetGoogle" && pair.New.Method == $"{verb}Set{library.Cell}"
            && pair.New.Parameters.GetValueOrDefault("DataSet") == kind.DataSet
        select (library.Label, pair);

    // A time is Google's, which is the median over its pairs, multiplied by the ratio, so that all have one base.
    static IReadOnlyList<MessageCost> Costs(DuetPair[] pairs, MessageKind kind)
    {
        (double Google, double Other)? Of(string verb, params string[] cells)
        {
            DuetPair[] all = [.. pairs.Where(pair => pair.Old.Method == $"{verb}SetGoogle"
                && pair.New.Parameters.GetValueOrDefault("DataSet") == kind.DataSet)];
            return all.Where(pair => Array.Exists(cells, cell => pair.New.Method == $"{verb}Set{cell}")).MinBy(pair => pair.Ratio) is { } best
                && Median.Of([.. all.Select(pair => pair.Old.NanosecondsPerOperation)]).Value is var time
                ? (time, time * best.Ratio) : null;
        }

        (string Library, (double Google, double Other)? Read, (double Google, double Other)? Make)[] measured =
        [
            ("protobuf-net", Of("DeserializeTouch", "PBN"), Of("Make", "PBN", "PBN_BW")),
            ("slab, .NET strings", Of("DeserializeTouch", "Slab_Strings"), Of("Make", "Slab")),
            ("slab, text as UTF-8", Of("DeserializeTouch", "Slab"), Of("Make", "Slab")),
        ];
        MessageCost[] costs = [.. from one in measured
            where one.Read is not null && one.Make is not null
            select new MessageCost(one.Library, one.Read!.Value.Other, one.Make!.Value.Other)];
        return costs.Length == 0 ? [] : measured.First(one => one is { Read: not null, Make: not null }) is var any
            ? [new MessageCost(google, any.Read!.Value.Google, any.Make!.Value.Google), .. costs] : [];
    }
}

/// <param name="Choices">One for each kind of message; null where nothing was measured.</param>
public sealed record ChooserRow(string Does, IReadOnlyList<Choice?> Choices);

/// <param name="Take">The library to take.</param>
/// <param name="Fastest">The library other than Google.Protobuf that takes the least time, and its ratio to Google.Protobuf.</param>
public sealed record Choice(string Take, string Fastest, MeasuredRatio Ratio)
{
    public override string ToString() => Take == Fastest ? $"{Take} {Ratio}" : $"{Take} ({Fastest} {Ratio})";
}
