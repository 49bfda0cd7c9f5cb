using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>What cannot be generated is refused with its place, in the form that builds and editors know.</summary>
public class RefusalTests
{
    [Theory]
    [InlineData("syntax = \"proto3\";\nmessage A {\n  strin b = 1;\n}", "(3,3): error SLAB100: ")]
    [InlineData("syntax = \"proto3\";\nimport \"nowhere.proto\";", "(2,1): error SLAB100: ")]
    [InlineData("edition = \"2024\";\nmessage A {}", "(1,1): error SLAB001: ")]
    [InlineData("syntax = \"proto3\";\nimport \"google/protobuf/descriptor.proto\";\nmessage A {\n  "
        + "google.protobuf.FileDescriptorProto file = 1;\n}", "(4,3): error SLAB009: ")]
    [InlineData("syntax = \"proto2\";\nimport \"google/protobuf/descriptor.proto\";\nmessage A {\n  optional int32 b = 1;\n  optional "
        + "google.protobuf.Edition edition = 2;\n}", "(5,3): error SLAB009: ")]
    [InlineData("syntax = \"proto2\";\nmessage A {\n  oneof c {\n    group B = 1 {}\n  }\n}", "(4,5): error SLAB003: ")]
    public void A_refusal_names_its_place(string proto, string expected)
    {
        using var workshop = new Workshop();
        workshop.Add("a.proto", proto);
        var errors = workshop.Generate();
        Assert.Contains(errors, error => error.Contains("a.proto" + expected, StringComparison.Ordinal));
    }

    [Fact]
    public void A_message_with_the_name_of_a_namespace_is_refused()
    {
        using var workshop = new Workshop();
        workshop.Add("a.proto", "syntax = \"proto3\";\npackage one;\n\nmessage Two {}");
        workshop.Add("b.proto", "syntax = \"proto3\";\npackage one.two;\nmessage C {}");
        Assert.Contains(workshop.Generate(), error => error.Contains("a.proto(4,1): error SLAB004: ", StringComparison.Ordinal));
    }

    [Fact]
    public void Two_types_of_the_same_name_are_refused()
    {
        using var workshop = new Workshop();
        workshop.Add("a.proto", "syntax = \"proto3\";\npackage one;\nmessage Same {}");
        workshop.Add("b.proto", "syntax = \"proto3\";\npackage two;\n\nenum Same { ZERO = 0; }");
        var error = Assert.Single(workshop.Generate(_ => "Both"));
        Assert.Contains("b.proto(4,1): error SLAB010: 'Both.Same' is also a type of a.proto", error, StringComparison.Ordinal);
        Assert.Empty(workshop.Generate(file => file == "a.proto" ? "One" : "Two"));
    }

    [Theory]
    [InlineData("a.proto", "a.pb", false)]
    [InlineData("a.proto", "a.google.proto", true)]
    public void Two_files_with_one_generated_file_are_refused(string one, string other, bool hasConversions)
    {
        using var workshop = new Workshop { HasGoogleConversions = hasConversions };
        workshop.Add(one, "syntax = \"proto3\";\npackage one;\nmessage A {}");
        workshop.Add(other, "syntax = \"proto3\";\npackage two;\nmessage B {}");
        var error = Assert.Single(workshop.Generate(_ => "Slab"));
        Assert.Contains(other + "(1,1): error SLAB005: ", error, StringComparison.Ordinal);
        Assert.Contains(one, error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("-a.proto")]
    [InlineData("--version.proto")]
    [InlineData("-I/b c.proto")]
    [InlineData("@list.proto")]
    [InlineData("a b.v1-beta.proto")]
    public void A_file_may_have_any_name(string name)
    {
        using var workshop = new Workshop();
        workshop.Add(name, "syntax = \"proto3\";\nmessage A {}");
        workshop.GenerateAll();
        Assert.Contains("struct A ", workshop.Generated(name), StringComparison.Ordinal);
    }
}
