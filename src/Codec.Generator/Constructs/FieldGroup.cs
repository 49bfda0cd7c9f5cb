namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Fields whose code is one method, and whose bits are one half of a
/// word: so many that the compiler still inlines everything in it.</summary>
sealed class FieldGroup(int index, IReadOnlyList<FieldCode> fields)
{
    const int size = 16;

    // Absent fields are stepped over by as many at once.
    const int step = 8;

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
    public string IsPresent => $"({Word} & {Mask(0, size)}) != 0";

    string Word => "fields.Presence" + (index / 2);

    string Mask(int from, int count) => $"0x{((1u << count) - 1) << ((index % 2 * size) + from):X8}u";

    /// <summary>The code of each field, stepping over those that are not set.</summary>
    public void ForEach(CodeWriter code, Action<FieldCode> write)
    {
        code.Line(PresenceBits.Copy(index / 2));
        if (Fields.Count <= step)
        {
            foreach (var one in Fields) write(one);
            return;
        }

        for (var from = 0; from < Fields.Count; from += step)
        {
            code.Open($"if (({PresenceBits.Local(index / 2)} & {Mask(from, step)}) != 0)");
            foreach (var one in Fields.Skip(from).Take(step)) write(one);
            code.TrimEmptyLine();
            code.Close();
            code.Line();
        }
    }

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
