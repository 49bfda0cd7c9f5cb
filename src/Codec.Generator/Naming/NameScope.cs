namespace ProtoBench.Codec.Generator.Naming;

/// <summary>The names of one C# scope. Who comes first has the name; who comes later gets underscores behind it.</summary>
sealed class NameScope(params IEnumerable<string> taken)
{
    readonly HashSet<string> names = [.. taken];

    /// <summary>Whether the name is still free; if so, it is not any more.</summary>
    public bool TryTake(string name) => names.Add(name);

    /// <summary>The name, made different from every one that was taken before.</summary>
    public string Take(string name)
    {
        while (!names.Add(name)) name += "_";
        return name;
    }
}
