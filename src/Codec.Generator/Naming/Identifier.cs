namespace ProtoBench.Codec.Generator.Naming;

/// <summary>Escapes names that are keywords of C# with @.</summary>
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

        // contextual keywords, which cannot be the name of a type
        "allows", "async", "await", "dynamic", "extension", "field", "file", "managed", "nameof", "nint", "notnull", "nuint", "partial",
            "record", "required",
        "scoped", "unmanaged", "var", "where", "yield",
    ];

    /// <summary>Determines whether a name is a valid identifier, with or without @.</summary>
    public static bool IsValid(string name)
    {
        var rest = name.StartsWith('@') ? name[1..] : name;
        return rest.Length > 0 && (char.IsLetter(rest[0]) || rest[0] == '_') && rest.All(c => char.IsLetterOrDigit(c) || c == '_');
    }

    public static string Escape(string name) => keywords.Contains(name) ? "@" + name : name;

    /// <summary>Escapes each part of a namespace.</summary>
    public static string EscapeParts(string name) => string.Join('.', name.Split('.').Select(Escape));
}

/// <summary>Represents the names of one C# scope. The first element gets the name. Later elements with the same name get underscores after
/// it.</summary>
sealed class NameScope(params IEnumerable<string> taken)
{
    readonly HashSet<string> names = [.. taken];

    /// <summary>Takes a name if it is free. Returns whether it was free.</summary>
    public bool TryTake(string name) => names.Add(name);

    /// <summary>Takes a name, after changing it so that it differs from all names that were taken before.</summary>
    public string Take(string name)
    {
        while (!names.Add(name)) name += "_";
        return name;
    }
}
