namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Fields whose code is one method, and whose bits are one half of a
/// word: so many that the compiler still inlines everything in it.</summary>
sealed class FieldGroup(int index, IReadOnlyList<FieldCode> fields)
{
    const int size = 16;

    public IReadOnlyList<FieldCode> Fields { get; } = fields;

    // no field has such a name: Google's rules leave an underscore at the end of a name only
    public string ParseMethod => $"Parse_{index}";

    public string SizeMethod => $"CalculateSize_{index}";

    public string WriteMethod => $"Write_{index}";

    /// <summary>The smallest tag of the group's numbers.</summary>
    public uint FirstTag => (uint)Fields[0].Field.Number << 3;

    /// <summary>The largest tag of the group's numbers.</summary>
    public uint LastTag => ((uint)Fields[^1].Field.Number << 3) | 7;

    /// <summary>Whether a field of the group may be set.</summary>
    public string IsPresent => $"(fields.Presence{index / 2} & {(index % 2 == 0 ? "0x0000FFFFu" : "0xFFFF0000u")}) != 0";

    /// <summary>The fields of a wide message in groups; those of another one are one group.</summary>
    public static IReadOnlyList<FieldGroup> Of(IReadOnlyList<FieldCode> fields) =>
        fields.Count > 0 && fields[0].Field.Owner.IsWide
            ? [.. fields.Chunk(size).Select((chunk, i) => new FieldGroup(i, chunk))]
            : [new(0, fields)];

    /// <summary>The call that reads a field that is not of the first group, chosen by its number.</summary>
    public static string Choose(IReadOnlyList<FieldGroup> groups)
    {
        const string arguments = "(ref copy, tag, storage, index, depth)";
        if (groups.Count == 2) return groups[1].ParseMethod + arguments;
        var cases = groups.Skip(1).SkipLast(1).Select(group => $"<= {group.LastTag} => {group.ParseMethod}{arguments}");
        return $"tag switch {{ {string.Join(", ", cases)}, _ => {groups[^1].ParseMethod}{arguments} }}";
    }
}
