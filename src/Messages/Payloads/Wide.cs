namespace ProtoBench.Payloads;

public enum WideSet
{
    None,

    /// <summary>Three fields, at a sixth, a half and five sixths of the message.</summary>
    Three,

    Half,

    All,
}

/// <summary>A message with one field of a kind.</summary>
public enum Shape
{
    /// <summary>No field: the cost of a message itself, which is a part of all others.</summary>
    Empty,

    /// <summary>A uint32 of one byte.</summary>
    Number,

    /// <summary>The same with explicit presence.</summary>
    Optional,

    Enum,

    /// <summary>A string of 8 characters of ASCII.</summary>
    Text8,

    Text20,

    Text100,

    /// <summary>A message with a number.</summary>
    Nested,

    /// <summary>A map from string to int32 with one entry.</summary>
    Map,

    /// <summary>A packed list of four numbers of one byte.</summary>
    List,

    /// <summary>A number in a oneof.</summary>
    Oneof,
}

public static class Wide
{
    const int kinds = 20;

    // the number of the field of Shapes for each shape
    static readonly int[] lists = [1, 2, 3, 4, 5, 5, 5, 6, 7, 8, 9];

    public static byte[] Small() =>
        new WireBytes().Varint(1, 12_345).Fixed64(2, BitConverter.DoubleToUInt64Bits(2.5)).Varint(3, 1).ToArray();

    /// <param name="fields">20, 50, 100 or 200.</param>
    public static byte[] Message(int fields, WideSet set)
    {
        var wire = new WireBytes();
        for (var field = 1; field <= fields; field++)
        {
            if (IsSet(field, fields, set)) Add(wire, field);
        }

        return wire.ToArray();
    }

    /// <summary>1,000 messages with one field of a kind.</summary>
    public static byte[] Shapes(Shape shape)
    {
        var wire = new WireBytes();
        for (var i = 0; i < 1_000; i++)
        {
            var number = (ulong)((i % 100) + 1);
            wire.Message(lists[(int)shape], shape switch
            {
                Shape.Empty => new(),
                Shape.Enum => new WireBytes().Varint(1, 1),
                Shape.Text8 => new WireBytes().Text(1, Text(8, i)),
                Shape.Text20 => new WireBytes().Text(1, Text(20, i)),
                Shape.Text100 => new WireBytes().Text(1, Text(100, i)),
                Shape.Nested => new WireBytes().Message(1, new WireBytes().Varint(1, number)),
                Shape.Map => new WireBytes().Message(1, new WireBytes().Text(1, "key").Varint(2, number)),
                Shape.List => new WireBytes().Bytes(1, [1, 2, 3, (byte)number]),
                _ => new WireBytes().Varint(1, number),
            });
        }

        return wire.ToArray();
    }

    static string Text(int length, int i) => i.ToString("D8", System.Globalization.CultureInfo.InvariantCulture).PadRight(length, '.');

    static bool IsSet(int field, int fields, WideSet set) => set switch
    {
        WideSet.None => false,
        WideSet.Three => field == fields / 6 || field == fields / 2 || field == fields * 5 / 6,
        WideSet.Half => field % 2 == 1,
        _ => true,
    };

    /// <summary>Adds a field. The kinds have the order of wide.proto.</summary>
    static void Add(WireBytes wire, int field)
    {
        switch ((field - 1) % kinds)
        {
            case 1 or 16:
                wire.Text(field, "a short text");
                break;
            case 4 or 17:
                wire.Fixed64(field, BitConverter.DoubleToUInt64Bits(field + 0.5));
                break;
            case 5:
                wire.Bytes(field, [1, 2, 3, 4]);
                break;
            case 7:
                wire.Bytes(field, [0, 1, 2, 3, 4, 5, 6, 7]);
                break;
            case 8 or 10:
                wire.Fixed32(field, BitConverter.SingleToUInt32Bits(field));
                break;
            case 11:
                wire.Message(field, new WireBytes().Varint(1, (ulong)field).Text(2, "part"));
                break;
            case 12:
                wire.Varint(field, 1);
                break;
            case 13:
                wire.Text(field, "one").Text(field, "two");
                break;
            case 19:
                wire.Message(field, new WireBytes().Text(1, "key").Varint(2, 300));
                break;
            case 3:
                wire.Varint(field, 1);
                break;
            default:
                wire.Varint(field, (ulong)(field * 37));
                break;
        }
    }
}

public static class Deep
{
    /// <param name="depth">The depth from 0, an animal without a mother, to 100, the limit of protobuf's libraries.</param>
    /// <param name="groups">Whether each mother is a group, which has no length.</param>
    public static byte[] Message(int depth, bool groups = false)
    {
        var animal = new WireBytes().Text(1, "Io");
        for (var level = 0; level < depth; level++)
        {
            var child = new WireBytes().Text(1, "Io");
            animal = groups ? child.Group(2, animal) : child.Message(2, animal);
        }

        return animal.ToArray();
    }
}
