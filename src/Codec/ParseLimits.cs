namespace ProtoBench.Codec;

/// <summary>Defines the maximum nesting depth of messages, and the maximum memory that one parse or merge of input may take for fields, in
/// addition to the bytes of the input.</summary>
/// <remarks>
/// <para>An empty element of a repeated message has two bytes on the wire. In memory it is a whole struct of fields, which has more than a
/// thousand bytes for a message with many fields. The limit is <see cref="BaseBytes"/>, plus <see cref="BytesPerInputByte"/> for each byte
/// of input. The following count: elements of repeated fields and of maps with the room that they may grow into, sub-messages, and the hash
/// table of map keys. The arrays of them may have twice that size. Packed numbers of fixed width that stay in the input do not count, nor
/// do values that setters and copies of messages store. Input that exceeds the limit is refused with
/// <see cref="WireError.MemoryLimit"/>.</para>
/// <para>The defaults are 64 MiB and 64 bytes for each byte. Numbers, strings and entries of maps take at most 32 bytes for each byte of
/// input. So only lists of messages with many fields, few of which are set, come near the limit.</para>
/// <para>The values apply to the whole process, for each parse that begins after they were set. Thread safety: all members are
/// thread-safe.</para>
/// </remarks>
public static class ParseLimits
{
    /// <summary>The maximum nesting depth of messages and groups below the outermost message. Google.Protobuf has the same limit.</summary>
    public const int MaxDepth = 100;

    static long baseBytes = 64 << 20;
    static int bytesPerInputByte = 64;

    /// <summary>Gets or sets the number of bytes that the elements of an input of any length may take.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public static long BaseBytes
    {
        get => Volatile.Read(ref baseBytes);
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            Volatile.Write(ref baseBytes, value);
        }
    }

    /// <summary>Gets or sets the number of bytes that the limit grows by for each byte of input.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public static int BytesPerInputByte
    {
        get => Volatile.Read(ref bytesPerInputByte);
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            Volatile.Write(ref bytesPerInputByte, value);
        }
    }

    /// <summary>Gets the limit for input of a given length.</summary>
    internal static long For(int length)
    {
        var limit = baseBytes + ((long)bytesPerInputByte * length);
        return limit < 0 ? long.MaxValue : limit;
    }
}
