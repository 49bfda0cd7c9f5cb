namespace ProtoBench.Schemas.Tests;

public class DataTemplateTests(TestSchema schema) : IClassFixture<TestSchema>
{
    [Theory]
    [InlineData("""{"orderId": "a"} {"orderId": "b"}""")]
    [InlineData("{\"orderId\": \"a\"}\n\n{\"order_id\": \"b\"}\n")]
    [InlineData("""[{"orderId": "a"}, {"orderId": "b"}]""")]
    public async Task A_text_has_its_messages(string text)
    {
        byte[][] expected = [await schema.ByProtocAsync("""order_id: "a" """), await schema.ByProtocAsync("""order_id: "b" """)];
        var template = new DataTemplate(text, "--data", 1);
        Assert.True(template.IsConstant);
        Assert.Equal(expected, template.Make(schema.Order, 0));
    }

    [Fact]
    public async Task Values_differ_from_call_to_call()
    {
        var template = new DataTemplate("""{"orderId": "{{.RequestNumber}}", "deltas": [{{ randomInt -3 4 }}]}""", "--data", 1);
        Assert.False(template.IsConstant);
        HashSet<int> drawn = [];
        for (var number = 0; number < 40; number++)
        {
            var message = Assert.Single(template.Make(schema.Order, number));
            // protoc writes zigzag deltas of one byte at the end
            var delta = (message[^1] >> 1) ^ -(message[^1] & 1);
            Assert.Equal(await schema.ByProtocAsync($"order_id: \"{number}\" deltas: {delta}"), message);
            drawn.Add(delta);
            if (number == 2)
                Assert.Equal(message, new DataTemplate("""{"orderId": "2", "deltas": [D]}""".Replace("D", $"{delta}"), "", 1).Make(schema.Order, 0)[0]);
        }

        Assert.Equal([-3, -2, -1, 0, 1, 2, 3], drawn.Order());
    }

    [Theory]
    [InlineData("{{.UUID}}", "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")]
    [InlineData("{{newUUID}}", "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")]
    [InlineData("{{randomString 12}}", "^[a-zA-Z0-9]{12}$")]
    [InlineData("{{.Timestamp}}", @"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$")]
    [InlineData("{{.TimestampUnix}}", @"^\d{10}$")]
    [InlineData("{{.TimestampUnixMilli}}", @"^\d{13}$")]
    [InlineData("{{.TimestampUnixNano}}", @"^\d{19}$")]
    public void A_value_has_its_form(string value, string form)
    {
        var made = new DataTemplate("{\"orderId\": \"" + value + "\"}", "--data", 1).Make(schema.Order, 0)[0];
        Assert.Matches(form, System.Text.Encoding.UTF8.GetString(made[2..]));
    }

    [Fact]
    public void A_value_of_the_call_is_known_before_the_load()
    {
        var template = new DataTemplate("{{.WorkerID}} {{.MethodName}} {{.ServiceName}} {{.FullyQualifiedName}}", "--metadata", 1, "acme.v1.Orders/Place", 4);
        Assert.Equal(["2 Place Orders acme.v1.Orders.Place", "3 Place Orders acme.v1.Orders.Place", "0 Place Orders acme.v1.Orders.Place"],
            new[] { 2, 3, 4L }.Select(template.Text));
    }

    [Fact]
    public void A_seed_repeats_the_values()
    {
        Assert.Equal(Draw(1), Draw(1));
        Assert.NotEqual(Draw(1), Draw(2));

        byte[] Draw(int seed) => new DataTemplate("""{"orderId": "{{randomString 20}}{{.UUID}}"}""", "", seed).Make(schema.Order, 0)[0];
    }

    [Theory]
    [InlineData("{\n\"orderId\": \"{{.Number}}\"}", "--data(2): {{.Number}} is none of {{.RequestNumber}}, ")]
    [InlineData("{{randomInt 5 5}}", "--data(1): {{randomInt 5 5}} is none of ")]
    [InlineData("{\n\"orderID\": 1}", "--data(2): acme.Order has no field 'orderID'")]
    [InlineData("{}\n{\n\"deltas\": [\"{{.UUID}}\"]}", "--data(3): 'deltas[0]': ")]
    [InlineData("{}\n{\"deltas\": [1}", "--data(2): ")]
    public void What_does_not_fit_is_refused_with_its_line(string text, string message) => Assert.StartsWith(message,
        Assert.Throws<SchemaException>(() => new DataTemplate(text, "--data", 1).Make(schema.Order, 0)).Message, StringComparison.Ordinal);
}
