using System.Text;
using Google.Protobuf;
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
    public async Task JSON_becomes_the_bytes_that_protoc_makes_of_the_same_text(string json, string text)
    {
        var expected = await schema.ByProtocAsync(text);
        Assert.Equal(expected, JsonPayload.Encode(schema.Order, Encoding.UTF8.GetBytes(json), "x.json"));
    }

    [Theory]
    [InlineData("{\n  \"orderId\": 5\n}", "x.json(2): 'orderId': a string is expected here")]
    [InlineData("{\n\n  \"colour\": 5\n}", "x.json(3): acme.Order has no field 'colour'")]
    [InlineData("{\n  \"items\": [{}, {\n \"count\": 3000000000}]}",
    "x.json(3): 'items.count': 3000000000 is no integer from -2147483648 to 2147483647")]
    [InlineData("{\"color\": \"GREEN\"}", "x.json(1): 'color': Color has no value GREEN")]
    [InlineData("{\"card\": \"a\",\n\"account\": 1}", "x.json(2): 'account' and 'card' are of the same oneof")]
    [InlineData("{\"items\": {}}", "x.json(1): 'items': a repeated field is an array in JSON")]
    [InlineData("{\"blob\": \"?\"}", "x.json(1): 'blob': bytes are base64 in JSON")]
    [InlineData("{\"took\": \"5\"}", "x.json(1): 'took': '5' is no duration: seconds with an s behind them")]
    [InlineData("{\"at\": \"yesterday\"}", "x.json(1): 'at': 'yesterday' is no time in the form of RFC 3339")]
    [InlineData("{\"count\n", "x.json(1): ")]
    [InlineData("[]", "x.json(1): acme.Order is an object in JSON")]
    [InlineData("{} {}", "x.json(1): ")]
    [InlineData("", "x.json(1): ")]
    public void An_error_has_the_file_the_line_and_the_field(string json, string message)
    {
        var refused = Assert.Throws<SchemaException>(() => JsonPayload.Encode(schema.Order, Encoding.UTF8.GetBytes(json), "x.json"));
        Assert.StartsWith(message, refused.Message, StringComparison.Ordinal);
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

    [Fact]
    public void Nesting_beyond_the_limit_is_refused_and_does_not_end_the_process()
    {
        var json = "{\"items\":[" + string.Concat(Enumerable.Repeat("{\"child\":", 5_000)) + "{}" + new string('}', 5_000) + "]}";
        Assert.Throws<SchemaException>(() => JsonPayload.Encode(schema.Order, Encoding.UTF8.GetBytes(json), "deep.json"));
    }
}
