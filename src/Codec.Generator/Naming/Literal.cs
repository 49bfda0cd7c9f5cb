using System.Globalization;

namespace ProtoBench.Codec.Generator.Naming;

/// <summary>Writes text as a literal of C#.</summary>
static class Literal
{
    /// <summary>Gets a literal of UTF-8. A name in JSON can have any characters.</summary>
    public static string Utf8(string text) =>
        $"\"{string.Concat(text.Select(c => char.IsAsciiLetterOrDigit(c) || c == '_' ? $"{c}" : Escape(c)))}\"u8";

    static string Escape(char c) => "\\u" + ((int)c).ToString("X4", CultureInfo.InvariantCulture);
}
