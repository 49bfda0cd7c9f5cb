using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Text;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>Extensions, and what else stands in a .proto and has no member in a message: own options, reserved names, public
/// imports.</summary>
public sealed class ExtensionTests(ExtensionTests.Types types) : IClassFixture<ExtensionTests.Types>
{
    const int one = 1000, many = 2000, packed = 3000;

    const string source = """
        using System;
        using ProtoBench.Codec;
        using Slab.Bases;
        using Slab.Users;

        #pragma warning disable CS1591
        public static class Uses
        {
            public static string All()
            {
                using var message = Base.Rent();
                using var other = User.Rent();
                var target = message.Value;
                other.Value.SetName("Ada");
                var seen = $"{target.GetExtension(UserExtensions.Text)} {target.GetExtension(UserExtensions.Data)[1]} "
                    + $"{target.GetExtension(UserExtensions.Number)} {target.GetExtension(UserExtensions.Color)} "
                    + $"{target.GetExtension(User.Extensions.Numbers).Length} {target.HasExtension(UserExtensions.Text)}";
                target.GetExtension(UserExtensions.Data)[1] = 9;
                using (var absent = target.GetExtension(User.Extensions.Nested))
                    seen += $", {target.GetExtension(UserExtensions.Data)[1]} {absent.Value.Name.Length}";
                target.SetExtension(UserExtensions.Text, "a");
                target.SetExtension(UserExtensions.Text, "Straße");
                target.SetExtension(UserExtensions.Number, 0);
                target.SetExtension(UserExtensions.Color, Color.Blue);
                target.SetExtension(User.Extensions.Nested, other);
                target.AddExtension(User.Extensions.Numbers, 1);
                target.AddExtension(User.Extensions.Numbers, 300);
                target.AddExtension(User.Extensions.Users, other);
                target.AddExtension(User.Extensions.Users, other);
                using (var nested = target.GetExtension(User.Extensions.Nested))
                    seen += $", {target.GetExtension(UserExtensions.Text)} {target.GetExtension(UserExtensions.Number)} "
                        + $"{target.GetExtension(UserExtensions.Color)} {nested.Value.Name} {target.HasExtension(UserExtensions.Number)} "
                        + string.Join('/', target.GetExtension(User.Extensions.Numbers)) + " "
                        + target.GetExtension(User.Extensions.Users).Length;
                target.ClearExtension(UserExtensions.Text);
                target.ClearExtension(UserExtensions.Color);
                target.ClearExtension(User.Extensions.Users);
                return seen + $", {target.HasExtension(UserExtensions.Text)} {Convert.ToHexString(message.ToByteArray())}";
            }

            public static string Nested(byte[] wire)
            {
                using var message = Base.Rent();
                using var nested = message.Parse(wire.AsSpan()).GetExtension(User.Extensions.Nested);
                using var group = message.Value.GetExtension(User.Extensions.Old);
                return $"{nested.Value.Name} {nested.Value.Id} {group.Value.A} {message.Value.HasExtension(User.Extensions.Old)} "
                    + message.Value.Inner.GetExtension(UserExtensions.Number);
            }

            public static int[] Numbers(byte[] wire)
            {
                using var message = Base.Rent();
                return message.Parse(wire.AsSpan()).GetExtension(User.Extensions.Numbers);
            }

            public static byte[] CopyGroup(byte[] wire)
            {
                using var message = Base.Rent();
                using var copy = Base.Rent();
                using var group = message.Parse(wire.AsSpan()).GetExtension(User.Extensions.Old);
                copy.Value.SetExtension(User.Extensions.Old, group);
                copy.Value.SetExtension(User.Extensions.Old, group);
                foreach (var one in message.Value.GetExtension(User.Extensions.Many))
                {
                    copy.Value.AddExtension(User.Extensions.Many, one);
                    one.Dispose();
                }

                return copy.ToByteArray();
            }

            public static string OtherWireType(byte[] wire)
            {
                using var message = Base.Rent();
                var view = message.Parse(wire.AsSpan());
                return $"{view.HasExtension(UserExtensions.Number)} {view.GetExtension(UserExtensions.Number)}";
            }

            public static void Absent()
            {
                using var message = Base.Rent();
                message.Value.Inner.SetExtension(UserExtensions.Number, 1);
            }

            public static void Late()
            {
                var message = Base.Rent();
                var view = message.Value;
                message.Dispose();
                view.GetExtension(UserExtensions.Number);
            }

            public static void Null()
            {
                using var message = Base.Rent();
                message.Value.SetExtension(UserExtensions.Text, null!);
            }

            public static byte[] Copy(byte[] wire)
            {
                using var message = Base.Rent();
                using var copy = Base.Rent();
                var (from, to) = (message.Parse(wire.AsSpan()), copy.Value);
        COPIES
                return copy.ToByteArray();
            }
        }
        """;

