using System.Buffers;

namespace ProtoBench.Codec.Runtime;

/// <summary>Writes JSON that has no spaces on lines with an indentation, laid out as Google's text.</summary>
/// <remarks>It reads the JSON that <see cref="JsonPrinter"/> has written, so that JSON without lines pays nothing: checks in the printer took
/// 3 to 12 % of its time.</remarks>
static class JsonLines
{
    static ReadOnlySpan<byte> TypeName => "\"@type\":"u8;

    public static void Write(in ReadOnlySequence<byte> json, ReadOnlySpan<byte> indentation, IBufferWriter<byte> output)
    {
        var reader = new SequenceReader<byte>(json);
        var (depth, isOpened, staysOnLine) = (0, false, false);
        while (reader.TryRead(out var letter))
        {
            var isEnd = letter is (byte)'}' or (byte)']';
            if (isEnd) depth--;

            // an object or a list without content is on one line
            if (isOpened != isEnd) Break(depth, indentation, output);
            if (isOpened && letter == '"')
            {
                reader.Rewind(1);
                staysOnLine = IsTypeBeforeValue(reader);
                reader.Advance(1);
            }

            isOpened = letter is (byte)'{' or (byte)'[';
            if (isOpened) depth++;
            output.Write([letter]);
            switch (letter)
            {
                case (byte)'"':
                    CopyString(ref reader, output);
                    break;
                case (byte)':':
                    output.Write(" "u8);
                    break;
                case (byte)',' when staysOnLine:
                    output.Write(" "u8);
                    staysOnLine = false;
                    break;
                case (byte)',':
                    Break(depth, indentation, output);
                    break;
                default:
                    break;
            }
        }
    }

    /// <summary>Copies a string behind its first quotation mark.</summary>
    static void CopyString(ref SequenceReader<byte> reader, IBufferWriter<byte> output)
    {
        while (true)
        {
            reader.TryReadToAny(out ReadOnlySequence<byte> plain, "\"\\"u8, advancePastDelimiter: false);
            foreach (var piece in plain) output.Write(piece.Span);
            reader.TryRead(out var mark);
            output.Write([mark]);
            if (mark == '"') return;
            reader.TryRead(out var escaped);
            output.Write([escaped]);
        }
    }

    /// <summary>Determines whether an object begins with the type of an Any whose content is its "value". Google has both on one line.</summary>
    static bool IsTypeBeforeValue(SequenceReader<byte> reader)
    {
        if (!reader.IsNext(TypeName, advancePast: true)) return false;
        reader.Advance(1);
        return reader.TryReadTo(out ReadOnlySequence<byte> typeUrl, (byte)'"') && reader.IsNext(",\"value\":"u8)
            && ContentPrinter.HasOwnFormIn(typeUrl);
    }

    static void Break(int depth, ReadOnlySpan<byte> indentation, IBufferWriter<byte> output)
    {
        output.Write("\n"u8);
        for (var i = 0; i < depth; i++) output.Write(indentation);
    }
}
