using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.WellKnownTypes;
using ProtoBench.SlabProtobuf;
using Google_ = Google.Protobuf.WellKnownTypes;

namespace ProtoBench.Codec.Tests;

/// <summary>Messages that are read from JSON, against Google's JsonParser. protobuf's conformance suite has the cases of the
/// specification (.ci/conformance).</summary>
public partial class JsonReadTests
{
    static readonly JsonParser google = new(JsonParser.Settings.Default.WithTypeRegistry(TypeRegistry.FromFiles(
        Gpb.Zoo.Descriptor.File, Google_.Timestamp.Descriptor.File, Google_.Duration.Descriptor.File, Google_.Struct.Descriptor.File,
        Google_.Any.Descriptor.File, Google_.Empty.Descriptor.File, Google_.FieldMask.Descriptor.File,
        Google_.Int32Value.Descriptor.File)));

    static readonly ProtoJsonOptions options = new() { Types = new ProtoJsonTypes().Add<Zoo>().Add<Animal>().Add<Scalars>() };

    [Fact]
    public void Every_kind_of_field_is_read_as_protobuf_specifies()
    {
        // the rules of https://protobuf.dev/programming-guides/json, written by hand
        using var message = Zoo.Rent();
        var zoo = message.ParseJson("""
            {
              "scalars": {"doubleValue": "-Infinity", "floatValue": 0.1, "int32Value": "-2147483648", "int64_value": -9223372036854775808,
                "uint32Value": 4294967295, "uint64Value": "18446744073709551615", "boolValue": true, "enumValue": -1,
                "stringValue": "a\"\\\/\b\f\n\r\t\u732b\ud83d\ude00</b>", "bytesValue": "--__AA"},
              "packed": {"doubleValues": [1.5, "NaN", "Infinity", 1e-3, -0], "sint64Values": ["-1", 0], "enumValues": ["MOOD_WILD", 77]},
              "unpacked": {"stringValues": [""], "bytesValues": ["AQ=="]}, "optionals": {"int32Value": 0},
              "cages": [{}, {"animals": [{"street": ""}]}], "visitors": {"\u00e9 \"": 0}, "animals": {"-5": {"tag": 0}},
              "moods": {"true": "MOOD_CALM", "false": 0}
            }
            """u8);
        Assert.Equal(double.NegativeInfinity, zoo.Scalars.DoubleValue);
        Assert.Equal(0.1f, zoo.Scalars.FloatValue);
        Assert.Equal(int.MinValue, zoo.Scalars.Int32Value);
        Assert.Equal(long.MinValue, zoo.Scalars.Int64Value);
        Assert.Equal(uint.MaxValue, zoo.Scalars.Uint32Value);
        Assert.Equal(ulong.MaxValue, zoo.Scalars.Uint64Value);
        Assert.True(zoo.Scalars.BoolValue);
        Assert.Equal("a\"\\/\b\f\n\r\t\u732b\ud83d\ude00</b>", zoo.Scalars.StringValue.ToString());
        Assert.Equal(new byte[] { 0xFB, 0xEF, 0xFF, 0x00 }, zoo.Scalars.BytesValue.ToArray());
        Assert.Equal(Mood.Asleep, zoo.Scalars.EnumValue);
        Assert.Equal([1.5, double.NaN, double.PositiveInfinity, 0.001, -0.0], zoo.Packed.DoubleValues.ToArray());
        Assert.Equal([-1, 0], zoo.Packed.Sint64Values.ToArray());
        Assert.Equal([Mood.Wild, (Mood)77], zoo.Packed.EnumValues.ToArray());
        Assert.Equal(1, zoo.Unpacked.StringValues.Count);
        Assert.True(zoo.Optionals.HasInt32Value);
        Assert.False(zoo.Optionals.HasStringValue);
        Assert.True(zoo.Cages[1].Animals[0].HasStreet);
        Assert.True(zoo.TryGetVisitors("\u00e9 \"", out var visits) && visits == 0);
        Assert.True(zoo.TryGetMoods(true, out var mood) && mood == Mood.Calm);
    }

