namespace ProtoBench.Results;

/// <summary>A file that cannot be read as results. Its message is one line: the path and what is wrong.</summary>
public sealed class DamagedFileException : Exception
{
    /// <summary>Without a message; there is always a better one.</summary>
    public DamagedFileException()
    {
    }

    /// <summary>With the line that the user reads.</summary>
    /// <param name="message">The path and what is wrong.</param>
    public DamagedFileException(string message)
        : base(message)
    {
    }

    /// <summary>With the line that the user reads, and where it was found.</summary>
    /// <param name="message">The path and what is wrong.</param>
    /// <param name="inner">The exception behind it.</param>
    public DamagedFileException(string message, Exception inner)
        : base(message, inner)
    {
    }

    // The reason may quote what the file says, at any length.
    internal static DamagedFileException Of(string path, string reason, Exception? inner = null)
    {
        const int longest = 300;
        var line = ResultText.Clean(reason.ReplaceLineEndings(" ")).TrimEnd('.');
        return new($"{path}: {(line.Length > longest ? line[..longest] + "..." : line)}", inner!);
    }
}
