using System.Text.Json.Nodes;
using ProtoBench.Peers;

namespace ProtoBench.Results.Tests;

public class BenchmarkDotNetFileTests
{
    [Fact]
    public void A_launch_is_one_value_the_median_of_its_iterations()
    {
        var file = ResultFile.Read(Data.PathOf("as-written.json"));
        var cell = file.Cells.Single(cell => cell.Name["method"] == "DeserializeRequestGoogle_BA" && cell.Unit.Name == "ns/op");

        // the file's own Statistics.Median of the same five iterations, which took 1014.8 to 1115.6 ns
        Assert.Equal(1068.3653266435415, Assert.Single(cell.Values), 1e-9);
        Assert.Equal("launch", cell.Sample);
        Assert.Equal([8592, 4024, 0], file.Cells.Where(cell => cell.Unit.Name == "B/op").Select(cell => cell.Values.Single()));
        Assert.Equal(6, file.Cells.Count);
        Assert.Empty(file.Warnings);
        Assert.Equal(("AMD EPYC", "2", ".NET 10.0.12 (10.0.1226.42308)", "0.14.0"),
            (file.Facts["processor"], file.Facts["cores"], file.Facts["runtime"], file.Facts["BenchmarkDotNet"]));
        Assert.Equal("ProtoBench(OutlierMode=DontRemove, IterationCount=5, IterationTime=100ms, WarmupCount=2)", file.Facts["job"]);
    }

    [Fact]
    public void The_processor_has_the_name_of_the_other_results()
    {
        var json = JsonNode.Parse(File.ReadAllText(Data.PathOf("as-written.json")))!;
        json["HostEnvironmentInfo"]!["ProcessorName"] = "Intel Xeon Processor";
        json["ProtoBench"] = new JsonObject { ["cpu"] = "Intel(R) Xeon(R) Processor" };
        Assert.Equal("Intel(R) Xeon(R) Processor", ResultFile.Parse(json.ToJsonString(), "x.json").Facts["processor"]);
    }

    [Fact]
    public void The_parts_of_a_cells_name_are_read()
    {
        var name = ResultFile.Read(Data.PathOf("as-written.json")).Cells.Single(cell =>
            cell.Name.Full.EndsWith("_A", StringComparison.Ordinal) && cell.Unit.Name == "ns/op").Name;
        Assert.Equal(
            ["type=DeserializeBenchmarks", "method=DeserializeRequestSlab_ROM_A", "verb=Deserialize", "message=Request", "library=Slab",
                "buffer=ROM", "memory=A"],
            name.Parts.Select(part => $"{part}={name[part]}"));
    }

    [Theory]
    [InlineData("MeasureRequestGoogle", "Measure Request Google  ")]
    [InlineData("MeasureSerializeResponsePBN_BW_H", "MeasureSerialize Response PBN BW H")]
    [InlineData("DeserializeTouchMixedSlab_ROM", "DeserializeTouch Mixed Slab ROM ")]
    [InlineData("DeserializeStringsMixedSlab_ROS", "DeserializeStrings Mixed Slab ROS ")]
    [InlineData("DeserializeTouchOrderSlab_ROM", "DeserializeTouch Order Slab ROM ")]
    [InlineData("MeasureLine_ItemGoogle", "Measure Line_Item Google  ")]
    [InlineData("DeserializeOrderOther_BA", "    ")]
    [InlineData("DeserializeRequestGoogleBytes_BA", "Deserialize Request GoogleBytes BA ")]
    [InlineData("DeserializeRequestGoogle_BA_A", "Deserialize Request Google BA A")]
    [InlineData("SerializeRequestFloor_Copy", "Serialize Request Floor Copy ")]
    [InlineData("DeserializeRequestSlab_ROM_Cold", "Deserialize Request Slab ROM Cold")]
    [InlineData("DeserializeRequestSlab_A", "Deserialize Request Slab  A")]
    [InlineData("EncodeBoxed", "    ")]
    [InlineData("Strategy_Published", "    ")]
    [InlineData("SerializeNothing", "    ")]
    public void The_grammar_of_names_is_that_of_the_house(string method, string parts)
    {
        var name = Made.Name(method);
        Assert.Equal(parts, string.Join(' ', new[] { "verb", "message", "library", "buffer", "memory" }.Select(part => name[part])));
    }

