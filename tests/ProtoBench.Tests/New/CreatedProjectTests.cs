using System.Text.RegularExpressions;

namespace ProtoBench.Tests;

public partial class CreatedProjectTests
{
    static readonly string[] dry = ["-c", "Release", "--", "--job", "dry"];

    /// <summary>The message has groups, maps of wrappers, times, and every other construct: every library keeps it.</summary>
    [Fact]
    public void It_builds_agrees_measures_eight_libraries_and_calls_and_is_read_by_report_and_compare()
    {
        using var folder = new NewProjectFolder();
        string[] options =
            ["--service", "shop.Desk", "--method", "Place", "--payload", folder.PutCaptured(), "--synthesize", "5", "--elements", "1..3"];
        Assert.Equal(0, folder.NewOfService(NewProjectFolder.DeskProto, options).Exit);
        var (exit, output, error) = Run(folder, dry);
        Assert.True(exit == 0, output + error);
        Assert.Contains("12 payloads", output, StringComparison.Ordinal);
        Assert.Matches(allAgree, output);
        Assert.Contains("// All calls of shop.Desk/Place agree: Google, Slab", output, StringComparison.Ordinal);
        Assert.DoesNotContain("Left out", output, StringComparison.Ordinal);

        string[] cells =
        [
            .. from library in (string[])["Google", "PBN", "PBNRuntime", "MessagePack", "Nerdbank", "MemoryPack", "Orleans",
                   "SystemTextJson", "Slab"]
               from verb in (string[])["Serialize", "Deserialize", "DeserializeTouch"]
               select $"{verb}Order{library}",
            .. from library in (string[])["Google", "PBN", "Slab"]
               from verb in (string[])["Measure", "MeasureSerialize"]
               select $"{verb}Order{library}",
            "DeserializeOrderSlab_Alias", "DeserializeTouchOrderSlab_Alias", "DeserializeTouchOrderSlab_Strings",
            "DeserializeTouchOrderSlab_Pooled", "DeserializeOrderMemoryPack_Overwrite", "DeserializeTouchOrderMemoryPack_Overwrite",
        ];
        Assert.All(cells, cell => Assert.Matches($@"(?m)^\| {cell} ", output));
        var rows = ConsoleTable.Read(output);
        Assert.All((string[])["Google", "Slab"], library => Assert.All((string[])["1", "8"], callers =>
        {
            var row = Assert.Single(rows, row => row["Method"] == "CallPlace" + library && row["Callers"] == callers);
            Assert.Matches(@"^[\d,.]+$", row["p50 [μs]"]);
            Assert.Matches(@"^[\d.]+ K?B$", row["Allocated"]);
        }));

        var result = Assert.Single(
            Directory.GetFiles(Path.Combine(folder.Project, "BenchmarkDotNet.Artifacts", "results"), "*-report-full.json"));
        var page = Path.Combine(folder.Root, "report.html");
        var report = Sandbox.Run(ReportVerb.Create(), result, "--out", page);
        Assert.True(report.Exit == 0, report.Error);
        Assert.Equal($"{page}: {cells.Length + 4} cells, 0 load results\n", report.Output);
        var other = folder.Put("other.json", Nanoseconds().Replace(File.ReadAllText(result), "${name}1${digit}"));
        var compare = Sandbox.Run(CompareVerb.Create(), result, other);
        Assert.True(compare.Exit == 0, compare.Error);
        Assert.All((string[])[.. cells, "CallPlaceSlab"], cell => Assert.Contains(cell, compare.Output, StringComparison.Ordinal));

        // The checks are the created project's own. A service that answers with something else is named, and nothing is measured; so is a
        // payload that is damaged later.
        var calls = Path.Combine(folder.Project, "PlaceCalls.cs");
        var text = File.ReadAllText(calls);
        File.WriteAllText(calls, text.Insert(text.IndexOf("reply.CopyFrom(", StringComparison.Ordinal), "if (next >= 0) "));
        var wrong = Run(folder, dry);
        Assert.True(wrong.Exit == 1, wrong.Output + wrong.Error);
        Assert.Contains("Nothing was measured, because the calls do not agree. shop.Desk/Place with Slab: reply 0000-random-0000.bin was read "
            + "as another message: ", wrong.Error, StringComparison.Ordinal);
        File.WriteAllBytes(Directory.GetFiles(Path.Combine(folder.Project, "payloads")).Order(StringComparer.Ordinal).First(), [0x0A, 5]);
        var damaged = Run(folder, [.. dry[..2], "--no-restore", .. dry[2..]]);
        Assert.True(damaged.Exit == 1, damaged.Output + damaged.Error);
        Assert.Contains("0000-a-bin.bin: Google.Protobuf cannot read it: ", damaged.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Names_of_the_schema_are_not_mistaken_for_those_of_the_project()
    {
        using var folder = new NewProjectFolder();
        string[] options = ["--service", "Service", "--method", "Received", "--synthesize", "3", "--elements", "1..3"];
        Assert.Equal(0, folder.NewOfService(NewProjectFolder.ClashProto, options).Exit);
        var (exit, output, error) = Run(folder, [.. dry, "--filter", "*Call*"]);
        Assert.True(exit == 0, output + error);
        Assert.Matches(allAgree, output);
        Assert.Contains("// All calls of Service/Received agree: Google, Slab", output, StringComparison.Ordinal);
    }

    const string allAgree = "(?m)^// All libraries agree: Google.Protobuf [^,]*, protobuf-net [^,]*, protobuf-net's runtime model [^,]*, "
        + "MessagePack [^,]*, Nerdbank.MessagePack [^,]*, MemoryPack [^,]*, Orleans.Serialization [^,]*, System.Text.Json [^,]*, "
        + "ProtoBench.Codec ";

    static (int Exit, string Output, string Error) Run(NewProjectFolder folder, string[] arguments) =>
        TheProgram.Run([("MSBUILDDISABLENODEREUSE", "1")], arguments, folder.Project, "run");

    // Another run is the same file with other times.
    [GeneratedRegex("(?<name>\"Nanoseconds\": ?)(?<digit>[0-9])", RegexOptions.ExplicitCapture)]
    private static partial Regex Nanoseconds();
}
