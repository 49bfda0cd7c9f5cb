using System.Text;

namespace ProtoBench.Results;

public static class Markdown
{
    /// <param name="heads">A heading with a colon at its end stands above figures, which are on the right.</param>
    public static string Table(IReadOnlyCollection<string> heads, IEnumerable<IEnumerable<string>> rows)
    {
        var text = new StringBuilder();
        Line(heads.Select(head => head.TrimEnd(':')));
        Line(heads.Select(head => head.EndsWith(':') ? "---:" : "---"));
        foreach (var row in rows)
            Line(row);
        return text.ToString();

        void Line(IEnumerable<string> cells) => text.Append("| ").AppendJoin(" | ", cells).Append(" |\n");
    }
}
