using System.Globalization;

namespace ProtoBench.Codec.Runtime;

ref partial struct JsonReader
{
    // A double represents these powers and integers exactly, so their product or quotient is rounded once:
    // W. D. Clinger, How to read floating point numbers accurately, 1990.
    const ulong exactInDouble = 1ul << 53;
    const double smallestNormalFloat = 1.1754943508222875e-38;

    static ReadOnlySpan<double> powers =>
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22];

    long Integer(long least, long most)
    {
        var from = at;
        var number = Number(out _);
        if (number.TryInteger(out var magnitude))
        {
            if (!number.IsNegative && magnitude <= (ulong)most) return (long)magnitude;
            if (number.IsNegative && magnitude <= 0 - (ulong)least) return (long)(0 - magnitude);
        }

        Throw(from, $"{Shown(from)} is no integer from {least} to {most}");
        return 0;
    }

    ulong Unsigned(ulong most)
    {
        var from = at;
        var number = Number(out _);
        if (!number.TryInteger(out var magnitude) || magnitude > most || (number.IsNegative && magnitude > 0))
            Throw(from, $"{Shown(from)} is no integer from 0 to {most}");
        return magnitude;
    }

    double Double()
    {
        var from = at;
        if (TryNotFinite(out var value)) return value;
        var number = Number(out var text);
        if (number.IsExact && number.Magnitude <= exactInDouble && Math.Abs(number.Exponent) < powers.Length)
        {
            value = number.Exponent < 0
                ? number.Magnitude / powers[-number.Exponent] : number.Magnitude * powers[number.Exponent];
            return number.IsNegative ? -value : value;
        }

        if (!double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out value) || !double.IsFinite(value))
            Throw(from, $"{Shown(from)} is beyond the range of a double");
        return value;
    }

    float Float()
    {
        var from = at;
        if (TryNotFinite(out var special)) return (float)special;
        var number = Number(out var text);
        if (number.IsExact && number.Magnitude <= exactInDouble && Math.Abs(number.Exponent) < powers.Length)
        {
            // It is rounded twice, which is wrong only if the first result is between two floats exactly.
            var exact = number.Exponent < 0 ? number.Magnitude / powers[-number.Exponent] : number.Magnitude * powers[number.Exponent];
            const ulong belowFloat = (1ul << 29) - 1;
            const ulong half = 1ul << 28;
            if ((BitConverter.DoubleToUInt64Bits(exact) & belowFloat) != half
                && exact is 0 or (>= smallestNormalFloat and <= float.MaxValue))
                return (float)(number.IsNegative ? -exact : exact);
        }

        if (!float.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var value) || !float.IsFinite(value))
            Throw(from, $"{Shown(from)} is beyond the range of a float");
        return value;
    }

    /// <summary>Reads the names of numbers that are not finite.</summary>
    bool TryNotFinite(out double value)
    {
        value = 0;
        if (Peek() != '"') return false;
        var from = at;
        var text = Text();
        // the NaN of .NET has the sign bit set, and that of other languages does not
        if (text.SequenceEqual("NaN"u8)) value = double.CopySign(double.NaN, 1);
        else if (text.SequenceEqual("Infinity"u8)) value = double.PositiveInfinity;
        else if (text.SequenceEqual("-Infinity"u8)) value = double.NegativeInfinity;
        else at = from;
        return at != from;
    }

    /// <summary>Reads a number, or a string that is a number.</summary>
    Decimal Number(out ReadOnlySpan<byte> text)
    {
        var from = at;
        if (Peek() == '"')
        {
            text = Text();
            var end = 0;
            if (!Decimal.TryRead(text, ref end, out var quoted) || end < text.Length) Throw(from, $"{Shown(from)} is no number");
            return quoted;
        }

        if (!Decimal.TryRead(json, ref at, out var number))
            Throw(from, Peek() is (byte)'-' or (>= (byte)'0' and <= (byte)'9') ? $"{Shown(from)} is no number" : "a number is expected");
        text = json[from..at];
        return number;
    }

    /// <summary>Represents a number as it is written in JSON: an integer and a power of ten.</summary>
    /// <param name="IsNegative">Whether the number has a minus sign.</param>
    /// <param name="Magnitude">The integer without its sign.</param>
    /// <param name="Exponent">The power.</param>
    /// <param name="IsExact">Whether the integer has all digits. If not, it is larger than 2^64 without the zeros at its end.</param>
    readonly record struct Decimal(bool IsNegative, ulong Magnitude, int Exponent, bool IsExact)
    {
        // so many digits fit into 64 bits
        const int fitting = 19;
        const int largestExponent = 1_000_000;

        /// <summary>Reads a number by the grammar of JSON, and stops behind it.</summary>
        public static bool TryRead(ReadOnlySpan<byte> text, ref int position, out Decimal number)
        {
            number = default;
            var i = position;
            var isNegative = (uint)i < (uint)text.Length && text[i] == '-';
            if (isNegative) i++;
            var start = i;
            var magnitude = Digits(text, ref i, 0);
            var count = i - start;
            if (count == 0 || (count > 1 && text[start] == '0')) return false;
            var exponent = 0;
            if ((uint)i < (uint)text.Length && text[i] == '.')
            {
                var fraction = ++i;
                magnitude = Digits(text, ref i, magnitude);
                if (i == fraction) return false;
                exponent = fraction - i;
                count -= exponent;
            }

            var end = i;
            if ((uint)i < (uint)text.Length && (text[i] | 0x20) == 'e' && !TryReadExponent(text, ref i, ref exponent)) return false;
            position = i;
            number = count <= fitting
                ? new(isNegative, magnitude, exponent, IsExact: true) : Long(isNegative, text[start..end], exponent);
            return true;
        }

        /// <summary>Gets the number, if it is an integer of 64 bits.</summary>
        public bool TryInteger(out ulong magnitude)
        {
            magnitude = Magnitude;
            if (magnitude == 0 || (Exponent == 0 && IsExact)) return true;
            if (!IsExact) return false;
            var exponent = Exponent;
            for (; exponent > 0; exponent--)
            {
                if (magnitude > ulong.MaxValue / 10) return false;
                magnitude *= 10;
            }

            for (; exponent < 0; exponent++)
            {
                (magnitude, var rest) = Math.DivRem(magnitude, 10);
                if (rest != 0) return false;
            }

            return true;
        }

        static ulong Digits(ReadOnlySpan<byte> text, ref int position, ulong value)
        {
            var i = position;
            for (uint digit; (uint)i < (uint)text.Length && (digit = (uint)(text[i] - '0')) <= 9; i++) value = (value * 10) + digit;
            position = i;
            return value;
        }

        static bool TryReadExponent(ReadOnlySpan<byte> text, ref int position, ref int exponent)
        {
            position++;
            var isNegative = (uint)position < (uint)text.Length && text[position] == '-';
            if (isNegative || ((uint)position < (uint)text.Length && text[position] == '+')) position++;
            var start = position;
            var value = 0;
            for (; (uint)position < (uint)text.Length && (uint)(text[position] - '0') <= 9; position++)
                value = Math.Min((value * 10) + text[position] - '0', largestExponent);
            exponent += isNegative ? -value : value;
            return position > start;
        }

        /// <summary>Reads more digits than fit. Zeros at the end are a part of the exponent.</summary>
        static Decimal Long(bool isNegative, ReadOnlySpan<byte> digits, int exponent)
        {
            var (value, zeros) = (0ul, 0);
            foreach (var one in digits)
            {
                if (one == '.') continue;
                zeros++;
                if (one == '0') continue;
                for (; zeros > 0; zeros--)
                {
                    if (value > ulong.MaxValue / 10) return new(isNegative, value, exponent, IsExact: false);
                    value *= 10;
                    if (value == 0) zeros = 1;
                }

                if (value > ulong.MaxValue - (uint)(one - '0')) return new(isNegative, value, exponent, IsExact: false);
                value += (uint)(one - '0');
            }

            return new(isNegative, value, exponent + zeros, IsExact: true);
        }
    }
}