    [Fact]
    public void What_the_file_says_of_a_cell_goes_before_its_name()
    {
        var name = Assert.Single(ResultFile.Parse("""
            { "Benchmarks": [ { "Type": "T", "Method": "DeserializeRequestGoogle_BA", "FullName": "T.DeserializeRequestGoogle_BA",
              "Cell": { "verb": "Parse", "message": "Order", "library": "Other", "memory": "H" },
              "Statistics": { "OriginalValues": [1] } } ] }
            """, "named.json").Cells).Name;
        Assert.Equal(["type=T", "method=DeserializeRequestGoogle_BA", "verb=Parse", "message=Order", "library=Other", "memory=H"],
            name.Parts.Select(part => $"{part}={name[part]}"));
    }

    [Fact]
    public void Launches_jobs_parameters_and_failed_cells_are_kept_apart()
    {
        var file = ResultFile.Read(Data.PathOf("several-jobs.json"));
        Assert.Equal(6, file.Cells.Count(cell => cell.Unit.Name == "ns/op"));
        var cell = file.Cells.Single(cell => cell.Name is var name && name["job"] == "Workstation" && name["method"] == "Allocate"
            && name["Size"] == "1" && cell.Unit.Name == "ns/op");
        Assert.Equal([320_337, 334_528], cell.Values);
        Assert.Equal(["Dry", "Workstation"], file.Failed.Select(name => name["job"]));
        Assert.All(file.Failed, name => Assert.Equal(("Fails", "1024"), (name["method"], name["Size"])));
    }

    [Fact]
    public void What_our_exporter_adds_is_read()
    {
        var json = JsonNode.Parse(File.ReadAllText(Data.PathOf("as-written.json")))!;
        json["ProtoBench"] =
            JsonNode.Parse(
                """{ "schema": 1, "versions": { "Google.Protobuf": "3.25.1" }, "commit": "abc", "clean": false, "gc": "Workstation concurrent", "note": "a note", "libraries": [{ "name": "PBN", "label": "protobuf-net", "colour": 3 }] }""");
        var file = ResultFile.Parse(json.ToJsonString(), "x.json");
        Assert.Equal(("abc+", "Workstation concurrent", "3.25.1"),
            (file.Commit, file.Facts["GC"], file.Facts["version of Google.Protobuf"]));
        Assert.Equal(["x.json: a note"], file.Warnings);
        Assert.Equal([new LibraryFacts("PBN", "protobuf-net", 3)], file.Libraries);
    }

    [Fact]
    public void Metrics_are_units_of_their_own_but_what_is_known_already_is_not()
    {
        var json = JsonNode.Parse(File.ReadAllText(Data.PathOf("as-written.json")))!;
        var metrics = json["Benchmarks"]![0]!["Metrics"]!.AsArray();
        foreach (var (id, value) in new[] { ("AllocatedObjects", 101.5), ("AllocatedObjectsError", 0.3), ("LockContentions", 2) })
            metrics.Add(JsonNode.Parse(
                $$"""{ "Value": {{value}}, "Descriptor": { "Id": "{{id}}", "DisplayName": "Shown {{id}}", "Unit": "Count", "TheGreaterTheBetter": false } }"""));
        var units = ResultFile.Parse(json.ToJsonString(), "x.json").Cells.Take(4)
            .Select(cell => (cell.Unit.Name, cell.Unit.Exact, cell.Unit.Tolerance, cell.Values[0]));
        Assert.Equal([("B/op", true, 0.001, 8592.0), ("objects/op", true, 0.01, 101.5), ("Shown LockContentions", false, 0, 2)],
            units.Skip(1));
    }

