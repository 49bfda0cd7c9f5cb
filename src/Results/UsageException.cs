namespace ProtoBench.Results;

/// <summary>Something was asked for that cannot be done. Its message is one line for the user.</summary>
public sealed class UsageException : Exception
{
    /// <summary>Without a message; there is always a better one.</summary>
    public UsageException()
    {
    }

    /// <summary>With the line that the user reads.</summary>
    /// <param name="message">What was wrong, and what would be right.</param>
    public UsageException(string message)
        : base(message)
    {
    }

    /// <summary>With the line that the user reads, and where it was found.</summary>
    /// <param name="message">What was wrong, and what would be right.</param>
    /// <param name="inner">The exception behind it.</param>
    public UsageException(string message, Exception inner)
        : base(message, inner)
    {
    }
}
