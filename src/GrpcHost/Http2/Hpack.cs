using System.Text;

namespace ProtoBench.GrpcHost;

static class Hpack
{
    /// <summary>The size of a dynamic table before the SETTINGS of a peer change it.</summary>
    public const int DefaultTableBytes = 4096;

    /// <summary>The size of an entry of the dynamic table in addition to its name and value.</summary>
    public const int EntryOverhead = 32;

    /// <summary>The static table (RFC 7541, appendix A). Its first index is 1.</summary>
    public static (byte[] Name, byte[] Value)[] Static { get; } =
    [
        .. new[]
        {
            ":authority", ":method=GET", ":method=POST", ":path=/", ":path=/index.html", ":scheme=http", ":scheme=https", ":status=200",
            ":status=204", ":status=206", ":status=304", ":status=400", ":status=404", ":status=500", "accept-charset",
            "accept-encoding=gzip, deflate", "accept-language", "accept-ranges", "accept", "access-control-allow-origin", "age", "allow",
            "authorization", "cache-control", "content-disposition", "content-encoding", "content-language", "content-length",
            "content-location", "content-range", "content-type", "cookie", "date", "etag", "expect", "expires", "from", "host", "if-match",
            "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "last-modified", "link", "location", "max-forwards",
            "proxy-authenticate", "proxy-authorization", "range", "referer", "refresh", "retry-after", "server", "set-cookie",
            "strict-transport-security", "transfer-encoding", "user-agent", "vary", "via", "www-authenticate",
        }.Select(entry => entry.Split('=', 2))
        .Select(parts => (Encoding.ASCII.GetBytes(parts[0]), Encoding.ASCII.GetBytes(parts.Length > 1 ? parts[1] : ""))),
    ];
}

/// <summary>Decodes the header blocks of one connection, in the order in which they arrive. Not thread-safe.</summary>
sealed class HpackDecoder(int maxTableBytes = Hpack.DefaultTableBytes)
{
    // an entry has at least 32 bytes
    readonly (int Start, int Name, int Value)[] entries = new (int, int, int)[(maxTableBytes / Hpack.EntryOverhead) + 1];
    // twice the size, so that entries are moved only once each time the whole table has been rewritten
    readonly byte[] bytes = new byte[2 * maxTableBytes];
    readonly int most = maxTableBytes;
    byte[] text = new byte[1024];
    int limit = maxTableBytes;
    int newest = -1;
    int count;
    int end;

    /// <summary>The size of the dynamic table: names, values and 32 bytes for each entry.</summary>
    public int TableBytes { get; private set; }

    public int Count => count;

    /// <summary>Reads the next header of a block. Name and value are valid until the next call.</summary>
    /// <param name="isFirst">Whether a change of the table's size is allowed here.</param>
    /// <returns>False at the end of the block.</returns>
    /// <exception cref="Http2Exception">Thrown when the block is malformed. The connection cannot be used any more.</exception>
    public bool TryRead(ref ReadOnlySpan<byte> block, bool isFirst, out ReadOnlySpan<byte> name, out ReadOnlySpan<byte> value)
    {
        name = value = default;
        while (!block.IsEmpty && (block[0] & 0b1110_0000) == 0b0010_0000)
        {
            if (!isFirst)
                throw Broken("the table's size changes inside of a block");
            Resize(ReadNumber(ref block, 5));
        }

        if (block.IsEmpty)
            return false;
        var first = block[0];
        if ((first & 0b1000_0000) != 0)
        {
            Find(ReadNumber(ref block, 7), out name, out value);
            return true;
        }

        var isKept = (first & 0b0100_0000) != 0;
        var index = ReadNumber(ref block, isKept ? 6 : 4);
        var used = 0;
        if (index == 0)
            name = ReadText(ref block, ref used);
        else
            Find(index, out name, out _);
        // the new entry may overwrite a name of the table, and a longer value may overwrite a decoded name
        if (isKept || used > 0)
        {
            var length = name.Length;
            if (used == 0)
            {
                Reserve(length);
                name.CopyTo(text);
                used = length;
            }

            value = ReadText(ref block, ref used);
            name = text.AsSpan(0, length);
        }
        else
        {
            value = ReadText(ref block, ref used);
        }

        if (isKept)
            Insert(name, value);
        return true;
    }

    void Find(int index, out ReadOnlySpan<byte> name, out ReadOnlySpan<byte> value)
    {
        if (index >= 1 && index <= Hpack.Static.Length)
        {
            var entry = Hpack.Static[index - 1];
            name = entry.Name;
            value = entry.Value;
            return;
        }

        var back = index - Hpack.Static.Length - 1;
        if (back < 0 || back >= count)
            throw Broken($"there is no entry {index}");
        var (start, nameLength, valueLength) = entries[(newest - back + entries.Length) % entries.Length];
        name = bytes.AsSpan(start, nameLength);
        value = bytes.AsSpan(start + nameLength, valueLength);
    }

