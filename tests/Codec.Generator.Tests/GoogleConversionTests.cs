using Google.Protobuf;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

public class GoogleConversionTests
{
    const string proto =
        "syntax = \"proto3\";\npackage pair;\nmessage Outer { string name = 1; repeated Inner inner = 2; message Inner { int32 id = 1; } }";

    [Fact]
    public void A_message_goes_to_Google_and_back()
    {
        using var workshop = new Workshop { HasGoogleConversions = true };
        workshop.Add("pair.proto", proto);
        workshop.GenerateAll(_ => Workshop.SlabNamespace);
        workshop.GenerateGoogle();
        var assembly = workshop.Compile();
        var conversions = assembly.GetType(Workshop.SlabNamespace + ".PairConversions")!;
        var google = (IMessage)Activator.CreateInstance(assembly.GetType("Pair.Outer")!)!;
        google.MergeFrom([0x0A, 1, (byte)'x', 0x12, 2, 0x08, 5]);
        var slab = conversions.GetMethod("ToSlab", [google.GetType()])!.Invoke(null, [google])!;
        var view = slab.GetType().GetProperty("Value")!.GetValue(slab)!;
        Assert.Equal(google, conversions.GetMethod("ToGoogle", [view.GetType()])!.Invoke(null, [view]));
        ((IDisposable)slab).Dispose();
    }

    /// <summary>MSBuild compares its values without case, so a project may say True.</summary>
    [Theory]
    [InlineData("true", "true", true, true)]
    [InlineData("True", "TRUE", true, true)]
    [InlineData("False", "False", false, false)]
    [InlineData("", "", true, false)]
    public void Metadata_is_read_in_any_case(string generate, string conversions, bool isGenerated, bool hasConversions)
    {
        var item = Assert.Single(Build.Arguments.Read(["file", "a.proto", ".", "", generate, conversions, "", "", "", "", ""]).Files);
        Assert.Equal((isGenerated, hasConversions), (item.IsGenerated, item.HasGoogleConversions));
    }

    [Theory]
    [InlineData("package pair;", "Pair.Slab")]
    [InlineData("package pair.sub_part;", "Pair.SubPart.Slab")]
    [InlineData("package pair; option csharp_namespace = \"Own.Name\";", "Own.Name.Slab")]
    [InlineData("", "Slab")]
    public void Without_Namespace_the_slab_messages_are_in_Slab_of_Googles_namespace(string head, string expected)
    {
        using var workshop = new Workshop { HasGoogleConversions = true };
        workshop.Add("pair.proto", $"syntax = \"proto3\"; {head} import \"other.proto\"; message A {{ B b = 1; }}");
        workshop.Add("other.proto", $"syntax = \"proto3\"; {head} message B {{ int32 id = 1; }}");
        workshop.GenerateAll();
        workshop.GenerateGoogle();
        var assembly = workshop.Compile();
        Assert.NotNull(assembly.GetType(expected + ".A"));
        Assert.NotNull(assembly.GetType(expected + ".PairConversions"));
        var google = assembly.GetType(string.Join('.', expected.Split('.')[..^1].Append("A")));
        Assert.True(google!.IsAssignableTo(typeof(IMessage)));
    }

    /// <summary>The messages of an imported file are in another project, and their namespace is that of the metadata there.</summary>
    [Theory]
    [InlineData("true", "", "Other.Slab")]
    [InlineData("false", "", "Other")]
    [InlineData("true", "Own", "Own")]
    public async Task The_namespace_of_an_imported_file_is_that_of_its_own_item(string conversions, string name, string expected)
    {
        var folder = Directory.CreateTempSubdirectory("slab-imported-").FullName;
        try
        {
            var (pair, other) = (Path.Combine(folder, "pair.proto"), Path.Combine(folder, "other.proto"));
            await File.WriteAllTextAsync(pair, "syntax = \"proto3\"; package pair; import \"other.proto\"; message A { other.B b = 1; }",
                TestContext.Current.CancellationToken);
            await File.WriteAllTextAsync(other, "syntax = \"proto3\"; package other; message B { int32 id = 1; }",
                TestContext.Current.CancellationToken);
            var output = Path.Combine(folder, "slab");
            Assert.Empty(await Build.Generation.RunAsync(Build.Arguments.Read(["protoc", Tools.Protoc, "output", output,
                "file", pair, folder, "", "true", "true", "", "", "", "", "", "file", other, folder, name, "false", conversions, "", "", "", "", ""])));
            var code = await File.ReadAllTextAsync(Path.Combine(output, "pair.slab.cs"), TestContext.Current.CancellationToken);
            Assert.Contains("namespace Pair.Slab;", code, StringComparison.Ordinal);
            Assert.Contains($"public global::{expected}.B B", code, StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    /// <summary>The runtime has the well-known types, whichever metadata a copy of their files has.</summary>
    [Fact]
    public void A_copy_of_a_well_known_types_file_has_no_messages_of_its_own()
    {
        using var workshop = new Workshop { HasGoogleConversions = true };
        workshop.Add("google/protobuf/timestamp.proto",
            File.ReadAllText(Path.Combine(Tools.StandardImports, "google/protobuf/timestamp.proto")));
        workshop.Add("pair.proto",
            "syntax = \"proto3\"; package pair; import \"google/protobuf/timestamp.proto\"; message A { google.protobuf.Timestamp at = 1; }");
        workshop.GenerateAll();
        Assert.Contains("global::ProtoBench.Codec.WellKnownTypes.Timestamp At", workshop.Generated("pair.proto"), StringComparison.Ordinal);
    }

    [Fact]
    public void Googles_namespace_for_slab_messages_is_refused()
    {
        using var workshop = new Workshop { HasGoogleConversions = true };
        workshop.Add("pair.proto", proto);
        Assert.EndsWith("pair.proto(1,1): error SLAB008: Namespace=\"Pair\" is the namespace of Google's classes. With GoogleConversions=\"true\" "
            + "the slab messages need another one: remove Namespace for Pair.Slab.", Assert.Single(workshop.Generate(_ => "Pair")), StringComparison.Ordinal);
        workshop.GenerateAll();
    }

    /// <summary>Google's class Pair.Slab and the namespace Pair.Slab cannot be in one project.</summary>
    [Theory]
    [InlineData("message Slab {}")]
    [InlineData("enum Slab { NONE = 0; }")]
    public void A_type_with_the_name_of_the_slab_messages_namespace_is_refused(string type)
    {
        using var workshop = new Workshop { HasGoogleConversions = true };
        workshop.Add("pair.proto", $"syntax = \"proto3\";\npackage pair;\n\n{type}");
        Assert.EndsWith("pair.proto(4,1): error SLAB004: 'Pair.Slab' is a class of Google's, and also a C# namespace of slab messages. "
            + "Choose another one with the metadata Namespace.", Assert.Single(workshop.Generate()), StringComparison.Ordinal);
        workshop.GenerateAll(_ => "Own");
        workshop.HasGoogleConversions = false;
        workshop.GenerateAll();
    }
}
