using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.WellKnownTypes;
using ProtoBench.SlabProtobuf;
using Google_ = Google.Protobuf.WellKnownTypes;

namespace ProtoBench.Codec.Tests;

/// <summary>The forms of the well-known types in JSON, against Google's JsonFormatter.</summary>
public class WellKnownJsonTests
{
    [Theory]
    [InlineData(0, 0, "1970-01-01T00:00:00Z")]
    [InlineData(1, 500_000_000, "1970-01-01T00:00:01.500Z")]
    [InlineData(-1, 999_999_000, "1969-12-31T23:59:59.999999Z")]
    [InlineData(-62_135_596_800, 1, "0001-01-01T00:00:00.000000001Z")]
    [InlineData(253_402_300_799, 999_999_999, "9999-12-31T23:59:59.999999999Z")]
    [InlineData(253_402_300_800, 0, null)]
    [InlineData(-62_135_596_801, 0, null)]
    [InlineData(0, -1, null)]
    [InlineData(0, 1_000_000_000, null)]
    public void Timestamps(long seconds, int nanos, string? expected) =>
        Check<Google_.Timestamp, Timestamp>(new() { Seconds = seconds, Nanos = nanos }, expected);

    [Theory]
    [InlineData(0, 0, "0s")]
    [InlineData(0, -1, "-0.000000001s")]
    [InlineData(-3, -10_000_000, "-3.010s")]
    [InlineData(1, 1_000, "1.000001s")]
    [InlineData(315_576_000_000, 999_999_999, "315576000000.999999999s")]
    [InlineData(-315_576_000_000, 0, "-315576000000s")]
    [InlineData(315_576_000_001, 0, null)]
    [InlineData(1, -1, null)]
    [InlineData(0, 1_000_000_000, null)]
    public void Durations(long seconds, int nanos, string? expected) =>
        Check<Google_.Duration, Duration>(new() { Seconds = seconds, Nanos = nanos }, expected);

    [Theory]
    [InlineData("", "")]
    [InlineData("a", "a")]
    [InlineData("user.display_name photo", "user.displayName,photo")]
    [InlineData("a_b_c_d2.e", "aBCD2.e")]
    [InlineData("fooBar", null)]
    [InlineData("foo__bar", null)]
    [InlineData("foo_3", null)]
    public void Field_masks(string paths, string? expected) => Check<Google_.FieldMask, FieldMask>(
        new() { Paths = { paths.Split(' ', StringSplitOptions.RemoveEmptyEntries) } }, expected);

