using System.Buffers;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using Google.Protobuf;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>JSON of views, against Google's JsonFormatter and JsonParser.</summary>
public partial class JsonTests
{
    static readonly ProtoJsonOptions defaults = new() { WriteDefaults = true };
    static readonly ProtoJsonOptions indented = new() { Indentation = "  " };

    [Fact]
    public void Every_kind_of_field_is_written_as_protobuf_specifies()
    {
        // the rules of https://protobuf.dev/programming-guides/json, written by hand
        using var message = Zoo.Rent();
        var zoo = message.Value;
        var scalars = zoo.MutableScalars();
        scalars.SetDoubleValue(double.NegativeInfinity);
        scalars.SetFloatValue(0.1f);
        scalars.SetInt32Value(int.MinValue);
        scalars.SetInt64Value(long.MinValue);
        scalars.SetUint32Value(uint.MaxValue);
        scalars.SetUint64Value(ulong.MaxValue);
        scalars.SetBoolValue(true);
        scalars.SetStringValue("a\"\\\n\u732b</b>");
        scalars.SetBytesValue([0xFB, 0xEF, 0xFF, 0x00]);
        scalars.SetEnumValue(Mood.Asleep);
        zoo.MutablePacked().AddDoubleValues([1.5, double.NaN, double.PositiveInfinity]);
        zoo.MutablePacked().AddSint64Values([-1, 0]);
        zoo.MutablePacked().AddEnumValues([Mood.Wild, (Mood)77]);
        zoo.MutableUnpacked().AddStringValues("");
        zoo.MutableUnpacked().AddBytesValues([1]);
        zoo.MutableOptionals().SetInt32Value(0);
        zoo.AddCages();
        zoo.AddCages().AddAnimals().SetStreet("");
        zoo.SetVisitors("\u00E9 \"", 0);
        zoo.MutableAnimals(-5).SetTag(0);
        zoo.SetMoods(true, Mood.Calm);
        zoo.SetMoods(false, Mood.Unspecified);
        const string expected = """
            {"scalars":{"doubleValue":"-Infinity","floatValue":0.1,"int32Value":-2147483648,"int64Value":"-9223372036854775808",
            "uint32Value":4294967295,"uint64Value":"18446744073709551615","boolValue":true,"stringValue":"a\"\\\n猫</b>",
            "bytesValue":"++//AA==","enumValue":"MOOD_ASLEEP"},
            "packed":{"doubleValues":[1.5,"NaN","Infinity"],"sint64Values":["-1","0"],"enumValues":["MOOD_WILD",77]},
            "unpacked":{"stringValues":[""],"bytesValues":["AQ=="]},"optionals":{"int32Value":0},
            "cages":[{},{"animals":[{"street":""}]}],"visitors":{"é \"":0},"animals":{"-5":{"tag":0}},
            "moods":{"true":"MOOD_CALM","false":"MOOD_UNSPECIFIED"}}
            """;
        GoogleJson.AssertEqual(expected, zoo.ToJson());
        Assert.Equal("""{"animals":[{"street":""}]}""", zoo.Cages[1].ToJson());
        Assert.Equal("{}", zoo.Cages[0].ToJson());
        Assert.Equal("""{"label":"","animals":[]}""", zoo.Cages[0].ToJson(defaults));
        using var empty = Zoo.Rent();
        Assert.Equal("""{"cages":[],"visitors":{},"animals":{},"moods":{}}""", empty.Value.ToJson(defaults));
    }

