using System.Text;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

public class RefusalTests
{
    [Theory]
    [InlineData("syntax = \"proto3\";\nmessage A {\n  strin b = 1;\n}", "(3,3): error SLAB100: ")]
    [InlineData("syntax = \"proto3\";\nimport \"nowhere.proto\";", "(2,1): error SLAB017: ")]
    [InlineData("edition = \"2026\";\nmessage A {}", "(1,1): error SLAB100: ")]
    [InlineData("syntax = \"proto3\";\nimport \"google/protobuf/descriptor.proto\";\nmessage A {\n  "
        + "google.protobuf.FileDescriptorProto file = 1;\n}", "(4,3): error SLAB009: ")]
    [InlineData("syntax = \"proto2\";\nimport \"google/protobuf/descriptor.proto\";\nmessage A {\n  optional int32 b = 1;\n  optional "
        + "google.protobuf.Edition edition = 2;\n}", "(5,3): error SLAB009: ")]
    public void A_refusal_names_its_place(string proto, string expected)
    {
        using var workshop = new Workshop("a.proto", proto);
        var errors = workshop.Generate();
        Assert.Contains(errors, error => error.Contains("a.proto" + expected, StringComparison.Ordinal));
    }

    /// <summary>A newer protoc accepts it. The features of an edition that does not exist yet are not known.</summary>
    [Theory]
    [InlineData(Google.Protobuf.Reflection.Edition._2024, 0)]
    [InlineData(Google.Protobuf.Reflection.Edition._2024 + 1, 1)]
    public void An_edition_that_is_newer_than_the_generator_is_refused(Google.Protobuf.Reflection.Edition edition, int errors)
    {
        var diagnostics = new Diagnostics();
        _ = new Model.Schema([new() { Name = "a.proto", Syntax = "editions", Edition = edition }],
            Build.Arguments.Read(["protoc", "one", "output", "two", "file", "a.proto", ".", "", "true", "false", "None", "", "", "", ""]), diagnostics);
        Assert.Equal(errors, diagnostics.Errors.Count(error => error.Contains("a.proto(1,1): error SLAB001: ", StringComparison.Ordinal)));
        Assert.Equal(errors, diagnostics.Errors.Count);
    }

