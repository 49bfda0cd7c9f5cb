namespace ProtoBench.Codec;

/// <summary>Limits how deep messages may be nested, and how much memory one parse or merge of input may take for fields, beside the bytes
/// of the input.</summary>
/// <remarks>
/// <para>An empty element of a repeated message has two bytes on the wire and a whole struct of fields here, which are more than a thousand
/// bytes for a message of many fields. The limit is <see cref="BaseBytes"/>, and <see cref="BytesPerInputByte"/> for each byte of input.
/// Elements of repeated fields and of maps, with the room that they may grow into, sub-messages, and the index of a map's keys count. The
/// arrays of them may have twice the room. Packed numbers of fixed width that stay where they were read do not count, nor does what setters
/// and copies of messages store. Input beyond the limit is refused with <see cref="WireError.MemoryLimit"/>.</para>
/// <para>The defaults are 64 MiB and 64 bytes for each byte. Numbers, strings and entries of maps take at most 32 bytes for each byte of
/// input. So only lists of messages of many fields, of which hardly any is set, come near the limit.</para>
/// <para>The values are those of the process, for each parse that begins later. Thread safety: any thread.</para>
/// </remarks>
public static class ParseLimits
{
    /// <summary>How deep messages and groups may be nested below the outermost message. Google.Protobuf has the same limit.</summary>
    public const int MaxDepth = 100;

    static long baseBytes = 64 << 20;
    static int bytesPerInputByte = 64;

    /// <summary>Gets or sets the bytes of elements that an input of any length may take.</summary>
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

    /// <summary>What an input may take more for each of its bytes.</summary>
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

    /// <summary>The limit for input of a length.</summary>
    internal static long For(int length)
    {
        var limit = baseBytes + ((long)bytesPerInputByte * length);
        return limit < 0 ? long.MaxValue : limit;
    }
}
