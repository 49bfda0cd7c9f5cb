namespace ProtoBench.Tests;

public class NewVerbTests
{
    [Fact]
    public void Every_form_of_payload_becomes_the_same_binary_message()
    {
        using var folder = new NewProjectFolder();
        var (exit, output, error) = folder.New("--payload", folder.PutCaptured());
        Assert.Equal((0, ""), (exit, error));
        Assert.Contains("7 payloads, p50 23 B, p95 23 B, max 23 B", output, StringComparison.Ordinal);
        var payloads = Directory.GetFiles(Path.Combine(folder.Project, "payloads"));
        Assert.Equal(7, payloads.Length);
        Assert.Single(payloads.Select(file => Convert.ToHexString(File.ReadAllBytes(file))).Distinct());
        Assert.Equal(
            [".gitignore", "Libraries", "OrderBenchmarks.cs", "OrderCells.cs", "OrderSet.cs", "OrderSizes.cs", "Program.cs", "README.md", "global.json", "orders-bench.csproj", "payloads", "protos"],
            Directory.EnumerateFileSystemEntries(folder.Project).Select(Path.GetFileName).Order(StringComparer.Ordinal));
        Assert.Equal(
            ["common.proto", "legacy.proto", "order.proto"],
            Directory.EnumerateFiles(Path.Combine(folder.Project, "protos", "shop")).Select(Path.GetFileName)
                .Order(StringComparer.Ordinal));
        Assert.InRange(File.ReadAllLines(Path.Combine(folder.Project, "README.md")).Length, 8, 18);
        Assert.Equal(["bin/", "obj/", ".builds/", "BenchmarkDotNet.Artifacts/"],
            File.ReadAllLines(Path.Combine(folder.Project, ".gitignore")).Where(line => line[0] != '#'));
        // protoc runs for Google's classes and for the slab messages, and warns of an unused import in each run
        Assert.Contains("<MSBuildWarningsAsMessages>SLAB101<", File.ReadAllText(Path.Combine(folder.Project, "orders-bench.csproj")),
            StringComparison.Ordinal);
        // an older version in the project alone is a downgrade
        Assert.All((string[])["README.md", "orders-bench.csproj"], file => Assert.Contains("-p:GoogleProtobufVersion=",
            File.ReadAllText(Path.Combine(folder.Project, file)), StringComparison.Ordinal));
    }

    // the SDK of a folder above the project is looked up by dotnet, from its current folder upwards
    [Fact]
    public void The_SDK_is_not_chosen_by_a_folder_above()
    {
        using var folder = new NewProjectFolder();
        Assert.Equal(0, folder.New("--synthesize", "1").Exit);
        File.WriteAllText(Path.Combine(folder.Root, "global.json"), """{ "sdk": { "version": "6.0.100", "rollForward": "disable" } }""");
        Assert.NotEqual(0, TheProgram.Run([], [], folder.Root, "--version").Exit);
        var (exit, output, error) = TheProgram.Run([], [], folder.Project, "--version");
        Assert.True(exit == 0, output + error);
    }

    [Theory]
    [InlineData("--message", "Order")]
    [InlineData("--service", "Desk", "--method", "Place")]
    [InlineData("--method", "Desk/Place")]
    public void The_end_of_a_name_is_enough_if_no_other_name_has_it(params string[] options)
    {
        using var folder = new NewProjectFolder();
        var (exit, output, error) = folder.NewOfService(NewProjectFolder.DeskProto, [.. options, "--synthesize", "1"]);
        Assert.True(exit == 0, output + error);
    }

    [Fact]
    public void Random_messages_are_the_same_for_the_same_seed()
    {
        using var folder = new NewProjectFolder();
        Assert.Equal(0, folder.New("--synthesize", "3", "--seed", "7").Exit);
        var first = Payloads(folder.Project);
        Directory.Delete(folder.Project, recursive: true);
        Assert.Equal(0, folder.New("--synthesize", "3", "--seed", "7").Exit);
        Assert.Equal(first, Payloads(folder.Project));
        Directory.Delete(folder.Project, recursive: true);
        Assert.Equal(0, folder.New("--synthesize", "3", "--seed", "8").Exit);
        Assert.NotEqual(first, Payloads(folder.Project));
    }