    [Fact]
    public void With_an_indentation_each_name_and_each_element_has_a_line()
    {
        using var message = Zoo.Rent();
        var zoo = message.Value;
        zoo.MutableScalars();
        zoo.MutablePacked().AddDoubleValues([1.5, 2]);
        zoo.AddCages();
        zoo.AddCages().AddAnimals().SetStreet("");
        zoo.SetVisitors("a b", 0);
        zoo.SetVisitors("", 1);
        zoo.MutableAnimals(-5);
        zoo.MutableAnimals(6).AddYoung();
        const string expected = """
            {
              "scalars": {},
              "packed": {
                "doubleValues": [
                  1.5,
                  2
                ]
              },
              "cages": [
                {},
                {
                  "animals": [
                    {
                      "street": ""
                    }
                  ]
                }
              ],
              "visitors": {
                "a b": 0,
                "": 1
              },
              "animals": {
                "-5": {},
                "6": {
                  "young": [
                    {}
                  ]
                }
              }
            }
            """;
        Assert.Equal(expected, zoo.ToJson(indented));
        Assert.Equal(expected.Replace("  ", "\t ", StringComparison.Ordinal), zoo.ToJson(new() { Indentation = "\t " }));
        Assert.Equal("{}", zoo.Cages[0].ToJson(indented));
        Assert.Equal("{\n  \"label\": \"\",\n  \"animals\": []\n}",
            zoo.Cages[0].ToJson(new() { Indentation = "  ", WriteDefaults = true }));
    }

    [Theory]
    [InlineData("\n")]
    [InlineData("  \u00A0")]
    [InlineData("--")]
    public void An_indentation_with_other_characters_is_refused(string indentation) =>
        Assert.Equal("value", Assert.Throws<ArgumentException>(() => new ProtoJsonOptions { Indentation = indentation }).ParamName);

    [Fact]
    public void The_options_have_the_form_of_Googles_with_the_same_names()
    {
        using var message = Zoo.Rent();
        message.Value.MutableScalars().SetEnumValue(Mood.Asleep);
        message.Value.MutableScalars().SetInt32Value(1);
        message.Value.MutablePacked().AddEnumValues([Mood.Wild, (Mood)77]);
        message.Value.SetMoods(true, Mood.Calm);
        Assert.Equal("""
            {"scalars":{"int32_value":1,"enum_value":"MOOD_ASLEEP"},"packed":{"enum_values":["MOOD_WILD",77]},
            "moods":{"true":"MOOD_CALM"}}
            """.ReplaceLineEndings(""), message.Value.ToJson(new() { PreserveProtoFieldNames = true }));
        Assert.Equal("""{"scalars":{"int32Value":1,"enumValue":-1},"packed":{"enumValues":[300,77]},"moods":{"true":1}}""",
            message.Value.ToJson(new() { FormatEnumsAsIntegers = true }));
    }

    [Theory]
    [InlineData(44_003)]
    public void Random_messages_agree_with_Googles_in_every_form(int seed)
    {
        var random = new Random(seed);
        var wires = new WireGenerator(random);
        var forms = JsonForms.All();
        var agreed = 0;
        for (var i = 0; i < 200; i++)
        {
            var wire = wires.Message(Gpb.Zoo.Descriptor, 0);
            try
            {
                using var message = Zoo.Rent();
                message.Parse(wire);
                if (NegativeZero().IsMatch(message.Value.ToJson())) continue;
                var google = Gpb.Zoo.Parser.WithDiscardUnknownFields(true).ParseFrom(wire);
                foreach (var form in forms) JsonForms.AssertSame(google, form, options => message.Value.ToJson(options));
                agreed++;
            }
            catch (WireFormatException)
            {
                // the generator pads some tags to more than five bytes
            }
            catch (Exception e)
            {
                throw new InvalidOperationException($"seed {seed}, message {i}: {e.Message}", e);
            }
        }

        Assert.True(agreed > 100, $"only {agreed} messages were compared");
    }

    [Theory]
    [InlineData(44_001)]
    public void Random_messages_agree_with_Googles(int seed)
    {
        var random = new Random(seed);
        var wires = new WireGenerator(random);
        var agreed = 0;
        for (var i = 0; i < 2_000; i++)
        {
            var wire = wires.Message(Gpb.Zoo.Descriptor, 0);
            if (Compare<Gpb.Zoo, Zoo>(Gpb.Zoo.Parser, wire, $"seed {seed}, message {i}")) agreed++;
        }

        Assert.True(agreed > 1_000, $"only {agreed} messages were compared");
    }

