namespace ProtoBench.Verbs;

/// <summary>A launch of the program failed. Its message is for the user.</summary>
public sealed class LaunchFailedException : Exception
{
    /// <summary>Without a message; there is always a better one.</summary>
    public LaunchFailedException()
    {
    }

    /// <summary>With what the user reads.</summary>
    /// <param name="message">What failed, and where its log is.</param>
    public LaunchFailedException(string message)
        : base(message)
    {
    }

    /// <summary>With what the user reads, and the cause.</summary>
    /// <param name="message">What failed, and where its log is.</param>
    /// <param name="inner">The exception behind it.</param>
    public LaunchFailedException(string message, Exception inner)
        : base(message, inner)
    {
    }
}
