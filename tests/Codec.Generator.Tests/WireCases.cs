using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>What a conformance suite asks of the wire format, as input over <see cref="AllTypes"/>.
/// Cases in which the codec differs from Google.Protobuf on purpose are not here.</summary>
static class WireCases
{
    static readonly int[] groups = [AllTypes.Group, AllTypes.Groups, AllTypes.SelfGroup, AllTypes.OneofGroup];
    static readonly int[] lists = [AllTypes.Repeated, AllTypes.Packed, AllTypes.Unpacked];

    /// <summary>With each value; twice, so that the last one wins or both are in a list; and then the default.</summary>
    public static IEnumerable<byte[]> Values() => Each((type, i) => type.Values.SelectMany(value => (byte[][])
    [
        Wire.Field(AllTypes.Singular + i, type.WireType, value),
        Wire.Join(Wire.Field(AllTypes.Singular + i, type.WireType, value), Wire.Field(AllTypes.Singular + i, type.WireType, type.Other)),
        Wire.Join(Wire.Field(AllTypes.Singular + i, type.WireType, value),
            Wire.Field(AllTypes.Singular + i, type.WireType, type.Values[0])),
        Wire.Field(AllTypes.Repeated + i, type.WireType, value),
        Wire.Join(Wire.Field(AllTypes.Repeated + i, type.WireType, value), Wire.Field(AllTypes.Repeated + i, type.WireType, type.Other)),
        Wire.Field(AllTypes.Oneof + i, type.WireType, value),
        Wire.Delimited(AllTypes.Self, Wire.Field(AllTypes.Singular + i, type.WireType, value)),
    ]));

    /// <summary>Lists of scalars, packed and not, both at once, and empty: whichever way they are declared.</summary>
    public static IEnumerable<byte[]> Lists() => Each((type, i) => !AllTypes.CanPack(type.Name) ? [] : lists.SelectMany(list => (byte[][])
    [
        Wire.Delimited(list + i, type.Values),
        Wire.Join(type.Values.Select(value => Wire.Field(list + i, type.WireType, value))),
        Wire.Join(Wire.Delimited(list + i, type.Values), Wire.Field(list + i, type.WireType, type.Other), Wire.Delimited(list + i),
            Wire.Delimited(list + i, type.Other)),
        Wire.Join(Wire.Field(list + i, type.WireType, type.Other), Wire.Delimited(list + i, type.Values),
            Wire.Field(list + i, type.WireType, type.Values[0])),
        Wire.Delimited(list + i),
    ]));

    /// <summary>Every field with each wire type that is not its own: an unknown field, between two known ones.</summary>
    public static IEnumerable<byte[]> WrongWireTypes() =>
        from number in Numbers()
        from wireType in new[] { 0, 1, 2, 3, 5 }
        where wireType != TypeOf(number) && (wireType != 2 || number is < AllTypes.Repeated or >= AllTypes.Oneof)
        select Wire.Join(Wire.Field(AllTypes.Singular, 0, 1), Wire.Any(number, wireType), Wire.Field(AllTypes.Singular + 1, 0, 2));

    public static IEnumerable<byte[]> Merging()
    {
        var id = Wire.Field(1, 0, 5);
        var numbers = Wire.Delimited(2, [1, 2]);
        var more = Wire.Field(2, 0, 3);
        var next = Wire.Delimited(4, id, numbers);
        foreach (var field in new[] { AllTypes.Child, AllTypes.OneofChild, AllTypes.Children })
        {
            yield return Wire.Join(Wire.Delimited(field, id, numbers), Wire.Delimited(field, more, Wire.Delimited(3, "x"u8.ToArray())),
                Wire.Delimited(field));
            yield return Wire.Join(Wire.Delimited(field, next), Wire.Delimited(field, Wire.Delimited(4, more), next));
            yield return Wire.Delimited(field, next, Wire.Delimited(4, more), Wire.Delimited(4, next));
        }

        for (var i = 0; i < AllTypes.Scalars.Count; i++)
        {
            var other = Wire.Field(AllTypes.Oneof + i, AllTypes.Scalars[i].WireType, AllTypes.Scalars[i].Other);
            yield return Wire.Join(Wire.Delimited(AllTypes.OneofChild, id), other, Wire.Delimited(AllTypes.OneofChild, more));
            yield return Wire.Join(Wire.Delimited(AllTypes.OneofChild, id, next), other);
            yield return Wire.Join(other, Wire.Delimited(AllTypes.OneofChild));
        }

        yield return Wire.Join(Wire.Delimited(AllTypes.Self, Wire.Delimited(AllTypes.Self, Wire.Field(AllTypes.Repeated, 0, 1))),
            Wire.Delimited(AllTypes.Self, Wire.Delimited(AllTypes.Self, Wire.Field(AllTypes.Repeated, 0, 2))));
    }