    [Fact]
    public void A_writer_of_the_caller_keeps_its_options_and_its_place()
    {
        using var message = Cage.Rent();
        message.Value.SetLabel("<é>");
        message.Value.AddAnimals();
        var output = new ArrayBufferWriter<byte>();
        using var writer = new Utf8JsonWriter(output,
            new() { Indented = true, NewLine = "\n", Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping });
        writer.WriteStartArray();
        message.Value.WriteJson(writer, indented);
        message.Value.WriteJson(writer, defaults);
        writer.WriteEndArray();
        Assert.Equal(0, output.WrittenCount);
        writer.Flush();
        Assert.Equal("""
            [
              {
                "label": "<é>",
                "animals": [
                  {}
                ]
              },
              {
                "label": "<é>",
                "animals": [
                  {
                    "name": "",
                    "young": [],
                    "weights": []
                  }
                ]
              }
            ]
            """, Encoding.UTF8.GetString(output.WrittenSpan));
        Assert.Throws<ArgumentNullException>(() => message.Value.WriteJson((Utf8JsonWriter)null!));
        Assert.Throws<ArgumentNullException>(() => message.Value.WriteJson((IBufferWriter<byte>)null!));
        Assert.Equal("""{"label":"\u003Cé\u003E","animals":[{}]}""", message.Value.ToJson());
        output.ResetWrittenCount();
        using var compact = new Utf8JsonWriter(output);
        message.Value.WriteJson(compact, indented);
        compact.Flush();
        Assert.Equal(message.Value.ToJson(), Encoding.UTF8.GetString(output.WrittenSpan));
    }

    [Fact]
    public void Writing_into_a_buffer_allocates_nothing()
    {
        using var message = Zoo.Rent();
        for (var i = 0; i < 500; i++)
        {
            message.Value.MutablePacked().AddInt64Values(i);
            message.Value.MutablePacked().AddDoubleValues(i / 3.0);
            message.Value.SetVisitors($"visitor {i}", i);
            var animal = message.Value.MutableAnimals(i);
            animal.SetName("<Leo> is \"é\"");
            animal.SetPhoto([1, 2, 3]);
        }

        var all = new ProtoJsonOptions
        {
            WriteDefaults = true,
            PreserveProtoFieldNames = true,
            FormatEnumsAsIntegers = true,
        };
        var indented = new ProtoJsonOptions { Indentation = "    " };
        var output = new ArrayBufferWriter<byte>(1 << 20);
        Write();
        WriteLines();
        Assert.Equal(0, AllocatedBytes.Of(Write));
        Assert.InRange(AllocatedBytes.Of(WriteLines), 1, 100); // the writer of the first pass

        void Write()
        {
            output.ResetWrittenCount();
            message.Value.WriteJson(output);
            message.Value.WriteJson(output, defaults);
            message.Value.WriteJson(output, all);
        }

        void WriteLines()
        {
            output.ResetWrittenCount();
            message.Value.WriteJson(output, indented);
        }
    }

    [Fact]
    public void Text_that_is_not_UTF8_becomes_a_replacement_character()
    {
        var input = new Gpb.Zoo
        {
            Unpacked = new() { StringValues = { "abc", "defg", new string('x', 300) } },
            Visitors = { ["key"] = 1 },
        }.ToByteArray();
        using var message = Zoo.Rent();
        message.ParseAlias(input);
        input[input.AsSpan().IndexOf("abc"u8) + 1] = 0xFF;
        input[input.AsSpan().IndexOf("defg"u8) + 3] = 0xF0;
        input[input.AsSpan().IndexOf("key"u8)] = 0xC0;
        input[input.AsSpan().IndexOf("xxxx"u8) + 299] = 0xE2;

        // the bytes, because a conversion to a string would replace invalid ones, too
        var output = new ArrayBufferWriter<byte>();
        message.Value.WriteJson(output);
        using var document = JsonDocument.Parse(output.WrittenMemory);
        var strings = document.RootElement.GetProperty("unpacked").GetProperty("stringValues");
        Assert.Equal(["a\uFFFDc", "def\uFFFD", new string('x', 299) + "\uFFFD"],
            strings.EnumerateArray().Select(one => one.GetString()!));
        Assert.Equal("\uFFFDey", document.RootElement.GetProperty("visitors").EnumerateObject().Single().Name);
    }

