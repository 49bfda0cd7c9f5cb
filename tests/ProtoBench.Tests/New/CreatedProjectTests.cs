using System.Text.RegularExpressions;
using ProtoBench.Results;
using static ProtoBench.Tests.TerminalTests;

namespace ProtoBench.Tests;

/// <summary>A project of a message and of a method, one of names that clash with its own, and some of classes, built once and together:
/// most of a build is the restore and the start of compilers and generators. Two variables of the environment change what the first program
/// does.</summary>
public sealed class BuiltProject : IDisposable
{
    /// <summary>The only libraries that are compared.</summary>
    public const string Only = "PROTOBENCH_TEST_ONLY";

    /// <summary>Whether the service of the slab codec answers with an empty message.</summary>
    public const string Empty = "PROTOBENCH_TEST_EMPTY";

    // what MessagePack has attributes for too, and MemoryPack and Orleans have none
    const string ownClass = """
        using MessagePack;
        using ProtoBuf;
        namespace Acme;

        [ProtoContract, MessagePackObject]
        public class Event
        {
            [ProtoMember(1), Key(0)] public string? Id { get; set; }
            [ProtoMember(2), Key(1)] public long Customer { get; set; }
            [ProtoMember(7), Key(2)] public List<Line> Lines { get; set; } = [];
            [ProtoMember(4), Key(3)] public Dictionary<string, int> Counts { get; set; } = [];
            [ProtoMember(3), Key(4)] public Status Status { get; set; }
            [ProtoMember(6), Key(5)] public int? Rank { get; set; }
            [ProtoMember(5), Key(6)] public int[]? Codes { get; set; }
            [ProtoMember(8), Key(7)] public byte[]? Blob { get; set; }
            [ProtoMember(9), Key(8)] public Line? First { get; init; }
            [ProtoMember(10), Key(9)] public Line[]? Others { get; set; }
            [ProtoMember(11), Key(10)] public Guid? Session { get; set; }
            [ProtoMember(12), Key(11)] public bool IsPaid { get; set; }
            [ProtoMember(13), Key(12)] public IList<Line>? More { get; set; }
        }

        [ProtoContract, MessagePackObject]
        public class Line
        {
            [ProtoMember(1), Key(0)] public string Article { get; set; } = "";
            [ProtoMember(2, DataFormat = DataFormat.ZigZag), Key(1)] public long Cents { get; set; }
        }

        public enum Status { None, Open, Closed }
        """;

    // a base class whose derived classes are content
    const string hierarchy = """
        using System.Text.Json.Serialization;
        using ProtoBuf;
        namespace Acme;

        [ProtoContract, ProtoInclude(10, typeof(Card)), ProtoInclude(11, typeof(Cash))]
        [JsonDerivedType(typeof(Card), "card"), JsonDerivedType(typeof(Cash), "cash")]
        public abstract class Payment
        {
            [ProtoMember(1)] public string Id { get; set; } = "";
            [ProtoMember(2)] public Payment? Refund { get; set; }
        }

        [ProtoContract] public class Card : Payment { [ProtoMember(1)] public string Number { get; set; } = ""; }

        [ProtoContract] public class Cash : Payment { [ProtoMember(1)] public long Cents { get; set; } }
        """;

    // protobuf-net takes no lists in lists
    const string nested = """
        using MemoryPack;
        using MessagePack;
        using Orleans;
        namespace Acme;

        [MessagePackObject, MemoryPackable, GenerateSerializer]
        public partial class Trip
        {
            [Key(0), Id(0)] public string Id { get; set; } = "";
            [Key(1), Id(1)] public required List<List<Point>> Legs { get; set; } = [];
            [Key(2), Id(2)] public Dictionary<string, List<string>> Tags { get; set; } = [];
            [Key(3), Id(3)] public int[][]? Grid { get; set; }
            [Key(4), Id(4)] public DateTime At { get; set; }
            [Key(5), Id(5)] public byte[]? Blob { get; set; }
            [Key(6), Id(6)] public string? Note;
        }

        [MessagePackObject, MemoryPackable, GenerateSerializer]
        public partial class Point
        {
            [Key(0), Id(0)] public double X { get; set; }
            [Key(1), Id(1)] public string Name { get; set; } = "";
        }
        """;

    readonly NewProjectFolder folder = new(), clash = new("clash-bench"), own = new("event-bench"), payments = new("payment-bench"),
        trips = new("trip-bench");

