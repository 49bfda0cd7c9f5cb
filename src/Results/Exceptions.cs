namespace ProtoBench.Results;

/// <summary>Something was asked for that cannot be done. Its message is one line for the user.</summary>
/// <param name="message">What was wrong, and what would be right.</param>
/// <param name="inner">The exception behind it.</param>
public sealed class UsageException(string message, Exception? inner = null) : Exception(message, inner);

/// <summary>A file that cannot be read as results. Its message is one line: the path and what is wrong.</summary>
/// <param name="message">The path and what is wrong.</param>
/// <param name="inner">The exception behind it.</param>
public sealed class DamagedFileException(string message, Exception? inner = null) : Exception(message, inner)
{
    // The reason may quote what the file says, at any length.
    internal static DamagedFileException Of(string path, string reason, Exception? inner = null)
    {
        const int longest = 300;
        var line = ResultText.Clean(reason.ReplaceLineEndings(" ")).TrimEnd('.');
        return new($"{path}: {(line.Length > longest ? line[..longest] + "..." : line)}", inner);
    }
}