    [Fact]
    public void Extensions_are_got_set_and_cleared() => Assert.Equal(
        "d 255 -5 Red 0 False, 255 0, Straße 0 Blue Ada True 1/300 2, False " + Convert.ToHexString(types.Workshop.Encode("bases.Base",
            "[users.number]: 0 [users.User.nested] { name: \"Ada\" } [users.User.numbers]: [1, 300]")), types.Call("All"));

    /// <summary>What is read from protoc's bytes and set in another message is the same message for protoc.</summary>
    [Fact]
    public void Every_type_is_read_and_set()
    {
        foreach (var at in Enumerable.Range(0, 4))
        {
            var wire = Wire.Join(WireScalar.All.SelectMany((type, i) => (byte[][])
            [
                Wire.Field(one + i, type.WireType, type.Values[at % type.Values.Count]),
                Wire.Join(type.Values.Select(value => Wire.Field(many + i, type.WireType, value))),
                AllTypes.CanPack(type.Name) ? Wire.Delimited(packed + i, type.Values) : [],
            ]));
            Assert.Equal(types.Workshop.Decode("bases.Base", wire), types.Workshop.Decode("bases.Base", (byte[])types.Call("Copy", wire)!));
        }

        // a list in the other encoding, and one in both
        var index = WireScalar.All.ToList().FindIndex(type => type.Name == "sint32");
        var mixed = Wire.Join(Wire.Delimited(many + index, [1, 2]), Wire.Field(many + index, 0, 3), Wire.Field(packed + index, 0, 4),
            Wire.Delimited(packed + index, [5]), Wire.Delimited(packed + index));
        Assert.Equal(types.Workshop.Decode("bases.Base", mixed), types.Workshop.Decode("bases.Base", (byte[])types.Call("Copy", mixed)!));
    }

    [Fact]
    public void Groups_are_read_and_set()
    {
        var wire = types.Workshop.Encode("bases.Base",
            "[users.User.old] { a: 7 } [users.User.many] { a: 1 } [users.User.many] { } [users.User.many] { a: 2 }");
        Assert.Equal(wire, (byte[])types.Call("CopyGroup", wire)!);
    }

    /// <summary>A single number is not packed.</summary>
    [Theory]
    [InlineData(2)]
    [InlineData(5)]
    public void A_number_of_another_wire_type_is_not_the_extension(int wireType) => Assert.Equal("False -5",
        types.Call("OtherWireType", wireType == 2 ? Wire.Delimited(104, [2]) : Wire.Field(104, 5, [2, 0, 0, 0])));