    public BuiltProject()
    {
        string[] options =
            ["--service", "shop.Desk", "--method", "Place", "--payload", folder.PutCaptured(), "--synthesize", "5", "--elements", "1..3"];
        Assert.Equal(0, folder.NewOfService(NewProjectFolder.DeskProto, options).Exit);
        Replace("Program.cs", ".Libraries)",
            $".Libraries.Where(one => Environment.GetEnvironmentVariable(\"{Only}\")?.Split(',').Contains(one.Name) != false).ToArray())");
        Replace("PlaceCalls.cs", "reply.CopyFrom(", $"if (Environment.GetEnvironmentVariable(\"{Empty}\") is null) reply.CopyFrom(");
        string[] few = ["--service", "Service", "--method", "Received", "--synthesize", "3", "--elements", "1..3"];
        Assert.Equal(0, clash.NewOfService(NewProjectFolder.ClashProto, few).Exit);
        string[] ofClass = ["--classes", own.Put("Event.cs", ownClass), "--type", "Event", "--payload",
            own.Put("a.json", """{ "id": "e", "status": "Open", "session": "7b3e2c70-6a0e-4d62-9d5a-0f4f2f1c9d11" }"""), "--synthesize", "5"];
        Assert.Equal(0, Sandbox.Run(NewVerb.Create(), [own.Project, .. ofClass]).Exit);
        string[] ofBase = ["--classes", payments.Put("Payment.cs", hierarchy), "--type", "Payment", "--payload", payments.Put("a.json",
            """{ "$type": "card", "id": "p", "number": "4", "refund": { "$type": "cash", "id": "r", "cents": 7 } }""")];
        Assert.Equal(0, Sandbox.Run(NewVerb.Create(), [payments.Project, .. ofBase]).Exit);
        string[] ofNested = ["--classes", trips.Put("Trip.cs", nested), "--type", "Trip", "--payload", trips.Put("a.jsonl", """
            { "id": "t", "legs": [ [ { "x": 1.5, "name": "a" } ], [] ], "tags": { "b": [ "c" ] }, "at": "2026-03-01T09:30:00Z", "note": "ü" }
            { "id": "u", "legs": [], "grid": [ [ 1, 2 ], [ 3 ] ], "blob": "AQI=", "at": "2026-03-02T09:30:00Z" }
            """)];
        Assert.Equal(0, Sandbox.Run(NewVerb.Create(), [trips.Project, .. ofNested]).Exit);
        var all = folder.Put("all.proj", $"""
            <Project DefaultTargets="Build">
              <ItemGroup><Created Include="{Folder}/orders-bench.csproj;{clash.Project}/clash-bench.csproj;{own.Project}/event-bench.csproj;{payments.Project}/payment-bench.csproj;{trips.Project}/trip-bench.csproj" /></ItemGroup>
              <Target Name="Restore"><MSBuild Projects="@(Created)" Targets="Restore" /></Target>
              <Target Name="Build"><MSBuild Projects="@(Created)" BuildInParallel="true" /></Target>
            </Project>
            """);
        var (exit, output, error) = TheProgram.Run([("MSBUILDDISABLENODEREUSE", "1")], [all, "-c", "Release"], Folder, "build");
        Assert.True(exit == 0, output + error);
        Program = In(Folder, "orders-bench.dll");
        ClashProgram = In(clash.Project, "clash-bench.dll");
        OwnProgram = In(own.Project, "event-bench.dll");
        HierarchyProgram = In(payments.Project, "payment-bench.dll");
        NestedProgram = In(trips.Project, "trip-bench.dll");

        static string In(string project, string program) =>
            Assert.Single(Directory.GetFiles(Path.Combine(project, "bin"), program, SearchOption.AllDirectories));
    }

    public string Folder => folder.Project;
    public string Program { get; }
    public string ClashProgram { get; }
    public string OwnProgram { get; }
    public string HierarchyProgram { get; }
    public string NestedProgram { get; }

    public void Dispose()
    {
        folder.Dispose();
        clash.Dispose();
        own.Dispose();
        payments.Dispose();
        trips.Dispose();
    }

    void Replace(string file, string old, string @new)
    {
        var path = Path.Combine(Folder, file);
        var parts = File.ReadAllText(path).Split(old);
        Assert.Equal(2, parts.Length);
        File.WriteAllText(path, string.Join(@new, parts));
    }
}

public partial class CreatedProjectTests(BuiltProject project) : IClassFixture<BuiltProject>
{
    static readonly string[] dry = ["--job", "dry"];

