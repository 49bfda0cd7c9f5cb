using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace ProtoBench.Results;

/// <summary>A table as its run wrote it, with its texts, so that every page shows the same figures. It is the node <c>table</c> of a saved
/// result. A result without samples, such as the shares of a profile, has only this node.</summary>
/// <param name="About">Lines about the run: day and commit, machine, packages, command, remarks.</param>
public sealed record SavedTable(IReadOnlyList<string> About, IReadOnlyList<string> Columns, IReadOnlyList<string[]> Rows)
{
    const string node = "table";

    // names have quotes and units have Greek letters
    static readonly JsonSerializerOptions readable = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    public static SavedTable Read(string path)
    {
        try
        {
            using var document = JsonDocument.Parse(ResultText.Read(path));
            return Of(document.RootElement, path);
        }
        catch (JsonException e)
        {
            throw DamagedFileException.Of(path, "no saved table", e);
        }
    }

    internal static SavedTable Of(JsonElement root, string path)
    {
        try
        {
            var table = root.GetProperty(node);
            var columns = Texts(table.GetProperty("columns"));
            string[][] rows = [.. table.GetProperty("rows").EnumerateArray().Select(Texts)];
            return Array.Find(rows, row => row.Length != columns.Length) is { } row
                ? throw DamagedFileException.Of(path, $"a row of its table has {row.Length} cells for {columns.Length} columns")
                : new(Texts(table.GetProperty("about")), columns, rows);
        }
        catch (Exception e) when (e is KeyNotFoundException or InvalidOperationException)
        {
            throw DamagedFileException.Of(path, "no saved table", e);
        }

        static string[] Texts(JsonElement array) => [.. array.EnumerateArray().Select(text => text.GetString() ?? "")];
    }

    internal static bool IsIn(JsonElement root) => root.ValueKind == JsonValueKind.Object && root.TryGetProperty(node, out _);

    public static SavedTable OfMarkdown(string markdown)
    {
        string[] lines = [.. markdown.Split('\n').Select(line => line.Trim()).Where(line => line.Length > 0 && line != "```")];
        string[][] table =
            [.. lines.Where(line => line[0] == '|').Select(line => line.Trim('|', ' ').Split('|', StringSplitOptions.TrimEntries))
                .Where(row => row.Any(cell => cell.Length > 0))];
        return new([.. lines.Where(line => line[0] != '|').Select(line => line.StartsWith("- ", StringComparison.Ordinal) ? line[2..] : line)],
            table[0], table[2..]);
    }

    /// <summary>Returns <paramref name="json"/>, an object, with this table as its last node, a line for each row.</summary>
    public string Into(string json)
    {
        var text = new StringBuilder(json.TrimEnd()[..^1].TrimEnd());
        text.Append(text[^1] == '{' ? "\n" : ",\n").Append($"\"{node}\": {{\n\"about\": [\n").AppendJoin(",\n", About.Select(Json))
            .Append("\n],\n\"columns\": ").Append(Json(Columns)).Append(",\n\"rows\": [\n").AppendJoin(",\n", Rows.Select(Json));
        return text.Append("\n]}\n}\n").ToString();

        static string Json(object value) => JsonSerializer.Serialize(value, readable);
    }

    public string ToMarkdown(IReadOnlyList<string>? columns = null, IEnumerable<string[]>? rows = null)
    {
        columns ??= Columns;
        int[] picked = [.. columns.Select(ColumnAt)];
        return Markdown.Table([columns[0], .. columns.Skip(1).Select(column => column + ":")],
            (rows ?? Rows).Select(row => picked.Select(at => row[at])));
    }

    public int ColumnAt(string name) =>
        Columns.Index().Where(column => column.Item == name).Select(column => (int?)column.Index).FirstOrDefault()
        ?? throw new InvalidDataException($"the table has no column '{name}'");
}