    /// <summary>The last of a number counts, and messages are merged, as those of any field.</summary>
    [Fact]
    public void Several_fields_of_one_extension_are_read_as_those_of_a_field()
    {
        var wire = types.Workshop.Encode("bases.Base",
            "[users.User.nested] { name: \"a\" id: 1 } [users.User.old] { a: 7 } inner { [users.number]: 3 }");
        Assert.Equal("a 1 7 True 3", types.Call("Nested", wire));
        Assert.Equal("b 1 8 True 4", types.Call("Nested", Wire.Join(wire, types.Workshop.Encode("bases.Base",
            "[users.User.nested] { name: \"b\" } [users.User.old] { a: 8 } inner { [users.number]: 4 }"))));

        // an end tag in more bytes than it needs, and fields of another wire type
        Assert.Equal("a 1 9 True 3", types.Call("Nested", Wire.Join(wire, [0xEB, 0x06, 0x08, 9, 0xEC, 0x86, 0x00], Wire.Field(108, 0, 1))));
    }

    /// <summary>An eight-byte field is not the value of a sint32, whose default is -5. Google's class reads it as the varint that the bytes
    /// are.</summary>
    [Fact]
    public void A_field_of_another_wire_type_is_not_the_extension()
    {
        byte[] value = [0x85, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0];
        Assert.Equal(" 0 0 False -5", types.Call("Nested", Wire.Delimited(2, Wire.Field(104, 1, value))));
        const int number = 50_001;
        var extension = new Google.Protobuf.Extension<MessageOptions, int>(number, FieldCodec.ForSInt32(number << 3));
        var options = MessageOptions.Parser.WithExtensionRegistry([extension]).ParseFrom(Wire.Join(Wire.Tag(number, 1), value));
        Assert.Equal((true, -3), (options.HasExtension(extension), options.GetExtension(extension)));
    }

    [Theory]
    [InlineData("All", null)]
    [InlineData("Absent", typeof(InvalidOperationException))]
    [InlineData("Late", typeof(ObjectDisposedException))]
    [InlineData("Null", typeof(ArgumentNullException))]
    public void Wrong_calls_are_refused(string call, Type? refusal) =>
        Assert.Equal(refusal, Record.Exception(() => types.Call(call))?.InnerException?.GetType());

    /// <summary>An unknown field is not looked into before somebody asks for the extension.</summary>
    [Fact]
    public void A_value_that_is_not_one_of_its_type_is_refused_when_it_is_read()
    {
        foreach (var (call, wire) in new[] { ("Nested", Wire.Delimited(108, [0x0A, 5])), ("Numbers", Wire.Delimited(116, [1, 0x80])) })
        {
            Assert.Equal(wire, types["Slab.Bases.Base"].Rewrite(wire));
            Assert.Equal(WireError.Truncated,
                Assert.IsType<WireFormatException>(Record.Exception(() => types.Call(call, wire))!.InnerException).Reason);
        }

        Assert.Equal(1, types["Slab.Bases.Base"].Discard(Wire.Delimited(108, [0x0A, 5])).Count);
    }

    [Fact]
    public void They_are_not_in_JSON_as_in_Googles()
    {
        var wire = types.Workshop.Encode("bases.Base", "id: 1 [users.number]: 3 [users.User.nested] { id: 1 } inner { [users.text]: \"x\" }");
        var user = (FileDescriptor)types.Assembly.GetType("Users.UserReflection")!.GetProperty("Descriptor")!.GetValue(null)!;
        var parser = user.Dependencies.Single().MessageTypes.Single().Parser;
        var google = parser.WithExtensionRegistry([.. user.Extensions.UnorderedExtensions.Select(one => one.Extension)]).ParseFrom(wire);
        Assert.NotEqual(parser.WithDiscardUnknownFields(true).ParseFrom(wire), google);
        foreach (var form in JsonForms.All()) JsonForms.AssertSame(google, form, options => types["Slab.Bases.Base"].Json(wire, options));
        Assert.Equal("""{"id":1,"inner":{}}""", types["Slab.Bases.Base"].Json(wire, new()));
    }