    [Fact]
    public void A_path_that_ends_with_an_underscore_does_not_come_back_and_is_refused()
    {
        using var mask = FieldMask.Rent();
        mask.Value.AddPaths("good");
        mask.Value.AddPaths("foo_");
        Assert.Equal("\"foo\"", JsonFormatter.Default.Format(new Google_.FieldMask { Paths = { "foo_" } }));
        Assert.Contains("'foo_'", Assert.Throws<InvalidOperationException>(() => mask.Value.ToJson()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Wrappers()
    {
        Check<Google_.BoolValue, BoolValue>(new() { Value = true }, "true");
        Check<Google_.BoolValue, BoolValue>(new(), "false");
        Check<Google_.Int32Value, Int32Value>(new() { Value = -5 }, "-5");
        Check<Google_.UInt32Value, UInt32Value>(new() { Value = uint.MaxValue }, "4294967295");
        Check<Google_.Int64Value, Int64Value>(new() { Value = long.MinValue }, "-9223372036854775808");
        Check<Google_.UInt64Value, UInt64Value>(new() { Value = ulong.MaxValue }, "18446744073709551615");
        Check<Google_.FloatValue, FloatValue>(new() { Value = float.NaN }, "NaN");
        Check<Google_.DoubleValue, DoubleValue>(new() { Value = 0.25 }, "0.25");
        Check<Google_.StringValue, StringValue>(new(), "");
        Check<Google_.BytesValue, BytesValue>(new() { Value = ByteString.CopyFrom(1, 2) }, "AQI=");
    }

    [Fact]
    public void Values_of_JSON_are_themselves()
    {
        const string json = """{"a":[null,1.5,"x",true,{"b":{}},[]],"c":{"d":null},"e":false}""";
        Check<Google_.Struct, Struct>(Google_.Struct.Parser.ParseJson(json), json);
        Check<Google_.ListValue, ListValue>(Google_.ListValue.Parser.ParseJson("[[],{},0]"), "[[],{},0]");
        Check<Google_.Value, Value>(Google_.Value.ForNull(), "null");
        Check<Google_.Struct, Struct>(new(), "{}");
        Check<Google_.ListValue, ListValue>(new(), "[]");
        using var value = Value.Rent();
        Assert.Contains("without a value", Assert.Throws<InvalidOperationException>(() => value.Value.ToJson()).Message,
            StringComparison.Ordinal);
        value.Value.SetNumberValue(double.NaN);
        Assert.Contains("not finite", Assert.Throws<InvalidOperationException>(() => value.Value.ToJson()).Message,
            StringComparison.Ordinal);
        Assert.Equal("\"NaN\"", JsonFormatter.Default.Format(Google_.Value.ForNumber(double.NaN)));
        value.Value.SetStringValue("x");
        Assert.Equal("\"x\"", value.Value.ToJson());
        using var unnamed = Struct.Rent();
        unnamed.Value.MutableFields("").SetBoolValue(true);
        Assert.Equal("""{"":true}""", unnamed.Value.ToJson());
    }

    [Fact]
    public void The_message_of_an_Any_has_its_fields_beside_the_type_or_a_value()
    {
        var registry = TypeRegistry.FromMessages(Gpb.Animal.Descriptor, Google_.Duration.Descriptor, Google_.Any.Descriptor,
            Google_.Struct.Descriptor, Google_.Empty.Descriptor, Google_.Int64Value.Descriptor);
        var options = new ProtoJsonOptions { Types = new ProtoJsonTypes().Add<Cage>().Add<Animal>() };
        var animal = new Gpb.Animal { Name = "Leo", Mother = new() { Tag = 3 } };
        IMessage[] contents =
        [
            animal, new Gpb.Animal(), new Google_.Duration { Seconds = 3 }, Google_.Struct.Parser.ParseJson("{\"a\":[1]}"),
            new Google_.Empty(), new Google_.Int64Value { Value = 5 }, Google_.Any.Pack(animal), Google_.Any.Pack(Google_.Any.Pack(animal)),
        ];
        foreach (var content in contents)
        {
            var google = Google_.Any.Pack(content);
            using var message = Any.Rent();
            message.Parse(google.ToByteArray());
            foreach (var form in JsonForms.All(options.Types))
                JsonForms.AssertSame(google, form, options => message.Value.ToJson(options), registry);
            Assert.Equal(google, new JsonParser(new JsonParser.Settings(100, registry)).Parse<Google_.Any>(message.Value.ToJson(options)));
        }

        using var leo = Any.Rent();
        leo.Parse(Google_.Any.Pack(animal).ToByteArray());
        Assert.Equal("""{"@type":"type.googleapis.com/ZooPkg.Animal","name":"Leo","mother":{"tag":3}}""", leo.Value.ToJson(options));
        Assert.Contains("'type.googleapis.com/ZooPkg.Animal'",
            Assert.Throws<InvalidOperationException>(() => leo.Value.ToJson()).Message, StringComparison.Ordinal);
        leo.Value.SetTypeUrl("ZooPkg.Animal");
        Assert.Throws<InvalidOperationException>(() => leo.Value.ToJson(options));
        leo.Value.SetTypeUrl("/ZooPkg.Animal");
        leo.Value.SetValue([0x0A]);
        Assert.Throws<WireFormatException>(() => leo.Value.ToJson(options));
        leo.Value.SetTypeUrl("/" + new string('x', 1000));
        Assert.Throws<InvalidOperationException>(() => leo.Value.ToJson(options));
        using var empty = Any.Rent();
        Assert.Equal("{}", empty.Value.ToJson());
        empty.Value.SetValue([1]);
        Assert.Throws<InvalidOperationException>(() => empty.Value.ToJson());
        Assert.Equal("{ }", JsonFormatter.Default.Format(Google_.Any.Parser.ParseFrom(empty.ToByteArray())));
    }

    [Fact]
    public void The_fields_of_an_Any_have_lines_as_those_of_any_message()
    {
        using var message = Any.Rent();
        var options = new ProtoJsonOptions { Types = new ProtoJsonTypes().Add<Animal>(), Indentation = "  " };
        message.Parse(Google_.Any.Pack(new Gpb.Animal { Name = "Leo", Mother = new() }).ToByteArray());
        Assert.Equal("""
            {
              "@type": "type.googleapis.com/ZooPkg.Animal",
              "name": "Leo",
              "mother": {}
            }
            """, message.Value.ToJson(options));
        message.Parse(Google_.Any.Pack(Google_.Struct.Parser.ParseJson("""{"a":[[],{"b":null}]}""")).ToByteArray());
        Assert.Equal("""
            {
              "@type": "type.googleapis.com/google.protobuf.Struct", "value": {
                "a": [
                  [],
                  {
                    "b": null
                  }
                ]
              }
            }
            """, message.Value.ToJson(options));
    }

    [Fact]
    public void A_descriptor_in_an_Any_has_its_fields_beside_the_type()
    {
        using var any = Any.Rent();
        any.Parse(Google_.Any.Pack(new Google_.Mixin { Name = "m", Root = "r" }).ToByteArray());
        Assert.Equal("""{"@type":"type.googleapis.com/google.protobuf.Mixin","name":"m","root":"r"}""", any.Value.ToJson());
    }

    [Fact]
    public void A_message_of_an_Any_may_be_as_deep_in_others_as_a_message()
    {
        using var any = Any.Rent();
        using var outer = Any.Rent();
        for (var depth = 0; depth < Codec.ParseLimits.MaxDepth; depth++)
        {
            outer.Value.Pack(any.Value);
            any.CopyFrom(outer);
        }

        Assert.StartsWith("""{"@type":"type.googleapis.com/google.protobuf.Any","value":{"@type":""", any.Value.ToJson(),
            StringComparison.Ordinal);
        outer.Value.Pack(any.Value);
        Assert.Throws<InvalidOperationException>(() => outer.Value.ToJson());
    }

    static void Check<TGoogle, TSlab>(TGoogle google, string? expected)
        where TGoogle : IMessage
        where TSlab : struct, ISlabMessage<TSlab>
    {
        using var message = Message<TSlab>.Rent();
        message.Parse(google.ToByteArray());
        foreach (var form in JsonForms.All()) JsonForms.AssertSame(google, form, options => message.Value.ToJson(options));
        if (expected is null) Assert.Throws<InvalidOperationException>(() => message.Value.ToJson());
        else Assert.Equal(expected, message.Value.ToJson().Trim('"'));
    }
}