    [Theory]
    [InlineData("MB/s", true)]
    [InlineData("CPU %", true)]
    [InlineData("LockContentions", false)]
    public void What_follows_from_the_time_is_derived(string id, bool derived)
    {
        var json = JsonNode.Parse(File.ReadAllText(Data.PathOf("as-written.json")))!;
        json["Benchmarks"]![0]!["Metrics"]!.AsArray()
            .Add(JsonNode.Parse(
                $$"""{ "Value": 1, "Descriptor": { "Id": "{{id}}", "DisplayName": "{{id}}", "Unit": "x", "TheGreaterTheBetter": true } }"""));
        Assert.Equal(derived, ResultFile.Parse(json.ToJsonString(), "x.json").Cells.Single(cell => cell.Unit.Name == id).Unit.Derived);
    }

    [Fact]
    public void Control_characters_never_reach_a_terminal()
    {
        var text = File.ReadAllText(Data.PathOf("as-written.json"))
            .Replace("DeserializeRequestGoogle_BA", "\\u001b[2J", StringComparison.Ordinal)
                .Replace("AMD EPYC", "\\u0007", StringComparison.Ordinal);
        var file = ResultFile.Parse(text, "x.json");
        Assert.Equal("?[2J", file.Cells[0].Name["method"]);
        Assert.Equal("?", file.Facts["processor"]);
    }

    [Fact]
    public void A_file_cut_anywhere_is_refused_in_one_line()
    {
        var text = File.ReadAllText(Data.PathOf("as-written.json")).TrimEnd();
        for (var length = 1; length < text.Length; length += 61)
            Refused(text[..length], "x.json: not JSON, or cut short: ");
    }

    [Theory]
    [InlineData("[]", "x.json: neither BenchmarkDotNet's full JSON (--exporters json) nor a load or duet result")]
    [InlineData("{\"some\": 1}", "x.json: neither BenchmarkDotNet's full JSON (--exporters json) nor a load or duet result")]
    [InlineData("{\"Benchmarks\": []}", "x.json: BenchmarkDotNet JSON without a single benchmark")]
    [InlineData("{\"Benchmarks\": null}", "x.json: damaged BenchmarkDotNet JSON: ")]
    [InlineData("{\"Benchmarks\": [{}]}", "x.json: damaged BenchmarkDotNet JSON: ")]
    [InlineData("{\"variants\": 1}", "x.json: not a load result: ")]
    [InlineData("PK\u0003\u0004", "x.json: not JSON, or cut short: ")]
    public void Foreign_files_are_refused_in_one_line(string text, string message) => Refused(text, message);

    [Theory]
    [InlineData("\"Nanoseconds\":", "\"Nanoseconds\":-",
    "x.json: the cell DeserializeBenchmarks.DeserializeRequestGoogle_BA has a time that is negative or not finite")]
    [InlineData("\"Nanoseconds\":", "\"Nanoseconds\":1e400, \"Was\":",
    "x.json: the cell DeserializeBenchmarks.DeserializeRequestGoogle_BA has a time that is negative or not finite")]
    public void Figures_that_cannot_be_are_refused(string what, string by, string message) =>
        Refused(File.ReadAllText(Data.PathOf("as-written.json")).Replace(what, by, StringComparison.Ordinal), message);

