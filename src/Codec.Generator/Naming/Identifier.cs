namespace ProtoBench.Codec.Generator.Naming;

/// <summary>What C# reserves: a name that is a keyword is written with @.</summary>
static class Identifier
{
    static readonly HashSet<string> keywords =
    [
        "abstract", "as", "base", "bool", "break", "byte", "case", "catch", "char", "checked", "class", "const", "continue", "decimal",
            "default", "delegate",
        "do", "double", "else", "enum", "event", "explicit", "extern", "false", "finally", "fixed", "float", "for", "foreach", "goto", "if",
            "implicit", "in",
        "int", "interface", "internal", "is", "lock", "long", "namespace", "new", "null", "object", "operator", "out", "override", "params",
            "private",
        "protected", "public", "readonly", "ref", "return", "sbyte", "sealed", "short", "sizeof", "stackalloc", "static", "string",
            "struct", "switch", "this",
        "throw", "true", "try", "typeof", "uint", "ulong", "unchecked", "unsafe", "ushort", "using", "virtual", "void", "volatile", "while",

        // not keywords everywhere, but never the name of a type
        "allows", "async", "await", "dynamic", "extension", "field", "file", "managed", "nameof", "nint", "notnull", "nuint", "partial",
            "record", "required",
        "scoped", "unmanaged", "var", "where", "yield",
    ];

    /// <summary>Whether a name can be written as it is, with or without @.</summary>
    public static bool IsValid(string name)
    {
        var rest = name.StartsWith('@') ? name[1..] : name;
        return rest.Length > 0 && (char.IsLetter(rest[0]) || rest[0] == '_') && rest.All(c => char.IsLetterOrDigit(c) || c == '_');
    }

    public static string Escape(string name) => keywords.Contains(name) ? "@" + name : name;

    /// <summary>A namespace, each part escaped.</summary>
    public static string EscapeParts(string name) => string.Join('.', name.Split('.').Select(Escape));
}

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
