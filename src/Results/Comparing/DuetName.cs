namespace ProtoBench.Results;

/// <summary>The name of a pair of cells: what both have in common once, and what differs in braces.</summary>
static class DuetName
{
    /// <summary>The row's name: the cell's own where both are the same.</summary>
    public static string Of(CellName old, CellName @new) => Of(Text(old), Text(@new));

    /// <summary>For example <c>SerializeRequest{Google=Slab}_BW</c> or <c>Encode(Size={1 B=1 KiB})</c>. A
    /// method is only divided where a word of it begins, and of parameters the whole value is taken.</summary>
    public static string Of(string old, string @new)
    {
        var (oldMethod, oldParameters) = Split(old);
        var (newMethod, newParameters) = Split(@new);
        return oldParameters.Length == newParameters.Length
            && oldParameters.Zip(newParameters).All(pair => pair.First.Name == pair.Second.Name)
            ? Words(oldMethod, newMethod)
                + (oldParameters.Length == 0
                ? "" : $"({string.Join(", ", oldParameters.Zip(newParameters).Select(pair => $"{pair.First.Name}={Value(pair.First.Value, pair.Second.Value)}"))})")
            : $"{{{old}={@new}}}";
    }

    static string Value(string old, string @new) => old == @new ? old : $"{{{old}={@new}}}";

    static string Words(string old, string @new)
    {
        if (old == @new)
            return old;
        var shorter = Math.Min(old.Length, @new.Length);
        var start = Enumerable.Range(0, shorter + 1)
            .Last(length => old.AsSpan(0, length).SequenceEqual(@new.AsSpan(0, length)) && (Begins(old, length) || Begins(@new, length)));
        var end = Enumerable.Range(0, shorter - start + 1)
            .Last(length => old.AsSpan(old.Length - length).SequenceEqual(@new.AsSpan(@new.Length - length))
            && (length == 0 || Begins(old, old.Length - length)));
        return $"{old[..start]}{{{old[start..^end]}={@new[start..^end]}}}{old[^end..]}";
    }

    // "Method(Name=value, Name=value)", as CellName writes it; BenchmarkDotNet's own form has a colon
    // and a blank for the equals sign. A comma in a value belongs to it where no name follows.
    static (string Method, (string Name, string Value)[] Parameters) Split(string name)
    {
        var open = name.IndexOf('(', StringComparison.Ordinal);
        if (open < 0 || name[^1] != ')')
            return (name, []);
        var parameters = new List<(string Name, string Value)>();
        foreach (var part in name[(open + 1)..^1].Split(", "))
        {
            var sign = part.IndexOfAny(['=', ':']);
            if (sign > 0)
                parameters.Add((part[..sign], part[(sign + 1)..].TrimStart()));
            else if (parameters.Count > 0)
                parameters[^1] = (parameters[^1].Name, $"{parameters[^1].Value}, {part}");
            else
                return (name, []);
        }

        return (name[..open], [.. parameters]);
    }

    static string Text(CellName name) => name.Of([.. name.Parts.Where(part => part != "type")]);

    static bool Begins(string name, int at) =>
        at == 0 || (at < name.Length && (char.IsUpper(name[at]) || name[at] is '_' or '(')) || at == name.Length;
}
