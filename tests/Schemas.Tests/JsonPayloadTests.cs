using System.Text;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Google.Protobuf.WellKnownTypes;
using ProtoBench.Gpb;
using FieldType = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Schemas.Tests;

public class JsonPayloadTests(TestSchema schema) : IClassFixture<TestSchema>
{
    [Theory]
    [InlineData("""{"orderId": "a\u00e9", "items": [{"sku": "x", "count": -1}, {}]}""",
    """order_id: "a\303\251" items { sku: "x" count: -1 } items {}""")]
    [InlineData("""{"order_id": "by its name in the file"}""", """order_id: "by its name in the file" """)]
    [InlineData("""{"totals": {"a": "9223372036854775807"}, "byFlag": {"true": {"sku": "t"}}}""",
    """totals { key: "a" value: 9223372036854775807 } by_flag { key: true value { sku: "t" } }""")]
    [InlineData("""{"deltas": [1, -1, "7", 2147483647, 1e2], "tags": ["", "b"]}""",
    """deltas: [1, -1, 7, 2147483647, 100] tags: ["", "b"]""")]
    [InlineData("""{"card": "", "gift": false}""", """card: "" gift: false""")]
    [InlineData("""{"account": "18446744073709551615", "gift": null}""", "account: 18446744073709551615")]
    [InlineData("""{"blob": "_-8=", "color": "COLOR_BLUE"}""", """blob: "\377\357" color: COLOR_BLUE""")]
    [InlineData("""{"blob": "/+8", "color": 1, "colors": ["COLOR_RED", -2]}""",
    """blob: "\377\357" color: COLOR_RED colors: [COLOR_RED, COLOR_BLUE]""")]
    [InlineData("""{"price": "NaN", "ratio": "-Infinity", "big": 18446744073709551615, "low": -2147483648}""",
    "price: nan ratio: -inf big: 18446744073709551615 low: -2147483648")]
    [InlineData("""{"price": 1.5e300, "ratio": 0.1}""", "price: 1.5e300 ratio: 0.1")]
    [InlineData("""{"at": "1972-01-01T10:00:20.021Z", "took": "-1.000340012s"}""",
    "at { seconds: 63108020 nanos: 21000000 } took { seconds: -1 nanos: -340012 }")]
    [InlineData("""{"at": "1970-01-01T01:00:00.123456789+01:00"}""", "at { nanos: 123456789 }")]
    [InlineData("""{"mask": "user.displayName,photo"}""", """mask { paths: ["user.display_name", "photo"] }""")]
    [InlineData("""{"extra": {"a": [1, null]}}""",
    """extra { fields { key: "a" value { list_value { values { number_value: 1 } values { null_value: NULL_VALUE } } } } }""")]
    [InlineData("""{"note": "n", "number": "-5", "value": null}""",
    """note { value: "n" } number { value: -5 } value { null_value: NULL_VALUE }""")]
    [InlineData("""{"any": {"sku": "s", "@type": "type.googleapis.com/acme.Item"}}""",
    """any { [type.googleapis.com/acme.Item] { sku: "s" } }""")]
    [InlineData("""{"any": {"@type": "type.googleapis.com/google.protobuf.Duration", "value": "1.5s"}}""",
    """any { [type.googleapis.com/google.protobuf.Duration] { seconds: 1 nanos: 500000000 } }""")]
    [InlineData("""{"any": {}}""", "any {}")]
    [InlineData("""{"any": {"@type": "type.googleapis.com/google.protobuf.Any", "value": {"sku": "s", "@type": "t/acme.Item"}}}""",
    """any { [type.googleapis.com/google.protobuf.Any] { [t/acme.Item] { sku: "s" } } }""")]
    [InlineData("""{"any": {"@type": "t/google.protobuf.Struct", "value": {"@type": 1}}}""",
    """any { [t/google.protobuf.Struct] { fields { key: "@type" value { number_value: 1 } } } }""")]
    [InlineData("""{"extra": {"a": {}, "b": [], "c": true, "d": "\ud83d\ude00"}}""",
    """extra { fields { key: "a" value { struct_value {} } } fields { key: "b" value { list_value {} } } fields { key: "c" value { bool_value: true } } fields { key: "d" value { string_value: "\360\237\230\200" } } }""")]
    public async Task JSON_becomes_the_bytes_that_protoc_makes_of_the_same_text(string json, string text)
    {
        var expected = await schema.ByProtocAsync(text);
        Assert.Equal(expected, JsonPayload.Encode(schema.Order, Encoding.UTF8.GetBytes(json), "x.json"));
    }

