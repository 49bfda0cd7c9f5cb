using System.Text;
using ProtoBench.Schemas;
using ProtoBuf;

namespace ProtoBench.Tests;

/// <summary>The verb <c>new</c> with classes of the user. CreatedProjectTests build and run such a project.</summary>
public class OwnClassTests
{
    const string sale = """
        namespace Acme;

        public class Sale
        {
            public string Id { get; set; } = "";
            public DateTime At { get; set; }
            public List<Item> Items { get; } = [];
            public Dictionary<string, int> Counts { get; set; } = [];
            public Guid? Customer { get; set; }
            public int Sum => Items.Count;
        }

        public class Item { public string Article { get; set; } = ""; public Channel Channel { get; set; } }

        public enum Channel { Web, Shop }
        """;

    const string json = """
        { "id": "s-1", "at": "2026-03-01T09:30:00Z", "items": [ { "article": "tea", "channel": "Shop" } ], "counts": { "a": 7 } }
        """;

    [Fact]
    public void A_class_without_attributes_has_a_schema_of_its_members()
    {
        using var folder = new NewProjectFolder();
        var file = folder.Put("Sale.cs", sale);
        var (exit, output, error) = New(folder, "--classes", file, "--type", "Sale", "--payload", folder.Put("a.json", json));
        Assert.True(exit == 0, output + error);
        Assert.Contains("1 payload, p50 29 B", output, StringComparison.Ordinal);
        Assert.Contains("Sale has no [ProtoContract]: its members are fields 1, 2 and so on of protos/Sale.proto.", output, StringComparison.Ordinal);
        Assert.Contains("Left out: rows Serve, because protobuf-net writes Sale.At even if it was not set.", output, StringComparison.Ordinal);
        Assert.Equal(sale, File.ReadAllText(Path.Combine(folder.Project, "classes", "Sale.cs")));
        Assert.Contains("""
            message Sale {
               string Id = 1;
               .google.protobuf.Timestamp At = 2;
               repeated Item Items = 3;
               map<string,int32> Counts = 4;
               string Customer = 5;
            }
            """, Read("protos", "Sale.proto"), StringComparison.Ordinal);
        var functions = Read("SaleClass.cs");
        Assert.Contains("""
                    model.Add(typeof(global::Acme.Sale), false, CompatibilityLevel.Level300)
                        .Add("Id", "At", "Items", "Counts", "Customer");
                    model[typeof(global::Acme.Sale)][4].IsMap = true;
            """, functions, StringComparison.Ordinal);
        var touch = functions[functions.IndexOf("long Touch(", StringComparison.Ordinal)..functions.IndexOf("long TouchThird(", StringComparison.Ordinal)];
        Assert.All((string[])["Id", "At", "Items", "Counts", "Customer"], name => Assert.Contains("message." + name, touch, StringComparison.Ordinal));
        Assert.Contains("made.Items.Add(item is { } one ? MakePlain(one) : null);", functions, StringComparison.Ordinal);
        Assert.DoesNotContain("PBNRuntime", Read("SaleBenchmarks.cs"), StringComparison.Ordinal);
        Assert.DoesNotContain("ProtobufNetRuntime.cs", Libraries(folder));
        Assert.DoesNotContain("ServeSale", Read("Libraries", "Slab.cs"), StringComparison.Ordinal);

        string Read(params string[] name) => File.ReadAllText(Path.Combine([folder.Project, .. name]));
    }

