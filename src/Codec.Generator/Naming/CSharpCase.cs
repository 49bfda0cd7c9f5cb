using System.Text;

namespace ProtoBench.Codec.Generator.Naming;

/// <summary>Applies the casing rules of protoc's C# generator, so that a property has the same name in both.</summary>
static class CSharpCase
{
    /// <summary>Converts foo_bar1baz to FooBar1Baz.</summary>
    public static string Pascal(string name)
    {
        var result = new StringBuilder(name.Length);
        var upper = true;
        foreach (var c in name)
        {
            if (char.IsAsciiLetter(c))
            {
                result.Append(upper ? char.ToUpperInvariant(c) : c);
                upper = false;
                continue;
            }

            upper = true;
            if (char.IsAsciiDigit(c)) result.Append(c);
        }

        if (result.Length > 0 && char.IsAsciiDigit(result[0])) result.Insert(0, '_');
        return result.ToString();
    }

    /// <summary>Converts foo_bar to fooBar, as protoc makes the name in JSON.</summary>
    public static string Json(string name) => string.Concat(name.Select((c, i) =>
        c == '_' ? "" : i > 0 && name[i - 1] == '_' && char.IsAsciiLetterLower(c) ? $"{char.ToUpperInvariant(c)}" : $"{c}"));

    /// <summary>Converts a package to a namespace: foo.bar_baz to Foo.BarBaz. A part without letters and digits is an underscore.</summary>
    public static string Namespace(string package) =>
        package.Length == 0 ? "" : string.Join('.', package.Split('.').Select(part => Pascal(part) is { Length: > 0 } name ? name : "_"));

    /// <summary>Converts the name of an enum value: the prefix with the enum's name is removed, and capitals are converted to Pascal
    /// case. A name without letters and digits is an underscore: protoc's C# generator leaves no name.</summary>
    public static string EnumValue(string enumName, string valueName)
    {
        var name = Shouty(WithoutPrefix(enumName, valueName));
        return name.Length == 0 || char.IsAsciiDigit(name[0]) ? "_" + name : name;
    }

    /// <summary>Converts a name in Pascal case to the name of a local variable, with a lower-case first letter.</summary>
    public static string Camel(string pascal) => pascal.Length == 0 ? pascal : char.ToLowerInvariant(pascal[0]) + pascal[1..];

    static string Shouty(string name)
    {
        var result = new StringBuilder(name.Length);
        var previous = '_';
        foreach (var c in name)
        {
            if (char.IsAsciiLetterOrDigit(c))
            {
                if (!char.IsAsciiLetter(previous)) result.Append(char.ToUpperInvariant(c));
                else result.Append(char.IsAsciiLetterLower(previous) ? c : char.ToLowerInvariant(c));
            }

            previous = c;
        }

        return result.ToString();
    }

    /// <summary>Removes the enum's name from the start of the value's name. Case and underscores are ignored. If nothing would be left, the
    /// whole name is returned.</summary>
    static string WithoutPrefix(string prefix, string value)
    {
        var wanted = prefix.Replace("_", "", StringComparison.Ordinal);
        var at = 0;
        foreach (var c in wanted)
        {
            while (at < value.Length && value[at] == '_') at++;
            if (at == value.Length || char.ToLowerInvariant(value[at]) != char.ToLowerInvariant(c)) return value;
            at++;
        }

        while (at < value.Length && value[at] == '_') at++;
        return at == value.Length ? value : value[at..];
    }
}