    [Theory]
    [InlineData("{\n  \"orderId\": 5\n}", "x.json(2): 'orderId': a string is expected")]
    [InlineData("{\n\n  \"colour\": 5\n}", "x.json(3): acme.Order has no field 'colour'")]
    [InlineData("{\n  \"items\": [{}, {\n \"count\": 3000000000}]}",
    "x.json(3): 'items[1].count': '3000000000' is no integer from -2147483648 to 2147483647")]
    [InlineData("{\"color\": \"GREEN\"}", "x.json(1): 'color': acme.Color has no value 'GREEN'")]
    [InlineData("{\"card\": \"a\",\n\"account\": 1}", "x.json(2): 'account' is given beside another field of the oneof 'payment'")]
    [InlineData("{\"items\": {}}", "x.json(1): 'items': a repeated field is an array")]
    [InlineData("{\"blob\": \"?\"}", "x.json(1): 'blob': this is not base64")]
    [InlineData("{\"took\": \"5\"}", "x.json(1): 'took': '5' is no duration: a number of seconds, at most 315576000000, with an s behind it")]
    [InlineData("{\"at\": \"yesterday\"}", "x.json(1): 'at': 'yesterday' is no time from year 1 to 9999 in the form of RFC 3339")]
    [InlineData("{\"tags\": [],\n\"tags\": [\"a\"]}", "x.json(2): 'tags' is given twice")]
    [InlineData("{\"orderId\": \"a\", \"order_id\": null}", "x.json(1): 'order_id' is given twice")]
    [InlineData("{\"totals\": {\"a\": 1, \"b\": 1, \"\\u0061\": 2}}", "x.json(1): 'totals': the key '\\u0061' is given twice")]
    [InlineData("{\"extra\": {\"a\": 1, \"a\": 2}}", "x.json(1): 'extra': the key 'a' is given twice")]
    [InlineData("{\"any\": {\"@type\": \"t/acme.Item\", \"sku\": \"\",\n\"@type\": \"t/acme.Item\"}}", "x.json(2): 'any': '@type' is given twice")]
    [InlineData("{\"any\": {\"@type\": \"t/acme.Item\",\n\"count\": \"x\"}}",
    "x.json(2): 'any.count': 'x' is no number")]
    [InlineData("{\"any\": {\"sku\": \"s\"}}", "x.json(1): 'any': an Any has its type in '@type'")]
    [InlineData("{\"any\": {\"@type\": \"t/none\"}}", "x.json(1): 'any.@type': the type 't/none' is not known")]
    [InlineData("{\"any\": {\"@type\": \"t/a\\nb\"}}", "x.json(1): 'any.@type': the type 't/a\\nb' is not known")]
    [InlineData("{\"any\": {\"@type\": \"t/google.protobuf.Duration\"}}",
    "x.json(1): 'any': an Any of google.protobuf.Duration has its content in 'value'")]
    [InlineData("{\"any\": {\"@type\": \"t/google.protobuf.Duration\", \"value\": \"1s\", \"sku\": 1}}",
    "x.json(1): 'any': an Any of google.protobuf.Duration has no member 'sku'")]
    [InlineData("{\"totals\": {\"a\": null}}", "x.json(1): 'totals.a': null is no value of a map")]
    [InlineData("{\"colors\": [null]}", "x.json(1): 'colors[0]': null is no element of a repeated field")]
    [InlineData("{\"took\": \"a\\nb\"}", "x.json(1): 'took': 'a\\nb' is no duration: a number")]
    [InlineData("{\"orderId\": \"a\",\n", "x.json(1): ")]
    [InlineData("{\"orderId\": \"a\",\r\n\"deltas\": [\n  \n", "x.json(2): ")]
    [InlineData("{\"price\": \"\\n\"}", "x.json(1): 'price': '\\n' is no number")]
    [InlineData("{\"gift\": tru\n}", "x.json(1): 'gift': true or false is expected")]
    [InlineData("{\"count\n", "x.json(1): ")]
    [InlineData("[]", "x.json(1): acme.Order is an object")]
    [InlineData("{} {}", "x.json(1): ")]
    [InlineData("", "x.json(1): ")]
    public void An_error_has_the_file_the_line_and_the_field(string json, string message)
    {
        var refused = Assert.Throws<SchemaException>(() => JsonPayload.Encode(schema.Order, Encoding.UTF8.GetBytes(json), "x.json"));
        Assert.StartsWith(message, refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("""{"nope": [1, {"a": "b"}], "orderId": "a", "none": null}""", """order_id: "a" """)]
    [InlineData("""{"items": [{"nope": 1, "sku": "s"}], "byFlag": {"true": {"nope": {}}}}""", """items { sku: "s" } by_flag { key: true value {} }""")]
    [InlineData("""{"any": {"nope": 1, "@type": "t/acme.Item", "sku": "s"}}""", """any { [t/acme.Item] { sku: "s" } }""")]
    [InlineData("""{"color": "GREEN", "colors": ["GREEN", "COLOR_RED"]}""", "colors: [COLOR_RED]")]
    public async Task Unknown_fields_are_left_out_if_they_are_allowed(string json, string text)
    {
        var bytes = Encoding.UTF8.GetBytes(json);
        var expected = await schema.ByProtocAsync(text);
        Assert.Equal(expected, JsonPayload.Encode(schema.Order, bytes, "x.json", allowsUnknown: true));
        Assert.Equal([expected, expected], JsonPayload.EncodeLines(schema.Order, [.. bytes, (byte)'\n', .. bytes], "x.json", allowsUnknown: true));
        Assert.Equal([expected, expected], new DataTemplate($"[{json}, {json}]", "x.json", 1).Make(schema.Order, 0, allowsUnknown: true));
        Assert.Matches(@"^x\.json\(1\): .* has no (field 'nope'|value 'GREEN')$",
            Assert.Throws<SchemaException>(() => JsonPayload.Encode(schema.Order, bytes, "x.json")).Message);
    }

    /// <summary>What follows an unknown name has to be JSON, and other faults stay faults.</summary>
    [Theory]
    [InlineData("{\n\"nope\": [1,]}", "x.json(2): 'nope[1]': a value is expected")]
    [InlineData("{\"nope\": 1,\n\"orderId\": 5}", "x.json(2): 'orderId': a string is expected")]
    [InlineData("{\"any\": {\"@type\": \"t/none\"}}", "x.json(1): 'any.@type': the type 't/none' is not known")]
    public void Other_faults_are_refused_beside_unknown_fields(string json, string message) => Assert.Equal(message,
        Assert.Throws<SchemaException>(() => JsonPayload.Encode(schema.Order, Encoding.UTF8.GetBytes(json), "x.json", allowsUnknown: true)).Message);

    [Fact]
    public void The_types_of_Any_are_found_in_any_text()
    {
        Assert.Equal(["acme.Item", "a.B", "C", "D"], JsonPayload.AnyTypes("""
            {"any": {"@type" : "type.googleapis.com/acme.Item", "x": [{"@type":"https:\/\/é.example\/a.B"}, {"@type": "C"}, {"@type": "t/acme.Item"}]}}
            {"any": {"@type": "{{randomString 3}}/D", "y": {"@type": "t/acme.{{.UUID}}", "@type": 5, "note": "\"@type\": \"t/No\""
            """u8));
    }

    /// <summary>A string of JSON must be Unicode (RFC 8259, section 8.1; half of a surrogate pair is no character).</summary>
    [Theory]
    [InlineData("""{"orderId": "\udca0"}""")]
    [InlineData("""{"blob": "\ud800"}""")]
    [InlineData("""{"color": "\udca0"}""")]
    [InlineData("""{"price": "\udca0"}""")]
    [InlineData("""{"gift": "\udca0"}""")]
    [InlineData("""{"\udca0": 1}""")]
    [InlineData("""{"totals": {"\ud800\ud800": 1}}""")]
    [InlineData("""{"byFlag": {"\ud800": {}}}""")]
    [InlineData("""{"at": "\udca0"}""")]
    [InlineData("""{"mask": "\udca0"}""")]
    [InlineData("""{"note": "\udca0"}""")]
    [InlineData("""{"value": "\udca0"}""")]
    [InlineData("""{"extra": {"\udca0": 1}}""")]
    [InlineData("""{"any": {"\udca0": 1, "@type": "t/acme.Item"}}""")]
    [InlineData("""{"any": {"@type": "\udca0"}}""")]
    [InlineData("""{"any": {"@type": "t/acme.Item", "sku": "\udca0"}}""")]
    public void A_string_that_is_not_Unicode_is_refused(string json)
    {
        var bytes = Encoding.UTF8.GetBytes(json);
        foreach (var text in new[] { bytes, [.. bytes.Select(one => one == (byte)'u' ? (byte)0xFF : one)] })
        {
            var refused = Assert.Throws<SchemaException>(() => JsonPayload.Encode(schema.Order, text, "x.json"));
            Assert.StartsWith("x.json(1): ", refused.Message, StringComparison.Ordinal);
        }
    }

    /// <summary>A server sends files in any order, under any name, and without the files of options.</summary>
    [Fact]
    public void The_files_of_a_server_need_no_order_and_no_options()
    {
        var set = new FileDescriptorSet { File = { schema.Schema.Files.Reverse().Select(file => file.Clone()) } };
        foreach (var file in set.File) file.Name = "other/" + file.Name;
        set.File[0].Dependency.Add("acme/options.proto");
        set.File[0].Extension.Add(new FieldDescriptorProto
        {
            Name = "secret",
            Number = 50_000,
            Extendee = ".google.protobuf.FieldOptions",
            Type = FieldType.Bool,
            Label = FieldDescriptorProto.Types.Label.Optional,
        });
        var json = """{"orderId": "a", "items": [{"sku": "x"}], "at": "1970-01-01T00:00:01Z", "any": {"@type": "t/acme.Item", "sku": "s"}}"""u8;
        Assert.Equal(JsonPayload.Encode(schema.Order, json, "x.json"),
            JsonPayload.Encode(ProtoSchema.Of(set, "a server").Message("acme.Order"), json, "x.json"));
    }

    /// <summary>protoc says which of the fields are groups, and which lists are packed.</summary>
    [Fact]
    public async Task The_features_of_an_edition_decide_the_bytes()
    {
        using var folder = new TempFolder();
        await File.WriteAllTextAsync(folder.File("features.proto"), """
            edition = "2023";
            package acme;
            option features.message_encoding = DELIMITED;
            option features.repeated_field_encoding = EXPANDED;
            message Node {
              int32 a = 1;
              Node n = 2;
              repeated Node list = 3;
              Node prefixed = 4 [features.message_encoding = LENGTH_PREFIXED];
              map<string, Node> map = 5;
              repeated int32 expanded = 6;
              repeated int32 packed = 7 [features.repeated_field_encoding = PACKED];
            }
            """, TestContext.Current.CancellationToken);
        var features = await ProtoSchema.LoadAsync([folder.File("features.proto")], [], TestContext.Current.CancellationToken);
        var node = features.Message("acme.Node");
        var expected = await TextPayload.EncodeAsync(features, node, Encoding.UTF8.GetBytes("""
            n { a: 5 } list { a: 6 } list {} prefixed { n { a: 7 } } map { key: "k" value { a: 8 } } expanded: [1, 2] packed: [3, 4]
            """), "text", TestContext.Current.CancellationToken);
        Assert.Equal(expected, JsonPayload.Encode(node, """
            {"n": {"a": 5}, "list": [{"a": 6}, {}], "prefixed": {"n": {"a": 7}}, "map": {"k": {"a": 8}}, "expanded": [1, 2], "packed": [3, 4]}
            """u8, "x.json"));
        Assert.Equal(new byte[] { 0x13, 0x08, 0x05, 0x14 }, JsonPayload.Encode(node, """{"n": {"a": 5}}"""u8, "x.json"));
        var walk = WireWalk.Of(node, expected);
        Assert.Null(walk.Error);
        Assert.Empty(walk.Unknown);
        Assert.Equal("n.a, byte 2: the bytes end inside a number", WireWalk.Of(node, [0x13, 0x0D, 1]).Error);
        for (var seed = 1; seed <= 20; seed++)
            Assert.True(WireWalk.Of(node, new SyntheticMessages(node, new() { Seed = seed }).Next()) is { Error: null, Unknown.Count: 0 }, $"seed {seed}");
    }

    [Fact]
    public async Task What_Googles_formatter_writes_is_read_back()
    {
        var zoo = await ProtoSchema.LoadAsync([Path.Combine(TestSchema.Protos, "zoo.proto")], [], TestContext.Current.CancellationToken);
        var type = zoo.Message("ZooPkg.Zoo");
        for (var seed = 1; seed <= 200; seed++)
        {
            var message = Zoo.Parser.ParseFrom(new SyntheticMessages(type, new() { Seed = seed }).Next());
            var json = JsonFormatter.Default.Format(message);
            var read = Zoo.Parser.ParseFrom(JsonPayload.Encode(type, Encoding.UTF8.GetBytes(json), "zoo.json"));
            Assert.True(message.Equals(read), $"seed {seed}: {json}");
        }
    }

    /// <summary>Both ends of every range, and one beyond: with the value that Google's parser accepts, or refused as there.</summary>
    [Fact]
    public async Task Each_number_type_has_its_range()
    {
        var zoo = await ProtoSchema.LoadAsync([Path.Combine(TestSchema.Protos, "zoo.proto")], [], TestContext.Current.CancellationToken);
        var type = zoo.Message("ZooPkg.Scalars");
        string[] numbers =
        [
            "0", "-1", "1", "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296", "9223372036854775807",
            "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        ];
        var fields = type.Fields.Where(field => field.Type is not (FieldType.String or FieldType.Bytes or FieldType.Enum))
            .Select(field => field.JsonName).ToList();
        var accepted = 0;
        foreach (var json in from field in fields from number in numbers select $"{{\"{field}\": \"{number}\"}}")
        {
            var expected = Parsed(() => JsonParser.Default.Parse<Scalars>(json));
            var actual = Parsed(() => Scalars.Parser.ParseFrom(JsonPayload.Encode(type, Encoding.UTF8.GetBytes(json), "zoo.json")));
            Assert.True(Equals(expected, actual), $"{json}: {expected?.ToString() ?? "refused"}, and {actual?.ToString() ?? "refused"} here");
            if (expected is not null) accepted++;
        }

        Assert.InRange(accepted, fields.Count, fields.Count * numbers.Length / 4 * 3);
    }

    static Scalars? Parsed(Func<Scalars> parse)
    {
        try
        {
            return parse();
        }
        catch (Exception e) when (e is SchemaException or InvalidProtocolBufferException)
        {
            return null;
        }
    }

    /// <summary>The deepest message that is accepted is the deepest that Google's parser reads.</summary>
    [Fact]
    public async Task The_limit_of_nesting_is_that_of_Googles_parser()
    {
        var zoo = await ProtoSchema.LoadAsync([Path.Combine(TestSchema.Protos, "zoo.proto")], [], TestContext.Current.CancellationToken);
        AssertDeepest(zoo.Message("ZooPkg.Animal"), new Animal { Name = "a" }, animal => new() { Mother = animal });
        var value = schema.Schema.Message("google.protobuf.Value");
        AssertDeepest(value, Value.ForString("a"), inner => Value.ForStruct(new() { Fields = { ["b"] = inner } }));
        AssertDeepest(value, Value.ForString("a"), inner => Value.ForList(inner));
    }

    static void AssertDeepest<T>(MessageType type, T message, Func<T, T> wrap)
        where T : IMessage<T>, new()
    {
        var parser = new MessageParser<T>(() => new T());
        for (var (level, isRead) = (0, true); isRead; level++, message = wrap(message))
        {
            Assert.InRange(level, 0, 200);
            try
            {
                parser.ParseFrom(message.ToByteArray());
            }
            catch (InvalidProtocolBufferException)
            {
                isRead = false;
            }

            var json = Encoding.UTF8.GetBytes(JsonFormatter.Default.Format(message));
            if (isRead)
                Assert.Equal(message.ToByteArray(), JsonPayload.Encode(type, json, "deep.json"));
            else
                Assert.EndsWith("messages are nested more than 100 deep",
                    Assert.Throws<SchemaException>(() => JsonPayload.Encode(type, json, "deep.json")).Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Nesting_beyond_the_limit_is_refused_and_does_not_end_the_process()
    {
        var json = "{\"items\":[" + string.Concat(Enumerable.Repeat("{\"child\":", 5_000)) + "{}" + new string('}', 5_000) + "]}";
        Assert.Throws<SchemaException>(() => JsonPayload.Encode(schema.Order, Encoding.UTF8.GetBytes(json), "deep.json"));
    }
}