    [Theory]
    [InlineData("public object? X { get; set; }", "7", "No serializer defined for type: System.Object",
        "sum += (message.X is null ? 0 : 1);", "X = source.X,")]
    [InlineData("public List<List<int>> X { get; set; } = [];", "[[7]]", "Nested or jagged lists, arrays and maps are not supported: System.Collections.Generic.List`1[System.Collections.Generic.List`1[System.Int32]]",
        "sum += (item is { } one ? Touch(one) : 0);", "made.X.Add(item is { } one ? MakePlain(one) : null);")]
    [InlineData("public int[][]? X { get; set; }", "[[7]]", "Nested or jagged lists, arrays and maps are not supported: System.Int32[][]",
        "sum += (item is { } one ? Touch(one) : 0);", "new global::System.Int32[source.X.Length][]")]
    [InlineData("public System.Collections.Immutable.ImmutableList<List<int>> X { get; set; } = [];", "[[7]]", "Nested or jagged lists, arrays and maps are not supported: System.Collections.Immutable.ImmutableList`1[System.Collections.Generic.List`1[System.Int32]]",
        "sum += (item is { } one ? Touch(one) : 0);", "X = source.X,")]
    public void A_class_without_a_schema_has_the_libraries_that_need_none(
        string member, string json, string reason, string touch, string make)
    {
        using var folder = new NewProjectFolder();
        string[] ofClass = ["--classes", folder.Put("Odd.cs", $"public class Odd {{ {member} }}"), "--type", "Odd", "--payload"];
        var (exit, output, error) = New(folder, [.. ofClass, folder.Put("a.json", $"{{ \"x\": {json} }}")]);
        Assert.True(exit == 0, output + error);
        Assert.Contains($"Left out: Google.Protobuf, protobuf-net and ProtoBench.Codec, because no .proto file can be made from Odd: {reason}\n",
            output, StringComparison.Ordinal);
        Assert.Equal($"{{\"X\":{json}}}", Read("payloads", "0000-a-json.json"));
        Assert.False(Directory.Exists(Path.Combine(folder.Project, "protos")));
        Assert.False(File.Exists(Path.Combine(folder.Project, "OddSet.cs")));
        Assert.Contains("new BenchmarkProgram(typeof(OddBenchmarks), \"Odd\", OddBenchmarks.Libraries)", Read("Program.cs"), StringComparison.Ordinal);
        var functions = Read("OddClass.cs");
        Assert.All((string[])[touch, make], line => Assert.Contains(line, functions, StringComparison.Ordinal));
        Assert.Equal(["MemoryPack.cs", "MessagePack.cs", "Nerdbank.cs", "Orleans.cs", "SystemTextJson.cs"], Libraries(folder));
        Assert.Contains("        [ComparedSystemTextJson, Compared", Read("OddBenchmarks.cs"), StringComparison.Ordinal);
        Assert.Equal(7, Read("Libraries", "SystemTextJson.cs").Split("[Benchmark(Baseline = true)").Length - 1);
        Assert.DoesNotContain("Google", Read("README.md"), StringComparison.Ordinal);

        string Read(params string[] name) => File.ReadAllText(Path.Combine([folder.Project, .. name]));
    }

    [Theory]
    [InlineData("--synthesize makes messages of a .proto file, and none can be made from Odd: No serializer defined for type: System.Object; name JSON with --payload", "--synthesize", "1")]
    [InlineData("a.bin: protobuf-net does not take Odd. Contents of this class: .json; .jsonl, .ndjson", "--payload", "a.bin")]
    public void Content_of_a_class_without_a_schema_is_JSON(string reason, string option, string value)
    {
        using var folder = new NewProjectFolder();
        var file = folder.Put("Odd.cs", "public class Odd { public object? X { get; set; } }");
        folder.Put("a.bin", [8, 1]);
        var (exit, output, error) = New(folder, "--classes", file, "--type", "Odd", option,
            value == "a.bin" ? Path.Combine(folder.Root, value) : value);
        Assert.Equal((2, ""), (exit, output));
        Assert.EndsWith(reason, error.TrimEnd(), StringComparison.Ordinal);
        Assert.Equal(["Odd.cs", "a.bin"], folder.Left());
    }

    // Nerdbank.MessagePack reads no object whose required member is null
    [Fact]
    public void A_reply_without_a_required_member_is_left_out() => Assert.Equal(
        ("Serve", "ProtoBench.Tests.OwnClassTests.Demanding.Note is required, and the reply has a third of the members"),
        Assert.Single(new OwnCode(typeof(Demanding), isProtobuf: true).LeftOut));

