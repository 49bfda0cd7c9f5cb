using Google.Protobuf;
using ProtoBench.Gpb;

namespace ProtoBench.Harness.Tests;

public class AgreementTests
{
    static readonly ComparedLibrary google =
        new("Google", "Google.Protobuf", bytes => ForwardRequest.Parser.ParseFrom(bytes).ToByteArray());
    static readonly ForwardRequest request =
        new() { TraceId = "t", ItemRequests = { new ForwardPerItemRequest { ItemId = "1" }, new ForwardPerItemRequest { ItemId = "2" } } };

    [Fact]
    public void Libraries_that_write_what_they_read_agree() => Assert.Null(FirstDisagreement(google));

    [Fact]
    public void A_field_that_is_lost_is_named_with_the_payload_the_library_and_the_offset()
    {
        var lossy = new ComparedLibrary("Lossy", "Lossy 1.0", bytes =>
        {
            var message = ForwardRequest.Parser.ParseFrom(bytes);
            message.ItemRequests[1].ItemId = "";
            return message.ToByteArray();
        });
        Assert.Equal(
            "one.bin: Lossy 1.0 writes another message: itemRequests[1].itemId; the bytes differ from offset 9 on (10 written, "
                + "Google.Protobuf writes 13)", FirstDisagreement(google, lossy));
    }

    [Fact]
    public void A_missing_element_is_named()
    {
        var lossy = new ComparedLibrary("Lossy", "Lossy 1.0", bytes =>
        {
            var message = ForwardRequest.Parser.ParseFrom(bytes);
            message.ItemRequests.RemoveAt(1);
            return message.ToByteArray();
        });
        Assert.Contains("itemRequests (2 and 1 elements)", FirstDisagreement(lossy), StringComparison.Ordinal);
    }

    [Fact]
    public void A_library_that_throws_is_named()
    {
        var broken = new ComparedLibrary("Broken", "Broken 2.0", _ => throw new NotSupportedException("no maps"));
        Assert.Equal("one.bin: Broken 2.0 fails: no maps", FirstDisagreement(broken));
    }

    [Fact]
    public void A_format_of_the_library_is_converted_before_and_after()
    {
        var own = new ComparedLibrary("Own", "Own 1.0", bytes => bytes[0] == 99 ? bytes : throw new FormatException("not own"))
        {
            FromPayload = bytes => [99, .. bytes],
            ToPayload = bytes => bytes[1..],
        };
        Assert.Null(FirstDisagreement(own));
        Assert.StartsWith("one.bin: Own 1.0 fails: ", FirstDisagreement(own with { FromPayload = null }), StringComparison.Ordinal);
        Assert.StartsWith("one.bin: Own 1.0 fails: ", FirstDisagreement(own with { ToPayload = null }), StringComparison.Ordinal);
    }

    [Fact]
    public void Other_work_has_to_give_what_the_first_library_gives()
    {
        static byte[] Named(string name) => new ForwardRequest { TraceId = name }.ToByteArray();
        var reference = google with { Works = new Dictionary<string, Func<byte[], byte[]>> { ["Make"] = _ => Named("made") } };
        var other = google with { Works = new Dictionary<string, Func<byte[], byte[]>> { ["Make"] = _ => Named("other") } };
        Assert.Null(Agreed(Payloads, reference).FirstDisagreement([reference]));
        Assert.StartsWith("one.bin: Google.Protobuf (Make) writes another message: traceId; ",
            Agreed(Payloads, reference).FirstDisagreement([other]), StringComparison.Ordinal);
    }

    [Fact]
    public void Work_that_the_first_library_cannot_do_is_named_with_its_reason()
    {
        var reference = google with
        {
            Works = new Dictionary<string, Func<byte[], byte[]>> { ["Make"] = _ => throw new FormatException("no values") },
        };
        Assert.Equal("one.bin: Google.Protobuf (Make) fails: no values", Agreed(Payloads, reference).FirstDisagreement([reference]));
    }

    [Fact]
    public void What_the_first_library_writes_is_computed_once()
    {
        var calls = 0;
        var reference = google with
        {
            Works = new Dictionary<string, Func<byte[], byte[]>> { ["Make"] = bytes => { calls++; return bytes; } },
        };
        var other = google with { Name = "Other", IsOptional = true };
        Agreed(Payloads, reference).Split([other, other, other]);
        Assert.Equal(1, calls);
    }

    // null, an empty text and an empty list are one value
    [Theory]
    [InlineData("""{ "a": 1, "b": null, "c": [] }""", """{ "a": 1.0, "b": "", "d": {} }""", null)]
    [InlineData("""{ "a": [ { "b": 1 }, { "b": 2 } ] }""", """{ "a": [ { "b": 1 }, { "b": 3 } ] }""", "a[1].b")]
    [InlineData("""{ "a": [ 1, 2 ] }""", """{ "a": [ 1 ] }""", "a (2 and 1 elements)")]
    [InlineData("""{ "a": "x" }""", """{ "a": 7 }""", "a")]
    [InlineData("""{ "a": 1 }""", """{ }""", "a")]
    [InlineData("""{ }""", """{ "b": true }""", "b")]
    public void Objects_in_JSON_are_compared_by_their_members(string expected, string written, string? path)
    {
        var library = new ComparedLibrary("Json", "System.Text.Json 10.0", _ => System.Text.Encoding.UTF8.GetBytes(written));
        var set = new PayloadSet([new("a.json", System.Text.Encoding.UTF8.GetBytes(expected))]);
        var said = new Agreement(PayloadFormat.Json("Acme.A"), set, library).FirstDisagreement([library]);
        if (path is null)
            Assert.Null(said);
        else
            Assert.StartsWith($"a.json: System.Text.Json 10.0 writes another message: {path}; the bytes differ", said, StringComparison.Ordinal);
    }

    [Fact]
    public void A_payload_that_is_no_message_is_named()
    {
        var set = new PayloadSet([new("cut.bin", new byte[] { 10, 5 })]);
        Assert.StartsWith("cut.bin: Google.Protobuf cannot read it: ", Agreed(set, google).FirstDisagreement([google]),
            StringComparison.Ordinal);
    }

    [Fact]
    public void An_optional_library_that_does_not_agree_is_left_out_with_the_payload_and_the_field()
    {
        var lossy = new ComparedLibrary("Lossy", "Lossy 1.0", bytes => new ForwardRequest().ToByteArray()) { IsOptional = true };
        var other = google with { Name = "Other", IsOptional = true };
        var (measured, leftOut) = Agreed(Payloads, google).Split([google, lossy, other]);
        Assert.Equal([google, other], measured);
        Assert.StartsWith("one.bin: Lossy 1.0 writes another message: traceId; the bytes differ from offset 0 on", Assert.Single(leftOut),
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_library_that_is_not_optional_is_never_left_out()
    {
        var lossy = new ComparedLibrary("Lossy", "Lossy 1.0", _ => []);
        Assert.Equal([google, lossy], Agreed(Payloads, google).Split([google, lossy]).Measured);
    }

    static PayloadSet Payloads => new([new("one.bin", request.ToByteArray())]);

    static string? FirstDisagreement(params ComparedLibrary[] libraries) =>
        Agreed(Payloads, google).FirstDisagreement(libraries);

    static Agreement Agreed(PayloadSet payloads, ComparedLibrary reference) =>
        new(PayloadFormat.Protobuf(ForwardRequest.Parser), payloads, reference);
}
