namespace ProtoBench.Results;

/// <summary>The text of a result file, whatever its kind.</summary>
static class ResultText
{
    /// <summary>Without control characters: a file may come from anywhere, and what it says ends on a terminal.</summary>
    public static string Clean(string text) => text.Any(char.IsControl) ? string.Concat(text.Select(c => char.IsControl(c) ? '?' : c)) : text;

    /// <summary>Reads a file that somebody named.</summary>
    /// <exception cref="DamagedFileException">It cannot be read or is empty.</exception>
    public static string Read(string path)
    {
        try
        {
            var text = File.ReadAllText(path);
            return string.IsNullOrWhiteSpace(text) ? throw DamagedFileException.Of(path, "the file is empty") : text;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            var missing = e is FileNotFoundException or DirectoryNotFoundException;
            throw DamagedFileException.Of(path, missing ? "no such file" : "cannot be read: " + e.Message, e);
        }
    }
}
