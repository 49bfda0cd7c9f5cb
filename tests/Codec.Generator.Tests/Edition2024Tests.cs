using System.Diagnostics.CodeAnalysis;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>Edition 2024: what it has beside edition 2023 is not seen in the bytes, which are protoc's.</summary>
public sealed class Edition2024Tests(Edition2024Tests.Types types) : IClassFixture<Edition2024Tests.Types>
{
    const string all = """
        edition = "2024";
        package all2024;
        import "shared.proto";
        import option "google/protobuf/cpp_features.proto";
        import option "marks.proto";
        option features.enforce_naming_style = STYLE_LEGACY;
        option features.default_symbol_visibility = LOCAL_ALL;
        option (marks.file_mark) = "f";
        export message All {
          option (marks.mark) = { text: "m" numbers: [1, 2] };
          string text = 1 [features.(pb.cpp).string_type = VIEW];
          bytes data = 2 [features.(pb.cpp).string_type = CORD];
          int32 preset = 3 [default = -7];
          string BadName = 4 [default = "say", (marks.field_mark) = true];
          int32 plain = 5 [features.field_presence = IMPLICIT];
          Hidden hidden = 6 [features.message_encoding = DELIMITED];
          repeated int32 packed = 7;
          repeated int32 expanded = 8 [features.repeated_field_encoding = EXPANDED];
          Closed closed = 9;
          Open open = 10;
          string any = 11 [features.utf8_validation = NONE];
          map<string, shared.Shared> map = 12;
          shared.Shared shared = 13;
          oneof choice { Hidden picked = 14 [features.message_encoding = DELIMITED]; int32 number = 15; }
          local message Hidden { int32 id = 1; All back = 2; int32 need = 3 [features.field_presence = LEGACY_REQUIRED]; }
          export enum Closed { option features.enum_type = CLOSED; CLOSED_ONE = 1; CLOSED_TWO = 2; }
        }
        enum Open { OPEN_ZERO = 0; OPEN_ONE = 1; }
        """;

    const string marks = """
        edition = "2024";
        package marks;
        import "google/protobuf/descriptor.proto";
        message Mark { string text = 1; repeated int32 numbers = 2; }
        extend google.protobuf.MessageOptions { Mark mark = 50000; }
        extend google.protobuf.FieldOptions { bool field_mark = 50000; }
        extend google.protobuf.FileOptions { string file_mark = 50000; }
        """;

    // as in protobuf, without the parts that are not used here
    const string cppFeatures = """
        syntax = "proto2";
        package pb;
        import "google/protobuf/descriptor.proto";
        extend google.protobuf.FeatureSet { optional CppFeatures cpp = 1000; }
        message CppFeatures {
          enum StringType { STRING_TYPE_UNKNOWN = 0; VIEW = 1; CORD = 2; STRING = 3; }
          optional StringType string_type = 2 [
            retention = RETENTION_RUNTIME, targets = TARGET_TYPE_FIELD, targets = TARGET_TYPE_FILE,
            feature_support = { edition_introduced: EDITION_2023 },
            edition_defaults = { edition: EDITION_LEGACY, value: "STRING" },
            edition_defaults = { edition: EDITION_2024, value: "VIEW" }];
        }
        """;

    [Theory]
    [InlineData("")]
    [InlineData("text: \"t\" data: \"\\377\" preset: -7 BadName: \"say\" plain: 0 hidden { id: 1 need: 0 back { } } closed: CLOSED_TWO")]
    [InlineData("packed: 1 packed: 300 expanded: 3 expanded: 4 open: OPEN_ONE any: \"a\" map { key: \"k\" value { id: 1 } }")]
    [InlineData("shared { } picked { need: 2 back { picked { need: -1 } } } plain: 5 text: \"\" preset: 0")]
    [InlineData("number: 0 closed: CLOSED_ONE hidden { need: 1 back { number: 3 } }")]
    public void The_bytes_and_the_values_are_protocs(string text)
    {
        var wire = types.Workshop.Encode("all2024.All", text);
        Assert.Equal(wire, types.Slab.Rewrite(wire));
        Assert.Equal(types.Google.Parser.ParseFrom(wire), types.Slab.Read(wire, types.Google));
        Assert.Equal(wire, types.Slab.Build(types.Google.Parser.ParseFrom(wire)));
        Assert.Equal(types.Workshop.DecodeInOneLine("all2024.All", wire), types.Slab.Text(wire));
    }

    [Theory]
    [InlineData("0A01FF", WireError.InvalidUtf8)]
    [InlineData("330834", WireError.Truncated)]
    [InlineData("3334", WireError.MissingRequired)]
    public void Features_decide_what_is_refused(string hex, WireError reason) =>
        Assert.Equal(reason, Assert.Throws<WireFormatException>(() => types.Slab.Rewrite(Convert.FromHexString(hex))).Reason);

    [Theory]
    [InlineData("5A01FF", "5A01FF")]
    [InlineData("4809480248055009", "480250094809 4805")]
    public void Features_decide_what_is_read(string hex, string expected) => Assert.Equal(
        Convert.FromHexString(expected.Replace(" ", "", StringComparison.Ordinal)), types.Slab.Rewrite(Convert.FromHexString(hex)));

    [SuppressMessage("Design", "CA1034", Justification = "the fixture of this class only, which xunit needs to be public")]
    public sealed class Types : IDisposable
    {
        public Types()
        {
            Workshop.Add("google/protobuf/cpp_features.proto", cppFeatures);
            Workshop.Add("marks.proto", marks);
            Workshop.Add("shared.proto", "edition = \"2024\";\npackage shared;\nexport message Shared { int32 id = 1; }");
            Workshop.Add("all.proto", all);
            Workshop.GenerateAll(file => "Slab." + Path.GetFileNameWithoutExtension(file));
            Workshop.GenerateGoogle();
            var assembly = Workshop.Compile();
            Slab = Bridge.Of(assembly.GetType("Slab.all.All")!);
            Google = (MessageDescriptor)assembly.GetType("All2024.All")!.GetProperty("Descriptor")!.GetValue(null)!;
        }

        internal Workshop Workshop { get; } = new();

        internal IBridge Slab { get; }

        internal MessageDescriptor Google { get; }

        public void Dispose() => Workshop.Dispose();
    }
}