    /// <summary>Entries without key, without value, with neither, reversed, with either twice, and one key in two entries.</summary>
    public static IEnumerable<byte[]> Maps() => Each((type, i) =>
    {
        var text = Wire.Delimited(1, "k"u8.ToArray());
        var value = Wire.Field(2, type.WireType, type.Other);
        var key = Wire.Field(1, type.WireType, type.Other);
        var child = Wire.Delimited(2, Wire.Field(1, 0, 5), Wire.Field(2, 0, 1));
        return [.. Entries(AllTypes.ByString + i, text, value, Wire.Field(2, type.WireType, type.Values[^1])),
            .. AllTypes.IsKey(type.Name) ? Entries(AllTypes.Keys + i, key, child, Wire.Delimited(2, Wire.Field(2, 0, 2))) : []];
    });

    static IEnumerable<byte[]> Entries(int map, byte[] key, byte[] value, byte[] otherValue) =>
    [
        Wire.Delimited(map, key, value),
        Wire.Delimited(map, value, key),
        Wire.Delimited(map, key),
        Wire.Delimited(map, value),
        Wire.Delimited(map),
        Wire.Delimited(map, key, value, key),
        Wire.Delimited(map, key, value, otherValue),
        Wire.Delimited(map, key, otherValue, value),
        Wire.Join(Wire.Delimited(map, key, value), Wire.Delimited(map, key, otherValue)),
        Wire.Join(Wire.Delimited(map, key, value), Wire.Delimited(map, value), Wire.Delimited(map, key)),
        Wire.Join(Enumerable.Repeat(Wire.Delimited(map, key, value), 20)),
    ];

    public static IEnumerable<byte[]> Malformed()
    {
        byte[][] wrong =
        [
            [0], [1, 1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 1], [3, 4], [5, 1, 2, 3, 4], [0x80, 0], [0x07], [0x06],
            .. new[] { AllTypes.Singular, AllTypes.Child, AllTypes.Unknown }.SelectMany(number => (byte[][])
            [
                Wire.Tag(number, 4), Wire.Tag(number, 3), Wire.Tag(number, 6), Wire.Tag(number, 7),
                    Wire.Join(Wire.Tag(number, 3), Wire.Tag(number + 1, 4)), Wire.Group(number, Wire.Tag(number + 1, 3)),
                Wire.Group(number, Wire.Tag(number + 1, 4)), Wire.Join(Wire.Tag(number, 3), Wire.Field(1, 0, 1)),
                    Wire.Join(Wire.Field(1, 0, 1), Wire.Tag(number, 4)), Wire.Group(number, Wire.Join(Wire.Tag(1, 3), Wire.Tag(2, 4))),
            ]),
            Wire.Field(AllTypes.Singular, 0, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00),
                Wire.Field(AllTypes.Unknown, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01),
            Wire.Field(AllTypes.Child, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01),
                Wire.Field(AllTypes.Singular + 14, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F),
        ];
        return wrong.Concat(wrong.Select(one => Wire.Delimited(AllTypes.Child, one)))
            .Concat(wrong.Select(one => Wire.Delimited(AllTypes.OneofChild, one)));
    }

    /// <summary>Unknown fields of every wire type, some of them twice, between known ones.</summary>
    public static IEnumerable<byte[]> UnknownFields()
    {
        int[] types = [0, 5, 2, 3, 1];
        yield return Wire.Join(types.Select(type => Wire.Any(AllTypes.Unknown + type, type)));
        yield return Wire.Join(types.Concat(types)
            .Select((type, i) => Wire.Join(Wire.Any(AllTypes.Unknown + type, type), Wire.Field(AllTypes.Repeated, 0, (byte)i))));
        yield return Wire.Delimited(AllTypes.Child, Wire.Any(AllTypes.Unknown, 3), Wire.Field(1, 0, 4), Wire.Any(536_870_911, 0));
        yield return Wire.Group(AllTypes.Unknown, Wire.Group(AllTypes.Unknown, Wire.Group(1, Wire.Any(2, 2))));
    }

