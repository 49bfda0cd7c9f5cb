using System.Reflection;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>What a schema says about JSON: names of fields, the enum whose value is null, and which fields have presence.</summary>
public class JsonNameTests
{
    /// <summary>Every type in every kind of field, with groups, and those that an edition delimits.</summary>
    [Theory]
    [InlineData("proto2", 44_100)]
    [InlineData("proto3", 44_200)]
    [InlineData(AllTypes.Editions, 44_300)]
    public void Random_messages_agree_with_Googles_in_every_form(string syntax, int firstSeed)
    {
        var (descriptor, bridge) = AllTypesAssembly.Of(syntax);
        var forms = JsonForms.All();
        for (var seed = firstSeed; seed < firstSeed + 25; seed++)
        {
            var content = descriptor.Parser.ParseFrom([]);
            if (seed > firstSeed) new RandomContent(seed).Fill(content);
            var wire = content.ToByteArray();
            try
            {
                foreach (var form in forms) JsonForms.AssertSame(content, form, options => bridge.Json(wire, options));
                JsonForms.AssertRead(content, json => bridge.ReadJson(json));
            }
            catch (InvalidOperationException e)
            {
                throw new InvalidOperationException($"{syntax}, message seed {seed}: {e.Message}", e);
            }
        }
    }

    [Fact]
    public void Names_and_nulls_are_those_of_Google()
    {
        using var workshop = new Workshop("named.proto", """
            syntax = "proto3";
            package named;
            import "google/protobuf/struct.proto";
            message Named {
              int32 snake_case_2nd = 1;
              string quoted = 2 [json_name = "a \"name\" \\ <é> 🐘"];
              int32 upperCamel = 3 [json_name = "UPPER"];
              google.protobuf.NullValue nothing = 4;
              repeated google.protobuf.NullValue nothings = 5;
              map<string, google.protobuf.NullValue> by_name = 6;
              optional google.protobuf.NullValue known = 7;
              oneof choice { google.protobuf.NullValue chosen = 8; }
              google.protobuf.Value value = 9;
              map<int32, google.protobuf.Struct> structs = 10;
            }
            """);
        workshop.GenerateAll(_ => "Slab");
        workshop.GenerateGoogle();
        var assembly = workshop.Compile();
        var descriptor = (MessageDescriptor)assembly.GetType("Named.Named")!.GetProperty("Descriptor", BindingFlags.Public | BindingFlags.Static)!
            .GetValue(null)!;
        var bridge = Bridge.Of(assembly.GetType("Slab.Named")!);
        var wire = Wire.Join(Wire.Field(1, 0, 1), Wire.Delimited(2, "x"u8.ToArray()), Wire.Field(3, 0, 1), Wire.Field(4, 0, 0),
            Wire.Delimited(5, [0, 0]), Wire.Delimited(6, [0x0A, 1, (byte)'k', 0x10, 0]), Wire.Field(7, 0, 0), Wire.Field(8, 0, 0),
            Wire.Delimited(9, [0x08, 0]), Wire.Delimited(10, [0x08, 3, 0x12, 0]));
        foreach (var input in new[] { wire, [], Wire.Field(4, 0, 5) })
        {
            var google = descriptor.Parser.ParseFrom(input);
            foreach (var options in JsonForms.All()) JsonForms.AssertSame(google, options, options => bridge.Json(input, options));
        }

        JsonForms.AssertRead(descriptor.Parser.ParseFrom(wire), json => bridge.ReadJson(json));
        var named = bridge.ReadJson(bridge.Json(wire, new() { PreserveProtoFieldNames = true }));
        Assert.Equal(descriptor.Parser.ParseFrom(wire), descriptor.Parser.ParseFrom(named));
        Assert.Equal("""
            {"snake_case_2nd":1,"quoted":"x","upperCamel":1,"nothings":[null,null],"by_name":{"k":null},"known":null,"chosen":null,
            "value":null,"structs":{"3":{}}}
            """.ReplaceLineEndings(""), bridge.Json(wire, new() { PreserveProtoFieldNames = true, FormatEnumsAsIntegers = true }));
        GoogleJson.AssertEqual("""
            {"snakeCase2nd":1,"a \"name\" \\ <é> 🐘":"x","UPPER":1,"nothings":[null,null],"byName":{"k":null},"known":null,"chosen":null,
            "value":null,"structs":{"3":{}}}
            """, bridge.Json(wire, new()));
    }
}
