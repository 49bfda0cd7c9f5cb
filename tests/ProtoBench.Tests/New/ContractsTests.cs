using System.IO.Compression;

namespace ProtoBench.Tests.New;

/// <summary>The contracts of protobuf-net in a created project: what is written, and what the build makes of a
/// feed that is made up for the test.</summary>
public sealed class ContractsTests : IDisposable
{
    readonly NewProjectFolder folder = new();

    string Answer => File.ReadAllText(Path.Combine(Contracts, "obj", "answer.txt")).Trim();

    string Contracts => Path.Combine(folder.Project, "ProtobufNet", "Contracts");

    public void Dispose() => folder.Dispose();

    /// <summary>The names are those that protobuf-net's generator of version 3.4.40 writes for this schema with Names="original".</summary>
    [Fact]
    public void Names_are_those_of_the_generator()
    {
        Assert.Equal(0, folder.NewOf("shop.Receipt", "receipt.proto", "--synthesize", "1").Exit);
        var read = File.ReadAllText(Path.Combine(Contracts, "ReadAll.cs"));
        string[] lines =
        [
            "public static long Touch(global::ProtobufNet.Shop.Paper.Receipt message)",
            "public static long Touch(global::ProtobufNet.Shop.Paper.Receipt.Entry message)",
            "public static long Touch(global::ProtobufNet.Shop.Paper.Receipt.Entry.EntryValue message)",
            "public static long Touch(global::ProtobufNet.Shop.Common.Money message)",
            "public static long Touch(global::ProtobufNet.Google.Protobuf.WellKnownTypes.Struct message)",
            "sum += Touch(message.ReceiptValue);",
            "sum += Touch(message.@class);",
            "if (message.at is { } field7) sum += field7.Ticks;",
            "if (message.limit is { } field10) sum += (long)field10;",
            "if (message.none is { } field14) sum += 1;",
            "foreach (var item in message.rates ?? [])",
            "foreach (var item in message.tags)",
        ];
        Assert.All(lines, line => Assert.Contains(line, read, StringComparison.Ordinal));
    }

    [Fact]
    public void Files_that_the_message_needs_have_types_and_a_namespace_of_their_own()
    {
        Assert.Equal(0, folder.NewOf("shop.Receipt", "receipt.proto", "--synthesize", "1").Exit);
        var project = File.ReadAllText(Path.Combine(Contracts, "Contracts.csproj"));
        string[] items =
        [
            """<Contract Include="shop/receipt.proto" Folder="../../protos/" Namespace="ProtobufNet.Shop.Paper" Types="true" Up="../" />""",
            """<Contract Include="shop/common.proto" Folder="../../protos/" Namespace="ProtobufNet.Shop.Common" Types="true" Up="../" />""",
            """<Contract Include="google/protobuf/struct.proto" Folder="" Namespace="ProtobufNet.Google.Protobuf.WellKnownTypes" """,
        ];
        Assert.All(items, item => Assert.Contains(item, project, StringComparison.Ordinal));
        Assert.Equal(items.Length, project.Split("<Contract ").Length - 1);
        Assert.True(File.Exists(Path.Combine(Contracts, "google", "protobuf", "struct.proto")));
        Assert.True(File.Exists(Path.Combine(Contracts, "Empty.cs")));
    }

    [Fact]
    public void A_file_that_is_imported_for_its_options_has_no_types()
    {
        folder.Put("options.proto", """
            syntax = "proto3"; package opt; import "google/protobuf/descriptor.proto";
            extend google.protobuf.FieldOptions { string unit = 50001; }
            """);
        folder.Put("main.proto", """
            syntax = "proto3"; package opt; import "options.proto";
            message Size { int32 value = 1 [(opt.unit) = "m"]; }
            """);
        var (exit, _, error) = Verbs.Sandbox.Run(ProtoBench.New.NewVerb.Create(),
            folder.Project, "--proto", Path.Combine(folder.Root, "main.proto"), "-I", folder.Root, "--message", "opt.Size", "--synthesize", "1");
        Assert.True(exit == 0, error);
        var project = File.ReadAllText(Path.Combine(Contracts, "Contracts.csproj"));
        Assert.Contains("""Include="options.proto" Folder="../../protos/" Namespace="ProtobufNet.Opt" Types="false" """, project,
            StringComparison.Ordinal);
        Assert.DoesNotContain("google/protobuf/descriptor.proto", project, StringComparison.Ordinal);
    }

    /// <summary>protobuf-net is an ordinary package: what the feed lacks is an error, as for any other.</summary>
    [Fact]
    public void A_feed_without_the_package_is_an_error_that_names_it()
    {
        PutFeed();
        var (exit, output) = Build();
        Assert.Equal(1, exit);
        Assert.Matches("error : The contracts of protobuf-net cannot be built: error NU110[0-9]: .*protobuf-net", output);
    }

    [Fact]
    public void Another_version_is_an_error()
    {
        PutFeed("99.0.0");
        var (exit, output) = Build();
        Assert.Equal(1, exit);
        Assert.Matches(@"error NU1603: .*protobuf-net \(>= ", output);
    }

    /// <summary>A package without a generator: the contracts do not compile, as with a schema that the
    /// generator does not support.</summary>
    [Fact]
    public void Contracts_that_do_not_compile_leave_the_rows_out_with_the_first_error()
    {
        PutFeed(ProtoBench.New.ProjectFile.VersionOf("ProtobufNet"));
        var (exit, output) = Build();
        Assert.True(exit == 0, output);
        Assert.Matches("^its generator does not support this schema: error CS[0-9]+: ", Answer);

        // the answer is kept until a file changes
        Assert.DoesNotContain("Building the contracts", Build().Output, StringComparison.Ordinal);
        File.SetLastWriteTimeUtc(Path.Combine(folder.Project, "protos", "shop", "common.proto"), DateTime.UtcNow.AddMinutes(1));
        Assert.Contains("Building the contracts", Build().Output, StringComparison.Ordinal);
    }

    (int Exit, string Output) Build()
    {
        (string, string?)[] environment =
        [
            ("MSBUILDDISABLENODEREUSE", "1"), ("NUGET_PACKAGES", Path.Combine(folder.Root, "restored")),
            ("RestoreAdditionalProjectSources", null),
        ];
        var (exit, output, error) = TheProgram.Run(environment, ["-t:UseContracts", "-nologo"], folder.Project, "msbuild");
        return (exit, output + error);
    }

    // A feed with this version of an empty package, or without it.
    void PutFeed(string? version = null)
    {
        Assert.Equal(0, folder.NewOf("shop.Receipt", "receipt.proto", "--synthesize", "1").Exit);
        folder.Put("NuGet.config", """<configuration><packageSources><clear /><add key="test" value="packages" /></packageSources></configuration>""");
        folder.Put("packages/readme.txt", "");
        if (version is null)
            return;
        using var package = ZipFile.Open(Path.Combine(folder.Root, "packages", $"protobuf-net.{version}.nupkg"), ZipArchiveMode.Create);
        using (var description = new StreamWriter(package.CreateEntry("protobuf-net.nuspec").Open()))
            description.Write(
                $"<package><metadata><id>protobuf-net</id><version>{version}</version><authors>test</authors><description>test</description></metadata></package>");
        package.CreateEntry("lib/net10.0/_._");
    }
}
