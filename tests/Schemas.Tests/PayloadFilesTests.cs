using Google.Protobuf;

namespace ProtoBench.Schemas.Tests;

public class PayloadFilesTests(TestSchema schema) : IClassFixture<TestSchema>
{
    static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Each_form_gives_the_same_message()
    {
        using var folder = new TempFolder();
        var bytes = await schema.ByProtocAsync("""order_id: "one" deltas: [1, 2]""");
        await File.WriteAllBytesAsync(folder.File("a.bin"), bytes, Stop);
        await File.WriteAllTextAsync(folder.File("b.json"), """{"orderId": "one", "deltas": [1, 2]}""", Stop);
        await File.WriteAllTextAsync(folder.File("c.jsonl"),
            "{\"orderId\": \"one\", \"deltas\": [1, 2]}\n\n{\"orderId\": \"one\", \"deltas\": [1, 2]}\n", Stop);
        await File.WriteAllTextAsync(folder.File("d.txtpb"), "order_id: \"one\"\ndeltas: [1, 2]\n", Stop);
        var stream = new MemoryStream();
        foreach (var _ in Enumerable.Range(0, 2))
        {
            using var output = new CodedOutputStream(stream, leaveOpen: true);
            output.WriteBytes(ByteString.CopyFrom(bytes));
        }

        await File.WriteAllBytesAsync(folder.File("e.delimited"), stream.ToArray(), Stop);
        var payloads = await PayloadFiles.ReadAsync(schema.Schema, schema.Order, [folder.Path], Assert.Fail, stop: Stop);
        Assert.Equal(["a.bin", "b.json", "c.jsonl#0", "c.jsonl#1", "d.txtpb", "e.delimited#0", "e.delimited#1"],
            payloads.Select(payload => payload.Name));
        Assert.All(payloads, payload => Assert.Equal(bytes, payload.Bytes.ToArray()));
    }

    [Theory]
    [InlineData("bad.bin", new byte[] { 10, 5, 65 },
    "bad.bin: not a acme.Order: order_id, byte 1: the length goes beyond the end of the message")]
    [InlineData("utf8.bin", new byte[] { 10, 1, 0xFF }, "utf8.bin: not a acme.Order: order_id, byte 2: the string is not UTF-8; the payload may be another message")]
    [InlineData("inner.bin", new byte[] { 18, 3, 10, 9, 65 },
    "inner.bin: not a acme.Order: items.sku, byte 3: the length goes beyond the end of the message")]
    [InlineData("other.bin", new byte[] { 8, 150, 1, 218, 12, 5, 104, 101, 108, 108, 111, 32, 7 },
    "other.bin: not a acme.Order: it has none of these fields: order_id with wire type 0, (field 203), by_flag with wire type 0")]
    [InlineData("tag.bin", new byte[] { 0 }, "tag.bin: not a acme.Order: byte 0: there is no valid tag")]
    [InlineData("cut.delimited", new byte[] { 3, 10, 1 }, "cut.delimited: message 0 at byte 0 has 3 bytes, but only 2 follow")]
    public async Task A_payload_that_is_no_such_message_is_refused_with_the_field_and_the_offset(string name, byte[] bytes, string message)
    {
        using var folder = new TempFolder();
        await File.WriteAllBytesAsync(folder.File(name), bytes, Stop);
        var refused = await Assert.ThrowsAsync<SchemaException>(() =>
            PayloadFiles.ReadAsync(schema.Schema, schema.Order, [folder.Path], Assert.Fail, stop: Stop));
        Assert.EndsWith(message, refused.Message, StringComparison.Ordinal);
    }

    // packed numbers and those that are not are both known
    [Fact]
    public async Task Unknown_fields_and_empty_payloads_are_said()
    {
        using var folder = new TempFolder();
        await File.WriteAllBytesAsync(folder.File("a.bin"), [10, 1, 65, 40, 2, 42, 1, 2, 18, 2, 80, 1], Stop);
        await File.WriteAllBytesAsync(folder.File("b.bin"), [], Stop);
        await File.WriteAllBytesAsync(folder.File("c.bin"), [10, 1, 65], Stop);
        var said = new List<string>();
        Assert.Equal(3, (await PayloadFiles.ReadAsync(schema.Schema, schema.Order, [folder.Path], said.Add, stop: Stop)).Count);
        Assert.Equal(
            [$"1 of 3 payloads have fields that acme.Order does not have, such as items.(field 10) in {folder.File("a.bin")}",
                "1 of 3 payloads are empty, which is a message without fields: b.bin"], said);
    }

    // the empty payload is any message
    [Fact]
    public async Task Payloads_that_all_have_unknown_fields_are_refused()
    {
        using var folder = new TempFolder();
        await File.WriteAllBytesAsync(folder.File("a.bin"), [10, 1, 65, 18, 2, 80, 1], Stop);
        await File.WriteAllBytesAsync(folder.File("b.bin"), [], Stop);
        var reason = $"fields that acme.Order does not have, such as items.(field 10) in {folder.File("a.bin")}; they may be another message, "
            + "or of a newer schema";
        Assert.Equal("the payload has " + reason, await RefusedAsync());
        await File.WriteAllBytesAsync(folder.File("c.bin"), [10, 1, 65, 218, 12, 0], Stop);
        Assert.Equal("each of 2 payloads has " + reason, await RefusedAsync());

        async Task<string> RefusedAsync() => (await Assert.ThrowsAsync<SchemaException>(() =>
            PayloadFiles.ReadAsync(schema.Schema, schema.Order, [folder.Path], Assert.Fail, stop: Stop))).Message;
    }

