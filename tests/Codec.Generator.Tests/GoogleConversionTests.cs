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

    [Fact]
    public void One_namespace_for_both_is_refused()
    {
        using var workshop = new Workshop { HasGoogleConversions = true };
        workshop.Add("pair.proto", proto);
        Assert.EndsWith("pair.proto(1,1): error SLAB008: GoogleConversions=\"true\" needs another namespace than that of Google's classes: "
            + "add Namespace=\"Pair.Slab\" to the SlabProtobuf item.", Assert.Single(workshop.Generate()), StringComparison.Ordinal);
        workshop.GenerateAll(_ => "Pair.Slab");
    }
}
