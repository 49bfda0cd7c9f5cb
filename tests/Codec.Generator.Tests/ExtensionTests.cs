using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>What stands in a .proto and has no member in a message: own options, extensions, reserved names, public imports.</summary>
public class ExtensionTests
{
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
            name != "IsSet" && !name.StartsWith("Has", StringComparison.Ordinal)).Order());

        // base { 101: group, 100: message, 102: "x" } set { 1: group with 2: 5, 3: "" }
        byte[] wire = [0x0A, 0x0F, 0xAB, 0x06, 0x08, 1, 0xAC, 0x06, 0xA2, 0x06, 0, 0xB2, 0x06, 1, (byte)'x', 0x08, 7,
            0x1A, 6, 0x0B, 0x10, 5, 0x1A, 0, 0x0C];
        byte[] expected = [0x0A, 0x0F, 0x08, 7, 0xAB, 0x06, 0x08, 1, 0xAC, 0x06, 0xA2, 0x06, 0, 0xB2, 0x06, 1, (byte)'x',
            0x1A, 6, 0x0B, 0x10, 5, 0x1A, 0, 0x0C];
        Assert.Equal(expected, Bridge.Of(assembly.GetType("User.User")!).Rewrite(wire));
    }
}
