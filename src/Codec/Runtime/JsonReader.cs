using System.Buffers;
using System.Buffers.Text;
using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Text;
using System.Text.Unicode;
using ProtoBench.Codec.Reflection;

namespace ProtoBench.Codec.Runtime;

/// <summary>Converts a message from ProtoJSON to its binary form: https://protobuf.dev/programming-guides/json. The fields of the result
/// are in the order of their numbers.</summary>
/// <remarks>The binary form is then parsed, so there is one reader for all message types, and it needs no generated code. The arrays are
/// rented, and the result has at most seven times the bytes of the text.</remarks>
ref partial struct JsonReader
{
    // what ends a run of bytes that a string has as they are
    static readonly SearchValues<byte> stops = SearchValues.Create([.. Enumerable.Range(0, 0x20).Select(one => (byte)one), (byte)'"', (byte)'\\']);

    readonly ReadOnlySpan<byte> json;
    readonly ProtoJsonTypes? types;
    readonly bool ignoresUnknown;
    int at;
    byte[] output;
    int written;

    // For each object that is open: the bits of the fields and oneofs that were read, and the number and the start of each field.
    RentedStack<ulong> given;
    RentedStack<Part> parts;
    MapKeys keys;

    public JsonReader(ReadOnlySpan<byte> json, ProtoJsonOptions? options)
    {
        this.json = json;
        types = options?.Types;
        ignoresUnknown = options is { IgnoreUnknownFields: true };
        output = ArrayPool<byte>.Shared.Rent(json.Length);
    }

    /// <summary>Returns the arrays. Results are invalid after this call.</summary>
    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(output);
        output = [];
        given.Dispose();
        parts.Dispose();
        keys.Dispose();
    }

    /// <summary>Reads the text, which is one message.</summary>
    /// <returns>The binary form. It is valid until <see cref="Dispose"/>.</returns>
    /// <exception cref="ProtoJsonException">The text is not a message of the type.</exception>
    public ReadOnlySpan<byte> Read(MessageDescriptor type)
    {
        if (!Utf8.IsValid(json)) Throw(FirstInvalid(json), "the text is not UTF-8");
        if (json.StartsWith(Encoding.UTF8.Preamble)) at = Encoding.UTF8.Preamble.Length;
        SkipSpace();
        Message(type, depth: 0);
        SkipSpace();
        if (at < json.Length) Throw(at, "more follows after the message");
        return output.AsSpan(0, written);
    }

    void Message(MessageDescriptor type, int depth)
    {
        if (depth > ParseLimits.MaxDepth) Throw(at, $"messages are nested more than {ParseLimits.MaxDepth} deep");
        if (type.WellKnown == WellKnownKind.None) Fields(type, depth, inAny: false);
        else KnownMessage(type, depth);
    }

    /// <param name="type">The type of the message.</param>
    /// <param name="depth">The number of messages around this one. Entries of maps are messages.</param>
    /// <param name="inAny">Whether the object is an Any, which has the member @type beside the fields of its content.</param>
    void Fields(MessageDescriptor type, int depth, bool inAny)
    {
        if (!TryBegin('{')) Throw(at, $"{type.FullName} is an object");
        if (TryEnd('}')) return;
        var fields = type.FieldsByNumber;
        var (bits, firstPart, start) = (given.Count, parts.Count, written);
        given.Push((fields.Length + type.Oneofs.Count + 64) >> 6);
        var (expected, last, isSorted, hasType) = (0, 0, true, false);
        do
        {
            var nameAt = at;
            var field = NextField(fields, expected);
            if (field is null)
            {
                var name = Name();
                field = type.Find(name) ?? Extension(type, name);
                var isType = field is null && inAny && name.SequenceEqual("@type"u8);
                Colon();
                if (field is null)
                {
                    if (isType && hasType) Throw(nameAt, "'@type' is given twice");
                    if (!isType && !ignoresUnknown) Throw(nameAt, $"{type.FullName} has no field {Shown(nameAt)}");
                    hasType |= isType;
                    Skip(depth);
                    continue;
                }
            }

            if (field.IsExtension ? IsExtensionGiven(firstPart, field.FieldNumber) : !Give(bits, field.Index))
                Throw(nameAt, $"{Shown(nameAt)} is given twice");
            expected = field.Index + 1;
            isSorted &= field.FieldNumber > last;
            last = field.FieldNumber;
            parts.Push(new Part(last, written));
            if (IsNull() && (field.IsRepeated || !TakesNull(field)))
            {
                at += "null".Length;
                continue;
            }

            if (field.ContainingOneof is { } oneof && !Give(bits, fields.Length + oneof.Index))
                Throw(nameAt, $"{Shown(nameAt)} is given beside another field of the oneof '{oneof.Name}'");
            if (!field.IsRepeated) Single(field, depth, keepsDefault: field.HasPresence);
            else if (field.IsMap) Map(field, depth);
            else List(field, depth);
        }
        while (Next('}'));

        if (!isSorted) Sort(firstPart, start);
        given.Count = bits;
        parts.Count = firstPart;
    }

    /// <summary>Reads the name and the colon of the field that follows the last one, or of one of the next, because most texts are written
    /// in the order of numbers and without defaults.</summary>
    /// <returns>The field; null if the name is another one. Nothing is read then.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    FieldDescriptor? NextField(FieldDescriptor[] fields, int expected)
    {
        const int tried = 4;
        var rest = json[at..];
        for (var i = expected; i < expected + tried && (uint)i < (uint)fields.Length; i++)
        {
            var member = fields[i].JsonMember;
            if (member.Length == 0 || !rest.StartsWith(member)) continue;
            at += member.Length;
            SkipSpace();
            return fields[i];
        }

        return null;
    }

    /// <returns>Whether the bit was not set before.</returns>
    readonly bool Give(int bits, int index)
    {
        ref var word = ref given.Items[bits + (index >> 6)];
        var bit = 1ul << index;
        if ((word & bit) != 0) return false;
        word |= bit;
        return true;
    }

    readonly bool IsExtensionGiven(int firstPart, int number)
    {
        foreach (var part in parts.From(firstPart))
        {
            if (part.Number == number) return true;
        }

        return false;
    }

    readonly FieldDescriptor? Extension(MessageDescriptor type, ReadOnlySpan<byte> name)
    {
        if (name is not [(byte)'[', .., (byte)']']) return null;
        var field = type.File.FindExtension(name[1..^1]) ?? types?.FindExtension(name[1..^1]);
        return field?.ContainingType == type ? field : null;
    }

    static bool TakesNull(FieldDescriptor field) =>
        field.MessageType is { WellKnown: WellKnownKind.Value } || field.EnumType is { IsNullValue: true };

    /// <summary>Writes the fields of an object in the order of their numbers.</summary>
    void Sort(int firstPart, int start)
    {
        var length = written - start;
        var fields = parts.From(firstPart);
        for (var i = 0; i < fields.Length; i++)
            fields[i].Length = (i + 1 < fields.Length ? fields[i + 1].Start : written) - fields[i].Start;
        fields.Sort(static (one, other) => one.Number.CompareTo(other.Number));
        Room(length);
        var to = written;
        foreach (var field in fields)
        {
            output.AsSpan(field.Start, field.Length).CopyTo(output.AsSpan(to));
            to += field.Length;
        }

        output.AsSpan(written, length).CopyTo(output.AsSpan(start));
    }

    /// <param name="field">The field, or the key or the value of a map's entry.</param>
    /// <param name="depth">The depth of the message that contains it.</param>
    /// <param name="keepsDefault">Whether the default value is written, too.</param>
    /// <returns>Whether the value is to be kept: false for the name of an enum's value that is unknown and ignored.</returns>
    bool Single(FieldDescriptor field, int depth, bool keepsDefault)
    {
        var start = written;
        Varint(field.Tag);
        var from = written;
        switch (field.FieldType)
        {
            case FieldType.Message or FieldType.Group:
                MessageField(field, depth);
                return true;
            case FieldType.String:
                String();
                break;
            case FieldType.Bytes:
                Bytes();
                break;
            default:
                if (!Scalar(field))
                {
                    written = start;
                    return false;
                }

                break;
        }

        if (!keepsDefault && !output.AsSpan(from, written - from).ContainsAnyExcept((byte)0)) written = start;
        return true;
    }

    void MessageField(FieldDescriptor field, int depth)
    {
        if (field.IsDelimited)
        {
            Message(field.MessageType!, depth + 1);
            Varint(field.EndTag);
            return;
        }

        var body = BeginBody();
        Message(field.MessageType!, depth + 1);
        EndBody(body);
    }

    void List(FieldDescriptor field, int depth)
    {
        if (!TryBegin('[')) Throw(at, "a repeated field is an array");
        if (TryEnd(']')) return;
        if (field.IsPacked)
        {
            var start = written;
            Varint(field.Tag);
            var body = BeginBody();
            do
            {
                ThrowIfNull(field);
                Scalar(field);
            }
            while (Next(']'));

            if (written == body) written = start;
            else EndBody(body);
            return;
        }

        do
        {
            ThrowIfNull(field);
            Single(field, depth, keepsDefault: true);
        }
        while (Next(']'));
    }

    void ThrowIfNull(FieldDescriptor field)
    {
        if (IsNull() && !TakesNull(field)) Throw(at, "null is no element of a repeated field");
    }

    void Map(FieldDescriptor field, int depth)
    {
        if (!TryBegin('{')) Throw(at, "a map is an object");
        if (TryEnd('}')) return;
        var (key, value) = (field.MessageType!.FieldsByNumber[0], field.MessageType.FieldsByNumber[1]);
        var map = keys.Begin();
        do
        {
            var (start, keyAt) = (written, at);
            Varint(field.Tag);
            var body = BeginBody();
            Key(key);
            var keyEnd = written;
            Colon();
            if (IsNull() && !TakesNull(value)) Throw(at, "null is no value of a map");
            if (!Single(value, depth + 1, keepsDefault: true))
            {
                written = start;
                continue;
            }

            var moved = EndBody(body);
            if (!keys.Add(map, output, body + moved, keyEnd - body)) Throw(keyAt, $"the key {Shown(keyAt)} is given twice");
        }
        while (Next('}'));

        keys.End(map);
    }

    void Key(FieldDescriptor key)
    {
        if (Peek() != '"') Throw(at, "a key is expected");
        Varint(key.Tag);
        if (key.FieldType == FieldType.String) String();
        else if (key.FieldType != FieldType.Bool) Scalar(key);
        else
        {
            var keyAt = at;
            var text = Text();
            var isTrue = text.SequenceEqual("true"u8);
            if (!isTrue && !text.SequenceEqual("false"u8)) Throw(keyAt, "true or false is expected");
            Room(1)[0] = isTrue ? (byte)1 : (byte)0;
            written++;
        }
    }

    bool Scalar(FieldDescriptor field)
    {
        switch (field.FieldType)
        {
            case FieldType.Int32:
                Varint((ulong)Integer(int.MinValue, int.MaxValue));
                break;
            case FieldType.Int64:
                Varint((ulong)Integer(long.MinValue, long.MaxValue));
                break;
            case FieldType.UInt32:
                Varint(Unsigned(uint.MaxValue));
                break;
            case FieldType.UInt64:
                Varint(Unsigned(ulong.MaxValue));
                break;
            case FieldType.SInt32:
                Varint(ZigZag(Integer(int.MinValue, int.MaxValue)));
                break;
            case FieldType.SInt64:
                Varint(ZigZag(Integer(long.MinValue, long.MaxValue)));
                break;
            case FieldType.Fixed32:
                Fixed((uint)Unsigned(uint.MaxValue));
                break;
            case FieldType.Fixed64:
                Fixed(Unsigned(ulong.MaxValue));
                break;
            case FieldType.SFixed32:
                Fixed((int)Integer(int.MinValue, int.MaxValue));
                break;
            case FieldType.SFixed64:
                Fixed(Integer(long.MinValue, long.MaxValue));
                break;
            case FieldType.Float:
                Fixed(Float());
                break;
            case FieldType.Double:
                Fixed(Double());
                break;
            case FieldType.Bool:
                Varint(Bool() ? 1ul : 0);
                break;
            default:
                if (!TryEnum(field.EnumType!, out var number)) return false;
                Varint((ulong)number);
                break;
        }

        return true;
    }

    static ulong ZigZag(long value) => (ulong)((value << 1) ^ (value >> 63));

    bool Bool()
    {
        var isTrue = Peek() == 't';
        if (!TryLiteral(isTrue ? "true"u8 : "false"u8)) Throw(at, "true or false is expected");
        return isTrue;
    }

    bool TryEnum(EnumDescriptor type, out long number)
    {
        number = 0;
        var first = Peek();
        if (first == '"')
        {
            var nameAt = at;
            var isKnown = type.TryFind(Text(), out var value);
            if (!isKnown && !ignoresUnknown) Throw(nameAt, $"{type.FullName} has no value {Shown(nameAt)}");
            number = value;
            return isKnown;
        }

        if (type.IsNullValue && TryLiteral("null"u8)) return true;
        number = Integer(int.MinValue, int.MaxValue);
        return true;
    }

    // Structure

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    readonly byte Peek() => (uint)at < (uint)json.Length ? json[at] : (byte)0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void SkipSpace()
    {
        if (Peek() <= ' ') SkipMoreSpace();
    }

    void SkipMoreSpace()
    {
        while ((uint)at < (uint)json.Length && json[at] is (byte)' ' or (byte)'\n' or (byte)'\r' or (byte)'\t') at++;
    }

    /// <summary>Begins an object or an array.</summary>
    bool TryBegin(char mark)
    {
        if (Peek() != mark) return false;
        at++;
        SkipSpace();
        return true;
    }

    /// <summary>Ends an object or an array that is empty.</summary>
    bool TryEnd(char mark)
    {
        if (Peek() != mark) return false;
        at++;
        return true;
    }

    /// <summary>Reads what follows a member or an element.</summary>
    /// <returns>Whether another one follows.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    bool Next(char end)
    {
        SkipSpace();
        var mark = Peek();
        if (mark != ',' && mark != end) Throw(at, $"',' or '{end}' is expected");
        at++;
        if (mark != ',') return false;
        SkipSpace();
        return true;
    }

    void Colon()
    {
        SkipSpace();
        if (Peek() != ':') Throw(at, "':' is expected");
        at++;
        SkipSpace();
    }

    readonly bool IsNull() => Peek() == 'n' && json[at..].StartsWith("null"u8);

    bool TryLiteral(ReadOnlySpan<byte> text)
    {
        if (!json[at..].StartsWith(text)) return false;
        at += text.Length;
        return true;
    }

    /// <summary>Checks a value that is not read.</summary>
    void Skip(int depth)
    {
        switch (Peek())
        {
            case (byte)'"':
                Text();
                return;
            case (byte)'{' or (byte)'[':
                if (depth >= ParseLimits.MaxDepth) Throw(at, $"values are nested more than {ParseLimits.MaxDepth} deep");
                var end = json[at] == '{' ? '}' : ']';
                at++;
                SkipSpace();
                if (TryEnd(end)) return;
                do
                {
                    if (end == '}')
                    {
                        Name();
                        Colon();
                    }

                    Skip(depth + 1);
                }
                while (Next(end));
                return;
            case (byte)'t' when TryLiteral("true"u8):
            case (byte)'f' when TryLiteral("false"u8):
            case (byte)'n' when TryLiteral("null"u8):
                return;
            case (byte)'-' or (>= (byte)'0' and <= (byte)'9'):
                Number(out _);
                return;
            default:
                Throw(at, "a value is expected");
                return;
        }
    }

    // Strings

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    ReadOnlySpan<byte> Name()
    {
        if (Peek() != '"') Throw(at, "a name in quotes is expected");
        return Text();
    }

    /// <summary>Reads a string.</summary>
    /// <returns>The text without escapes. It is valid until something is written.</returns>
    ReadOnlySpan<byte> Text()
    {
        if (Peek() != '"') Throw(at, "a string is expected");
        var rest = json[(at + 1)..];
        var end = PlainLength(rest);
        if ((uint)end < (uint)rest.Length && rest[end] == '"')
        {
            at += end + 2;
            return rest[..end];
        }

        var start = written;
        Unescape();
        var text = output.AsSpan(start, written - start);
        written = start;
        return text;
    }

    /// <summary>Writes a string with its length.</summary>
    void String()
    {
        if (Peek() != '"') Throw(at, "a string is expected");
        var rest = json[(at + 1)..];
        if (rest.Length >= Vector256<byte>.Count)
        {
            // Most strings are short. What is written behind the end of one is overwritten.
            var piece = Vector256.Create(rest);
            var length = BitOperations.TrailingZeroCount(Stops(piece));
            if (length < Vector256<byte>.Count && rest[length] == '"')
            {
                var room = Room(1 + Vector256<byte>.Count);
                room[0] = (byte)length;
                piece.CopyTo(room[1..]);
                at += length + 2;
                written += length + 1;
                return;
            }
        }

        var end = rest.IndexOfAny(stops);
        if ((uint)end < (uint)rest.Length && rest[end] == '"')
        {
            at += end + 2;
            Varint((uint)end);
            rest[..end].CopyTo(Room(end));
            written += end;
            return;
        }

        var body = BeginBody();
        Unescape();
        EndBody(body);
    }

    /// <summary>Gets the number of bytes before the first one that ends a run; the length of the text, or -1, if there is none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static int PlainLength(ReadOnlySpan<byte> text)
    {
        if (text.Length >= Vector256<byte>.Count && Stops(Vector256.Create(text)) is var mask and not 0)
            return BitOperations.TrailingZeroCount(mask);
        return text.IndexOfAny(stops);
    }

    /// <summary>Gets a bit for each byte that is in <see cref="stops"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static uint Stops(Vector256<byte> text) =>
        (Vector256.Equals(text, Vector256.Create((byte)'"')) | Vector256.Equals(text, Vector256.Create((byte)'\\'))
            | Vector256.LessThan(text, Vector256.Create((byte)0x20))).ExtractMostSignificantBits();

    /// <summary>Writes a string without escapes, and without its length.</summary>
    void Unescape()
    {
        var begin = at++;
        while (true)
        {
            var rest = json[at..];
            var run = rest.IndexOfAny(stops);
            if (run < 0) Throw(begin, "the string has no end");
            rest[..run].CopyTo(Room(run + 4));
            written += run;
            at += run;
            switch (json[at])
            {
                case (byte)'"':
                    at++;
                    return;
                case (byte)'\\':
                    Escape();
                    break;
                default:
                    Throw(at, "a control character in a string has to be escaped");
                    break;
            }
        }
    }

    void Escape()
    {
        var from = at;
        at += 2;
        var mark = from + 1 < json.Length ? json[from + 1] : (byte)0;
        if (mark == 'u')
        {
            int unit = Hex(from);
            if (char.IsSurrogate((char)unit))
            {
                var low = at;
                if (!char.IsHighSurrogate((char)unit) || !json[low..].StartsWith("\\u"u8)) Throw(from, "half of a surrogate pair");
                at += 2;
                var second = (char)Hex(low);
                if (!char.IsLowSurrogate(second)) Throw(from, "half of a surrogate pair");
                unit = char.ConvertToUtf32((char)unit, second);
            }

            written += new Rune(unit).EncodeToUtf8(Room(4));
            return;
        }

        Room(1)[0] = mark switch
        {
            (byte)'"' or (byte)'\\' or (byte)'/' => mark,
            (byte)'b' => (byte)'\b',
            (byte)'f' => (byte)'\f',
            (byte)'n' => (byte)'\n',
            (byte)'r' => (byte)'\r',
            (byte)'t' => (byte)'\t',
            _ => Invalid(from),
        };
        written++;
    }

    readonly byte Invalid(int from)
    {
        Throw(from, "this escape does not exist");
        return 0;
    }

    /// <summary>Reads the four digits of an escape.</summary>
    ushort Hex(int from)
    {
        var value = 0;
        for (var end = at + 4; at < end; at++)
        {
            var digit = Peek();
            if (!char.IsAsciiHexDigit((char)digit)) Throw(from, "\\u has four hexadecimal digits");
            value = (value << 4) | (digit <= '9' ? digit - '0' : (digit & 0xF) + 9);
        }

        return (ushort)value;
    }

    /// <summary>Writes bytes from base64 of either alphabet, with or without padding.</summary>
    void Bytes()
    {
        if (Peek() != '"') Throw(at, "a string in base64 is expected");
        var from = at;
        var body = BeginBody();
        var rest = json[(at + 1)..];
        var end = rest.IndexOfAny(stops);
        if ((uint)end < (uint)rest.Length && rest[end] == '"')
        {
            var room = Room(end + 4);
            at += end + 2;
            if (Base64.DecodeFromUtf8(rest[..end], room, out _, out var count) == OperationStatus.Done)
            {
                written += count;
                EndBody(body);
                return;
            }

            rest[..end].CopyTo(room);
            written += end;
        }
        else
        {
            Unescape();
        }

        Room(4);
        var text = output.AsSpan(body, written - body);
        text.Replace((byte)'-', (byte)'+');
        text.Replace((byte)'_', (byte)'/');
        if (!text.ContainsAny((byte)'=', (byte)' '))
        {
            for (; (written - body) % 4 != 0; written++) output[written] = (byte)'=';
        }

        text = output.AsSpan(body, written - body);
        ClearUnusedBits(text);
        if (Base64.DecodeFromUtf8InPlace(text, out var decoded) != OperationStatus.Done) Throw(from, "this is not base64");
        written = body + decoded;
        EndBody(body);
    }

    /// <summary>Clears the bits of the last digit that are in no byte. The framework refuses other bits than 0, and the parsers of C++ and
    /// of Google's C# ignore them.</summary>
    static void ClearUnusedBits(Span<byte> base64)
    {
        var padding = base64.EndsWith("=="u8) ? 2 : base64.EndsWith("="u8) ? 1 : 0;
        if (base64.Length <= padding || padding == 0) return;
        var alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"u8;
        ref var last = ref base64[^(padding + 1)];
        if (alphabet.IndexOf(last) is var bits and >= 0) last = alphabet[bits & (padding == 2 ? 0x30 : 0x3C)];
    }

    // Output

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    Span<byte> Room(int count)
    {
        if (output.Length - written < count) Grow(count);
        return output.AsSpan(written);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    void Grow(int count)
    {
        var needed = Math.Max(2L * output.Length, (long)written + count);
        var larger = ArrayPool<byte>.Shared.Rent((int)Math.Min(Array.MaxLength, needed));
        output.AsSpan(0, written).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(output);
        output = larger;
        if (output.Length - written < count) throw new InsufficientMemoryException("The message has more than 2 GiB.");
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void Varint(ulong value)
    {
        var room = Room(10);
        if (value < 0x80)
        {
            room[0] = (byte)value;
            written++;
            return;
        }

        var length = 0;
        for (; value >= 0x80; value >>= 7) room[length++] = (byte)(value | 0x80);
        room[length++] = (byte)value;
        written += length;
    }

    void Fixed<T>(T value)
        where T : unmanaged
    {
        // the wire form is little-endian, as every machine that .NET supports
        Unsafe.WriteUnaligned(ref Room(Unsafe.SizeOf<T>())[0], value);
        written += Unsafe.SizeOf<T>();
    }

    /// <summary>Leaves one byte for the length of what follows.</summary>
    int BeginBody()
    {
        Room(1);
        return ++written;
    }

    /// <summary>Writes the length of what was written since <see cref="BeginBody"/>. A body of 128 bytes or more is moved.</summary>
    /// <returns>By how many bytes it was moved.</returns>
    int EndBody(int body)
    {
        var length = written - body;
        if (length < 0x80)
        {
            output[body - 1] = (byte)length;
            return 0;
        }

        var moved = WireSize.Varint((uint)length) - 1;
        Room(moved);
        output.AsSpan(body, length).CopyTo(output.AsSpan(body + moved));
        written = body - 1;
        Varint((uint)length);
        written += length;
        return moved;
    }

    // Errors

    /// <summary>Gets the text of the string or number at a position, for a message.</summary>
    readonly string Shown(int position)
    {
        const int longest = 100;
        var rest = json[position..];
        var isQuoted = rest.StartsWith((byte)'"');
        if (isQuoted) rest = rest[1..];
        var end = 0;
        while (end < rest.Length && end <= longest && (isQuoted ? rest[end] != '"' : rest[end] is not ((byte)',' or (byte)'}' or (byte)']' or <= (byte)' ')))
            end += isQuoted && rest[end] == '\\' ? 2 : 1;
        var text = JsonPlace.OneLine(Encoding.UTF8.GetString(rest[..Math.Min(end, rest.Length)]));
        return end > longest ? $"'{text}...'" : $"'{text}'";
    }

    static int FirstInvalid(ReadOnlySpan<byte> text)
    {
        for (var position = 0; position < text.Length;)
        {
            if (Rune.DecodeFromUtf8(text[position..], out _, out var length) != OperationStatus.Done) return position;
            position += length;
        }

        return text.Length;
    }

    [DoesNotReturn]
    readonly void Throw(int position, string reason)
    {
        var end = json.TrimEnd(" \n\r\t"u8).Length;
        if (position >= end) (position, reason) = (end, "the text ends too early");
        throw new ProtoJsonException(reason, JsonPlace.Of(json, position));
    }

    /// <summary>A field in the binary form.</summary>
    record struct Part(int Number, int Start, int Length = 0);
}

/// <summary>Finds keys that a map has twice. A map with few entries is searched one by one, and a larger one has a hash table.</summary>
/// <remarks>The maps that are open are a stack. The hash is that of <see cref="MapKey"/>, which a sender cannot predict.</remarks>
struct MapKeys
{
    const int searched = 8;

    RentedStack<Entry> entries;
    RentedStack<int> slots;

    public readonly Map Begin() => new(entries.Count, slots.Count);

    /// <summary>Adds a key.</summary>
    /// <returns>Whether the map did not have it before.</returns>
    public bool Add(Map map, byte[] output, int start, int length)
    {
        var key = output.AsSpan(start, length);
        var hash = MapKey.Hash(key);
        var added = entries.Count - map.Entries;
        if (added < searched)
        {
            foreach (var entry in entries.From(map.Entries))
            {
                if (entry.Hash == hash && output.AsSpan(entry.Start, entry.Length).SequenceEqual(key)) return false;
            }

            entries.Push(new Entry(start, length, hash));
            return true;
        }

        if (2 * (added + 1) > slots.Count - map.Slots) Enlarge(map);
        var table = slots.From(map.Slots);
        var at = hash & (table.Length - 1);
        for (; table[at] != 0; at = (at + 1) & (table.Length - 1))
        {
            var entry = entries.Items[map.Entries + table[at] - 1];
            if (entry.Hash == hash && output.AsSpan(entry.Start, entry.Length).SequenceEqual(key)) return false;
        }

        entries.Push(new Entry(start, length, hash));
        table[at] = added + 1;
        return true;
    }

    public void End(Map map) => (entries.Count, slots.Count) = (map.Entries, map.Slots);

    public void Dispose()
    {
        entries.Dispose();
        slots.Dispose();
    }

    void Enlarge(Map map)
    {
        var length = Math.Max(8 * searched, 2 * (slots.Count - map.Slots));
        slots.Count = map.Slots;
        slots.Push(zeros: length);
        var table = slots.From(map.Slots);
        var all = entries.From(map.Entries);
        for (var i = 0; i < all.Length; i++)
        {
            var at = all[i].Hash & (length - 1);
            while (table[at] != 0) at = (at + 1) & (length - 1);
            table[at] = i + 1;
        }
    }

    readonly record struct Entry(int Start, int Length, int Hash);

    public readonly record struct Map(int Entries, int Slots);
}
