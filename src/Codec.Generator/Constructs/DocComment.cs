namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Comments of a .proto as documentation.</summary>
static class DocComment
{
    /// <summary>Writes a summary: the comment, or a sentence if there is none.</summary>
    public static void Write(CodeWriter code, IReadOnlyList<string> comment, string otherwise)
    {
        if (comment.Count == 0)
        {
            code.Line($"/// <summary>{Escape(otherwise)}</summary>");
            return;
        }

        if (comment.Count == 1)
        {
            code.Line($"/// <summary>{Escape(comment[0])}</summary>");
            return;
        }

        code.Line("/// <summary>");
        foreach (var line in comment) code.Line("/// " + Escape(line));
        code.Line("/// </summary>");
    }

    /// <summary>Text for XML in one line: a .proto may hold any character, also some that XML does not know, and some that end a line.
    /// </summary>
    public static string Escape(string text)
    {
        var known = string.Concat(text.Select(c => CodeWriter.EndsLine(c) ? ' ' : c).Where(
            c => c is '\t' or >= ' ' and not '\uFFFE' and not '\uFFFF' && !char.IsSurrogate(c)));
        return known.Replace("&", "&amp;", StringComparison.Ordinal).Replace("<", "&lt;", StringComparison.Ordinal)
            .Replace(">", "&gt;", StringComparison.Ordinal);
    }
}
