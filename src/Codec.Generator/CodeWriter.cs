using System.Buffers;
using System.Text;

namespace ProtoBench.Codec.Generator;

/// <summary>C# text, line by line, indented.</summary>
sealed class CodeWriter
{
    readonly StringBuilder text = new();
    int depth;

    // what C# takes for the end of a line: a comment would end there
    static readonly SearchValues<char> lineEnds = SearchValues.Create("\n\r\u0085\u2028\u2029");

    /// <summary>Whether C# takes a character for the end of a line.</summary>
    public static bool EndsLine(char c) => lineEnds.Contains(c);

    /// <summary>Writes a line; an empty one has no indentation.</summary>
    /// <exception cref="ArgumentException">It is more than one line: text of a .proto was not escaped.</exception>
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

    /// <summary>Opens a block that has no head.</summary>
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

    /// <summary>A member in one line, with an empty line behind it.</summary>
    public void Member(string line)
    {
        Line(line);
        Line();
    }

    /// <summary>Takes away an empty line at the end.</summary>
    public void TrimEmptyLine()
    {
        if (text.Length >= 2 && text[^1] == '\n' && text[^2] == '\n') text.Length--;
    }

    public override string ToString() => text.ToString();
}