    [Fact]
    public async Task Text_that_does_not_fit_is_refused_with_its_line()
    {
        using var folder = new TempFolder();
        await File.WriteAllTextAsync(folder.File("x.txtpb"), "order_id: \"one\"\nprize: 5\n", Stop);
        var refused = await Assert.ThrowsAsync<SchemaException>(() =>
            PayloadFiles.ReadAsync(schema.Schema, schema.Order, [folder.Path], Assert.Fail, stop: Stop));
        Assert.Contains("x.txtpb(2): ", refused.Message, StringComparison.Ordinal);
        Assert.Contains("prize", refused.Message, StringComparison.Ordinal);
    }

    // A line that ends early is not continued by the next one.
    [Fact]
    public async Task Each_line_is_a_message_and_an_error_has_its_line()
    {
        using var folder = new TempFolder();
        await File.WriteAllTextAsync(folder.File("x.jsonl"), "{\"orderId\": \"a\"}\r\n\n{\"orderId\": \"b\"\n{\"orderId\": \"c\"}\n", Stop);
        var refused = await Assert.ThrowsAsync<SchemaException>(() =>
            PayloadFiles.ReadAsync(schema.Schema, schema.Order, [folder.Path], Assert.Fail, stop: Stop));
        Assert.Contains("x.jsonl(3): ", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Unknown_fields_of_JSON_are_left_out_if_they_are_allowed()
    {
        using var folder = new TempFolder();
        await File.WriteAllTextAsync(folder.File("a.json"), """{"nope": 1, "orderId": "a"}""", Stop);
        await File.WriteAllTextAsync(folder.File("b.jsonl"), "{\"orderId\": \"a\"}\n{\"nope\": 1, \"orderId\": \"a\"}", Stop);
        var payloads = await PayloadFiles.ReadAsync(schema.Schema, schema.Order, [folder.Path], Assert.Fail, allowsUnknown: true, Stop);
        Assert.Equal(3, payloads.Count);
        Assert.All(payloads, payload => Assert.Equal(new byte[] { 10, 1, 97 }, payload.Bytes.ToArray()));
        Assert.Equal($"{folder.File("b.jsonl")}(2): acme.Order has no field 'nope'", (await Assert.ThrowsAsync<SchemaException>(() =>
            PayloadFiles.ReadAsync(schema.Schema, schema.Order, [folder.File("b.jsonl")], Assert.Fail, stop: Stop))).Message);
    }

    [Fact]
    public async Task The_types_of_Any_are_those_of_all_files_of_JSON()
    {
        using var folder = new TempFolder();
        await File.WriteAllTextAsync(folder.File("a.json"), """{"any": {"@type": "t/acme.Item"}}""", Stop);
        await File.WriteAllTextAsync(folder.File("b.jsonl"), "{}\n{\"any\": {\"@type\": \"t/acme.Other\"}}\n{\"any\": {\"@type\": \"t/acme.Item\"}}", Stop);
        await File.WriteAllTextAsync(folder.File("c.bin"), """{"any": {"@type": "t/acme.Not"}}""", Stop);
        Assert.Equal(["acme.Item", "acme.Other"], await PayloadFiles.AnyTypesAsync([folder.Path], Stop));
        Assert.Equal($"{folder.File("none")}: there is no such file or folder", (await Assert.ThrowsAsync<SchemaException>(() =>
            PayloadFiles.AnyTypesAsync([folder.File("none")], Stop))).Message);
    }

    [Theory]
    [InlineData("a.jsonl")]
    [InlineData("a.delimited")]
    public async Task A_file_without_a_message_is_refused(string name)
    {
        using var folder = new TempFolder();
        await File.WriteAllBytesAsync(folder.File(name), [], Stop);
        Assert.Equal($"{folder.Path}: there is no message", (await Assert.ThrowsAsync<SchemaException>(() =>
            PayloadFiles.ReadAsync(schema.Schema, schema.Order, [folder.Path], Assert.Fail, stop: Stop))).Message);
        if (name == "a.delimited")
            await Assert.ThrowsAsync<SchemaException>(() => PayloadFiles.ReadBytesAsync([folder.Path], Stop));
    }

    [Fact]
    public async Task A_path_that_is_not_there_and_an_empty_folder_are_refused()
    {
        using var folder = new TempFolder();
        Assert.Contains("no such file",
            (await Assert.ThrowsAsync<SchemaException>(() =>
                PayloadFiles.ReadAsync(schema.Schema, schema.Order, [folder.File("none")], Assert.Fail, stop: Stop))).Message, StringComparison.Ordinal);
        Assert.Contains("no files",
            (await Assert.ThrowsAsync<SchemaException>(() =>
                PayloadFiles.ReadAsync(schema.Schema, schema.Order, [folder.Path], Assert.Fail, stop: Stop))).Message,
            StringComparison.Ordinal);
    }
}
