using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Unicode;

namespace ProtoBench.Codec.Generator.Naming;

/// <summary>Writes text as a literal of C#.</summary>
static class Literal
{
    static readonly JavaScriptEncoder encoder = JavaScriptEncoder.Create(UnicodeRanges.All);

    /// <summary>Gets a literal of a string.</summary>
    public static string Text(string text) => $"\"{string.Concat(text.Select(Escape))}\"";

    /// <summary>Gets a literal of UTF-8.</summary>
    public static string Utf8(string text) => Text(text) + "u8";

    /// <summary>Gets a literal of a name as it is in JSON, with quotes and a colon. A name in JSON can have any characters.</summary>
    public static string JsonName(string name) => Utf8($"\"{JsonEncodedText.Encode(name, encoder)}\":");

    static string Escape(char c) => c switch
    {
        '"' or '\\' => $"\\{c}",
        >= ' ' and <= '~' => $"{c}",
        _ => "\\u" + ((int)c).ToString("X4", CultureInfo.InvariantCulture),
    };
}