    /// <summary>The message has groups, maps of wrappers, times, and every other construct: every library keeps it.</summary>
    [Fact]
    public void It_agrees_measures_all_libraries_and_calls_and_is_read_by_report_and_compare()
    {
        var folder = Directory.CreateDirectory(Path.Combine(project.Folder, "dry")).FullName;
        var (exit, output, error) = Run(folder, [], [.. dry, "--inProcess", "--noForcedGCs"]);
        Assert.True(exit == 0, output + error);
        Assert.Contains("12 payloads", output, StringComparison.Ordinal);
        Assert.Matches(allAgree, output);
        Assert.Contains("// All calls of shop.Desk/Place agree: Google, Slab", output, StringComparison.Ordinal);
        Assert.DoesNotContain("Left out", output, StringComparison.Ordinal);
        Assert.Contains("Toolchain=InProcess", output, StringComparison.Ordinal);

        string[] cells =
        [
            .. from library in (string[])["Google", "PBN", "PBNRuntime", "MessagePack", "Nerdbank", "MemoryPack", "Orleans",
                   "Cbor", "SystemTextJson", "Slab"]
               from verb in (string[])["Serialize", "Deserialize", "DeserializeTouch", "Make", "MakeNew", "Forward", "Serve"]
               select $"{verb}Order{library}",
            .. from library in (string[])["Google", "PBN", "Slab"]
               from verb in (string[])["Measure", "MeasureSerialize"]
               select $"{verb}Order{library}",
            .. ((string[])["Serialize", "Make", "MakeNew", "Forward", "Serve"]).Select(verb => $"{verb}OrderPBN_BW"),
            "ForwardOrderSlab_Alias", "ServeOrderSlab_Strings",
            "DeserializeOrderSlab_Alias", "DeserializeTouchOrderSlab_Alias", "DeserializeTouchOrderSlab_Strings",
            "DeserializeTouchOrderSlab_Pooled", "DeserializeOrderMemoryPack_Overwrite", "DeserializeTouchOrderMemoryPack_Overwrite",
        ];
        Assert.All(cells, cell => Assert.Matches($@"(?m)^\| {cell} ", output));
        AssertCalls(output, @"^-$"); // a process prints its percentiles at its end

        var result = Assert.Single(
            Directory.GetFiles(Path.Combine(folder, "BenchmarkDotNet.Artifacts", "results"), "*-report-full.json"));
        var page = Path.Combine(folder, "report.html");
        var report = Sandbox.Run(ReportVerb.Create(), result, "--out", page);
        Assert.True(report.Exit == 0, report.Error);
        Assert.Equal($"{page}: {cells.Length + 4} cells\n", report.Output);
        var other = Path.Combine(folder, "other.json");
        File.WriteAllText(other, Nanoseconds().Replace(File.ReadAllText(result), "${name}1${digit}"));
        var compare = Sandbox.Run(CompareVerb.Create(), result, other);
        Assert.True(compare.Exit == 0, compare.Error);
        Assert.All((string[])[.. cells, "CallPlaceSlab"], cell => Assert.Contains(cell, compare.Output, StringComparison.Ordinal));
    }

