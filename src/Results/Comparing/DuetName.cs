namespace ProtoBench.Results;

/// <summary>The name of a pair of cells: what both have in common once, and the two different parts in braces.</summary>
static class DuetName
{
    /// <summary>The row's name: the cell's own where both are the same.</summary>
    public static string Of(CellName old, CellName @new) => Of(Text(old), Text(@new));

    /// <summary>For example <c>SerializeRequest{Google=Slab}_BW</c>; a name is only divided where a word of it begins.</summary>
    public static string Of(string old, string @new)
    {
        if (old == @new)
            return old;
        var shorter = Math.Min(old.Length, @new.Length);
        var start = Enumerable.Range(0, shorter + 1).Last(length => old.AsSpan(0, length).SequenceEqual(@new.AsSpan(0, length)) && (Begins(old, length) || Begins(@new, length)));
        var end = Enumerable.Range(0, shorter - start + 1).Last(length => old.AsSpan(old.Length - length).SequenceEqual(@new.AsSpan(@new.Length - length)) && (length == 0 || Begins(old, old.Length - length)));
        return $"{old[..start]}{{{old[start..^end]}={@new[start..^end]}}}{old[^end..]}";
    }

    static string Text(CellName name) => name.Of([.. name.Parts.Where(part => part != "type")]);

    static bool Begins(string name, int at) => at == 0 || (at < name.Length && (char.IsUpper(name[at]) || name[at] is '_' or '(')) || at == name.Length;
}
