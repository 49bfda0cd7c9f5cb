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

    // Another run is the same file with other times.
    [GeneratedRegex("(?<name>\"Nanoseconds\": ?)(?<digit>[0-9])", RegexOptions.ExplicitCapture)]
    private static partial Regex Nanoseconds();
}