    void Insert(ReadOnlySpan<byte> name, ReadOnlySpan<byte> value)
    {
        var length = name.Length + value.Length;
        Evict(limit - length - Hpack.EntryOverhead);
        if (length + Hpack.EntryOverhead > limit)
            return; // the entry is larger than the table, which is now empty
        if (end + length > bytes.Length)
            Compact();
        name.CopyTo(bytes.AsSpan(end));
        value.CopyTo(bytes.AsSpan(end + name.Length));
        newest = (newest + 1) % entries.Length;
        entries[newest] = (end, name.Length, value.Length);
        count++;
        end += length;
        TableBytes += length + Hpack.EntryOverhead;
    }

    void Evict(int most)
    {
        while (count > 0 && TableBytes > most)
        {
            var (_, name, value) = entries[(newest - count + 1 + entries.Length) % entries.Length];
            TableBytes -= name + value + Hpack.EntryOverhead;
            count--;
        }
    }

    void Compact()
    {
        end = 0;
        for (var back = count - 1; back >= 0; back--)
        {
            ref var entry = ref entries[(newest - back + entries.Length) % entries.Length];
            bytes.AsSpan(entry.Start, entry.Name + entry.Value).CopyTo(bytes.AsSpan(end));
            entry.Start = end;
            end += entry.Name + entry.Value;
        }
    }

    void Resize(int size)
    {
        if (size > most)
            throw Broken($"a table of {size} bytes is larger than the {most} that were allowed");
        limit = size;
        Evict(size);
    }

    /// <summary>Reads an integer (RFC 7541, section 5.1).</summary>
    static int ReadNumber(ref ReadOnlySpan<byte> block, int bits)
    {
        var mask = (1 << bits) - 1;
        var number = block[0] & mask;
        block = block[1..];
        if (number < mask)
            return number;
        for (var shift = 0; ; shift += 7)
        {
            if (block.IsEmpty)
                throw Broken("it ends in a number");
            // five bytes have 35 bits, which is too much for an index or a length
            if (shift > 21)
                throw Broken("a number is too large");
            var next = block[0];
            block = block[1..];
            number += (next & 0x7F) << shift;
            if ((next & 0x80) == 0)
                return number;
        }
    }

    /// <summary>RFC 7541, section 5.2: a part of the block, or of <see cref="text"/> from <paramref name="used"/> on.</summary>
    ReadOnlySpan<byte> ReadText(ref ReadOnlySpan<byte> block, scoped ref int used)
    {
        if (block.IsEmpty)
            throw Broken("it ends before a string");
        var isCoded = (block[0] & 0x80) != 0;
        var length = ReadNumber(ref block, 7);
        if (length > block.Length)
            throw Broken("it ends in a string");
        var read = block[..length];
        block = block[length..];
        if (!isCoded)
        {
            if (used == 0)
                return read;
            Reserve(used + length);
            read.CopyTo(text.AsSpan(used));
        }
        else
        {
            // a symbol has at least five bits
            Reserve(used + (length * 8 / 5));
            length = Huffman.Decode(read, text.AsSpan(used));
        }

        used += length;
        return text.AsSpan(used - length, length);
    }

    void Reserve(int size)
    {
        if (size > text.Length)
            Array.Resize(ref text, Math.Max(size, 2 * text.Length));
    }

    static Http2Exception Broken(string why) => new(Http2Error.Compression, $"a header block is broken: {why}");
}

/// <summary>Decodes the Huffman code of HPACK (RFC 7541, appendix B). It is canonical: the lengths determine the codes.</summary>
static class Huffman
{
    const int shortest = 5;
    const int longest = 30;

    // the length of each byte's code; the last code of 30 bits is the end of a string and not a byte
    static readonly byte[] lengths =
    [
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
        6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
        13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
        15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
        20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
        22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
        26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
        20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
    ];

    // by length, left-aligned in 64 bits: the first code, the position of its symbol, and the first longer code
    static readonly uint[] firstCode = new uint[longest + 1];
    static readonly int[] firstSymbol = new int[longest + 1];
    static readonly ulong[] beyond = new ulong[longest + 1];
    static readonly byte[] symbols = [.. Enumerable.Range(0, 256).OrderBy(symbol => lengths[symbol]).Select(symbol => (byte)symbol)];

    static Huffman()
    {
        var (code, symbol) = (0u, 0);
        for (var length = shortest; length <= longest; length++)
        {
            (firstCode[length], firstSymbol[length]) = (code, symbol);
            var ofLength = lengths.Count(one => one == length);
            code += (uint)ofLength;
            symbol += ofLength;
            beyond[length] = (ulong)code << (64 - length);
            code <<= 1;
        }
    }