    [Fact]
    public void Options_of_random_messages_reach_them()
    {
        using var folder = new NewProjectFolder();
        Assert.Equal(0, folder.New("--synthesize", "2", "--elements", "0..0", "--length", "1..1").Exit);
        var small = Payloads(folder.Project).Max(payload => payload.Length);
        Directory.Delete(folder.Project, recursive: true);
        Assert.Equal(0, folder.New("--synthesize", "2", "--elements", "50..60", "--length", "500..500").Exit);
        Assert.InRange(Payloads(folder.Project).Min(payload => payload.Length), small * 10, int.MaxValue);
    }

    [Fact]
    public void More_than_a_thousand_payloads_are_one_file()
    {
        using var folder = new NewProjectFolder();
        Assert.Equal(0, folder.New("--synthesize", "1001", "--elements", "0..1", "--length", "1..200").Exit);
        var file = Assert.Single(Directory.GetFiles(Path.Combine(folder.Project, "payloads")));
        Assert.Equal("payloads.delimited", Path.GetFileName(file));
        Assert.Equal(1001, Harness.PayloadSet.Load(Path.GetDirectoryName(file)!).All.Count);
    }

    [Fact]
    public void A_payload_that_is_no_such_message_is_refused_with_its_place()
    {
        using var folder = new NewProjectFolder();
        Refused(folder, folder.New("--payload", folder.Put("bad.bin", [0x0A, 5, 65])), "bad.bin: not a shop.Order: id, byte 1", "bad.bin");
        Refused(folder, folder.New("--payload", folder.Put("bad.bin", [8, 0x96, 1])), "it has none of these fields: id with wire type 0", "bad.bin");
        Refused(folder, folder.New("--payload", folder.Put("bad.json", "{\n \"id\": 5\n}")), "bad.json(2): ", "bad.bin", "bad.json");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_folder_or_file_that_exists_is_refused_and_not_touched(bool isFolder)
    {
        using var folder = new NewProjectFolder();
        var mine = folder.Put(isFolder ? "orders-bench/mine.txt" : "orders-bench", "mine");
        Refused(folder, folder.New("--synthesize", "1"), "exists already; nothing was written", "orders-bench");
        Assert.Equal("mine", File.ReadAllText(mine));
    }

    [Fact]
    public void Nothing_to_measure_is_refused()
    {
        using var folder = new NewProjectFolder();
        Refused(folder, folder.New(), "nothing to measure");
        Directory.CreateDirectory(Path.Combine(folder.Root, "empty"));
        Refused(folder, folder.New("--payload", Path.Combine(folder.Root, "empty")), "empty: the folder has no files", "empty");
        Refused(folder, folder.New("--payload", Path.Combine(folder.Root, "gone")), "gone: there is no such file or folder", "empty");
    }

    [Fact]
    public void A_folder_that_cannot_be_written_is_refused()
    {
        using var folder = new NewProjectFolder();
        folder.Put("file", "");
        var (exit, output, error) = Sandbox.Run(
            NewVerb.Create(), Path.Combine(folder.Root, "file", "bench"), "--proto", NewProjectFolder.OrderProto, "-I",
                NewProjectFolder.Schema, "--message", "shop.Order", "--synthesize", "1");
        Assert.Equal((2, ""), (exit, output));
        Assert.Contains("cannot be written: ", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("the .proto files have several services, name one with --service: shop.Desk, shop.Door", "--service")]
    [InlineData("the service shop.Desk has several methods, name one with --method: Place, Forget, Watch", "--service", "shop.Desk")]
    [InlineData("the service shop.Desk has no method place; it has Place, Forget, Watch", "--service", "shop.Desk", "--method", "place")]
    [InlineData("the .proto files have no service shop.Shop with a method; they have shop.Desk, shop.Door", "--service", "shop.Shop")]
    [InlineData("shop.Desk/Watch (shop.Order) returns (stream shop.Receipt): only methods with one request and one reply can be measured",
        "--service", "shop.Desk", "--method", "Watch")]
    [InlineData("--method shop.Desk/Place is not a method of the service shop.Door", "--service", "shop.Door", "--method", "shop.Desk/Place")]
    [InlineData("shop.Desk/Place takes a shop.Order, not a shop.Receipt: leave out --message", "--method", "shop.Desk/Place", "--message", "shop.Receipt")]
    [InlineData("gone: there is no such file or folder", "--method", "shop.Desk/Place", "--reply", "gone")]
    [InlineData("--reply is for the replies of a service: name it with --service", "--message", "shop.Order", "--reply", "gone")]
    [InlineData("name the message with --message, such as acme.Order, or the service with --service")]
    public void A_method_that_cannot_be_measured_is_refused_with_the_reason(string reason, params string[] options)
    {
        using var folder = new NewProjectFolder();
        Refused(folder, folder.NewOfService(NewProjectFolder.DeskProto, [.. options, "--synthesize", "1"]), reason);
    }

    [Fact]
    public void A_schema_without_a_service_or_without_replies_is_refused()
    {
        using var folder = new NewProjectFolder();
        Refused(folder, folder.NewOfService(NewProjectFolder.OrderProto, "--service", "--synthesize", "1"),
            "the .proto files have no service with a method");
        var order = folder.Put("order.json", "{ \"id\": \"one\" }");
        Refused(folder, folder.NewOfService(NewProjectFolder.DeskProto, "--method", "shop.Desk/Place", "--payload", order),
            "there are no replies of shop.Desk/Place: name captured messages with --reply, or ask for random ones with --synthesize N",
            "order.json");
        var reply = folder.Put("reply.bin", [0x0A, 5, 65]);
        Refused(folder, folder.NewOfService(NewProjectFolder.DeskProto, "--method", "shop.Desk/Place", "--payload", order, "--reply", reply),
            "reply.bin: not a shop.Receipt: ", "order.json", "reply.bin");
    }

    [Fact]
    public void The_only_method_of_the_only_service_needs_no_name()
    {
        using var folder = new NewProjectFolder();
        var proto = folder.Put("bell.proto", "syntax = \"proto3\";\nmessage Tone { int32 hertz = 1; }\nservice Bell { rpc Ring(Tone) returns (Tone); }\n");
        var (exit, output, error) = folder.NewOfService(proto, "--service", "--synthesize", "3");
        Assert.Equal((0, ""), (exit, error));
        Assert.Contains("\nBell/Ring: 3 replies, p50 ", output, StringComparison.Ordinal);
        Assert.True(File.Exists(Path.Combine(folder.Project, "RingCalls.cs")));
    }

    [Fact]
    public void Captured_replies_are_taken_in_place_of_random_ones()
    {
        using var folder = new NewProjectFolder();
        var reply = folder.Put("reply.json", "{ \"tags\": [\"a\", \"b\"] }");
        var (exit, output, error) = folder.NewOfService(NewProjectFolder.DeskProto, "--service", "shop.Desk", "--method", "Place",
            "--message", "shop.Order", "--synthesize", "3", "--reply", reply);
        Assert.Equal((0, ""), (exit, error));
        Assert.Contains("3 payloads, ", output, StringComparison.Ordinal);
        Assert.Contains("shop.Desk/Place: 1 reply, p50 8 B, p95 8 B, max 8 B", output, StringComparison.Ordinal);
        Assert.Equal([0x8A, 1, 1, (byte)'a', 0x8A, 1, 1, (byte)'b'],
            File.ReadAllBytes(Assert.Single(Directory.GetFiles(Path.Combine(folder.Project, "replies")))));
    }

    static byte[][] Payloads(string project) =>
        [.. Directory.GetFiles(Path.Combine(project, "payloads")).Order(StringComparer.Ordinal).Select(File.ReadAllBytes)];

    static void Refused(NewProjectFolder folder, (int Exit, string Output, string Error) result, string reason, params string[] known)
    {
        Assert.Equal((2, ""), (result.Exit, result.Output));
        Assert.Contains(reason, Assert.Single(result.Error.TrimEnd().Split('\n')), StringComparison.Ordinal);
        Assert.Empty(folder.Left(known));
    }
}
