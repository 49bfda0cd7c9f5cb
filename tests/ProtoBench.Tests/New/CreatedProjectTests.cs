using System.Text.RegularExpressions;
using ProtoBench.Tests.Verbs;
using ProtoBench.Verbs;

namespace ProtoBench.Tests.New;

/// <summary>A created project is built and run as its user would.</summary>
public partial class CreatedProjectTests
{
    [Fact]
    public void It_builds_agrees_runs_and_is_read_by_report_and_compare()
    {
        using var folder = new NewProjectFolder();
        Assert.Equal(0, folder.New("--payload", folder.PutCaptured(), "--synthesize", "5", "--elements", "1..3").Exit);
        var (exit, output, error) =
            TheProgram.Run([("MSBUILDDISABLENODEREUSE", "1")], ["-c", "Release", "--", "--job", "dry"], folder.Project, "run");
        Assert.True(exit == 0, output + error);
        Assert.Contains("12 payloads", output, StringComparison.Ordinal);
        Assert.Contains("All libraries agree: Google.Protobuf ", output, StringComparison.Ordinal);
        Assert.Contains("This run contains no measurements", output, StringComparison.Ordinal);

        // protobuf-net cannot read the maps of wrappers in this message
        Assert.Matches("(?m)^// Left out: 00..-.*: protobuf-net ", output);
        string[] cells =
        [
            "DeserializeOrderGoogle_BA", "DeserializeOrderSlab_ROM", "DeserializeTouchOrderGoogle_BA", "DeserializeTouchOrderSlab_ROM",
            "DeserializeStringsOrderGoogle_BA", "DeserializeStringsOrderSlab_ROM", "DeserializeStringsOrderSlab_Pooled",
            "MeasureOrderGoogle", "MeasureOrderSlab", "SerializeOrderGoogle_BW", "SerializeOrderSlab_BW",
            "MeasureSerializeOrderGoogle_BW", "MeasureSerializeOrderSlab_BW",
        ];
        Assert.All(cells, cell => Assert.Contains($"| {cell} ", output, StringComparison.Ordinal));

        var result = Assert.Single(
            Directory.GetFiles(Path.Combine(folder.Project, "BenchmarkDotNet.Artifacts", "results"), "*-report-full.json"));
        var page = Path.Combine(folder.Root, "report.html");
        var report = Sandbox.Run(ReportVerb.Create(), result, "--out", page);
        Assert.True(report.Exit == 0, report.Error);
        Assert.Equal($"{page}: 13 cells, 0 load results\n", report.Output);
        var other = folder.Put("other.json", Nanoseconds().Replace(File.ReadAllText(result), "${name}1${digit}"));
        var compare = Sandbox.Run(CompareVerb.Create(), result, other);
        Assert.True(compare.Exit == 0, compare.Error);
        Assert.All(cells, cell => Assert.Contains(cell, compare.Output, StringComparison.Ordinal));

        // the check is the created project's own: a payload that is damaged later is named, and nothing is measured
        File.WriteAllBytes(Directory.GetFiles(Path.Combine(folder.Project, "payloads")).Order(StringComparer.Ordinal).First(), [0x0A, 5]);
        var damaged = TheProgram.Run([("MSBUILDDISABLENODEREUSE", "1")], ["-c", "Release", "--", "--job", "dry"], folder.Project, "run");
        Assert.True(damaged.Exit == 1, damaged.Output + damaged.Error);
        Assert.Contains("0000-a-bin.bin: Google.Protobuf cannot read it: ", damaged.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Protobuf_net_is_measured_where_its_generator_knows_the_schema()
    {
        using var folder = new NewProjectFolder();
        Assert.Equal(0, folder.NewOf("shop.Receipt", "receipt.proto", "--synthesize", "5").Exit);
        var (exit, output, error) =
            TheProgram.Run([("MSBUILDDISABLENODEREUSE", "1")], ["-c", "Release", "--", "--job", "dry"], folder.Project, "run");
        Assert.True(exit == 0, output + error);
        string[] cells =
        [
            "DeserializeReceiptPBN_ROM", "DeserializeTouchReceiptPBN_ROM", "DeserializeStringsReceiptPBN_ROM", "MeasureReceiptPBN",
            "SerializeReceiptPBN_BW", "MeasureSerializeReceiptPBN_BW",
        ];
        Assert.Matches("(?m)^// All libraries agree: Google.Protobuf [^,]*, protobuf-net [^,]*, ProtoBench.Codec ", output);
        Assert.All(cells, cell => Assert.Contains($"| {cell} ", output, StringComparison.Ordinal));
    }

    [Fact]
    public void Calls_of_a_service_are_checked_and_measured()
    {
        using var folder = new NewProjectFolder();
        string[] options = ["--service", "shop.Desk", "--method", "Place", "--synthesize", "5", "--elements", "0..3"];
        Assert.Equal(0, folder.NewOfService(NewProjectFolder.DeskProto, options).Exit);
        string[] run = ["-c", "Release", "--", "--job", "dry", "--filter", "*Call*"];
        var (exit, output, error) = TheProgram.Run([("MSBUILDDISABLENODEREUSE", "1")], run, folder.Project, "run");
        Assert.True(exit == 0, output + error);
        Assert.Contains("// All calls of shop.Desk/Place agree: Google, Slab", output, StringComparison.Ordinal);
        var rows = ConsoleTable.Read(output);
        Assert.All((string[])["Google", "Slab"], library => Assert.All((string[])["1", "8"], callers =>
        {
            var row = Assert.Single(rows, row => row["Method"] == "CallPlace" + library && row["Callers"] == callers);
            Assert.Matches(@"^[\d,.]+$", row["p50 [μs]"]);
            Assert.Matches(@"^[\d.]+ KB$", row["Allocated"]);
        }));
        var result = Assert.Single(
            Directory.GetFiles(Path.Combine(folder.Project, "BenchmarkDotNet.Artifacts", "results"), "*-report-full.json"));
        var other = folder.Put("other.json", Nanoseconds().Replace(File.ReadAllText(result), "${name}1${digit}"));
        var compare = Sandbox.Run(CompareVerb.Create(), result, other);
        Assert.True(compare.Exit == 0, compare.Error);
        Assert.Contains("CallPlaceSlab", compare.Output, StringComparison.Ordinal);

        // the check is the created project's own: a service that answers with something else is named, and nothing is measured
        var calls = Path.Combine(folder.Project, "PlaceCalls.cs");
        var text = File.ReadAllText(calls);
        var copies = text.IndexOf("reply.CopyFrom(", StringComparison.Ordinal);
        File.WriteAllText(calls, text.Insert(copies, "if (next >= 0) "));
        var wrong = TheProgram.Run([("MSBUILDDISABLENODEREUSE", "1")], run, folder.Project, "run");
        Assert.True(wrong.Exit == 1, wrong.Output + wrong.Error);
        Assert.Contains("Nothing was measured, because the calls do not agree. shop.Desk/Place with Slab: reply 0000-random-0000.bin was read "
            + "as another message: ", wrong.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Names_of_the_schema_are_not_mistaken_for_those_of_the_project()
    {
        using var folder = new NewProjectFolder();
        string[] options = ["--service", "Service", "--method", "Received", "--synthesize", "3", "--elements", "0..3"];
        Assert.Equal(0, folder.NewOfService(NewProjectFolder.ClashProto, options).Exit);
        string[] run = ["-c", "Release", "--", "--job", "dry", "--filter", "*Call*"];
        var (exit, output, error) = TheProgram.Run([("MSBUILDDISABLENODEREUSE", "1")], run, folder.Project, "run");
        Assert.True(exit == 0, output + error);
        Assert.Matches("(?m)^// All libraries agree: Google.Protobuf [^,]*, protobuf-net [^,]*, ProtoBench.Codec ", output);
        Assert.Contains("// All calls of Service/Received agree: Google, Slab", output, StringComparison.Ordinal);
    }

    // Another run is the same file with other times.
    [GeneratedRegex("(?<name>\"Nanoseconds\": ?)(?<digit>[0-9])", RegexOptions.ExplicitCapture)]
    private static partial Regex Nanoseconds();
}
