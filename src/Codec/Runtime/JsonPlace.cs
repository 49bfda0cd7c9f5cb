using System.Globalization;
using System.Text;

namespace ProtoBench.Codec.Runtime;

/// <summary>Represents a place in a text of JSON, for an error.</summary>
/// <param name="Position">The number of bytes before it.</param>
/// <param name="Line">The line, counted from 1.</param>
/// <param name="Column">The column, counted from 1, in characters of UTF-16.</param>
/// <param name="Path">The names and indexes of the values that contain the place.</param>
readonly record struct JsonPlace(int Position, int Line, int Column, string Path)
{
    const int longestPath = 200;

    /// <summary>Finds a place. The text before it is read again, so that a text without an error pays nothing for its path.</summary>
    public static JsonPlace Of(ReadOnlySpan<byte> json, int position)
    {
        var before = json[..position];
        var line = before.LastIndexOf((byte)'\n') + 1;
        return new(position, before.Count((byte)'\n') + 1, Encoding.UTF8.GetCharCount(before[line..]) + 1, PathOf(json, position));
    }

    static string PathOf(ReadOnlySpan<byte> json, int position)
    {
        var open = new Stack<string?>(); // the name of the member in an object, or null for an array
        var indexes = new Stack<int>();
        var lastString = default(Range);
        for (var i = 0; i < json.Length && i <= position; i++)
        {
            switch (json[i])
            {
                case (byte)'"':
                    var start = ++i;
                    while (i < json.Length && json[i] != '"') i += json[i] == '\\' ? 2 : 1;
                    i = Math.Min(i, json.Length);
                    lastString = start..i;
                    break;
                case (byte)':' when open.TryPop(out _):
                    open.Push(Encoding.UTF8.GetString(json[lastString]));
                    break;
                case (byte)'{' when i < position:
                    open.Push("");
                    indexes.Push(-1);
                    break;
                case (byte)'[' when i < position:
                    open.Push(null);
                    indexes.Push(0);
                    break;
                case (byte)',' when indexes.TryPop(out var index):
                    indexes.Push(index < 0 ? index : index + 1);
                    if (index < 0 && open.TryPop(out _)) open.Push("");
                    break;
                case (byte)'}' or (byte)']' when i < position:
                    open.TryPop(out _);
                    indexes.TryPop(out _);
                    break;
            }
        }

        var path = new StringBuilder();
        foreach (var (name, index) in open.Zip(indexes).Reverse())
        {
            if (index >= 0) path.Append(CultureInfo.InvariantCulture, $"[{index}]");
            else if (name is { Length: > 0 }) path.Append(path.Length > 0 ? "." : "").Append(name);
        }

        return OneLine(path.Length > longestPath ? $"{path.ToString(0, longestPath)}..." : path.ToString());
    }

    /// <summary>Replaces the control characters of a text.</summary>
    public static string OneLine(string text) => string.Concat(text.Select(letter => char.IsControl(letter) ? '\uFFFD' : letter));
}