    /// <summary>The checks are the created project's own. A service that answers with something else is named, and nothing is measured; so
    /// is a payload that is damaged later.</summary>
    [Fact]
    public void Nothing_is_measured_where_a_reply_or_a_payload_is_wrong()
    {
        var wrong = Run(project.Folder, [(BuiltProject.Empty, "1")], dry);
        Assert.True(wrong.Exit == 1, wrong.Output + wrong.Error);
        Assert.Contains("Nothing was measured, because the calls do not agree. shop.Desk/Place with Slab: reply 0000-random-0000.bin was read "
            + "as another message: ", wrong.Error, StringComparison.Ordinal);
        var payload = Directory.GetFiles(Path.Combine(Path.GetDirectoryName(project.Program)!, "payloads")).Order(StringComparer.Ordinal).First();
        var bytes = File.ReadAllBytes(payload);
        File.WriteAllBytes(payload, [0x0A, 5]);
        var damaged = Run(project.Folder, [], dry);
        File.WriteAllBytes(payload, bytes);
        Assert.True(damaged.Exit == 1, damaged.Output + damaged.Error);
        Assert.Contains("0000-a-bin.bin: Google.Protobuf cannot read it: ", damaged.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task It_has_help_and_is_stopped()
    {
        var help = Run(project.Folder, [], "--help").Output;
        string[] verbs = [.. help.Split("Commands:\n")[1].Split('\n').Where(line => line.Length > 2 && line[2] != ' ')
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[0])];
        Assert.Equal(["compare", "duet", "versions"], verbs.Order(StringComparer.Ordinal));
        Assert.All((string[][])[["-h"], ["-?"], .. verbs.Select(verb => (string[])[verb, "--help"])], args =>
        {
            var (exitCode, text, complaint) = Run(project.Folder, [], args);
            Assert.Equal((0, ""), (exitCode, complaint));
            Assert.Contains($"orders-bench {(args.Length == 1 ? "" : args[0])}", text, StringComparison.Ordinal);
        });

        Assert.Contains("OrderBenchmarks.DeserializeOrderGoogle(Payloads: mix)\n", Run(project.Folder, [], "--list").Output, StringComparison.Ordinal);

        AssertLast(Nothing, await StopAsync(project.Folder, 100, Begun, "dotnet", project.Program));
        var results = Path.Combine(project.Folder, "results");
        Assert.False(Directory.Exists(results));

        // a library that is left out has no process and no cell in the counts
        string[] few = [$"{BuiltProject.Only}=Google,Slab", "dotnet", project.Program];
        var answer = await StopAsync(project.Folder, 0, AfterARound, few);
        var file = Assert.Single(Directory.GetFiles(results));
        AssertLast($"stopped: what was measured until then is above, and in {Path.GetRelativePath(project.Folder, file)}", answer);
        Assert.Contains("not judged: the run was stopped before its second process", answer, StringComparison.Ordinal);
        var kept = ResultFile.Read(file).Duet!.Answer!;
        Assert.Equal("shop.Order", kept.Message);
        Assert.All([.. kept.About, .. kept.Lines, .. kept.Recommendation], line => Assert.Contains(line, answer, StringComparison.Ordinal));
        var again = Run(project.Folder, [(BuiltProject.Only, "Google,Slab")], "--saved", "--rate", "7");
        Assert.Equal((0, ""), (again.Exit, again.Error));
        Assert.Contains(Path.GetRelativePath(project.Folder, file), again.Output, StringComparison.Ordinal);
        Assert.Contains("not judged: the run was stopped before its second process", again.Output, StringComparison.Ordinal);
        Assert.Single(Directory.GetFiles(results));

        var cells = await StopAsync(project.Folder, 100, SecondCell, [.. few, "--filter", "*SerializeOrder*"]);
        AssertFirstCells("erializeOrder", cells, project.Folder);
        var run = Regex.Match(cells, @"\b2 of (\d+), ").Groups[1].Value;
        Assert.Contains($"// {run} cells, about 1 min\n", cells, StringComparison.Ordinal);
    }

    [Fact]
    public void Names_of_the_schema_are_not_mistaken_for_those_of_the_project()
    {
        using var folder = new TempFolder();
        var (exit, output, error) = TheProgram.Run([], [.. dry, "--filter", "*Call*"], folder.Path, project.ClashProgram);
        Assert.True(exit == 0, output + error);
        Assert.Matches(allAgree, output);
        Assert.Contains("// All calls of Service/Received agree: Google, Slab", output, StringComparison.Ordinal);
        AssertCalls(output, @"^[\d,.]+$");
    }

    /// <summary>The check compares what each library reads, makes and replies with Google's message. A library whose attributes are missing
    /// is left out.</summary>
    [Fact]
    public void A_class_is_measured_with_its_own_attributes()
    {
        using var folder = new TempFolder();
        var (exit, output, error) = TheProgram.Run([], [.. dry, "--inProcess", "--noForcedGCs"], folder.Path, project.OwnProgram);
        Assert.True(exit == 0, output + error);
        Assert.Contains("// 6 payloads", output, StringComparison.Ordinal);
        Assert.Matches(@"// Left out: 0000-a-json\.bin: MemoryPack [\d.]+ fails: Acme.Event is not registered", output);
        Assert.Matches(@"// Left out: 0000-a-json\.bin: Orleans.Serialization [\d.]+ fails: .*Acme.Event", output);
        Assert.Matches("// All libraries agree: Google.Protobuf [^,]*, protobuf-net [^,]*, MessagePack [^,]*, Nerdbank.MessagePack [^,]*, "
            + "System.Text.Json [^,]*, ProtoBench.Codec ", output);
        string[] cells =
        [
            .. from library in (string[])["Google", "PBN", "MessagePack", "Nerdbank", "SystemTextJson", "Slab"]
               from verb in (string[])["Serialize", "Deserialize", "DeserializeTouch", "Make", "MakeNew", "Forward", "Serve"]
               select $"{verb}Event{library}",
            "MakeEventPBN_BW", "MeasureEventPBN", "DeserializeTouchEventSlab_Strings",
        ];
        Assert.All(cells, cell => Assert.Matches($@"(?m)^\| {cell} ", output));
        Assert.DoesNotMatch(@"(?m)^\| \w+(Orleans|MemoryPack|PBNRuntime)", output);
    }

    [Fact]
    public void A_base_class_is_measured_with_its_derived_classes()
    {
        using var folder = new TempFolder();
        var (exit, output, error) = TheProgram.Run([], [.. dry, "--inProcess", "--noForcedGCs"], folder.Path, project.HierarchyProgram);
        Assert.True(exit == 0, output + error);
        Assert.Matches(@"// Left out: 0000-a-json\.bin: MessagePack ", output);
        Assert.Matches("// All libraries agree: Google.Protobuf [^,]*, protobuf-net [^,]*, .*System.Text.Json [^,]*, ProtoBench.Codec ", output);
        string[] cells =
        [
            .. from library in (string[])["Google", "PBN", "SystemTextJson", "Slab"]
               from verb in (string[])["Serialize", "Deserialize", "DeserializeTouch", "Forward"]
               select $"{verb}Payment{library}",
        ];
        Assert.All(cells, cell => Assert.Matches($@"(?m)^\| {cell} ", output));
        Assert.DoesNotMatch(@"(?m)^\| (Make|Serve)Payment", output);
    }

    [Fact]
    public void A_class_without_a_schema_is_measured_by_the_libraries_that_need_none()
    {
        using var folder = new TempFolder();
        var (exit, output, error) = TheProgram.Run([], [.. dry, "--inProcess", "--noForcedGCs"], folder.Path, project.NestedProgram);
        Assert.True(exit == 0, output + error);
        Assert.DoesNotContain("Left out", output, StringComparison.Ordinal);
        Assert.Matches("// All libraries agree: System.Text.Json [^,]*, MessagePack [^,]*, Nerdbank.MessagePack [^,]*, MemoryPack [^,]*, "
            + "Orleans.Serialization [^,]*\n", output);
        string[] cells =
        [
            .. from library in (string[])["SystemTextJson", "MessagePack", "Nerdbank", "MemoryPack", "Orleans"]
               from verb in (string[])["Serialize", "Deserialize", "DeserializeTouch", "Make", "MakeNew", "Forward", "Serve"]
               select $"{verb}Trip{library}",
        ];
        Assert.All(cells, cell => Assert.Matches($@"(?m)^\| {cell} ", output));
        Assert.Matches(@"(?m)^\| ServeTripSystemTextJson .*\| +1\.00 \|", output);
        Assert.DoesNotMatch(@"(?m)^\| \w+(Google|PBN|Slab)", output);
    }

    static void AssertCalls(string output, string median)
    {
        var rows = ConsoleTable.Read(output);
        Assert.All((string[])["Google", "Slab"], library => Assert.All((string[])["1", "8"], callers =>
        {
            var row = Assert.Single(rows,
                row => Regex.IsMatch(row["Method"], $"^Call[A-Z][a-z]+{library}$") && row["Callers"] == callers);
            Assert.Matches(median, row["p50 [μs]"]);
            Assert.Matches(@"^[\d.]+ K?B$", row["Allocated"]);
        }));
    }

    const string allAgree = "(?m)^// All libraries agree: Google.Protobuf [^,]*, protobuf-net [^,]*, protobuf-net's runtime model [^,]*, "
        + "MessagePack [^,]*, Nerdbank.MessagePack [^,]*, MemoryPack [^,]*, Orleans.Serialization [^,]*, "
        + "System.Formats.Cbor [^,]*, System.Text.Json [^,]*, ProtoBench.Codec ";

    (int Exit, string Output, string Error) Run(string folder, (string Name, string? Value)[] environment, params string[] arguments) =>
        TheProgram.Run(environment, arguments, folder, project.Program);

    // Another run is the same file with other times.
    [GeneratedRegex("(?<name>\"Nanoseconds\": ?)(?<digit>[0-9])", RegexOptions.ExplicitCapture)]
    private static partial Regex Nanoseconds();
}
