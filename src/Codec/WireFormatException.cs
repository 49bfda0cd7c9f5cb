using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.Codec;

/// <summary>Specifies why a message was refused.</summary>
public enum WireError
{
    /// <summary>The input or a sub-message ends inside a field.</summary>
    Truncated,

    /// <summary>A varint has more than ten bytes.</summary>
    VarintTooLong,

    /// <summary>A tag has field number 0, a reserved wire type, more than 32 bits, or more than five bytes.</summary>
    InvalidTag,

    /// <summary>The length of a field is negative or beyond 31 bits.</summary>
    InvalidLength,

    /// <summary>A group ends that did not begin there.</summary>
    UnmatchedEndGroup,

    /// <summary>Messages and groups are nested more than <see cref="ParseLimits.MaxDepth"/> deep.</summary>
    TooDeep,

    /// <summary>A string is not UTF-8.</summary>
    InvalidUtf8,

    /// <summary>A required field of proto2 is missing.</summary>
    MissingRequired,

    /// <summary>The fields take more memory than <see cref="ParseLimits"/> allows for input of this length.</summary>
    MemoryLimit,

    /// <summary>A message in a delimited stream has more bytes than the caller allows.</summary>
    MessageTooLarge,
}

/// <summary>Thrown when the input is not a valid message. <see cref="Offset"/> and <see cref="Reason"/> show where and why. A parse
/// discards the fields that were read before the error, and a merge into a <see cref="Message{T}"/> keeps them.</summary>
[SuppressMessage("Design", "CA1032", Justification = "an offset and a reason are always known")]
public sealed class WireFormatException : Exception
{
    internal WireFormatException(WireError reason, int offset)
        : base($"Refused at byte {offset}: {Describe(reason)}.") => (Reason, Offset) = (reason, offset);

    internal WireFormatException()
        : base("Refused: the fields take more memory than ParseLimits allows for input of this length.") => Reason = WireError.MemoryLimit;

    internal WireFormatException(string field)
        : base($"Refused: the required field {field} is missing.") => Reason = WireError.MissingRequired;

    internal WireFormatException(ulong length, int maxBytes)
        : base($"Refused: the message has {length} bytes, and at most {maxBytes} are allowed.") => Reason = WireError.MessageTooLarge;

    /// <summary>Gets the reason why the message was refused.</summary>
    public WireError Reason { get; }

    /// <summary>Gets the offset in the input, in bytes: that of the invalid or missing byte, or that of the first byte of the invalid tag,
    /// length or varint. It is 0 for a missing required field, and for the limits of memory and length. In a delimited stream it is counted
    /// from the first byte after the message's length, or from the first byte of the length if the length is invalid.</summary>
    public int Offset { get; }

    /// <summary>Creates the same exception for input that begins at an address.</summary>
    internal WireFormatException Before(int origin) =>
        Reason is WireError.MissingRequired or WireError.MemoryLimit ? this : new(Reason, Offset - origin);

    static string Describe(WireError reason) => reason switch
    {
        WireError.Truncated => "the input ends inside a field",
        WireError.VarintTooLong => "a varint has more than ten bytes",
        WireError.InvalidTag => "a tag has field number 0, a reserved wire type, or more than 32 bits or five bytes",
        WireError.InvalidLength => "a length is negative or has more than 31 bits",
        WireError.UnmatchedEndGroup => "a group ends that was not begun here",
        WireError.TooDeep => $"messages are nested more than {ParseLimits.MaxDepth} deep",
        _ => "a string is not UTF-8",
    };
}