    // the other cells have the names that they have without it, so that they are compared
    [Fact]
    public void A_cell_that_is_there_twice_is_named_and_left_out()
    {
        const string twice = "DeserializeBenchmarks.DeserializeRequestSlab_ROM";
        var (text, whole) = (File.ReadAllText(Data.PathOf("as-written.json")), ResultFile.Read(Data.PathOf("as-written.json")));
        var file = ResultFile.Parse(text.Replace("DeserializeRequestSlab_ROM_A", "DeserializeRequestSlab_ROM", StringComparison.Ordinal), "x.json");
        Assert.Equal($"x.json: the cell {twice} is there twice, and left out", Assert.Single(file.Warnings, warning => warning.Contains("twice", StringComparison.Ordinal)));
        Assert.Equal(whole.Cells.Select(cell => cell.Name.Full).Where(name => !name.StartsWith(twice, StringComparison.Ordinal)),
            file.Cells.Select(cell => cell.Name.Full));
        Refused("""
            { "Benchmarks": [
                { "Type": "T", "Method": "A", "FullName": "T.A", "Statistics": { "OriginalValues": [1] } },
                { "Type": "T", "Method": "A", "FullName": "T.A", "Statistics": { "OriginalValues": [2] } }
            ] }
            """, "x.json: the cell T.A is there twice");
    }

    [Fact]
    public void Calls_between_languages_have_a_launch_for_each_round_and_a_column_for_each_host()
    {
        var (file, table) = OfPeers("grpc", ("C++", "C++", "8", [2e6, 3e6]), ("Slab", "Slab", "8", [1e6, 1.5e6]), ("C++", "Slab", "1", [5e6, 5e6]));
        Assert.Equal([2e6, 3e6], file.Cells[0].Values);
        var name = file.Cells[0].Name;
        Assert.Equal("HiveCalls C++ C++ 8", $"{name["type"]} {name["method"]} {name["Host"]} {name["Callers"]}");
        Assert.Equal(("calls/s", 400), (file.Cells[1].Unit.Name, file.Cells[1].Values.Single())); // of the median, 2.5 ms
        Assert.Equal(["Callers", "Client", "C++ host", "Slab host", "Time with its own host by C++"], table.Columns);
        Assert.Equal(
            ["8 C++ 400 - 1.00 [1.00 to 1.00]", "8 Slab - 800 0.50 [0.50 to 0.50]", "1 C++ - 200 -"],
            table.Rows.Select(row => string.Join(' ', row)));
    }

    [Fact]
    public void The_first_system_of_a_case_is_what_the_others_are_compared_with()
    {
        var (file, table) = OfPeers("originals", ("grpc-go", "RPC/gRPC/1K", "1", [2e5, 2e5]), ("GRPC_Plain", "RPC/gRPC/1K", "1", [1e5, 3e5]),
            ("GRPC_Plain", "RPC/gRPC/1K", "36", [30, 30]));
        Assert.Equal(3, file.Cells.Count);
        Assert.Equal(
        [
            "RPC|gRPC 1K, 1 caller|grpc-go|200 μs|1|1.00", "RPC|gRPC 1K, 1 caller|GRPC_Plain|200 μs|1.00 [0.50 to 1.50]|0.50",
            "RPC|gRPC 1K, 36 callers|GRPC_Plain|30 ns|1|1.00",
        ], table.Rows.Select(row => string.Join('|', row)));
    }

    static (ResultFile File, SavedTable Table) OfPeers(
        string kind, params (string Library, string Set, string Verb, double[] Rounds)[] ways)
    {
        var path = Path.GetTempFileName();
        try
        {
            var lines = ways.SelectMany(way => way.Rounds.Select(round =>
                PeerLine.OfJson(new PeerLine(way.Library, "1.2", "call", way.Set, way.Verb, 9, round, null).ToJson())));
            new PeerResult(PeerTable.Named(kind), [.. lines], "two rounds", "peers/run " + kind).Write(path, TextWriter.Null);
            return (ResultFile.Read(path), SavedTable.Read(path));
        }
        finally
        {
            File.Delete(path);
        }
    }

    static void Refused(string text, string message)
    {
        var refusal = Assert.Throws<DamagedFileException>(() => ResultFile.Parse(text, "x.json")).Message;
        Assert.StartsWith(message, refusal, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', refusal);
    }
}