    // protobuf-net reads and writes it, and the functions of the benchmarks cannot
    [Fact]
    public void A_member_that_is_not_public_is_content_that_is_not_read()
    {
        using var folder = new NewProjectFolder();
        var file = folder.Put("Odd.cs", "using ProtoBuf; [ProtoContract] public class Odd { [ProtoMember(1)] int x; [ProtoMember(2)] public int Y { get => x; set => x = value; } }");
        var (exit, output, error) = New(folder, "--classes", file, "--type", "Odd", "--synthesize", "1");
        Assert.True(exit == 0, output + error);
        Assert.Contains("Left out: rows Make, MakeNew and Serve, because Odd.x is not public.\n", output, StringComparison.Ordinal);
        Assert.Contains("Not read by the rows that read every field of the class: Odd.x.\n", output, StringComparison.Ordinal);
        var functions = File.ReadAllText(Path.Combine(folder.Project, "OddClass.cs"));
        Assert.Contains("message.Y", functions, StringComparison.Ordinal);
        Assert.DoesNotContain("message.x", functions, StringComparison.Ordinal);
    }

    [Fact]
    public void A_project_and_an_assembly_have_classes_too()
    {
        using var folder = new NewProjectFolder();
        var project = folder.Put("acme/Acme.Sales.csproj", """
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
              </PropertyGroup>
            </Project>
            """);
        folder.Put("acme/Sale.cs", sale);
        var content = folder.Put("a.json", json);
        var ofProject = New(folder, "--classes", project, "--type", "Acme.Sale", "--payload", content);
        Assert.True(ofProject.Exit == 0, ofProject.Output + ofProject.Error);
        Assert.Contains($"<ProjectReference Include=\"{project}\" />", Csproj(), StringComparison.Ordinal);
        Directory.Delete(folder.Project, recursive: true);

        var assembly = Directory.GetFiles(Path.Combine(folder.Root, "acme"), "Acme.Sales.dll", SearchOption.AllDirectories)[0];
        var ofAssembly = New(folder, "--classes", assembly, "--type", "Acme.Sale", "--payload", content);
        Assert.True(ofAssembly.Exit == 0, ofAssembly.Output + ofAssembly.Error);
        Assert.Contains("<Reference Include=\"Acme.Sales\" HintPath=\"classes/Acme.Sales.dll\" />", Csproj(), StringComparison.Ordinal);
        Assert.True(File.Exists(Path.Combine(folder.Project, "classes", "Acme.Sales.dll")));

        string Csproj() => File.ReadAllText(Path.Combine(folder.Project, "orders-bench.csproj"));
    }

    [Fact]
    public void An_error_of_the_compiler_is_printed_with_the_file_of_the_user()
    {
        using var folder = new NewProjectFolder();
        var file = folder.Put("Sale.cs", "public class Sale\n{\n    public int X { get; set } \n}\n");
        var (exit, output, error) = New(folder, "--classes", file, "--type", "Sale", "--synthesize", "1");
        Assert.Equal((2, ""), (exit, output));
        Assert.StartsWith($"the classes do not compile:\n{file}(3,", error, StringComparison.Ordinal);
        Assert.DoesNotContain("Classes.csproj", error, StringComparison.Ordinal);
        Assert.Equal(["Sale.cs"], folder.Left());
    }

    [Theory]
    [InlineData("name either .proto files with --proto, or classes with --classes")]
    [InlineData("name either .proto files with --proto, or classes with --classes", "--classes", "A.cs", "--proto", "a.proto", "--type", "A")]
    [InlineData("name the class with --type, such as Acme.Order", "--classes", "A.cs")]
    [InlineData("--type is a class of --classes", "--proto", "a.proto", "--type", "A")]
    [InlineData("--message, --service and --method are of .proto files", "--classes", "A.cs", "--type", "A", "--service")]
    [InlineData("gone.cs: there is no such file", "--classes", "gone.cs", "--type", "A")]
    [InlineData("a.txt: --classes takes .cs files, a .csproj or a .dll", "--classes", "a.txt", "--type", "A")]
    public void Wrong_options_are_refused(string reason, params string[] options)
    {
        using var folder = new NewProjectFolder();
        var (exit, output, error) = New(folder, [.. options, "--synthesize", "1"]);
        Assert.Equal((2, ""), (exit, output));
        Assert.Contains(reason, error, StringComparison.Ordinal);
        Assert.Empty(folder.Left());
    }