    /// <param name="output">Receives the bytes: 8/5 of the length is enough.</param>
    /// <exception cref="Http2Exception">Thrown when a code is not that of a byte, or the string ends within a code.</exception>
    public static int Decode(ReadOnlySpan<byte> coded, Span<byte> output)
    {
        var (bits, have, written) = (0ul, 0, 0);
        while (true)
        {
            for (; have <= 56 && !coded.IsEmpty; have += 8)
            {
                bits |= (ulong)coded[0] << (56 - have);
                coded = coded[1..];
            }

            var length = shortest;
            while (length < longest && bits >= beyond[length])
                length++;
            if (length > have)
                break;
            var symbol = firstSymbol[length] + (int)((uint)(bits >> (64 - length)) - firstCode[length]);
            if (symbol >= symbols.Length)
                throw new Http2Exception(Http2Error.Compression, "a header block is broken: a string contains its own end");
            output[written++] = symbols[symbol];
            bits <<= length;
            have -= length;
        }

        // the rest is padding: the first bits of the end-of-string code, which are ones
        if (have > 7 || bits != (have == 0 ? 0 : ulong.MaxValue << (64 - have)))
            throw new Http2Exception(Http2Error.Compression, "a header block is broken: a string ends in the middle of a code");
        return written;
    }
}

/// <summary>One connection, in the order of sending. Headers that were sent before are indexes of a few bytes. Not thread-safe.</summary>
sealed class HpackEncoder
{
    readonly List<(string Name, string Value)> table = []; // the newest first
    readonly List<byte> block = [];
    int limit = Hpack.DefaultTableBytes;
    int used;
    bool resized;

    /// <summary>Sets the size of the table that the peer's SETTINGS allow. The table never has more than 4,096 bytes.</summary>
    public void Allow(long tableBytes)
    {
        var size = (int)Math.Min(tableBytes, Hpack.DefaultTableBytes);
        if (size == limit)
            return;
        (limit, resized) = (size, true);
        table.Clear();
        used = 0;
    }

    /// <summary>Returns a block that changes no table, and may follow any other.</summary>
    public static byte[] Literals(IEnumerable<(string Name, string Value)> headers)
    {
        var encoder = new HpackEncoder { limit = 0 };
        return encoder.Encode([.. headers], out _);
    }

    /// <param name="isRepeatable">Whether the same bytes may be sent again for the same headers until something else is encoded.</param>
    public byte[] Encode(IReadOnlyList<(string Name, string Value)> headers, out bool isRepeatable)
    {
        block.Clear();
        isRepeatable = !resized;
        if (resized)
        {
            // both sides empty the table, which then has its new size
            WriteNumber(0b0010_0000, 5, 0);
            WriteNumber(0b0010_0000, 5, limit);
            resized = false;
        }

        foreach (var (name, value) in headers)
        {
            var known = Array.FindIndex(Hpack.Static, entry => Is(entry.Name, name) && Is(entry.Value, value)) + 1;
            if (known == 0 && table.IndexOf((name, value)) is >= 0 and var at)
                known = Hpack.Static.Length + 1 + at;
            if (known > 0)
            {
                WriteNumber(0b1000_0000, 7, known);
                continue;
            }

            var named = Array.FindIndex(Hpack.Static, entry => Is(entry.Name, name)) + 1;
            var size = Encoding.UTF8.GetByteCount(name) + Encoding.UTF8.GetByteCount(value) + Hpack.EntryOverhead;
            var isKept = size <= limit;
            WriteNumber(isKept ? 0b0100_0000 : 0, isKept ? 6 : 4, named);
            if (named == 0)
                WriteText(name);
            WriteText(value);
            if (!isKept)
                continue;
            isRepeatable = false;
            for (; used + size > limit; table.RemoveAt(table.Count - 1))
                used -= Encoding.UTF8.GetByteCount(table[^1].Name) + Encoding.UTF8.GetByteCount(table[^1].Value) + Hpack.EntryOverhead;
            table.Insert(0, (name, value));
            used += size;
        }

        return [.. block];
    }

    static bool Is(byte[] bytes, string text) => Ascii.Equals(bytes, text);

    void WriteText(string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        WriteNumber(0, 7, bytes.Length);
        block.AddRange(bytes);
    }

    void WriteNumber(int pattern, int bits, int number)
    {
        var mask = (1 << bits) - 1;
        if (number < mask)
        {
            block.Add((byte)(pattern | number));
            return;
        }

        block.Add((byte)(pattern | mask));
        for (number -= mask; number >= 0x80; number >>= 7)
            block.Add((byte)(number | 0x80));
        block.Add((byte)number);
    }
}
