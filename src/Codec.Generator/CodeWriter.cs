using System.Buffers;
using System.Text;

namespace ProtoBench.Codec.Generator;

/// <summary>Writes indented C# code, line by line.</summary>
sealed class CodeWriter
{
    readonly StringBuilder text = new();
    int depth;

    // the characters that end a line in C#, and so also a comment
    static readonly SearchValues<char> lineEnds = SearchValues.Create("\n\r\u0085\u2028\u2029");

    /// <summary>Determines whether a character ends a line in C#.</summary>
    public static bool EndsLine(char c) => lineEnds.Contains(c);

    /// <summary>Writes a line. An empty line has no indentation.</summary>
    /// <exception cref="ArgumentException">The text has more than one line, because text of a .proto file was not escaped.</exception>
    public void Line(string line = "")
    {
        if (line.AsSpan().ContainsAny(lineEnds)) throw new ArgumentException("The text is more than one line.", nameof(line));
        if (line.Length != 0) text.Append(' ', 4 * depth).Append(line);
        text.Append('\n');
    }

    /// <summary>Writes several lines.</summary>
    public void Lines(IEnumerable<string> lines)
    {
        foreach (var line in lines) Line(line);
    }

    /// <summary>Opens a block in braces.</summary>
    public void Open(string head)
    {
        Line(head);
        Line("{");
        depth++;
    }

    /// <summary>Opens a block without a head.</summary>
    public void OpenBlock()
    {
        Line("{");
        depth++;
    }

    /// <summary>Closes a block.</summary>
    public void Close(string tail = "")
    {
        depth--;
        Line("}" + tail);
    }

    public void Indent() => depth++;

    public void Unindent() => depth--;

    /// <summary>Writes a member of one line, and an empty line after it.</summary>
    public void Member(string line)
    {
        Line(line);
        Line();
    }

    /// <summary>Removes an empty line at the end.</summary>
    public void TrimEmptyLine()
    {
        if (text.Length >= 2 && text[^1] == '\n' && text[^2] == '\n') text.Length--;
    }

    public override string ToString() => text.ToString();
}
