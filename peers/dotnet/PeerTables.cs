using System.Text.Json;
using System.Text.Json.Nodes;
using ProtoBench.Results;

namespace ProtoBench.Peers;

/// <summary>What the results of one kind of run have of their own: the table, and the names of the cells.</summary>
abstract class PeerTable(string name)
{
    public static PeerTable Named(string kind) => kind switch
    {
        "grpc" => new HiveCallsTable(),
        "originals" => new OriginalsTable(),
        _ => new LanguagesTable(),
    };

    public abstract (string[] Header, string[][] Rows) Of(MeasuredWay[] best);

    protected abstract (string Method, string Parameters) Names(PeerLine line);

    protected virtual CellFacts? Facts(PeerLine line) => null;

    protected virtual (string Unit, double Value)? Rate(MeasuredWay way) => null;

    public JsonObject ToJson(MeasuredWay way)
    {
        var (method, parameters) = Names(way.Line);
        var shown = parameters.Replace("=", ": ", StringComparison.Ordinal).Replace("&", ", ", StringComparison.Ordinal);
        var node = new JsonObject
        {
            ["DisplayInfo"] = $"{name}: rounds",
            ["Type"] = name,
            ["Method"] = method,
            ["Parameters"] = parameters,
            ["FullName"] = $"{name}.{method}({shown})",
            ["Cell"] = JsonSerializer.SerializeToNode(Facts(way.Line)),
            ["Statistics"] = new JsonObject { ["OriginalValues"] = new JsonArray() },
            ["Measurements"] = new JsonArray([.. way.Rounds.Select((nanoseconds, round) => new JsonObject
            {
                ["IterationMode"] = "Workload",
                ["IterationStage"] = "Result",
                ["LaunchIndex"] = round + 1,
                ["Operations"] = 1,
                ["Nanoseconds"] = Math.Round(nanoseconds, 1),
            })]),
        };
        if (Rate(way) is var (unit, value))
        {
            node["Metrics"] = new JsonArray(new JsonObject
            {
                ["Value"] = Math.Round(value, 1),
                ["Descriptor"] = new JsonObject { ["Id"] = unit, ["DisplayName"] = unit, ["Unit"] = unit, ["TheGreaterTheBetter"] = true },
            });
        }

        return node;
    }
}

/// <summary>A row for each verb and set, and a column for each library.</summary>
sealed class LanguagesTable() : PeerTable("Languages")
{
    const string slab = "Slab", cpp = "C++";

    public override (string[] Header, string[][] Rows) Of(MeasuredWay[] best)
    {
        string[] libraries = [.. best.Select(way => way.Line.Library).Distinct()];
        return (["Verb", "Data set", .. libraries, "C++ way", "Time of Slab by C++", "By the least times"],
        [
            .. best.GroupBy(way => (way.Line.Verb, way.Line.Set)).OrderBy(row => row.Key.Verb, StringComparer.Ordinal)
                .Select(row => Row(row.Key.Verb, row.Key.Set, libraries, row.ToDictionary(way => way.Line.Library))),
        ]);
    }

    protected override (string Method, string Parameters) Names(PeerLine line) => ($"{line.Verb} with {line.Library}", $"DataSet={line.Set}");

    static string Capital(string verb) => char.ToUpperInvariant(verb[0]) + verb[1..];

    protected override CellFacts? Facts(PeerLine line) => new(Capital(line.Verb), line.Set, line.Library);

    protected override (string Unit, double Value)? Rate(MeasuredWay way) => ("MB/s", way.Rate);

    static string[] Row(string verb, string set, string[] libraries, Dictionary<string, MeasuredWay> of) =>
    [
        Capital(verb), set, .. libraries.Select(library => of.TryGetValue(library, out var way) ? MeasuredWay.Text(way.Rate, "N0") : "-"),
        .. of.TryGetValue(slab, out var own) && of.TryGetValue(cpp, out var other)
            ? (string[])[other.Line.Way, own.Against(other), MeasuredWay.Text(own.Least / other.Least)] : ["-", "-", "-"],
    ];
}

/// <summary>A row for each client and number of callers, and a column for each host. In a line the host is the set, and the number of
/// callers the verb.</summary>
sealed class HiveCallsTable() : PeerTable("HiveCalls")
{
    const string cpp = "C++";

    public override (string[] Header, string[][] Rows) Of(MeasuredWay[] best)
    {
        string[] hosts = [.. best.Select(way => way.Line.Set).Distinct()];
        return (["Callers", "Client", .. hosts.Select(host => host + " host"), "Time with its own host by C++"],
        [
            .. best.GroupBy(way => way.Line.Verb).SelectMany(callers => callers.GroupBy(way => way.Line.Library)
                .Select(client => Row(callers.Key, client.Key, hosts, callers.ToDictionary(way => (way.Line.Library, way.Line.Set))))),
        ]);
    }

    protected override (string Method, string Parameters) Names(PeerLine line) => (line.Library, $"Host={line.Set}&Callers={line.Verb}");

    protected override (string Unit, double Value)? Rate(MeasuredWay way) => ("calls/s", Calls(way));

    static double Calls(MeasuredWay way) => 1e9 / way.Median;

    static string[] Row(
        string callers, string client, string[] hosts, Dictionary<(string Client, string Host), MeasuredWay> of) =>
    [
        callers, client, .. hosts.Select(host => of.TryGetValue((client, host), out var way) ? MeasuredWay.Text(Calls(way), "N0") : "-"),
        of.TryGetValue((client, client), out var own) && of.TryGetValue((cpp, cpp), out var other) ? own.Against(other) : "-",
    ];
}

/// <summary>A row for each case and library. The first library of a case is the system of a published table.</summary>
sealed class OriginalsTable() : PeerTable("Originals")
{
    public override (string[] Header, string[][] Rows) Of(MeasuredWay[] best) =>
        (["Table", "Case", "System", "Time", "By the first", "By the least times"],
        [
            .. best.GroupBy(way => Case(way.Line)).SelectMany(rows => rows.Select(way => (string[])
            [
                way.Line.Set.Split('/')[0], rows.Key, way.Line.Library, way.Time,
                way == rows.First() ? "1" : way.Against(rows.First()), MeasuredWay.Text(way.Least / rows.First().Least),
            ])),
        ]);

    // no name of a cell, so that its losses are those of its own table
    protected override (string Method, string Parameters) Names(PeerLine line) => ($"by {line.Library}", $"Case={Case(line)}");

    // the table is in the set: RPC/gRPC/1K
    static string Case(PeerLine line) => string.Join(' ', line.Set.Split('/')[1..])
        + (int.TryParse(line.Verb, out var callers) ? $", {callers} caller{(callers == 1 ? "" : "s")}" : $", {line.Verb}");
}