    [Fact]
    public void The_deepest_message_that_is_read_is_written()
    {
        using var message = Animal.Rent();
        var animal = message.Value;
        for (var depth = 0; depth < Codec.ParseLimits.MaxDepth; depth++) animal = animal.AddYoung();
        var google = Gpb.Animal.Parser.ParseFrom(message.ToByteArray());
        using var writer = new Utf8JsonWriter(new ArrayBufferWriter<byte>());
        message.Value.WriteJson(writer);
        Assert.Equal(0, writer.CurrentDepth);
        Assert.Equal(string.Concat(Enumerable.Repeat("{\"young\":[", 100)) + "{}" + string.Concat(Enumerable.Repeat("]}", 100)),
            message.Value.ToJson());
        Assert.Equal(message.Value.ToJson().Length, JsonFormatter.Default.Format(google).Replace(" ", "", StringComparison.Ordinal).Length);
    }

    [Fact]
    public void A_message_that_is_deeper_than_the_stack_is_refused()
    {
        Exception? refusal = null;
        var thread = new Thread(() =>
        {
            using var message = Animal.Rent();
            var animal = message.Value;
            for (var depth = 0; depth < 20_000; depth++) animal = animal.MutableMother();
            refusal = Record.Exception(() => message.Value.ToJson());
        }, 1 << 20);
        thread.Start();
        thread.Join();
        Assert.IsType<InsufficientExecutionStackException>(refusal);
    }

    [Fact]
    public void A_released_message_is_refused()
    {
        var message = Cage.Rent();
        var cage = message.Value;
        message.Dispose();
        var output = new ArrayBufferWriter<byte>();
        Assert.Throws<ObjectDisposedException>(() => cage.WriteJson(output));
        Assert.Throws<ObjectDisposedException>(() => cage.ToJson());
        using var writer = new Utf8JsonWriter(output);
        Assert.Throws<ObjectDisposedException>(() => cage.WriteJson(writer));
        Assert.Equal(0, output.WrittenCount);
    }

    [Fact]
    public void An_output_may_write_another_message_when_it_is_asked_for_memory()
    {
        using var outer = Cage.Rent();
        outer.Value.SetLabel(new string('o', 10_000));
        using var inner = Cage.Rent();
        inner.Value.SetLabel("inner");
        var texts = new List<string>();
        var writer = new WindowWriter(256) { Asked = () => texts.Add(inner.Value.ToJson()) };
        outer.Value.WriteJson(writer);
        Assert.NotEmpty(texts);
        Assert.All(texts, text => Assert.Equal("""{"label":"inner"}""", text));
        Assert.Equal(outer.Value.ToJson(), Encoding.UTF8.GetString(writer.Written));
    }

    /// <returns>Whether the message was compared: the libraries differ in some inputs, and Google leaves out -0.0.</returns>
    static bool Compare<TGoogle, TSlab>(MessageParser<TGoogle> parser, byte[] wire, string place)
        where TGoogle : class, IMessage<TGoogle>
        where TSlab : struct, ISlabMessage<TSlab>
    {
        try
        {
            using var message = Message<TSlab>.Rent();
            message.Parse(wire);
            if (NegativeZero().IsMatch(message.Value.ToJson())) return false;
            var google = parser.WithDiscardUnknownFields(true).ParseFrom(wire);
            GoogleJson.AssertSame(google, () => message.Value.ToJson());
            GoogleJson.AssertSame(google, () => message.Value.ToJson(defaults), writeDefaults: true);
            Assert.Equal(google, JsonParser.Default.Parse(message.Value.ToJson(), google.Descriptor));
            Assert.Equal(google, JsonParser.Default.Parse(message.Value.ToJson(defaults), google.Descriptor));
            return true;
        }
        catch (WireFormatException)
        {
            // the generator pads some tags to more than five bytes
            return false;
        }
        catch (Exception e)
        {
            throw new InvalidOperationException($"{place}: {e.Message}", e);
        }
    }

    [GeneratedRegex("\":-0[,}]")]
    private static partial Regex NegativeZero();
}
