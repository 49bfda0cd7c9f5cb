using System.Buffers;
using Utf8Encoding = System.Text.Unicode.Utf8;

namespace ProtoBench.Codec.Runtime;

/// <summary>Represents a text in UTF-8 in a rented array.</summary>
struct RentedText : IDisposable
{
    const int firstRead = 16 * 1024;

    byte[] text;
    int length;

    /// <summary>Copies the segments of a text.</summary>
    /// <exception cref="InsufficientMemoryException">It has more than 2 GiB.</exception>
    public RentedText(in ReadOnlySequence<byte> segments)
    {
        if (segments.Length > Array.MaxLength) throw TooLong();
        text = ArrayPool<byte>.Shared.Rent((int)segments.Length);
        segments.CopyTo(text);
        length = (int)segments.Length;
    }

    /// <summary>Encodes a text. Half of a surrogate pair becomes a byte that is not UTF-8, so the reader refuses it.</summary>
    public RentedText(ReadOnlySpan<char> characters)
    {
        const int mostBytesPerCharacter = 3;
        if (characters.Length > Array.MaxLength / mostBytesPerCharacter) throw TooLong();
        text = ArrayPool<byte>.Shared.Rent(characters.Length * mostBytesPerCharacter);
        for (var rest = characters; ;)
        {
            var status = Utf8Encoding.FromUtf16(rest, text.AsSpan(length), out var read, out var written, replaceInvalidSequences: false);
            length += written;
            if (status == OperationStatus.Done) return;
            text[length++] = 0xFF;
            rest = rest[(read + 1)..];
        }
    }

    /// <summary>Reads a stream to its end.</summary>
    public RentedText(Stream stream)
    {
        text = ArrayPool<byte>.Shared.Rent(firstRead);
        try
        {
            while (Count(stream.Read(text, length, text.Length - length)))
            {
            }
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <inheritdoc cref="RentedText(Stream)"/>
    public static async ValueTask<RentedText> ReadAsync(Stream stream, CancellationToken cancellation)
    {
        var all = new RentedText { text = ArrayPool<byte>.Shared.Rent(firstRead) };
        try
        {
            while (all.Count(await stream.ReadAsync(all.text.AsMemory(all.length), cancellation).ConfigureAwait(false)))
            {
            }

            return all;
        }
        catch
        {
            all.Dispose();
            throw;
        }
    }

    public readonly ReadOnlySpan<byte> Utf8 => text.AsSpan(0, length);

    public void Dispose()
    {
        if (text is not null) ArrayPool<byte>.Shared.Return(text);
        this = default;
    }

    /// <summary>Counts what was read, and makes room for more.</summary>
    /// <returns>Whether the stream may have more.</returns>
    bool Count(int read)
    {
        if ((uint)read > (uint)(text.Length - length)) throw new IOException("The stream reported more bytes than were requested.");
        length += read;
        if (length < text.Length || read == 0) return read > 0;
        if (length == Array.MaxLength) throw TooLong();
        var larger = ArrayPool<byte>.Shared.Rent((int)Math.Min(2L * length, Array.MaxLength));
        text.CopyTo(larger, 0);
        ArrayPool<byte>.Shared.Return(text);
        text = larger;
        return true;
    }

    static InsufficientMemoryException TooLong() => new("The text has more than 2 GiB.");
}
