using System.Buffers.Text;
using ProtoBench.Codec.Reflection;

namespace ProtoBench.Codec.Runtime;

// The well-known types that have a JSON form of their own.
ref partial struct JsonReader
{
    const int nanosPerSecond = 1_000_000_000;
    const long secondsOfYear1 = -62_135_596_800;
    const long secondsOfYear10000 = 253_402_300_800;
    const long mostSecondsOfDuration = 315_576_000_000;

    void KnownMessage(MessageDescriptor type, int depth)
    {
        switch (type.WellKnown)
        {
            case WellKnownKind.Timestamp:
                Timestamp();
                break;
            case WellKnownKind.Duration:
                Duration();
                break;
            case WellKnownKind.FieldMask:
                FieldMask();
                break;
            case WellKnownKind.Any:
                Any(depth);
                break;
            case WellKnownKind.Value:
                Value(type.KnownForm, depth);
                break;
            case WellKnownKind.Struct:
                Map(type.KnownForm.FieldsByNumber[0], depth);
                break;
            case WellKnownKind.ListValue:
                List(type.KnownForm.FieldsByNumber[0], depth);
                break;
            case WellKnownKind.Wrapper:
                Single(type.KnownForm.FieldsByNumber[0], depth, keepsDefault: false);
                break;
            default:
                Fields(type, depth, inAny: false);
                break;
        }
    }

    void Value(MessageDescriptor type, int depth)
    {
        var field = Peek() switch
        {
            (byte)'n' => 0,
            (byte)'"' => 2,
            (byte)'t' or (byte)'f' => 3,
            (byte)'{' => 4,
            (byte)'[' => 5,
            _ => 1,
        };
        Single(type.FieldsByNumber[field], depth, keepsDefault: true);
    }

    void Timestamp()
    {
        var from = at;
        if (!TryTimestamp(Text(), out var seconds, out var nanos))
            Throw(from, $"{Shown(from)} is no time from year 1 to 9999 in the form of RFC 3339");
        SecondsAndNanos(seconds, nanos);
    }

    void Duration()
    {
        var from = at;
        if (!TryDuration(Text(), out var seconds, out var nanos))
            Throw(from, $"{Shown(from)} is no duration: a number of seconds, at most 315576000000, with an s behind it");
        SecondsAndNanos(seconds, nanos);
    }

    void SecondsAndNanos(long seconds, int nanos)
    {
        if (seconds != 0)
        {
            Varint(1 << 3);
            Varint((ulong)seconds);
        }

        if (nanos == 0) return;
        Varint(2 << 3);
        Varint((ulong)nanos);
    }

    /// <summary>Reads a time: "2006-01-02T15:04:05.999999999Z", or with an offset in the place of the Z.</summary>
    static bool TryTimestamp(ReadOnlySpan<byte> text, out long seconds, out int nanos)
    {
        (seconds, nanos) = (0, 0);
        if (text.Length < "2006-01-02T15:04:05Z".Length || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':'
            || !TryTwoDigits(text, 99, out var century) || !TryTwoDigits(text[2..], 99, out var year)
            || !TryTwoDigits(text[5..], 12, out var month) || !TryTwoDigits(text[8..], 31, out var day)
            || !TryTwoDigits(text[11..], 23, out var hour) || !TryTwoDigits(text[14..], 59, out var minute)
            || !TryTwoDigits(text[17..], 59, out var second)) return false;
        year += 100 * century;
        if (year == 0 || month == 0 || day == 0 || day > DateTime.DaysInMonth(year, month)) return false;
        seconds = (new DateTime(year, month, day, hour, minute, second, DateTimeKind.Utc).Ticks / TimeSpan.TicksPerSecond) + secondsOfYear1;
        text = text[19..];
        if (!TryFraction(ref text, out nanos)) return false;
        if (text.SequenceEqual("Z"u8)) return true;
        if (text is not [(byte)'+' or (byte)'-', _, _, (byte)':', _, _]
            || !TryTwoDigits(text[1..], 23, out hour) || !TryTwoDigits(text[4..], 59, out minute)) return false;
        var offset = (hour * 3600) + (minute * 60);
        seconds += text[0] == '+' ? -offset : offset;
        return seconds is >= secondsOfYear1 and < secondsOfYear10000;
    }

    static bool TryTwoDigits(ReadOnlySpan<byte> text, int most, out int value)
    {
        value = ((text[0] - '0') * 10) + text[1] - '0';
        return char.IsAsciiDigit((char)text[0]) && char.IsAsciiDigit((char)text[1]) && value <= most;
    }

    static bool TryDuration(ReadOnlySpan<byte> text, out long seconds, out int nanos)
    {
        (seconds, nanos) = (0, 0);
        var isNegative = text.StartsWith((byte)'-');
        if (isNegative) text = text[1..];
        if (text.IsEmpty || !char.IsAsciiDigit((char)text[0]) || (text[0] == '0' && text.Length > 1 && char.IsAsciiDigit((char)text[1]))
            || !Utf8Parser.TryParse(text, out seconds, out var length) || seconds > mostSecondsOfDuration) return false;
        text = text[length..];
        if (!TryFraction(ref text, out nanos) || !text.SequenceEqual("s"u8)) return false;
        if (isNegative) (seconds, nanos) = (-seconds, -nanos);
        return true;
    }

    /// <summary>Reads a point and at most nine digits, if there is a point.</summary>
    static bool TryFraction(ref ReadOnlySpan<byte> text, out int nanos)
    {
        nanos = 0;
        if (text.IsEmpty || text[0] != '.') return true;
        var digits = 1;
        var unit = nanosPerSecond;
        for (; digits < text.Length && char.IsAsciiDigit((char)text[digits]); digits++)
        {
            unit /= 10;
            if (unit == 0) return false;
            nanos += (text[digits] - '0') * unit;
        }

        text = text[digits..];
        return digits > 1;
    }

    void FieldMask()
    {
        var from = at;
        var text = Text();
        // what has escapes is behind the output, where the paths are written
        if (text.Length < at - from - 2) text = text.ToArray();
        foreach (var range in text.Split((byte)','))
        {
            var path = text[range];
            if (path.IsEmpty) continue;
            Varint((1 << 3) | 2);
            var body = BeginBody();
            foreach (var letter in path)
            {
                if (letter == '_') Throw(from, $"{Shown(from)} is no field mask: names are in camel case");
                var room = Room(2);
                if (letter is >= (byte)'A' and <= (byte)'Z')
                {
                    room[0] = (byte)'_';
                    room[1] = (byte)(letter | 0x20);
                    written += 2;
                }
                else
                {
                    room[0] = letter;
                    written++;
                }
            }

            EndBody(body);
        }
    }

    void Any(int depth)
    {
        var begin = at;
        if (!TryBegin('{')) Throw(at, "an Any is an object");
        if (TryEnd('}')) return;
        if (!TryFindType(depth)) Throw(begin, "an Any has its type in '@type'");
        var typeAt = at;
        Varint((1 << 3) | 2);
        var start = BeginBody();
        if (Peek() == '"') Unescape();
        var type = ProtoJsonTypes.FindDescriptor(types, output.AsSpan(start, written - start));
        if (type is null) Throw(typeAt, $"the type {Shown(typeAt)} is not known");
        EndBody(start);
        at = begin;
        start = written;
        Varint((2 << 3) | 2);
        var body = BeginBody();
        if (type.WellKnown == WellKnownKind.None) Fields(type, depth + 1, inAny: true);
        else AnyValue(type, depth + 1);
        if (written == body) written = start;
        else EndBody(body);
    }

    /// <summary>Moves to the value of the member @type. It is the first one, unless another program wrote the text.</summary>
    bool TryFindType(int depth)
    {
        do
        {
            var isType = Name().SequenceEqual("@type"u8);
            Colon();
            if (isType) return true;
            Skip(depth);
        }
        while (Next('}'));

        return false;
    }

    /// <summary>Reads an Any with a message of a well-known type, whose JSON is in the member "value".</summary>
    void AnyValue(MessageDescriptor type, int depth)
    {
        var (hasType, hasValue) = (false, false);
        var begin = at;
        TryBegin('{');
        do
        {
            var nameAt = at;
            var name = Name();
            var isType = name.SequenceEqual("@type"u8);
            var isValue = name.SequenceEqual("value"u8);
            Colon();
            if (isValue ? hasValue : isType && hasType) Throw(nameAt, $"{Shown(nameAt)} is given twice");
            hasType |= isType;
            hasValue |= isValue;
            if (isValue)
            {
                Message(type, depth);
                continue;
            }

            if (!isType && !ignoresUnknown) Throw(nameAt, $"an Any of {type.FullName} has no member {Shown(nameAt)}");
            Skip(depth);
        }
        while (Next('}'));

        // Google's formatters write the content of Empty as a value, and the specification has none
        if (!hasValue && type.WellKnown != WellKnownKind.Empty) Throw(begin, $"an Any of {type.FullName} has its content in 'value'");
    }
}
