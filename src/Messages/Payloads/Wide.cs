namespace ProtoBench.Payloads;

public enum WideSet
{
    None,

    /// <summary>Three fields, at a sixth, a half and five sixths of the message.</summary>
    Three,

    Half,

    All,
}

public static class Wide
{
    const int kinds = 20;

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