    /// <summary>protoc accepts these, and comments in any encoding.</summary>
    [Fact]
    public void A_default_value_that_is_not_UTF8_is_refused_where_it_stands()
    {
        using var workshop = new Workshop("a.proto", """
            syntax = "proto2";
            message A {
              optional bytes data = 1 [default = "x\377y"];
              message B {
                optional string good = 1 [default = "Straße"];
                optional string bad = 2 [default = "x\377y"];
              }
            }
            """);
        Assert.Contains("a.proto(6,40): error SLAB012: The default value of 'bad' is not UTF-8.", Assert.Single(workshop.Generate()),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Comments_and_options_in_another_encoding_are_read()
    {
        using var workshop = new Workshop("a.proto", """
            syntax = "proto2";
            option java_package = "a\377b";
            // Straße
            message A {
              // größer
              optional bytes data = 1 [default = "x\377y", json_name = "x\377y"];
              optional string text = 2 [default = "\303\237"];
            }
            """, Encoding.Latin1);
        workshop.GenerateAll();
        Assert.Contains("Stra?e", workshop.Generated("a.proto"), StringComparison.Ordinal);
        Assert.Contains("gr??er", workshop.Generated("a.proto"), StringComparison.Ordinal);
        workshop.AssertCompiles();
    }

    [Theory]
    [InlineData("message Int32 {}", "System", ".NET")]
    [InlineData("enum Uri { ZERO = 0; }", "System", ".NET")]
    [InlineData("message Encoding {}", "System.Text", ".NET")]
    [InlineData("message Bytes {}", "ProtoBench.Codec", "the packages of the codec")]
    [InlineData("message WireReader {}", "ProtoBench.Codec.Runtime", "the packages of the codec")]
    [InlineData("message Any {}", "ProtoBench.Codec.WellKnownTypes", "the packages of the codec")]
    [InlineData("message Slab {}", "ProtoBench.Allocators", "the packages of the codec")]
    public void A_type_with_the_name_of_a_type_of_dotnet_or_of_the_codec_is_refused(string proto, string name, string owner)
    {
        using var workshop = new Workshop("a.proto", $"syntax = \"proto3\";\noption csharp_namespace = \"{name}\";\n\n{proto}");
        var error = Assert.Single(workshop.Generate());
        Assert.Contains("a.proto(4,1): error SLAB010: ", error, StringComparison.Ordinal);
        Assert.Contains($"is also a type of {owner}.", error, StringComparison.Ordinal);
        Assert.Empty(workshop.Generate(_ => "Own"));
    }

    /// <summary>Names that these namespaces have not, or only for a generic or a nested type.</summary>
    [Fact]
    public void Other_names_in_the_namespaces_of_dotnet_and_of_the_codec_are_compiled()
    {
        using var workshop = new Workshop("a.proto",
            "syntax = \"proto3\";\npackage system.collections.generic;\nmessage List { List next = 1; repeated string a = 2; }");
        workshop.Add("b.proto", "syntax = \"proto3\";\npackage proto_bench.codec;\nmessage Message { Message next = 1; bytes a = 2; }");
        workshop.Add("c.proto", "syntax = \"proto3\";\npackage system;\nmessage Order { message Int32 { int32 a = 1; } Int32 a = 1; }");
        workshop.GenerateAll();
        workshop.AssertCompiles();
    }

    [Fact]
    public void All_public_types_of_the_packages_are_known() =>
        Assert.Equal(
            new[]
                {
                    typeof(Message<>), typeof(Grpc.GrpcMessage<>), typeof(Allocators.Slab),
                    typeof(Microsoft.Extensions.DependencyInjection.SlabMessagesExtensions),
                }
                .SelectMany(type => type.Assembly.GetExportedTypes()).Where(type => !type.IsNested && !type.IsGenericType)
                .Select(type => type.FullName).Order(StringComparer.Ordinal),
            Model.Restrictions.PublicTypes.Order(StringComparer.Ordinal));

    /// <summary>A namespace goes into the code as it stands.</summary>
    [Theory]
    [InlineData("class.int.1x", "'1x'")]
    [InlineData("A { class Injected {} } namespace B", "'A { class Injected {} } namespace B'")]
    [InlineData("A;class Injected {}//", "'A;class Injected {}//'")]
    [InlineData("A\u2028B", "'A?B'")]
    [InlineData("A..B", "''")]
    [InlineData(".", "''")]
    [InlineData("A.@", "'@'")]
    [InlineData("A.@@b", "'@@b'")]
    [InlineData("A B", "'A B'")]
    public void A_namespace_that_is_none_is_refused_where_it_stands(string name, string part)
    {
        using var workshop = new Workshop("a.proto", $"syntax = \"proto3\";\nmessage A {{}}\noption csharp_namespace = \"{name}\";");
        var error = Assert.Single(workshop.Generate());
        Assert.Contains("a.proto(3,1): error SLAB011: ", error, StringComparison.Ordinal);
        Assert.Contains(part, error, StringComparison.Ordinal);

        using var other = new Workshop("a.proto", "syntax = \"proto3\";\nmessage A {}");
        error = Assert.Single(other.Generate(_ => name));
        Assert.Contains("a.proto(1,1): error SLAB011: ", error, StringComparison.Ordinal);
    }

    /// <summary>Types of an import are written with its namespace, and conversions use Google's.</summary>
    [Fact]
    public void A_namespace_that_is_none_is_refused_in_an_import_and_behind_another_one()
    {
        using var workshop = new Workshop { HasGoogleConversions = true };
        workshop.Add("a.proto", "syntax = \"proto3\";\npackage a;\noption csharp_namespace = \"A B\";\nmessage A {}");
        Assert.Contains("a.proto(3,1): error SLAB011: ", Assert.Single(workshop.Generate(_ => "Slab")), StringComparison.Ordinal);
    }

    [Fact]
    public void Namespaces_of_keywords_and_of_letters_of_any_language_are_written()
    {
        using var workshop = new Workshop(
            "a.proto", "syntax = \"proto3\";\noption csharp_namespace = \"class.@int._1x.Stra\u00DFe\";\nmessage A {}");
        workshop.GenerateAll();
        Assert.Equal("class.int._1x.Stra\u00DFe", Assert.Single(workshop.Compile().GetTypes(), type => type.Name == "A").Namespace);
    }

    [Theory]
    [InlineData("message System {}")]
    [InlineData("enum System { ZERO = 0; }")]
    [InlineData("message Microsoft {}")]
    [InlineData("message ProtoBench {}")]
    [InlineData("message Codec {}", "ProtoBench")]
    [InlineData("message Buffers {}", "System")]
    public void A_type_with_the_name_of_a_namespace_that_generated_code_uses_is_refused(string proto, string name = "")
    {
        using var workshop = new Workshop("a.proto", $"syntax = \"proto3\";\n\n{proto}");
        Assert.Contains("a.proto(3,1): error SLAB004: ", Assert.Single(workshop.Generate(_ => name)), StringComparison.Ordinal);
        Assert.Empty(workshop.Generate(_ => "Own"));
    }

    /// <summary>A file whose name has an end of line is several lines in the list that a build writes.</summary>
    [Theory]
    [InlineData("protoc", "other")]
    [InlineData("output", "other")]
    [InlineData("import")]
    [InlineData("file", "a", "b", "c", "true", "false")]
    public void A_second_program_or_folder_among_the_arguments_is_refused_and_what_has_too_few_values(params string[] more) =>
        Assert.Throws<FormatException>(() => Build.Arguments.Read(
            ["protoc", "one", "output", "one", "file", "a", "b", "c", "true", "false", "None", "", "", "", "", .. more]));

    [Fact]
    public void A_path_may_have_any_character_of_a_line()
    {
        var item = Assert.Single(Build.Arguments.Read(["file", "/a|b`c`$(d)/x.proto", "/a|b`c`$(d)", "", "", "", "", "", "", "", ""]).Files);
        Assert.Equal(("x.proto", Path.GetFullPath("/a|b`c`$(d)")), (item.Name, item.Root));
    }

    /// <summary>What C# takes for the end of a line would end a comment.</summary>
    [Theory]
    [InlineData('\u0085')]
    [InlineData('\u2028')]
    [InlineData('\u2029')]
    [InlineData('\r')]
    public void No_character_of_a_comment_or_of_a_files_name_ends_a_comment_in_the_code(char end)
    {
        using var workshop = new Workshop();
        var comment = $"// harmless{end}public class Injected {{}} //{end}";

        // the compiler's own list of files knows no name with an end of line of ASCII
        var name = OperatingSystem.IsWindows() || end == '\r' ? "a.proto" : $"a{end}public class InjectedByName {{}} {end}.proto";
        workshop.Add(name, $$"""
            syntax = "proto2";
            package safe;
            {{comment}}
            message Safe {
              {{comment}}
              optional int32 one = 1; {{comment}}
              {{comment}}
              repeated string many = 2;
              {{comment}}
              map<string, Safe> map = 3;
              {{comment}}
              oneof choice {
                {{comment}}
                bytes data = 4 [default = "{{end}}public class Injected {} {{end}}"];
              }
              optional string text = 5 [default = "{{end}}public class Injected {} {{end}}"];
              {{comment}}
              enum Kind {
                {{comment}}
                KIND_NONE = 0;
              }
            }
            """);
        workshop.GenerateAll();
        Assert.DoesNotContain(end, workshop.Generated(name));
        Assert.DoesNotContain(workshop.Compile().GetTypes(), type => type.Name.EndsWith("Injected", StringComparison.Ordinal));
        workshop.HasGoogleConversions = true;
        workshop.GenerateAll(_ => "Slab");
        Assert.DoesNotContain(end, workshop.Generated(Path.ChangeExtension(name, ".google.proto")));
    }

    [Fact]
    public void A_message_with_the_name_of_a_namespace_is_refused()
    {
        using var workshop = new Workshop("a.proto", "syntax = \"proto3\";\npackage one;\n\nmessage Two {}");
        workshop.Add("b.proto", "syntax = \"proto3\";\npackage one.two;\nmessage C {}");
        Assert.Contains(workshop.Generate(), error => error.Contains("a.proto(4,1): error SLAB004: ", StringComparison.Ordinal));
    }

    [Fact]
    public void Two_types_of_the_same_name_are_refused()
    {
        using var workshop = new Workshop("a.proto", "syntax = \"proto3\";\npackage one;\nmessage Same {}");
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
        using var workshop = new Workshop(name, "syntax = \"proto3\";\nmessage A {}");
        workshop.GenerateAll();
        Assert.Contains("struct A ", workshop.Generated(name), StringComparison.Ordinal);
    }
}
