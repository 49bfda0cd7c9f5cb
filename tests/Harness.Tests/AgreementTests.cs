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
            FromProtobuf = bytes => [99, .. bytes],
            ToProtobuf = bytes => bytes[1..],
        };
        Assert.Null(FirstDisagreement(own));
        Assert.StartsWith("one.bin: Own 1.0 fails: ", FirstDisagreement(own with { FromProtobuf = null }), StringComparison.Ordinal);
        Assert.StartsWith("one.bin: Own 1.0 fails: ", FirstDisagreement(own with { ToProtobuf = null }), StringComparison.Ordinal);
    }

    [Fact]
    public void Other_work_has_to_give_what_the_first_library_gives()
    {
        static byte[] Named(string name) => new ForwardRequest { TraceId = name }.ToByteArray();
        var reference = google with { Works = new Dictionary<string, Func<byte[], byte[]>> { ["Make"] = _ => Named("made") } };
        var other = google with { Works = new Dictionary<string, Func<byte[], byte[]>> { ["Make"] = _ => Named("other") } };
        Assert.Null(Agreement.FirstDisagreement(ForwardRequest.Parser, Payloads, reference, [reference]));
        Assert.StartsWith("one.bin: Google.Protobuf (Make) writes another message: traceId; ",
            Agreement.FirstDisagreement(ForwardRequest.Parser, Payloads, reference, [other]), StringComparison.Ordinal);
    }

    [Fact]
    public void A_payload_that_is_no_message_is_named()
    {
        var set = new PayloadSet([new("cut.bin", new byte[] { 10, 5 })]);
        Assert.StartsWith("cut.bin: Google.Protobuf cannot read it: ", Agreement.FirstDisagreement(ForwardRequest.Parser, set, google, [google]),
            StringComparison.Ordinal);
    }

    [Fact]
    public void An_optional_library_that_does_not_agree_is_left_out_with_the_payload_and_the_field()
    {
        var lossy = new ComparedLibrary("Lossy", "Lossy 1.0", bytes => new ForwardRequest().ToByteArray()) { IsOptional = true };
        var other = google with { Name = "Other", IsOptional = true };
        var (measured, leftOut) = Agreement.Split(ForwardRequest.Parser, Payloads, [google, lossy, other]);
        Assert.Equal([google, other], measured);
        Assert.StartsWith("one.bin: Lossy 1.0 writes another message: traceId; the bytes differ from offset 0 on", Assert.Single(leftOut),
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_library_that_is_not_optional_is_never_left_out()
    {
        var lossy = new ComparedLibrary("Lossy", "Lossy 1.0", _ => []);
        Assert.Equal([google, lossy], Agreement.Split(ForwardRequest.Parser, Payloads, [google, lossy]).Measured);
    }

    static PayloadSet Payloads => new([new("one.bin", request.ToByteArray())]);

    static string? FirstDisagreement(params ComparedLibrary[] libraries) =>
        Agreement.FirstDisagreement(ForwardRequest.Parser, Payloads, google, libraries);
}