    [Theory]
    [InlineData(45_001)]
    public void Random_messages_are_read_from_what_both_libraries_write(int seed)
    {
        var wires = new WireGenerator(new Random(seed));
        for (var i = 0; i < 200; i++)
        {
            var place = $"seed {seed}, message {i}";
            Gpb.Zoo content;
            try
            {
                content = Gpb.Zoo.Parser.WithDiscardUnknownFields(true).ParseFrom(wires.Message(Gpb.Zoo.Descriptor, 0));
            }
            catch (InvalidProtocolBufferException)
            {
                continue;
            }

            var text = JsonFormatter.Default.Format(content);
            using var message = Zoo.Rent();
            message.ParseJson(text);
            Assert.True(content.Equals(Gpb.Zoo.Parser.ParseFrom(message.ToByteArray())), $"{place}: {text}");
            foreach (var form in JsonForms.All())
            {
                using var again = Zoo.Rent();
                again.ParseJson(message.Value.ToJson(form));
                Assert.True(message.Value == again.Value, $"{place}: {message.Value.ToJson(form)}");
            }
        }
    }

    public static TheoryData<string> Types => ["Zoo", "Animal", "Scalars", "Any", "Struct", "Value", "Timestamp", "Duration", "FieldMask"];

    /// <summary>Bytes of valid text are changed, removed, added and doubled. Both libraries read the same message, or refuse the text, but
    /// for the differences that <see cref="IsKnown"/> names.</summary>
    [Theory]
    [MemberData(nameof(Types))]
    public void Text_that_was_changed_is_read_or_refused_as_by_Google(string name)
    {
        switch (name)
        {
            case "Zoo":
                Mutate<Gpb.Zoo, Zoo>(Gpb.Zoo.Descriptor, """{"scalars":{"doubleValue":-1.5e3,"int32Value":12,"stringValue":"a\u00e9\ud83d\ude00\n","bytesValue":"AQI="},"cages":[{"label":"x","animals":[{"name":"y","tag":7}]},{}],"visitors":{"a":1,"b":-2},"moods":{"true":"MOOD_CALM"}}""");
                break;
            case "Animal":
                Mutate<Gpb.Animal, Animal>(Gpb.Animal.Descriptor, """{"name":"Leo","tag":3,"mother":{"name":"Lea","young":[{"tag":1},{}]}}""");
                break;
            case "Scalars":
                Mutate<Gpb.Scalars, Scalars>(Gpb.Scalars.Descriptor, """{"doubleValue":0.1,"floatValue":"NaN","int32Value":-1,"int64Value":"123","uint32Value":5.0,"uint64Value":"18446744073709551615","sint32Value":1e3,"boolValue":true,"enumValue":"MOOD_WILD"}""");
                break;
            case "Any":
                Mutate<Google_.Any, Any>(Google_.Any.Descriptor, """{"@type":"type.googleapis.com/ZooPkg.Animal","name":"x","mother":{"tag":1}}""");
                Mutate<Google_.Any, Any>(Google_.Any.Descriptor, """{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1.5s"}""");
                break;
            case "Struct":
                Mutate<Google_.Struct, Struct>(Google_.Struct.Descriptor, """{"a":[null,1.5,"x",true,{"b":{}},[]],"c":{"d":null},"e":false}""");
                break;
            case "Value":
                Mutate<Google_.Value, Value>(Google_.Value.Descriptor, """[{"a":1e5},"\u0041",[[[]]],-0.25,null]""");
                break;
            case "Timestamp":
                Mutate<Google_.Timestamp, Timestamp>(Google_.Timestamp.Descriptor, "\"2024-02-29T23:59:59.123456789+01:30\"");
                Mutate<Google_.Timestamp, Timestamp>(Google_.Timestamp.Descriptor, "\"0001-01-01T00:00:00Z\"");
                break;
            case "Duration":
                Mutate<Google_.Duration, Duration>(Google_.Duration.Descriptor, "\"-315576000000.123456789s\"");
                break;
            default:
                Mutate<Google_.FieldMask, FieldMask>(Google_.FieldMask.Descriptor, "\"userName,a.bC\"");
                break;
        }
    }

