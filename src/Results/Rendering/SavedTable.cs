using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;

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

    /// <summary>Returns a result with this table as its last node, as the text of a file. Each member and each row has a line, so that a
    /// difference between two files shows what has changed.</summary>
    /// <param name="result">An object without a table.</param>
    public string Into(JsonObject result)
    {
        result[node] = new JsonObject { ["about"] = Texts(About), ["columns"] = Texts(Columns), ["rows"] = new JsonArray([.. Rows.Select(Texts)]) };
        return Lines(result) + "\n";

        static JsonArray Texts(IEnumerable<string> texts) => [.. texts.Select(text => (JsonNode)text)];
    }

    static string Lines(JsonObject result) =>
        $"{{\n{string.Join(",\n", result.Select(member => $"{Json(member.Key)}: {Value(member.Key, member.Value)}"))}\n}}";

    static string Value(string name, JsonNode? value) => value switch
    {
        JsonArray array => $"[\n{string.Join(",\n", array.Select(Json))}\n]",
        JsonObject table when name == node => Lines(table),
        _ => Json(value),
    };

    static string Json(JsonNode? value) => value?.ToJsonString(readable) ?? "null";

    /// <summary>Returns the text of a console and of a Markdown file: the lines about the run, and the table.</summary>
    public string ToText() => string.Concat(About.Select(line => $"- {line}\n")) + "\n" + ToMarkdown();

    public string ToMarkdown(IReadOnlyList<string>? columns = null, IEnumerable<string[]>? rows = null)
    {
        columns ??= Columns;
        int[] picked = [.. columns.Select(ColumnAt)];
        return Markdown.Table([columns[0], .. columns.Skip(1).Select(column => column + ":")],
            (rows ?? Rows).Select(row => picked.Select(at => row[at].Replace("|", "\\|", StringComparison.Ordinal))));
    }

    public int ColumnAt(string name) =>
        Columns.Index().Where(column => column.Item == name).Select(column => (int?)column.Index).FirstOrDefault()
        ?? throw new InvalidDataException($"the table has no column '{name}'");
}
