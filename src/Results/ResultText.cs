namespace ProtoBench.Results;

static class ResultText
{
    /// <summary>Removes control characters. A file can have any origin, and its content is printed on a terminal.</summary>
    public static string Clean(string text) =>
        text.Any(char.IsControl) ? string.Concat(text.Select(c => char.IsControl(c) ? '?' : c)) : text;

    /// <summary>Returns a commit as results name it, with "+" if the tree had other changes; null if it is not known.</summary>
    public static string? Commit(string? commit, bool? clean) =>
        commit is null or "unknown" ? null : Clean(commit) + (clean == false ? "+" : "");

    /// <summary>Returns the facts that are known, each once, without control characters.</summary>
    public static Dictionary<string, string> Facts(IEnumerable<(string Fact, string? Value)> facts) => facts
        .Where(fact => !string.IsNullOrWhiteSpace(fact.Value))
        .Select(fact => (Fact: Clean(fact.Fact), Value: Clean(fact.Value!)))
        .DistinctBy(fact => fact.Fact)
        .ToDictionary(fact => fact.Fact, fact => fact.Value, StringComparer.Ordinal);

    public static IEnumerable<(string Fact, string? Value)> Versions(IReadOnlyDictionary<string, string>? packages) =>
        packages?.Select(package => ("version of " + package.Key, (string?)package.Value)) ?? [];

    /// <summary>In bytes. The file of a run of all cells with single measurements is a thousand times smaller.</summary>
    internal const int Largest = 1 << 29;

    public static string Read(string path)
    {
        try
        {
            using var file = File.OpenRead(path);
            var text = ReadToEnd(file) ?? throw DamagedFileException.Of(path, $"larger than {Largest >> 20} MiB, so it is no result file");
            return string.IsNullOrWhiteSpace(text) ? throw DamagedFileException.Of(path, "the file is empty") : text;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            var missing = e is FileNotFoundException or DirectoryNotFoundException;
            throw DamagedFileException.Of(path, missing ? "no such file" : "cannot be read: " + e.Message, e);
        }
    }

    // A device has no length and may have no end, so bytes are counted while they are read. Null if there are too many.
    static string? ReadToEnd(FileStream file)
    {
        if (file.CanSeek && file.Length > Largest)
            return null;
        using var bytes = new MemoryStream(file.CanSeek ? (int)file.Length : 0);
        var buffer = new byte[1 << 16];
        for (int read; (read = file.Read(buffer)) > 0;)
        {
            if (bytes.Length + read > Largest)
                return null;
            bytes.Write(buffer, 0, read);
        }

        bytes.Position = 0;
        using var reader = new StreamReader(bytes);
        return reader.ReadToEnd();
    }
}

/// <summary>Thrown when a file cannot be read as a result. Its message is one line with the path and the fault.</summary>
public sealed class DamagedFileException(string message, Exception? inner = null) : RunException(ProtoBench.ExitCode.Usage, message, inner)
{
    // The reason may quote content of the file of any length.
    internal static DamagedFileException Of(string path, string reason, Exception? inner = null)
    {
        const int longest = 300;
        var line = ResultText.Clean(reason.ReplaceLineEndings(" ")).TrimEnd('.');
        return new($"{path}: {(line.Length > longest ? line[..longest] + "..." : line)}", inner);
    }
}
