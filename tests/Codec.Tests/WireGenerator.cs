using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace ProtoBench.Codec.Tests;

/// <summary>Prints random messages of a type straight onto the wire, in all the forms that a sender may choose: any order of fields,
/// repeated and absent ones, packed or not, varints with idle bytes, fields that the schema does not know; and then damages some.</summary>
sealed class WireGenerator(Random random)
{
    static readonly string[] texts =
        ["", "a", "zebra", "Straße", "\u732b", "\U0001F418", "thirty-two bytes of plain ascii.", new('x', 33), new('y', 130)];
    static readonly ulong[] edges =
        [0, 1, 2, 127, 128, 300, int.MaxValue, 1ul << 31, uint.MaxValue, 1ul << 32, long.MaxValue, 1ul << 63, ulong.MaxValue];

    /// <summary>A message, valid three times out of four.</summary>
    public byte[] Next(MessageDescriptor type)
    {
        var kind = random.Next(16);
        if (kind == 0)
        {
            var noise = new byte[random.Next(24)];
            random.NextBytes(noise);
            return noise;
        }

        var wire = Message(type, 0);
        for (; kind < 4 && wire.Length > 0; kind += random.Next(1, 5)) wire = Damage(wire);
        return wire;
    }

    public byte[] Message(MessageDescriptor type, int depth)
    {
        var wire = new MemoryStream();
        var output = new CodedOutputStream(wire);
        var fields = type.Fields.InDeclarationOrder();
        for (var count = random.Next(random.Next(2, 7)); count > 0; count--)
        {
            if (random.Next(12) == 0) Unknown(output, fields, depth);
            else Field(output, fields[random.Next(fields.Count)], depth);
        }

        output.Flush();
        return wire.ToArray();
    }

    public byte[] Damage(byte[] wire)
    {
        var at = random.Next(wire.Length);
        switch (random.Next(6))
        {
            case 0:
                wire[at] ^= (byte)(1 << random.Next(8));
                return wire;
            case 1:
                wire[at] = (byte)random.Next(256);
                return wire;
            case 2:
                return wire[..at];
            case 3:
                return [.. wire[..at], (byte)random.Next(256), .. wire[at..]];
            case 4:
                return [.. wire[..at], .. wire[(at + 1)..]];
            default:
                var from = random.Next(wire.Length);
                return [.. wire[..at], .. wire[from..]];
        }
    }

    void Field(CodedOutputStream output, FieldDescriptor field, int depth)
    {
        if (field.FieldType is FieldType.Message)
        {
            if (depth > 5) return;
            if (field.IsMap && random.Next(8) == 0)
            {
                CollidingEntries(output, field);
                return;
            }

            for (var count = field.IsRepeated ? random.Next(1, 4) : 1; count > 0; count--)
            {
                Tag(output, field.FieldNumber, 2);
                Body(output, Message(field.MessageType, depth + 1));
            }

            return;
        }

        var wireType = WireType(field.FieldType);
        if (field.IsRepeated && wireType != 2 && random.Next(2) == 0)
        {
            var packed = new MemoryStream();
            var elements = new CodedOutputStream(packed);
            for (var count = random.Next(5); count > 0; count--) Scalar(elements, field.FieldType);
            elements.Flush();
            Tag(output, field.FieldNumber, 2);
            Body(output, packed.ToArray());
            return;
        }

        for (var count = field.IsRepeated ? random.Next(1, 5) : 1; count > 0; count--)
        {
            Tag(output, field.FieldNumber, wireType);
            Scalar(output, field.FieldType);
        }
    }