    /// <summary>Google's class does not read them.</summary>
    [Fact]
    public void They_are_read_from_JSON_by_their_names_in_brackets()
    {
        var wire = types.Workshop.Encode("bases.Base", "id: 1 [users.number]: 3 [users.User.nested] { id: 1 } inner { [users.text]: \"x\" }");
        const string json = """{"id": 1, "[users.number]": 3, "[users.User.nested]": {"id": 1}, "inner": {"[users.text]": "x"}}""";
        var file = types.Assembly.GetTypes().Single(type => type.Name == "UserReflection" && type.Namespace!.StartsWith("Slab", StringComparison.Ordinal))
            .GetProperty("Descriptor")!.GetValue(null)!;
        var options = new ProtoJsonOptions { Types = new ProtoJsonTypes().Add((Reflection.FileDescriptor)file) };
        var bases = types["Slab.Bases.Base"];
        Assert.Equal(bases.Rewrite(wire), bases.ReadJson(json, options));
        Assert.Throws<ProtoJsonException>(() => bases.ReadJson(json));
        Assert.Equal("'[users.number]' is given twice",
            Assert.Throws<ProtoJsonException>(() => bases.ReadJson("""{"[users.number]": 3, "[users.number]": 3}""", options)).Reason);
        Assert.Throws<ProtoJsonException>(() => bases.ReadJson("""{"inner": {"inner": {"[users.none]": 3}}}""", options));
    }

    [Fact]
    public void The_names_are_Googles()
    {
        var names = Extensions("Google.Protobuf.").ToList();
        Assert.Contains("UserExtensions.Text", names);
        Assert.Contains("User+Extensions.Old", names);
        Assert.Empty(names.Except(Extensions("ProtoBench.Codec.")));
    }

    IEnumerable<string> Extensions(string library) =>
        from type in types.Assembly.GetTypes()
        from field in type.GetFields(BindingFlags.Public | BindingFlags.Static)
        where field.FieldType.FullName!.StartsWith(library, StringComparison.Ordinal)
            && field.FieldType.Name.Contains("Extension`2", StringComparison.Ordinal)
        select $"{type.FullName![(type.Namespace!.Length + 1)..]}.{field.Name}";

    [SuppressMessage("Design", "CA1034", Justification = "the fixture of this class only, which xunit needs to be public")]
    public sealed class Types : IDisposable
    {
        public Types()
        {
            Workshop.Add("base.proto", """
                syntax = "proto2";
                package bases;
                message Base { optional int32 id = 1; optional Base inner = 2; extensions 100 to max; }
                """);
            var (fields, copies) = (new StringBuilder(), new StringBuilder());
            foreach (var (i, type) in WireScalar.All.Index())
            {
                var name = char.ToUpperInvariant(type.Name[0]) + type.Name[1..];
                fields.AppendLine($"optional {type.Name} one_{type.Name} = {one + i};");
                fields.AppendLine($"repeated {type.Name} many_{type.Name} = {many + i};");
                copies.AppendLine($"to.SetExtension(UserExtensions.One{name}, from.GetExtension(UserExtensions.One{name}));");
                copies.AppendLine($"if (!from.HasExtension(UserExtensions.One{name})) to.ClearExtension(UserExtensions.One{name});");
                copies.AppendLine($"foreach (var value in from.GetExtension(UserExtensions.Many{name})) to.AddExtension(UserExtensions.Many{name}, value);");
                if (!AllTypes.CanPack(type.Name)) continue;
                fields.AppendLine($"repeated {type.Name} packed_{type.Name} = {packed + i} [packed = true];");
                copies.AppendLine($"foreach (var value in from.GetExtension(UserExtensions.Packed{name})) to.AddExtension(UserExtensions.Packed{name}, value);");
            }

            Workshop.Add("user.proto", $$"""
                syntax = "proto2";
                package users;
                import "base.proto";
                extend bases.Base {
                  optional string text = 100 [default = "d"];
                  optional bytes data = 102 [default = "\001\377"];
                  optional sint32 number = 104 [default = -5];
                  optional Color color = 106 [default = RED];
                  {{fields}}
                }
                message User {
                  optional string name = 1;
                  optional int32 id = 2;
                  extend bases.Base {
                    optional User nested = 108;
                    optional group Old = 109 { optional int32 a = 1; }
                    repeated group Many = 110 { optional int32 a = 1; }
                    repeated int32 numbers = 116 [packed = true];
                    repeated User users = 117;
                  }
                }
                enum Color { BLUE = 0; RED = 1; }
                enum Kind { KIND_NONE = 0; KIND_ONE = 1; KIND_TWO = 2; KIND_BELOW = -1; }
                """);
            Workshop.GenerateAll(file => file == "base.proto" ? "Slab.Bases" : "Slab.Users");
            Workshop.GenerateGoogle();
            Workshop.AddSource(source.Replace("COPIES", copies.ToString(), StringComparison.Ordinal));
            Assembly = Workshop.Compile();
        }

