using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>Groups of proto2, and messages that an edition delimits by tags. protoc says what is right. What Google's class reads and
/// writes, by accessors and setters, is compared in <see cref="ConformanceTests"/> and <see cref="RandomSchemaTests"/>.</summary>
public sealed class GroupTests(GroupTests.Types types) : IClassFixture<GroupTests.Types>
{
    const string groups = """
        syntax = "proto2";
        package groups;
        message Outer {
          optional group Data = 1 { optional int32 a = 2; optional Outer outer = 3; }
          repeated group ManyData = 2 { optional string text = 1; optional group Data = 9 {} }
          oneof choice { group First = 3 { repeated int32 numbers = 1; } group Second = 4 { optional int32 a = 1; } }
          optional int32 id = 5;
        }
        """;

    // messages of the runtime, whose assembly has no code for groups; and such that are no groups by their names
    const string delimited = """
        edition = "2023";
        package delimited;
        option features.message_encoding = DELIMITED;
        import "google/protobuf/timestamp.proto";
        import "google/protobuf/struct.proto";
        import "google/protobuf/wrappers.proto";
        message Holder {
          google.protobuf.Timestamp at = 1;
          repeated google.protobuf.Struct structs = 2;
          google.protobuf.StringValue text = 3;
          oneof choice { google.protobuf.Value value = 4; Point point = 5; }
          repeated Point points = 6;
          Holder next = 1000;
          Inner inner = 8;
          Inner other = 9;
          map<string, Holder> map = 10;
          Point prefixed = 11 [features.message_encoding = LENGTH_PREFIXED];
          message Inner { int32 id = 1; }
        }
        message Point { float x = 1; float y = 2; }
        """;

    const string source = """
        #pragma warning disable CS1591
        using System;
        using Slab.Groups;

        public static class Uses
        {
            public static string All()
            {
                using var message = Outer.Rent();
                using var other = Outer.Rent();
                var outer = message.Value;
                var seen = $"{outer.HasData} {outer.Data.A} {outer.Data.IsSet} {outer.ChoiceCase}";
                outer.MutableData().SetA(5);
                outer.AddManyData().SetText("x");
                outer.AddManyData().SetText("y");
                outer.MutableFirst().AddNumbers(7);
                outer.MutableSecond().SetA(1);
                seen += $", {outer.HasData} {outer.Data.A} {outer.ManyData[1].Text} {outer.ChoiceCase} {outer.HasFirst}";
                other.CopyFrom(message);
                seen += $", {outer == other.Value} {outer.GetHashCode() == other.Value.GetHashCode()}";
                other.Value.MergeFrom(outer);
                seen += $", {other.Value.ManyData.Count} {outer == other.Value}";
                outer.RemoveManyDataAt(0);
                outer.ClearData();
                outer.ClearChoice();
                seen += $", {Convert.ToHexString(message.ToByteArray())} {message.CalculateSize()}";
                return seen + ", " + Convert.ToHexString(other.Value.ManyData[0].ToByteArray());
            }
        }
        """;

    [Fact]
    public void A_group_has_the_members_of_any_message() =>
        Assert.Equal("False 0 False None, True 5 y Second False, True True, 4 False, 130A017914 5, 0A0178", types.Call("All"));

    [Theory]
    [InlineData("Data { a: -1 outer { id: 3 Data { } } } ManyData { text: \"x\" Data { } } ManyData { } Second { a: 1 } id: 0")]
    [InlineData("First { numbers: 1 numbers: 300 }")]
    public void The_bytes_and_the_text_are_protocs(string text)
    {
        var wire = types.Workshop.Encode("groups.Outer", text);
        Assert.Equal(wire, types["Groups.Outer"].Rewrite(wire));
        Assert.Equal(types.Workshop.DecodeInOneLine("groups.Outer", wire), types["Groups.Outer"].Text(wire));
    }

    [Theory]
    [InlineData("Groups.Outer", "groups.Outer", "Data { a: 1 } ManyData { text: \"x\" Data { } } Second { a: 1 }",
        """{"data":{"a":1},"manydata":[{"text":"x","data":{}}],"second":{"a":1}}""")]
    [InlineData("Delimited.Holder", "delimited.Holder", "Inner { id: 1 } other { id: 2 }", """{"inner":{"id":1},"other":{"id":2}}""")]
    public void The_name_in_JSON_is_that_of_the_field(string type, string message, string text, string expected)
    {
        var wire = types.Workshop.Encode(message, text);
        Assert.Equal(expected, types[type].Json(wire, new()));
        Assert.Equal(expected, types[type].Json(wire, new() { PreserveProtoFieldNames = true }));
    }