    static void Mutate<TGoogle, TSlab>(MessageDescriptor descriptor, string text)
        where TGoogle : class, IMessage<TGoogle>
        where TSlab : struct, ISlabMessage<TSlab>
    {
        const int seed = 45_100;
        const string letters = "{}[]\":,\\u0019-+.eEtnaZ _=/\t\n\u00e9";
        var random = new Random(seed);
        var agreed = (Read: 0, Refused: 0);
        for (var i = 0; i < 6_000; i++)
        {
            var json = new StringBuilder(text);
            for (var changes = random.Next(1, 3); changes > 0 && json.Length > 1; changes--)
            {
                var at = random.Next(json.Length);
                switch (random.Next(4))
                {
                    case 0:
                        json.Remove(at, Math.Min(random.Next(1, 4), json.Length - at));
                        break;
                    case 1:
                        json.Insert(at, letters[random.Next(letters.Length)]);
                        break;
                    case 2:
                        json[at] = letters[random.Next(letters.Length)];
                        break;
                    default:
                        json.Insert(at, json.ToString(at, Math.Min(random.Next(1, 12), json.Length - at)));
                        break;
                }
            }

            var changed = json.ToString();
            var expected = Outcome(() => google.Parse(changed, descriptor));
            using var message = Message<TSlab>.Rent();
            var actual = Outcome(() =>
            {
                message.ParseJson(changed, options);
                return descriptor.Parser.ParseFrom(message.ToByteArray());
            });
            if (expected.Message is { } one && actual.Message is { } other)
            {
                Assert.True(IsSame(one, other, changed), $"seed {seed}, text {i}: {changed}: "
                    + $"{Convert.ToHexString(one.ToByteArray())}, and {Convert.ToHexString(other.ToByteArray())} here");
                agreed.Read++;
            }
            else if (expected.Message is null && actual.Message is null)
            {
                agreed.Refused++;
            }
            else
            {
                Assert.True(IsKnown(changed, expected.Refusal, actual.Refusal),
                    $"seed {seed}, text {i}: {changed}: Google {expected.Refusal?.Message ?? "reads it"}, and here {actual.Refusal?.Message ?? "it is read"}");
            }
        }

        Assert.True(agreed.Read > 50 && agreed.Refused > 1_000, $"{agreed}");
    }

    /// <summary>NaN has several forms. A name in a field mask that begins with a capital, or has two in a row, is one word for Google, and
    /// several here and in C++.</summary>
    static bool IsSame(IMessage google, IMessage here, string text) =>
        google.Equals(here) || (text.Contains("NaN", StringComparison.Ordinal) && google.ToString() == here.ToString())
        || (google is Google_.FieldMask && Capitals().IsMatch(text));

    [GeneratedRegex("(^|[^a-z0-9])[A-Z]")]
    private static partial Regex Capitals();

    /// <summary>The differences of the two parsers.</summary>
    static bool IsKnown(string text, Exception? byGoogle, Exception? here)
    {
        if (here is ProtoJsonException { Reason: var reason })
        {
            // names and keys that are given twice, which Google accepts, and numbers beyond a range or not exact, which Google rounds
            return reason.EndsWith("given twice", StringComparison.Ordinal) || reason.Contains("is no integer", StringComparison.Ordinal)
                || reason.Contains("is no field mask", StringComparison.Ordinal)
                || (reason == "an Any has its type in '@type'" && !text.Contains("\"@type\"", StringComparison.Ordinal));
        }

        // base64 of the other alphabet or without padding
        return byGoogle!.Message.Contains("base64", StringComparison.Ordinal);
    }

    static (IMessage? Message, Exception? Refusal) Outcome(Func<IMessage> read)
    {
        try
        {
            return (read(), null);
        }
#pragma warning disable CA1031 // Google's parser refuses text with several exceptions, and what it is not meant to throw is not judged here
        catch (Exception e) when (e is not NullReferenceException)
#pragma warning restore CA1031
        {
            Assert.True(e is ProtoJsonException || e.StackTrace!.Contains("Google", StringComparison.Ordinal), e.ToString());
            return (null, e);
        }
    }

