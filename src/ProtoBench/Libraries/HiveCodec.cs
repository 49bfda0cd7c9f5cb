using ProtoBench.Payloads;

namespace ProtoBench.Libraries;

/// <summary>How the validation and the tests read and write the hive's messages
/// with a library. Cells do not use it: they call the library itself.</summary>
/// <param name="ParseRequest">Reads a request.</param>
/// <param name="ParseResponse">Reads a response.</param>
/// <param name="Write">Writes a message of this library.</param>
/// <param name="FingerprintOf">The content of a message of this library; null for an object of another type.</param>
public sealed record HiveCodec(
    Func<byte[], object> ParseRequest,
    Func<byte[], object> ParseResponse,
    Func<object, byte[]> Write,
    Func<object, Fingerprint?> FingerprintOf)
{
    /// <summary>The bytes that the library's cells read. A library with another
    /// format than protobuf gives its own golden bytes here.</summary>
    public Func<HiveMessage, byte[]> Payload { get; init; } = ProtobufPayload;

    /// <summary>The bytes that the library has to write for a message that it
    /// has read from <see cref="Payload"/>; null: the same bytes.</summary>
    public Func<HiveMessage, byte[]>? Written { get; init; }

    /// <summary>Reads a message.</summary>
    /// <param name="message">Which message <paramref name="wire"/> holds.</param>
    /// <param name="wire">The bytes.</param>
    public object Parse(HiveMessage message, byte[] wire) => message == HiveMessage.Response ? ParseResponse(wire) : ParseRequest(wire);

    /// <summary>The bytes that the library has to write for <paramref name="message"/>.</summary>
    public byte[] Golden(HiveMessage message) => (Written ?? Payload)(message);

    /// <summary>The hive's messages in protobuf's format, as cells read them.</summary>
    public static byte[] ProtobufPayload(HiveMessage message) => message switch
    {
        HiveMessage.Request => Hive.Request(),
        HiveMessage.Response => Hive.Response(),
        _ => Hive.Mixed(),
    };

    /// <summary>The hive's messages in protobuf's format, as a library writes them.</summary>
    /// <param name="mixed">What the library does with the order of fields and with unknown fields.</param>
    public static Func<HiveMessage, byte[]> ProtobufWritten(MixedOrder mixed) =>
        message => message == HiveMessage.Mixed ? Hive.Mixed(mixed) : ProtobufPayload(message);
}
