using Google.Protobuf;
using ProtoBench.Payloads;
using ProtoBench.Results;

namespace ProtoBench.Tests;

public class LibraryValidationTests
{
    static readonly MeasuredLibrary google = MeasuredLibraries.All[0];

    [Fact]
    public void All_libraries_of_this_build_pass() => LibraryValidation.Check(MeasuredLibraries.All);

    [Fact]
    public void A_wrong_byte_is_named_with_its_library_and_place()
    {
        var wrong = With("Wrong", codec => codec with { Write = message => Flip(codec.Write(message), 1_000) });
        var thrown = Assert.Throws<ValidationException>(() => LibraryValidation.Check([google, wrong]));
        Assert.StartsWith($"{wrong.PackageAndVersion} (Wrong), Request: byte 1000 written is 0x", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_message_that_lacks_a_leaf_is_named()
    {
        var thrown = Assert.Throws<ValidationException>(() => LibraryValidation.Check([google, With("Blind", Blind)]));
        Assert.Contains("(Blind), Request: read Fingerprint", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_library_that_throws_is_named()
    {
        var broken = With("Broken", codec => codec with { ParseResponse = _ => throw new InvalidDataException("no such field") });
        var thrown = Assert.Throws<ValidationException>(() => LibraryValidation.Check([google, broken]));
        Assert.EndsWith("(Broken), Response: no such field", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_missing_end_is_told_by_the_lengths() =>
        Assert.Equal("wrote 2 bytes, expected 3", LibraryValidation.FirstDifference([1, 2], [1, 2, 3]));

    [Fact]
    public void A_library_that_drops_unknown_fields_is_held_to_that()
    {
        var dropping = With("Dropping", codec => codec with { Written = LibraryCodec.ProtobufWritten(MixedOrder.KnownOnly) });
        Assert.Contains("Mixed: ", Assert.Throws<ValidationException>(() => LibraryValidation.Check([dropping])).Message,
            StringComparison.Ordinal);
    }

    /// <summary>Golden bytes, written bytes and the payload's size are the library's own.</summary>
    [Fact]
    public void A_library_with_another_format_is_held_to_its_own_bytes()
    {
        var other = With("Other", OtherFormat);
        LibraryValidation.Check([google, other]);
        Assert.Equal(OtherFormat(google.Codec!).Payload(HiveMessage.Request).Length, other.BytesOf(HiveMessage.Request));
        Assert.NotEqual(google.BytesOf(HiveMessage.Request), other.BytesOf(HiveMessage.Request));
        Assert.Equal(Hive.ResponseBytes, google.BytesOf(HiveMessage.Response));
    }

    [Fact]
    public void A_library_with_another_format_is_held_to_the_content()
    {
        var thrown = Assert.Throws<ValidationException>(() =>
            LibraryValidation.Check([google, With("Other", codec => Blind(OtherFormat(codec)))]));
        Assert.Contains("(Other), Request: read Fingerprint", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_library_with_another_format_that_writes_something_else_is_named()
    {
        var thrown = Assert.Throws<ValidationException>(() =>
            LibraryValidation.Check([google, With("Other", codec => OtherFormat(codec) with { Write = codec.Write })]));
        Assert.Contains("(Other), Request: byte 0 written is", thrown.Message, StringComparison.Ordinal);
    }

    static MeasuredLibrary With(string cell, Func<LibraryCodec, LibraryCodec> change) =>
        google with { Cell = cell, Codec = change(google.Codec!) };

    static LibraryCodec Blind(LibraryCodec codec) => codec with
    {
        FingerprintOf = message => codec.FingerprintOf(message) is { } fingerprint
        ? fingerprint with { LeafBytes = fingerprint.LeafBytes - 1 } : null,
    };

    /// <summary>Google's content as base64 text: bytes that no protobuf reader takes.</summary>
    static LibraryCodec OtherFormat(LibraryCodec google) => google with
    {
        Payload = message => Encode(google.Golden(message)),
        Written = null,
        ParseRequest = bytes => google.ParseRequest(Decode(bytes)),
        ParseResponse = bytes => google.ParseResponse(Decode(bytes)),
        Write = message => Encode(((IMessage)message).ToByteArray()),
    };

    static byte[] Encode(byte[] bytes) => System.Text.Encoding.ASCII.GetBytes(Convert.ToBase64String(bytes));

    static byte[] Decode(byte[] bytes) => Convert.FromBase64String(System.Text.Encoding.ASCII.GetString(bytes));

    static byte[] Flip(byte[] bytes, int at)
    {
        bytes[at] ^= 1;
        return bytes;
    }
}