    /// <summary>So many that the keys are in a hash table. The halves of a number are equal, which many hashes fold to 0.</summary>
    void CollidingEntries(CodedOutputStream output, FieldDescriptor map)
    {
        var key = map.MessageType.FindFieldByNumber(1);
        var shift = random.Next(33);
        for (var count = random.Next(9, 40); count > 0; count--)
        {
            var number = (ulong)random.Next(30);
            number |= number << shift;
            var entry = new MemoryStream();
            var fields = new CodedOutputStream(entry);
            Tag(fields, 1, WireType(key.FieldType));
            switch (WireType(key.FieldType))
            {
                case 0:
                    Varint(fields, number);
                    break;
                case 1:
                    fields.WriteFixed64(number);
                    break;
                case 2:
                    Body(fields, Convert.FromHexString($"{number & 0x7F7F7F7F7F7F7F7F:X16}"));
                    break;
                default:
                    fields.WriteFixed32((uint)number);
                    break;
            }

            fields.Flush();
            Tag(output, map.FieldNumber, 2);
            Body(output, entry.ToArray());
        }
    }

    void Unknown(CodedOutputStream output, IList<FieldDescriptor> fields, int depth)
    {
        // A number that nobody has, or somebody's number with any wire type.
        var number = random.Next(2) == 0 ? random.Next(1, 1 << 29) : fields[random.Next(fields.Count)].FieldNumber;
        var wireType = (uint)random.Next(6);
        if (wireType == 4) wireType = 0;
        if (wireType == 3 && depth > 5) return;
        Tag(output, number, wireType);
        switch (wireType)
        {
            case 0:
                Varint(output, edges[random.Next(edges.Length)]);
                break;
            case 1:
                output.WriteFixed64((ulong)random.NextInt64());
                break;
            case 2:
                Body(output, new byte[random.Next(6)]);
                break;
            case 3:
                for (var count = random.Next(3); count > 0; count--) Unknown(output, fields, depth + 1);
                Tag(output, number, 4);
                break;
            default:
                output.WriteFixed32((uint)random.Next());
                break;
        }
    }

    void Scalar(CodedOutputStream output, FieldType type)
    {
        switch (type)
        {
            case FieldType.String:
                output.WriteString(texts[random.Next(texts.Length)]);
                break;
            case FieldType.Bytes:
                var bytes = new byte[random.Next(40) == 0 ? random.Next(300) : random.Next(9)];
                random.NextBytes(bytes);
                Body(output, bytes);
                break;
            case FieldType.Float:
                output.WriteFloat(random.Next(3) == 0 ? float.NegativeZero : (float)random.NextDouble());
                break;
            case FieldType.Double:
                output.WriteDouble(random.Next(3) == 0 ? double.NegativeZero : random.NextDouble());
                break;
            case FieldType.Fixed32 or FieldType.SFixed32:
                output.WriteFixed32((uint)edges[random.Next(edges.Length)]);
                break;
            case FieldType.Fixed64 or FieldType.SFixed64:
                output.WriteFixed64(edges[random.Next(edges.Length)]);
                break;
            default:
                Varint(output, random.Next(3) == 0 ? edges[random.Next(edges.Length)] : (ulong)random.Next(4));
                break;
        }
    }

    void Tag(CodedOutputStream output, int number, uint wireType) => Varint(output, ((ulong)(uint)number << 3) | wireType);

    void Body(CodedOutputStream output, byte[] body)
    {
        Varint(output, (ulong)body.Length);
        output.WriteRawTag(body);
    }

    /// <summary>A varint; now and then one with idle bytes at its end, which change nothing.</summary>
    void Varint(CodedOutputStream output, ulong value)
    {
        if (random.Next(40) != 0 || value >= 1ul << 56)
        {
            output.WriteUInt64(value);
            return;
        }

        for (; value >= 0x80; value >>= 7) output.WriteRawTag((byte)(value | 0x80));
        output.WriteRawTag((byte)(value | 0x80));
        output.WriteRawTag(0);
    }

    static uint WireType(FieldType type) => type switch
    {
        FieldType.Double or FieldType.Fixed64 or FieldType.SFixed64 => 1,
        FieldType.String or FieldType.Bytes => 2,
        FieldType.Float or FieldType.Fixed32 or FieldType.SFixed32 => 5,
        _ => 0,
    };
}

static class CodedOutputStreamExtensions
{
    /// <summary>Writes bytes as they are, which the class itself does for tags of one to five bytes only.</summary>
    public static void WriteRawTag(this CodedOutputStream output, byte[] bytes)
    {
        foreach (var b in bytes) output.WriteRawTag(b);
    }
}