    [Theory]
    [InlineData("{\n  \"scalars\": {\"int32Value\": x}\n}", 2, 29, "scalars.int32Value", "a number is expected")]
    [InlineData("{\"cages\": [{}, {\"label\": 5}]}", 1, 26, "cages[1].label", "a string is expected")]
    [InlineData("{\"animals\": {\"1\": {\"tag\": 1.5}}}", 1, 27, "animals.1.tag", "'1.5' is no integer from 0 to 4294967295")]
    [InlineData("{\"é\": 1}", 1, 2, "", "ZooPkg.Zoo has no field 'é'")]
    [InlineData("{\"visitors\": {\"é\": 1, \"é\": 2}}", 1, 23, "visitors", "the key 'é' is given twice")]
    [InlineData("{\"cages\": [], \"cages\": []}", 1, 15, "", "'cages' is given twice")]
    [InlineData("{\"cages\": [null]}", 1, 12, "cages[0]", "null is no element of a repeated field")]
    [InlineData("{\"visitors\": {\"a\": null}}", 1, 20, "visitors.a", "null is no value of a map")]
    [InlineData("{\"moods\": {\"yes\": 1}}", 1, 12, "moods", "true or false is expected")]
    [InlineData("{\"moods\": {\"true\": \"x\"}}", 1, 20, "moods.true", "ZooPkg.Mood has no value 'x'")]
    [InlineData("{\"cages\": {}}", 1, 11, "cages", "a repeated field is an array")]
    [InlineData("{\"cages\": [{}", 1, 14, "cages[0]", "the text ends too early")]
    [InlineData("{} {}", 1, 4, "", "more follows after the message")]
    [InlineData("", 1, 1, "", "the text ends too early")]
    [InlineData("{\"cages\": [\n \n", 1, 12, "cages[0]", "the text ends too early")]
    [InlineData("{\"scalars\": {\"stringValue\": \"\\ud800\"}}", 1, 30, "scalars.stringValue", "half of a surrogate pair")]
    [InlineData("{\"scalars\": {\"stringValue\": \"a\\q\"}}", 1, 31, "scalars.stringValue", "this escape does not exist")]
    [InlineData("{\"scalars\": {\"stringValue\": \"a\tb\"}}", 1, 31, "scalars.stringValue", "a control character in a string has to be escaped")]
    [InlineData("{\"scalars\": {\"stringValue\": \"a", 1, 29, "scalars.stringValue", "the string has no end")]
    [InlineData("{\"scalars\": {\"bytesValue\": \"?\"}}", 1, 28, "scalars.bytesValue", "this is not base64")]
    [InlineData("{\"scalars\": {\"floatValue\": 1e39}}", 1, 28, "scalars.floatValue", "'1e39' is beyond the range of a float")]
    public void A_refusal_has_the_line_the_column_and_the_field(string json, int line, int column, string path, string reason)
    {
        using var message = Zoo.Rent();
        message.Value.MutableScalars().SetInt32Value(1);
        var refusal = Assert.Throws<ProtoJsonException>(() => message.ParseJson(json));
        Assert.Equal((line, column, path, reason), (refusal.Line, refusal.Column, refusal.Path, refusal.Reason));
        Assert.Equal($"Refused at line {line}, column {column}{(path.Length == 0 ? "" : ", " + path)}: {reason}.", refusal.Message);
        Assert.Equal(Encoding.UTF8.GetByteCount(string.Concat(json.Split('\n')[..(line - 1)].Select(one => one + "\n")) + json.Split('\n')[line - 1][..(column - 1)]),
            refusal.BytePosition);
        Assert.Equal(0, message.CalculateSize());
        message.Value.MutableScalars().SetInt32Value(1);
        Assert.Throws<ProtoJsonException>(() => message.MergeJson(json));
        Assert.Equal(1, message.Value.Scalars.Int32Value);
    }

    [Fact]
    public void Text_that_is_not_UTF8_is_refused_at_its_first_wrong_byte()
    {
        using var message = Zoo.Rent();
        var json = "{\"visitors\": {\"éa\": 1}}"u8.ToArray();
        json[17] = 0xFF;
        Assert.Equal(17, Assert.Throws<ProtoJsonException>(() => message.ParseJson(json)).BytePosition);
        Assert.Throws<ProtoJsonException>(() => message.ParseJson("{\"visitors\": {\"\ud800\": 1}}"));
        message.ParseJson([.. Encoding.UTF8.Preamble, .. "{}"u8]);
    }

