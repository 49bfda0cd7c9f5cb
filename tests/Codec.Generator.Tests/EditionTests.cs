using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>Edition 2023: what its features decide, for a field and for a whole file. The bytes are those that the specification of the
/// features asks for. Google's class writes the same, or the test says what it does.</summary>
public sealed class EditionTests(EditionTests.Types types) : IClassFixture<EditionTests.Types>
{
    const string byField = """
        edition = "2023";
        package by_field;
        message Presence {
          int32 first = 1;
          int32 second = 2 [features.field_presence = IMPLICIT];
          string text = 3 [features.field_presence = IMPLICIT];
          int32 preset = 4 [default = 7];
        }
        message Need { int32 id = 1 [features.field_presence = LEGACY_REQUIRED]; }
        enum Open { OPEN_ZERO = 0; OPEN_ONE = 1; }
        enum Closed { option features.enum_type = CLOSED; CLOSED_ONE = 1; CLOSED_TWO = 2; }
        message Enums { Open open = 1; Closed closed = 2; repeated Closed list = 3; }
        message Lists { repeated sint32 packed = 1; repeated sint32 expanded = 2 [features.repeated_field_encoding = EXPANDED]; }
        message Child { int32 id = 1; }
        message Encodings {
          Child prefixed = 1;
          Child delimited = 2 [features.message_encoding = DELIMITED];
          repeated Child many = 3 [features.message_encoding = DELIMITED];
        }
        message Texts {
          string checked = 1;
          string any = 2 [features.utf8_validation = NONE];
          repeated string many = 3 [features.utf8_validation = NONE];
        }
        """;

    const string byFile = """
        edition = "2023";
        package by_file;
        option features.field_presence = IMPLICIT;
        option features.enum_type = CLOSED;
        option features.repeated_field_encoding = EXPANDED;
        option features.message_encoding = DELIMITED;
        option features.utf8_validation = NONE;
        enum Kind { KIND_ZERO = 0; KIND_ONE = 1; }
        message Child { int32 id = 1; }
        message All {
          int32 number = 1;
          int32 known = 2 [features.field_presence = EXPLICIT];
          Kind kind = 3 [features.field_presence = EXPLICIT];
          repeated int32 list = 4;
          repeated int32 packed = 5 [features.repeated_field_encoding = PACKED];
          Child group = 6;
          Child prefixed = 7 [features.message_encoding = LENGTH_PREFIXED];
          map<int32, Child> map = 8;
          string text = 9;
          string checked = 10 [features.utf8_validation = VERIFY];
        }
        """;

    [Theory]
    [InlineData("ByField.Presence", "0800 1000 1A00 2007", "0800 2007")]
    [InlineData("ByField.Lists", "0802 0A01 04 1203 020406", "0A02 0204 1002 1004 1006")]
    [InlineData("ByField.Encodings", "13 0801 14 0A02 0805 1B1C 1B 0803 1C", "0A02 0805 13 0801 14 1B1C 1B 0803 1C")]
    [InlineData("ByField.Encodings", "1202 0805 1202 0806", "1202 0805 1202 0806")]
    [InlineData("ByFile.All", "2203 010203 2801 2802", "2001 2002 2003 2A02 0102")]
    [InlineData("ByFile.All", "3202 0801 3202 0802", "3202 0801 3202 0802")]
    [InlineData("ByFile.All", "3A02 0805 4206 0801 1202 0807 33 0801 34", "33 0801 34 3A02 0805 4206 0801 1202 0807")]
    public void Features_decide_what_is_written(string type, string wire, string expected)
    {
        Assert.Equal(Hex(expected), types[type].Rewrite(Hex(wire)));
        Assert.Equal(Hex(expected), types.Google(type, Hex(wire)));
    }

    /// <summary>Google's class keeps an unknown value of a closed enum in its field.</summary>
    [Theory]
    [InlineData("ByField.Enums", "0805 1001 1009 1A03 010902", "0805 1001 1A02 0102 1009 1809", "0805 1009 1A03 010902")]
    [InlineData("ByFile.All", "0800 1000 1801 1805", "1000 1801 1805", "1000 1805")]
    public void Features_decide_what_is_written_where_Google_writes_something_else(string type, string wire, string expected, string google)
    {
        Assert.Equal(Hex(expected), types[type].Rewrite(Hex(wire)));
        Assert.Equal(Hex(google), types.Google(type, Hex(wire)));
    }

    /// <summary>Google's class refuses every string that is not UTF-8. The feature asks for it only where it says VERIFY.</summary>
    [Theory]
    [InlineData("ByField.Texts", "1201FF 1A01FE 0A0161", "0A0161 1201FF 1A01FE")]
    [InlineData("ByFile.All", "4A01FF 520161", "4A01FF 520161")]
    public void Text_without_validation_is_read(string type, string wire, string expected)
    {
        Assert.Equal(Hex(expected), types[type].Rewrite(Hex(wire)));
        Assert.Throws<InvalidProtocolBufferException>(() => types.Google(type, Hex(wire)));
    }

    [Theory]
    [InlineData("ByField.Texts", "0A01FF")]
    [InlineData("ByFile.All", "5201FF")]
    public void Text_with_validation_is_refused(string type, string wire)
    {
        Assert.Throws<WireFormatException>(() => types[type].Rewrite(Hex(wire)));
        Assert.Throws<InvalidProtocolBufferException>(() => types.Google(type, Hex(wire)));
    }

    /// <summary>Google's parser does not look for required fields.</summary>
    [Fact]
    public void A_required_field_has_to_be_there()
    {
        Assert.Throws<WireFormatException>(() => types["ByField.Need"].Rewrite([]));
        Assert.Empty(types.Google("ByField.Need", []));
    }

    [Fact]
    public void Presence_decides_which_members_there_are()
    {
        Assert.NotNull(types.Member("ByField.Presence", "HasFirst"));
        Assert.Null(types.Member("ByField.Presence", "HasSecond"));
        Assert.Null(types.Member("ByFile.All", "HasNumber"));
        Assert.NotNull(types.Member("ByFile.All", "HasKnown"));
        Assert.NotNull(types.Member("ByField.Encodings", "HasDelimited"));
    }

    static byte[] Hex(string text) => Convert.FromHexString(text.Replace(" ", "", StringComparison.Ordinal));

    [SuppressMessage("Design", "CA1034", Justification = "the fixture of this class only, which xunit needs to be public")]
    public sealed class Types : IDisposable
    {
        readonly Workshop workshop = new();
        readonly Assembly assembly;

        public Types()
        {
            workshop.Add("by_field.proto", byField);
            workshop.Add("by_file.proto", byFile);
            workshop.GenerateAll(name => name == "by_field.proto" ? "Slab.ByField" : "Slab.ByFile");
            workshop.GenerateGoogle();
            assembly = workshop.Compile();
        }

        internal IBridge this[string type] => Bridge.Of(assembly.GetType("Slab." + type)!);

        internal PropertyInfo? Member(string type, string name) => assembly.GetType("Slab." + type)!.GetProperty(name);

        internal byte[] Google(string type, byte[] wire) =>
            ((MessageDescriptor)assembly.GetType(type)!.GetProperty("Descriptor")!.GetValue(null)!).Parser.ParseFrom(wire).ToByteArray();

        public void Dispose() => workshop.Dispose();
    }
}
