using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Unicode;
using ProtoBench.Codec.WellKnownTypes;

namespace ProtoBench.Codec.Runtime;

/// <summary>Prints a message in ProtoJSON: https://protobuf.dev/programming-guides/json.</summary>
/// <remarks>It writes into the windows of the target. With a <see cref="System.Text.Json.Utf8JsonWriter"/> in between, data sets took up to
/// 2.2 times as long. Each value begins with a comma, which is overwritten if the value is the first one in
/// its list or object, or follows a name.</remarks>
ref struct JsonPrinter : IPrinter
{
    // A number with its sign, quotes, colon and comma; a double has at most 24 characters.
    const int roomForNumber = 40;

    // The room for a piece of a long text. The escapes of one character take at most 12 bytes.
    const int roomForPiece = 256;

    static readonly JavaScriptEncoder encoder = JavaScriptEncoder.Create(UnicodeRanges.All);

    // the bytes that are written as they are
    static readonly SearchValues<byte> plain =
        SearchValues.Create([.. Enumerable.Range(0, 0x80).Where(letter => !encoder.WillEncode(letter)).Select(letter => (byte)letter)]);

    readonly IBufferWriter<byte> target;
    readonly ProtoJsonOptions? options;
    readonly bool preservesFieldNames;
    readonly bool writesEnumNumbers;
    Span<byte> window;
    int position;

    // 1 if a comma precedes the next value, else 0.
    int comma;

    // How many messages of type Any contain the one that is printed. Each is parsed of its own, so no parser counts them.
    int anyDepth;

    // Whether the next message is in the object that is already begun.
    bool isBegun;

    Storage? root;
    int stamp;

    JsonPrinter(IBufferWriter<byte> target, ProtoJsonOptions? options)
    {
        this.target = target;
        this.options = options;
        if (options is null) return;
        WritesDefaults = options.WriteDefaults;
        writesEnumNumbers = options.FormatEnumsAsIntegers;
        preservesFieldNames = options.PreserveProtoFieldNames;
    }

    /// <inheritdoc/>
    public readonly bool IsJson => true;

    /// <inheritdoc/>
    public bool WritesDefaults { get; }

    /// <summary>Prints a message.</summary>
    /// <param name="target">The target.</param>
    /// <param name="message">The message.</param>
    /// <param name="options">The options, of which the indentation is not used; null for the defaults.</param>
    public static void Print<T>(IBufferWriter<byte> target, T message, ProtoJsonOptions? options)
        where T : struct, ISlabMessage<T>
    {
        var printer = new JsonPrinter(target, options);
        T.Print(ref printer, message);
        printer.Commit();
    }

    /// <inheritdoc/>
    public void Watch(Storage storage, int stamp)
    {
        // What an Any contains is a copy that nobody else can release.
        if (root is null) (root, this.stamp) = (storage, stamp);
    }

    /// <inheritdoc/>
    public void Name(string text, ReadOnlySpan<byte> json)
    {
        if (preservesFieldNames) FieldName(text);
        else Token(json);
    }

    /// <inheritdoc/>
    public void Name(string text, ReadOnlySpan<byte> json, string field) => Name(field, json);

    /// <inheritdoc/>
    public void Value<T>(T value)
        where T : unmanaged
    {
        var room = Room(roomForNumber);
        room[0] = (byte)',';
        position += comma + Format(value, room[comma..]);
        comma = 1;
    }

    /// <inheritdoc/>
    public void Enum(ReadOnlySpan<byte> name, int number)
    {
        if (name.IsEmpty || writesEnumNumbers) Value(number);
        else Quote(name);
    }

    /// <inheritdoc/>
    public void Null(ReadOnlySpan<byte> name, int number)
    {
        Token("null"u8);
        comma = 1;
    }

    /// <inheritdoc/>
    public void String(ReadOnlySpan<byte> utf8)
    {
        if (utf8.Length > roomForPiece)
        {
            Begin((byte)'"');
            Text(utf8);
            End((byte)'"');
            return;
        }

        // The copy is examined, not the original: aliased input may change at any time.
        var room = Room(utf8.Length + 3);
        room[0] = (byte)',';
        room[comma] = (byte)'"';
        var text = room.Slice(comma + 1, utf8.Length);
        utf8.CopyTo(text);
        if (text.ContainsAnyExcept(plain))
        {
            Begin((byte)'"');
            Text(utf8);
        }
        else
        {
            position += comma + 1 + utf8.Length;
        }

        End((byte)'"');
    }

    /// <inheritdoc/>
    public void Bytes(ReadOnlySpan<byte> value)
    {
        Begin((byte)'"');
        while (!value.IsEmpty)
        {
            var room = Room(Math.Min(Base64.GetMaxEncodedToUtf8Length(Math.Min(value.Length, roomForPiece)), roomForPiece));
            var piece = value[..Math.Min(value.Length, room.Length / 4 * 3)];
            Base64.EncodeToUtf8(piece, room, out var read, out var written, isFinalBlock: piece.Length == value.Length);
            position += written;
            value = value[read..];
        }

        End((byte)'"');
    }

    /// <inheritdoc/>
    public void List<T>(ReadOnlySpan<T> values)
        where T : unmanaged
    {
        BeginList();
        foreach (var value in values) Value(value);
        EndList();
    }

    /// <inheritdoc/>
    public void Strings(MessageMemory memory, ReadOnlySpan<ByteRange> values)
    {
        BeginList();
        foreach (var value in values) String(memory.Span(value));
        EndList();
    }

    /// <inheritdoc/>
    public void BytesList(MessageMemory memory, ReadOnlySpan<ByteRange> values)
    {
        BeginList();
        foreach (var value in values) Bytes(memory.Span(value));
        EndList();
    }

    /// <inheritdoc/>
    public void BeginList() => Begin((byte)'[');

    /// <inheritdoc/>
    public void EndList() => End((byte)']');

    /// <inheritdoc/>
    public void BeginMap() => Begin((byte)'{');

    /// <inheritdoc/>
    public void EndMap() => End((byte)'}');

    /// <inheritdoc/>
    public readonly string? BeginEntry() => null;

    /// <inheritdoc/>
    public void Key<T>(T key)
        where T : unmanaged
    {
        // a number of 64 bits is already a string
        if (typeof(T) == typeof(long) || typeof(T) == typeof(ulong))
        {
            Value(key);
        }
        else
        {
            Begin((byte)'"');
            var room = Room(roomForNumber);
            position += Format(key, room);
            End((byte)'"');
        }

        EndKey();
    }

    /// <inheritdoc/>
    public void Key(ReadOnlySpan<byte> utf8)
    {
        String(utf8);
        EndKey();
    }

    /// <inheritdoc/>
    public readonly void EndEntry(string? name)
    {
    }

    /// <inheritdoc/>
    public string? Begin()
    {
        if (!isBegun) Begin((byte)'{');
        isBegun = false;
        return null;
    }

    /// <inheritdoc/>
    public void End(string? name) => End((byte)'}');

    /// <inheritdoc/>
    public bool Timestamp(long seconds, int nanos)
    {
        Span<byte> text = stackalloc byte[32];
        TimestampConversions.ToDateTime(seconds, nanos).TryFormat(text, out var length, "s", CultureInfo.InvariantCulture);
        length += Fraction(text[length..], nanos);
        text[length++] = (byte)'Z';
        Quote(text[..length]);
        return true;
    }

    /// <inheritdoc/>
    public bool Duration(long seconds, int nanos)
    {
        DurationConversions.Check(seconds, nanos);
        Span<byte> text = stackalloc byte[32];
        var length = 0;
        if (seconds < 0 || nanos < 0) text[length++] = (byte)'-';
        Math.Abs(seconds).TryFormat(text[length..], out var digits, default, CultureInfo.InvariantCulture);
        length += digits;
        length += Fraction(text[length..], Math.Abs(nanos));
        text[length++] = (byte)'s';
        Quote(text[..length]);
        return true;
    }

    /// <inheritdoc/>
    public bool FieldMask(MessageMemory memory, ReadOnlySpan<ByteRange> paths)
    {
        Begin((byte)'"');
        for (var i = 0; i < paths.Length; i++)
        {
            if (i > 0) Text(","u8);
            var rest = memory.Span(paths[i]);
            CheckPath(rest);
            for (var at = rest.IndexOf((byte)'_'); at >= 0; at = rest.IndexOf((byte)'_'))
            {
                Text(rest[..at]);
                Text([(byte)(rest[at + 1] - 'a' + 'A')]);
                rest = rest[(at + 2)..];
            }

            Text(rest);
        }

        End((byte)'"');
        return true;
    }

    /// <inheritdoc/>
    public bool Any(ReadOnlySpan<byte> typeUrl, ReadOnlySpan<byte> value)
    {
        Begin((byte)'{');
        if (typeUrl.IsEmpty && value.IsEmpty)
        {
            End((byte)'}');
            return true;
        }

        if (ProtoJsonTypes.Find(options?.Types, typeUrl) is not { } type) throw UnknownType(typeUrl);
        WireSize.ThrowIfTooDeep(++anyDepth);
        RuntimeHelpers.EnsureSufficientExecutionStack();
        Token("\"@type\":"u8);
        String(typeUrl);
        if (type.HasOwnForm)
        {
            Token("\"value\":"u8);
            type.Print(ref this, value);
            End((byte)'}');
        }
        else
        {
            isBegun = true;
            type.Print(ref this, value);
        }

        anyDepth--;
        return true;
    }

    /// <inheritdoc/>
    public readonly bool IsBare(bool isSet, double number)
    {
        if (!isSet) throw new InvalidOperationException("A google.protobuf.Value without a value has no JSON.");
        if (!double.IsFinite(number))
            throw new InvalidOperationException("A google.protobuf.Value with a number that is not finite has no JSON.");
        return true;
    }

    /// <summary>Formats a number or a bool. A 64-bit number and a number that is not finite are strings.</summary>
    static int Format<T>(T value, Span<byte> room)
        where T : unmanaged
    {
        int length;
        if (typeof(T) == typeof(int)) Unsafe.BitCast<T, int>(value).TryFormat(room, out length, default, CultureInfo.InvariantCulture);
        else if (typeof(T) == typeof(uint))
            Unsafe.BitCast<T, uint>(value).TryFormat(room, out length, default, CultureInfo.InvariantCulture);
        else if (typeof(T) == typeof(bool)) length = Copy(Unsafe.BitCast<T, bool>(value) ? "true"u8 : "false"u8, room);
        else if (typeof(T) == typeof(float))
        {
            var number = Unsafe.BitCast<T, float>(value);
            if (!float.IsFinite(number)) length = NotFinite(number, room);
            else number.TryFormat(room, out length, default, CultureInfo.InvariantCulture);
        }
        else if (typeof(T) == typeof(double))
        {
            var number = Unsafe.BitCast<T, double>(value);
            if (!double.IsFinite(number)) length = NotFinite(number, room);
            else number.TryFormat(room, out length, default, CultureInfo.InvariantCulture);
        }
        else
        {
            room[0] = (byte)'"';
            if (typeof(T) == typeof(long))
                Unsafe.BitCast<T, long>(value).TryFormat(room[1..], out length, default, CultureInfo.InvariantCulture);
            else Unsafe.BitCast<T, ulong>(value).TryFormat(room[1..], out length, default, CultureInfo.InvariantCulture);
            room[length + 1] = (byte)'"';
            length += 2;
        }

        return length;
    }

    static int NotFinite(double value, Span<byte> room) =>
        Copy(double.IsNaN(value) ? "\"NaN\""u8 : value > 0 ? "\"Infinity\""u8 : "\"-Infinity\""u8, room);

    static int Copy(ReadOnlySpan<byte> text, Span<byte> room)
    {
        text.CopyTo(room);
        return text.Length;
    }

    /// <summary>Writes a fraction of a second with 0, 3, 6 or 9 digits.</summary>
    static int Fraction(Span<byte> target, int nanos)
    {
        if (nanos == 0) return 0;
        target[0] = (byte)'.';
        nanos.TryFormat(target[1..], out _, "D9", CultureInfo.InvariantCulture);
        return nanos % 1_000_000 == 0 ? 4 : nanos % 1_000 == 0 ? 7 : 10;
    }

    /// <summary>Checks that a path of a field mask is the same after it was written in camel case and read again.</summary>
    static void CheckPath(ReadOnlySpan<byte> path)
    {
        for (var i = 0; i < path.Length; i++)
        {
            if (path[i] is >= (byte)'A' and <= (byte)'Z'
                || (path[i] == '_' && (i + 1 == path.Length || path[i + 1] is not (>= (byte)'a' and <= (byte)'z'))))
                throw new InvalidOperationException(
                    $"A google.protobuf.FieldMask with the path '{Encoding.UTF8.GetString(path)}' has no JSON.");
        }
    }

    static InvalidOperationException UnknownType(ReadOnlySpan<byte> typeUrl) =>
        new($"An Any has a message of the type URL '{Encoding.UTF8.GetString(typeUrl)}', which is not in the types of the options.");

    /// <summary>Writes a short text in quotes, of which no byte needs an escape.</summary>
    void Quote(scoped ReadOnlySpan<byte> text)
    {
        Begin((byte)'"');
        text.CopyTo(Room(text.Length));
        position += text.Length;
        End((byte)'"');
    }

    /// <summary>Writes a part of a string. Bytes that are not valid UTF-8 become U+FFFD.</summary>
    void Text(scoped ReadOnlySpan<byte> utf8)
    {
        while (!utf8.IsEmpty)
        {
            var room = Room(Math.Min(utf8.Length, roomForPiece));
            var piece = room[..Math.Min(utf8.Length, room.Length)];
            utf8[..piece.Length].CopyTo(piece);
            var copied = piece.IndexOfAnyExcept(plain);
            if (copied < 0) copied = piece.Length;
            position += copied;
            utf8 = utf8[copied..];
            if (copied == piece.Length) continue;

            // The next piece may be in another window. Nothing may be left behind the end of this one.
            piece[copied..].Clear();

            // A character of several bytes has no plain byte.
            var end = utf8.IndexOfAny(plain);
            var others = end < 0 ? utf8 : utf8[..end];
            utf8 = utf8[others.Length..];
            while (!others.IsEmpty)
            {
                room = Room(roomForPiece);
                encoder.EncodeUtf8(others, room, out var read, out var written);

                // The encoder stores escapes as eight bytes, and counts those that it needs.
                room.Slice(written, Math.Min(sizeof(ulong), room.Length - written)).Clear();
                position += written;
                others = others[read..];
            }
        }
    }

    /// <summary>Writes a name as the .proto file has it. protoc takes only ASCII letters, digits and underscores.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    void FieldName(string text)
    {
        Begin((byte)'"');
        var room = Room(text.Length);
        position += Encoding.ASCII.GetBytes(text, room);
        End((byte)'"');
        EndKey();
    }

    /// <summary>Writes a name with its colon, or a word.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void Token(ReadOnlySpan<byte> json)
    {
        var room = Room(json.Length + 1);
        room[0] = (byte)',';
        json.CopyTo(room[comma..]);
        position += comma + json.Length;
        comma = 0;
    }

    void Begin(byte mark)
    {
        var room = Room(2);
        room[0] = (byte)',';
        room[comma] = mark;
        position += comma + 1;
        comma = 0;
    }

    void End(byte mark)
    {
        Room(1)[0] = mark;
        position++;
        comma = 1;
    }

    void EndKey()
    {
        End((byte)':');
        comma = 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    Span<byte> Room(int count)
    {
        if (window.Length - position < count) NextWindow(count);
        return window[position..];
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    void NextWindow(int count)
    {
        Commit();
        window = target.GetSpan(Math.Max(count, roomForPiece));

        // The target may have released the message. What another one has now is not written, not even into a window that is not passed on.
        root!.ThrowIfEmptied(stamp);
        if (window.Length < count) throw new InvalidOperationException("The buffer writer gave fewer bytes than it was asked for.");
    }

    /// <summary>Passes what was written to the target, if the message still has the content that is printed.</summary>
    void Commit()
    {
        root!.ThrowIfEmptied(stamp);
        if (position > 0) target.Advance(position);
        position = 0;
        window = default;
    }
}