    [Theory]
    [InlineData("Gone", "there is no class Gone; there are ")]
    [InlineData("Twice", "several classes have the name Twice: ProtoBench.Tests.OwnClassTests.One.Twice, ProtoBench.Tests.OwnClassTests.Two.Twice")]
    [InlineData("One.Twice", "ProtoBench.Tests.OwnClassTests.One.Twice has no public constructor without parameters")]
    [InlineData("Hidden", "ProtoBench.Tests.OwnClassTests.Hidden is not public")]
    [InlineData("OfNumbers", "ProtoBench.Tests.OwnClassTests.OfNumbers is no class")]
    [InlineData("OwnClassTests.Half", "ProtoBench.Tests.OwnClassTests.Half is abstract or static")]
    public void A_class_that_cannot_be_measured_is_refused(string name, string reason)
    {
        var error = Assert.Throws<UsageException>(() => OwnClass.Find([typeof(OwnClassTests).Assembly], name));
        Assert.StartsWith(reason, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Content_is_read_by_the_class()
    {
        using var folder = new NewProjectFolder();
        byte[] wire = [0x0A, 1, (byte)'a', 0x10, 5];
        folder.Put("in/a.json", """{ "name": "a", "Number": "5" }""");
        folder.Put("in/b.jsonl", "{ \"name\": \"a\", \"number\": 5 }\n\n{ \"name\": \"a\", \"number\": 5 }\n");
        folder.Put("in/c.bin", wire);
        folder.Put("in/d.delimited", [5, .. wire, 5, .. wire]);
        List<string> warnings = [];
        var content = new OwnContent(typeof(Two.Twice));
        var payloads = await content.ReadAsync([Path.Combine(folder.Root, "in")], warnings.Add, default);
        Assert.Equal(["a.json", "b.jsonl#0", "b.jsonl#2", "c.bin", "d.delimited#0", "d.delimited#1"], payloads.Select(one => one.Name));
        Assert.All(payloads, one => Assert.Equal(wire, one.Bytes.ToArray()));
        Assert.Empty(warnings);

        var unknown = folder.Put("unknown.bin", [.. wire, 0x18, 1]);
        Assert.Equal(wire, Assert.Single(await content.ReadAsync([unknown], warnings.Add, default)).Bytes.ToArray());
        Assert.Contains("7 B were read, and 5 B are written", Assert.Single(warnings), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("a.json", """{ "nam": "a" }""", "a.json: The JSON property 'nam' could not be mapped to any .NET member")]
    [InlineData("a.jsonl", "{}\n{ \"number\": \"x\" }", "a.jsonl(2): ")]
    [InlineData("a.txt", "", "a.txt: the extension does not say what the content is. Contents of a class: .json; ")]
    [InlineData("a.bin", "\n\u0005a", "a.bin: Twice cannot read it: ")]
    public async Task Content_that_is_no_such_object_is_refused(string file, string text, string reason)
    {
        using var folder = new NewProjectFolder();
        var path = folder.Put(file, Encoding.UTF8.GetBytes(text));
        var error = await Assert.ThrowsAsync<SchemaException>(() => new OwnContent(typeof(Two.Twice)).ReadAsync([path], _ => { }, default));
        Assert.Contains(reason, error.Message, StringComparison.Ordinal);
    }

    static (int Exit, string Output, string Error) New(NewProjectFolder folder, params string[] options) =>
        Sandbox.Run(NewVerb.Create(), [folder.Project, .. options]);

#pragma warning disable CA1034, CA1052 // nested classes, so that two have one name
    public class One
    {
        public class Twice(int number)
        {
            public int Number { get; } = number;
        }
    }

    public class Two
    {
        [ProtoContract]
        public class Twice
        {
            [ProtoMember(1)]
            public string? Name { get; set; }

            [ProtoMember(2)]
            public int Number { get; set; }
        }
    }

    [ProtoContract]
    public class Demanding
    {
        [ProtoMember(1)]
        public required string Name { get; set; }

        [ProtoMember(2)]
        public required string Note { get; set; }
    }

    public struct OfNumbers;

    public abstract class Half;
#pragma warning restore CA1034, CA1052

    static class Hidden;

    static IEnumerable<string?> Libraries(NewProjectFolder folder) =>
        Directory.EnumerateFiles(Path.Combine(folder.Project, "Libraries")).Select(Path.GetFileName).Order(StringComparer.Ordinal);
}