    [Fact]
    public async Task Every_form_of_input_is_read_the_same()
    {
        const string json = """{"scalars": {"stringValue": "é\u00e9", "int32Value": 5}, "cages": [{"label": "x"}]}""";
        var utf8 = Encoding.UTF8.GetBytes(json);
        using var message = Zoo.Rent();
        message.ParseJson(utf8.AsSpan());
        var expected = message.ToByteArray();
        for (var size = 1; size < utf8.Length + 1; size++)
        {
            message.ParseJson(Segments.Every(utf8, size));
            Assert.Equal(expected, message.ToByteArray());
            message.ParseJson(new SlowStream(utf8, size));
            Assert.Equal(expected, message.ToByteArray());
            await message.ParseJsonAsync(new SlowStream(utf8, size), cancellation: TestContext.Current.CancellationToken);
            Assert.Equal(expected, message.ToByteArray());
        }

        message.ParseJson(json);
        Assert.Equal(expected, message.ToByteArray());
        message.ParseJson(Segments.Every(utf8, utf8.Length));
        message.MergeJson(Segments.Every(utf8, 3));
        message.MergeJson(json);
        Assert.Equal(3, message.Value.Cages.Count);
        Assert.Throws<ArgumentNullException>(() => message.ParseJson((Stream)null!));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await message.ParseJsonAsync(null!));
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
            await message.ParseJsonAsync(new SlowStream(utf8, 1), cancellation: cancelled.Token));
        Assert.Equal(3, message.Value.Cages.Count);
        Assert.Throws<IOException>(() => message.ParseJson(new SlowStream(utf8, -1)));
        message.Dispose();
        Assert.Throws<ObjectDisposedException>(() => message.ParseJson(utf8));
        Assert.Throws<ObjectDisposedException>(() => message.MergeJson(utf8));
        Assert.Throws<ObjectDisposedException>(() => message.ParseJson("x"));
    }

    /// <summary>Gives a few bytes at once, or more than it was asked for.</summary>
    sealed class SlowStream(byte[] bytes, int size) : MemoryStream(bytes)
    {
        public override int Read(byte[] buffer, int offset, int count) =>
            size < 0 ? count + 1 : base.Read(buffer, offset, Math.Min(count, size));

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            base.ReadAsync(buffer[..Math.Min(buffer.Length, size)], cancellationToken);
    }

    [Fact]
    public void A_name_or_a_key_is_given_once_also_among_many()
    {
        using var message = Zoo.Rent();
        var keys = Enumerable.Range(0, 5_000).Select(i => $"\"k{i}\": {i}").ToList();
        Assert.Equal(5_000, message.ParseJson($"{{\"visitors\": {{{string.Join(',', keys)}}}}}").Visitors.Count);
        foreach (var twice in new[] { 0, 7, 8, 9, 4_999 })
        {
            var json = $"{{\"visitors\": {{{string.Join(',', keys.Append($"\"\\u006b{twice}\": 1"))}}}}}";
            Assert.EndsWith($"6b{twice}' is given twice.", Assert.Throws<ProtoJsonException>(() => message.ParseJson(json)).Message,
                StringComparison.Ordinal);
        }

        // maps in maps, each with a table of its own
        using var nested = Struct.Rent();
        var inner = string.Join(',', Enumerable.Range(0, 40).Select(i => $"\"{i}\": 1"));
        nested.ParseJson($"{{{string.Join(',', Enumerable.Range(0, 40).Select(i => $"\"{i}\": {{{inner}}}"))}}}");
        Assert.Equal(40, nested.Value.Fields.Count);
    }

    [Fact]
    public void Two_fields_of_a_oneof_are_refused_and_null_counts_for_none()
    {
        using var message = Animal.Rent();
        message.ParseJson("""{"street": null, "cage": {}}""");
        Assert.Equal(new Gpb.Animal { Cage = new() }, Gpb.Animal.Parser.ParseFrom(message.ToByteArray()));
        Assert.Contains("'cage' is given beside another field of the oneof '", Assert.Throws<ProtoJsonException>(() => message.ParseJson("""{"street": "", "cage": {}}""")).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Fields_are_written_in_the_order_of_their_numbers()
    {
        var output = new ArrayBufferWriter<byte>();
        ProtoJson.WriteBinary(Scalars.Descriptor, """{"boolValue": true, "stringValue": "x", "int32Value": 0, "doubleValue": 1}"""u8, output);
        Assert.Equal(new Gpb.Scalars { BoolValue = true, StringValue = "x", DoubleValue = 1 }.ToByteArray(), output.WrittenSpan.ToArray());
        Assert.Throws<ArgumentNullException>(() => ProtoJson.WriteBinary(null!, "{}"u8, output));
        Assert.Throws<ArgumentNullException>(() => ProtoJson.WriteBinary(Scalars.Descriptor, "{}"u8, null!));
    }

    [Fact]
    public void Unknown_names_are_ignored_if_the_options_say_so_and_their_values_are_checked()
    {
        var ignoring = new ProtoJsonOptions { IgnoreUnknownFields = true };
        using var message = Zoo.Rent();
        message.ParseJson("""
            {"a": [1, {"b": "\u0041", "c": [[], {}]}, null, true, -1e5], "moods": {"true": "NEW", "false": "MOOD_CALM"},
             "packed": {"enumValues": ["NEW", "MOOD_WILD"]}, "scalars": {"enumValue": "NEW", "int32Value": 1}}
            """, ignoring);
        Assert.Equal("""{"scalars":{"int32Value":1},"packed":{"enumValues":["MOOD_WILD"]},"moods":{"false":"MOOD_CALM"}}""", message.Value.ToJson());
        foreach (var wrong in new[] { "[1,]", "{\"b\" 1}", "01", "tru", "\"\\x\"", "{\"b\": 1,}", "-", "[1 2]", "\"\\ud800\"", "1.", "+1" })
            Assert.Throws<ProtoJsonException>(() => message.ParseJson($"{{\"a\": {wrong}}}", ignoring));
        var deep = string.Concat(Enumerable.Repeat("[", 100)) + string.Concat(Enumerable.Repeat("]", 100));
        message.ParseJson($"{{\"a\": {deep}}}", ignoring);
        Assert.Contains("nested", Assert.Throws<ProtoJsonException>(() => message.ParseJson($"{{\"a\": [{deep}]}}", ignoring)).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void An_Any_is_read_whatever_the_place_of_its_type()
    {
        using var message = Any.Rent();
        foreach (var json in new[]
        {
            """{"@type": "t/ZooPkg.Animal", "name": "x", "mother": {"tag": 3}}""",
            """{"mother": {"tag": 3}, "name": "x", "@type": "t\/ZooPkg.Animal"}""",
        })
        {
            message.ParseJson(json, options);
            Assert.Equal("t/ZooPkg.Animal", message.Value.TypeUrl.ToString());
            Assert.Equal(new Gpb.Animal { Name = "x", Mother = new() { Tag = 3 } }.ToByteArray(), message.Value.Value.ToArray());
        }

        foreach (var (json, reason) in new[]
        {
            ("""{"name": "x"}""", "an Any has its type in '@type'"),
            ("""{"@type": "t/none"}""", "the type 't/none' is not known"),
            ("""{"@type": 5}""", "the type '5' is not known"),
            ("""{"@type": "ZooPkg.Animal"}""", "the type 'ZooPkg.Animal' is not known"),
            ("""{"@type": "t/ZooPkg.Animal", "@type": "t/ZooPkg.Animal"}""", "'@type' is given twice"),
            ("""{"@type": "t/google.protobuf.Duration"}""", "an Any of google.protobuf.Duration has its content in 'value'"),
            ("""{"@type": "t/google.protobuf.Duration", "value": "1s", "value": "1s"}""", "'value' is given twice"),
            ("""{"@type": "t/google.protobuf.Duration", "value": "1s", "x": 1}""", "an Any of google.protobuf.Duration has no member 'x'"),
        })
            Assert.Equal(reason, Assert.Throws<ProtoJsonException>(() => message.ParseJson(json, options)).Reason);
        message.ParseJson("""{"@type": "t/google.protobuf.Empty"}""");
        message.ParseJson("""{"@type": "t/google.protobuf.Empty", "value": {}}""");
        message.ParseJson("{}");
        Assert.Equal(0, message.CalculateSize());

        // as deep as messages
        const string any = "{\"@type\": \"t/google.protobuf.Any\", \"value\": ";
        message.ParseJson(string.Concat(Enumerable.Repeat(any, 100)) + "{}" + new string('}', 100));
        Assert.Throws<ProtoJsonException>(() => message.ParseJson(string.Concat(Enumerable.Repeat(any, 101)) + "{}" + new string('}', 101)));
    }

    [Fact]
    public void Deep_and_long_text_is_read_or_refused_and_ends_no_process()
    {
        using var message = Animal.Rent();
        message.ParseJson(Nested(100));
        Assert.Contains("nested more than 100 deep", Assert.Throws<ProtoJsonException>(() => message.ParseJson(Nested(101))).Message,
            StringComparison.Ordinal);
        Assert.Throws<ProtoJsonException>(() => message.ParseJson(Nested(1_000_000)));
        Assert.Throws<ProtoJsonException>(() => message.ParseJson("{\"name\": " + new string('[', 1_000_000)));
        Assert.Throws<ProtoJsonException>(() => message.ParseJson("{\"tag\": 1" + new string('0', 1_000_000) + "}"));
        Assert.Equal(1u, message.ParseJson("{\"tag\": 1" + new string('0', 100_000) + "e-100000}").Tag);
        Assert.Equal(1u, message.ParseJson("{\"tag\": 1." + new string('0', 100_000) + "}").Tag);
        Assert.Equal(0u, message.ParseJson("{\"tag\": 0." + new string('0', 100_000) + "e999999999}").Tag);
        Assert.Throws<ProtoJsonException>(() => message.ParseJson("{\"tag\": 1e-400}"));
        Assert.Throws<ProtoJsonException>(() => message.ParseJson("{\"tag\": 1." + new string('0', 40) + "1}"));
        message.ParseJson("{\"name\": \"" + new string('x', 1_000_000) + "\"}");
        Assert.Equal(1_000_000, message.Value.Name.Length);

        static string Nested(int depth) => string.Concat(Enumerable.Repeat("{\"mother\":", depth)) + "{}" + new string('}', depth);
    }

    /// <summary>Both ends of every range and one beyond, halves between two floats, and random digits, as by the framework.</summary>
    [Fact]
    public void Numbers_are_rounded_as_the_framework_does()
    {
        const int seed = 45_200;
        var random = new Random(seed);
        using var message = Scalars.Rent();
        for (var i = 0; i < 20_000; i++)
        {
            var digits = string.Concat(Enumerable.Range(0, random.Next(1, 22)).Select(_ => (char)('0' + random.Next(10)))).TrimStart('0');
            var text = $"{(random.Next(2) == 0 ? "-" : "")}{(digits.Length == 0 ? "0" : digits)}.{random.Next(1000)}e{random.Next(-45, 38)}";
            if (i % 3 == 0)
            {
                // half between two floats, or close to it
                var half = (double)BitConverter.Int32BitsToSingle(random.Next(0x00800000, 0x7F000000));
                half = BitConverter.Int64BitsToDouble(BitConverter.DoubleToInt64Bits(half) + (1L << 28));
                text = half.ToString("R", CultureInfo.InvariantCulture) + (random.Next(2) == 0 ? "" : "1");
            }

            var asDouble = double.Parse(text, CultureInfo.InvariantCulture);
            var asFloat = float.Parse(text, CultureInfo.InvariantCulture);
            if (!text.Contains("E+", StringComparison.Ordinal) || !text.EndsWith('1'))
                Assert.True(asDouble.Equals(message.ParseJson($"{{\"doubleValue\":{text}}}").DoubleValue), $"seed {seed}: {text}");
            if (float.IsFinite(asFloat))
                Assert.True(asFloat.Equals(message.ParseJson($"{{\"floatValue\":\"{text}\"}}").FloatValue), $"seed {seed}: {text}");
            else
                Assert.Throws<ProtoJsonException>(() => message.ParseJson($"{{\"floatValue\":{text}}}"));
        }
    }

    [Fact]
    public void Reading_allocates_nothing()
    {
        using var message = Zoo.Rent();
        var json = """
            {"scalars": {"doubleValue": 0.1234567890123456789, "int64Value": "5", "stringValue": "a\n", "bytesValue": "AQ"},
             "cages": [{"label": "a label of more than thirty-two bytes"}], "visitors": {"a": 1, "b": 2, "c": 3}, "moods": {"true": "MOOD_CALM"}}
            """u8.ToArray();
        for (var i = 0; i < 50; i++) message.ParseJson(json);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 100; i++) message.ParseJson(json);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }
}