        internal Workshop Workshop { get; } = new();

        internal Assembly Assembly { get; }

        internal IBridge this[string type] => Bridge.Of(Assembly.GetType(type)!);

        internal object? Call(string method, params object[] arguments) => Assembly.GetType("Uses")!.GetMethod(method)!.Invoke(null, arguments);

        public void Dispose() => Workshop.Dispose();
    }

    [Fact]
    public void Extensions_and_options_are_no_fields_and_public_imports_hand_types_on()
    {
        using var workshop = new Workshop("options.proto", """
            syntax = "proto2";
            package options;
            import "google/protobuf/descriptor.proto";
            message Rule { optional string text = 1; repeated int32 numbers = 2; }
            extend google.protobuf.FieldOptions { optional Rule rule = 50000; repeated string tags = 50001; }
            extend google.protobuf.MessageOptions { optional int32 version = 50000; }
            """);
        workshop.Add("base.proto", """
            syntax = "proto2";
            package base;
            message Base { optional int32 id = 1; extensions 100 to 199, 1000 to max; reserved 2, 5 to 9; reserved "old", "older"; }
            message Set { option message_set_wire_format = true; extensions 4 to max; }
            """);
        workshop.Add("public.proto", "syntax = \"proto3\";\npackage handed;\nimport public \"base.proto\";\nmessage Own { string a = 1; }");
        workshop.Add("user.proto", """
            syntax = "proto2";
            package user;
            import "public.proto";
            import "options.proto";
            message User {
              option (options.version) = 3;
              optional base.Base base = 1 [(options.rule) = { text: "t" numbers: [1, 2] }, (options.tags) = "x", json_name = "b"];
              optional handed.Own own = 2;
              optional base.Set set = 3;
              extend base.Base { optional User nested = 100; repeated group Old = 101 { optional int32 a = 1; } }
            }
            extend base.Base { optional string outer = 102 [default = "d"]; }
            extend base.Set { optional User in_set = 5; }
            """);
        workshop.GenerateAll();
        var assembly = workshop.Compile();
        Assert.Equal(["Base", "Own", "Set"], assembly.GetType("User.User")!.GetProperties().Select(one => one.Name).Where(name =>
            name is not ("IsSet" or "Descriptor") && !name.StartsWith("Has", StringComparison.Ordinal)).Order());

        // base { 101: group, 100: message, 102: "x" } set { 1: group with 2: 5, 3: "" }
        byte[] wire = [0x0A, 0x0F, 0xAB, 0x06, 0x08, 1, 0xAC, 0x06, 0xA2, 0x06, 0, 0xB2, 0x06, 1, (byte)'x', 0x08, 7,
            0x1A, 6, 0x0B, 0x10, 5, 0x1A, 0, 0x0C];
        byte[] expected = [0x0A, 0x0F, 0x08, 7, 0xAB, 0x06, 0x08, 1, 0xAC, 0x06, 0xA2, 0x06, 0, 0xB2, 0x06, 1, (byte)'x',
            0x1A, 6, 0x0B, 0x10, 5, 0x1A, 0, 0x0C];
        Assert.Equal(expected, Bridge.Of(assembly.GetType("User.User")!).Rewrite(wire));
    }
}