    /// <summary>Groups: empty, merged, in each other, in a oneof, with unknown fields, and such that do not end as they should.</summary>
    public static IEnumerable<byte[]> Groups()
    {
        byte[] id = Wire.Field(1, 0, 5), more = Wire.Field(2, 0, 3), text = Wire.Delimited(3, "x"u8.ToArray());
        var packed = Wire.Delimited(2, [1, 2, 0x96, 0x01]);
        var next = Wire.Group(4, Wire.Field(1, 0, 6));
        foreach (var field in new[] { AllTypes.Group, AllTypes.OneofGroup, AllTypes.Groups, AllTypes.SelfGroup })
        {
            yield return Wire.Group(field);
            yield return Wire.Group(field, id, packed, text);
            yield return Wire.Join(Wire.Group(field, id, packed), Wire.Group(field, more, text), Wire.Group(field));
            yield return Wire.Group(field, next, id, Wire.Group(4, Wire.Any(AllTypes.Unknown, 3)), more);
            yield return Wire.Join(Wire.Group(field, Wire.Any(AllTypes.Unknown, 3), id, Wire.Any(AllTypes.Unknown, 2)), id);
            yield return Wire.Delimited(AllTypes.Self, Wire.Group(field, text, Wire.Group(field, id), Wire.Group(field)), id);
            yield return Wire.Group(field, Wire.Delimited(5, Wire.Group(field, id)), Wire.Field(AllTypes.Repeated, 0, 1));
            yield return Wire.Join(Wire.Delimited(AllTypes.OneofChild, id), Wire.Group(field, id), Wire.Field(AllTypes.Oneof, 0, 1));
            yield return Wire.Join(Wire.Group(field, id), Wire.Delimited(AllTypes.OneofChild, more), Wire.Group(field, more));
            yield return Wire.Tag(field, 3);
            yield return Wire.Join(Wire.Tag(field, 3), id, Wire.Tag(field + 1, 4));
            yield return Wire.Join(Wire.Tag(field, 3), Wire.Tag(4, 3), Wire.Tag(field, 4));
            yield return Wire.Join(Wire.Group(field, id), Wire.Tag(field, 4));
            yield return Wire.Join(Wire.Delimited(AllTypes.Self, Wire.Tag(field, 3), id), Wire.Tag(field, 4));
            yield return Wire.Group(field, Wire.Delimited(4, Wire.Tag(field, 4)));
        }

        // the wide message in itself, with fields of every part of its code, and end tags whose numbers are those of its fields
        foreach (var number in new[] { AllTypes.Singular, AllTypes.Repeated, AllTypes.Unpacked, AllTypes.Oneof, AllTypes.Keys })
        {
            var field = Wire.Field(number, number >= AllTypes.Keys ? 2 : 0, 0);
            yield return Wire.Group(AllTypes.SelfGroup, field, Wire.Group(AllTypes.SelfGroup, field, Wire.Any(AllTypes.Unknown, 5)), field);
            yield return Wire.Group(AllTypes.SelfGroup, field, Wire.Tag(number, 4));
            yield return Wire.Join(Wire.Tag(AllTypes.SelfGroup, 3), field);
        }
    }

    static IEnumerable<byte[]> Each(Func<WireScalar, int, IEnumerable<byte[]>> cases) =>
        AllTypes.Scalars.SelectMany((type, i) => cases(type, i));

    static IEnumerable<int> Numbers() => AllTypes.Scalars.SelectMany((type, i) => (int[])
    [
        AllTypes.Singular + i, AllTypes.Repeated + i, AllTypes.Oneof + i, AllTypes.ByString + i,
            .. AllTypes.CanPack(type.Name) ? [AllTypes.Packed + i, AllTypes.Unpacked + i] : Array.Empty<int>(),
        .. AllTypes.IsKey(type.Name) ? [AllTypes.Keys + i] : Array.Empty<int>(),
    ]).Concat([AllTypes.Child, AllTypes.Children, AllTypes.Self, AllTypes.OneofChild, .. groups]);

    static int TypeOf(int number) =>
        groups.Contains(number) ? 3
        : number is AllTypes.Child or AllTypes.Children or AllTypes.Self or AllTypes.OneofChild or >= AllTypes.ByString
        ? 2 : AllTypes.Scalars[(number % 100) - 1].WireType;
}