    /// <summary>Cut anywhere: messages of another assembly are read in two steps, which look for their windows again.</summary>
    [Theory]
    [InlineData("at { seconds: 5 nanos: 300 } points { x: 1 y: 2 } points { } next { at { } next { text { value: \"a longer text\" } } }")]
    [InlineData("structs { fields { key: \"k\" value { struct_value { } } } } structs { } text { } value { string_value: \"s\" }")]
    [InlineData("point { x: 1 } inner { id: 1 } other { id: 2 } map { key: \"k\" value { point { } next { } } } prefixed { x: 3 y: 4 }")]
    public void Messages_of_any_assembly_are_delimited(string text)
    {
        var wire = types.Workshop.Encode("delimited.Holder", text);
        var bridge = types["Delimited.Holder"];
        Assert.Equal(wire, bridge.Rewrite(wire));
        for (var size = 1; size <= wire.Length; size++)
        {
            foreach (var isAliased in new[] { false, true })
                Assert.Equal(wire, bridge.Rewrite(Segments.Every(wire, size), isAliased));
        }

        var (written, discarded) = bridge.Discard(wire);
        Assert.Equal(wire, written);
        Assert.Equal(0, discarded);
    }

    /// <summary>At every place, in one piece and in segments: the same reason and the same offset as for a group that the schema does not
    /// have, whose code is older.</summary>
    [Theory]
    [InlineData("0B", WireError.Truncated, 1)]
    [InlineData("0B10", WireError.Truncated, 2)]
    [InlineData("0B1005", WireError.Truncated, 3)]
    [InlineData("0B100514", WireError.UnmatchedEndGroup, 3)]
    [InlineData("0B130C", WireError.UnmatchedEndGroup, 2)]
    [InlineData("0B1A030B0C0B0C", WireError.Truncated, 6)]
    [InlineData("0B1A020B0C0C0C", WireError.UnmatchedEndGroup, 6)]
    [InlineData("28010C", WireError.UnmatchedEndGroup, 2)]
    public void A_group_that_does_not_end_is_refused_with_its_place(string hex, WireError reason, int offset)
    {
        var wire = Convert.FromHexString(hex);
        AssertRefused(reason, offset, () => types["Groups.Outer"].Rewrite(wire));
        for (var size = 1; size <= wire.Length; size++)
        {
            AssertRefused(reason, offset, () => types["Groups.Outer"].Rewrite(Segments.Every(wire, size), isAliased: true));
            AssertRefused(reason, offset, () => types["Groups.Outer"].Rewrite(Segments.Every(wire, size), isAliased: false));
        }
    }

    /// <summary>The same for a message of another assembly.</summary>
    [Theory]
    [InlineData("0B", WireError.Truncated, 1)]
    [InlineData("0B0805", WireError.Truncated, 3)]
    [InlineData("0B080514", WireError.UnmatchedEndGroup, 3)]
    [InlineData("0B0880", WireError.Truncated, 3)]
    public void A_message_of_another_assembly_that_does_not_end_is_refused_with_its_place(string hex, WireError reason, int offset)
    {
        var wire = Convert.FromHexString(hex);
        AssertRefused(reason, offset, () => types["Delimited.Holder"].Rewrite(wire));
        for (var size = 1; size <= wire.Length; size++)
            AssertRefused(reason, offset, () => types["Delimited.Holder"].Rewrite(Segments.Every(wire, size), isAliased: true));
    }

    [Theory]
    [InlineData("Delimited.Holder", 1000)]
    [InlineData("Delimited.Holder", 1000, 1)]
    public void A_group_is_a_level_of_nesting(string type, int number, int leaf = 0)
    {
        var bridge = types[type];
        var wire = leaf == 0 ? [] : Wire.Group(leaf);
        var levels = leaf == 0 ? 0 : 1;
        for (; levels < ParseLimits.MaxDepth; levels++) wire = Wire.Group(number, wire);
        Assert.Equal(wire, bridge.Rewrite(wire));
        wire = Wire.Group(number, wire);
        foreach (var size in new[] { 1, 7, wire.Length })
        {
            var refusal = Assert.Throws<WireFormatException>(() => bridge.Rewrite(Segments.Every(wire, size), isAliased: false));
            Assert.Equal(WireError.TooDeep, refusal.Reason);
            Assert.Equal((ParseLimits.MaxDepth * 2) + (leaf == 0 ? 2 : 1), refusal.Offset);
        }
    }

    static void AssertRefused(WireError reason, int offset, Action read)
    {
        var refusal = Assert.Throws<WireFormatException>(read);
        Assert.Equal((reason, offset), (refusal.Reason, refusal.Offset));
    }

    [SuppressMessage("Design", "CA1034", Justification = "the fixture of this class only, which xunit needs to be public")]
    public sealed class Types : IDisposable
    {
        readonly Assembly assembly;

        public Types()
        {
            Workshop.Add("groups.proto", groups);
            Workshop.Add("delimited.proto", delimited);
            Workshop.GenerateAll(name => name == "groups.proto" ? "Slab.Groups" : "Slab.Delimited");
            Workshop.AddSource(source);
            assembly = Workshop.Compile();
        }

        internal Workshop Workshop { get; } = new();

        internal IBridge this[string type] => Bridge.Of(assembly.GetType("Slab." + type)!);

        internal object? Call(string method) => assembly.GetType("Uses")!.GetMethod(method)!.Invoke(null, null);

        public void Dispose() => Workshop.Dispose();
    }
}
