namespace ProtoBench;

/// <summary>The user asked for something that cannot be had; the message is the one line to show, the exit code is 2.</summary>
sealed class UsageException : Exception
{
    public UsageException()
    {
    }

    public UsageException(string message)
        : base(message)
    {
    }

    public UsageException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
