namespace ProtoBench.Results;

/// <summary>Thrown when a request of the user cannot be fulfilled. Its message is one line for the user.</summary>
/// <param name="message">What is wrong, and how to correct it.</param>
/// <param name="inner">The cause.</param>
public sealed class UsageException(string message, Exception? inner = null) : Exception(message, inner);

/// <summary>Thrown when a file cannot be read as a result. Its message is one line with the path and the fault.</summary>
/// <param name="message">The path and the fault.</param>
/// <param name="inner">The cause.</param>
public sealed class DamagedFileException(string message, Exception? inner = null) : Exception(message, inner)
{
    // The reason may quote content of the file of any length.
    internal static DamagedFileException Of(string path, string reason, Exception? inner = null)
    {
        const int longest = 300;
        var line = ResultText.Clean(reason.ReplaceLineEndings(" ")).TrimEnd('.');
        return new($"{path}: {(line.Length > longest ? line[..longest] + "..." : line)}", inner);
    }
}
