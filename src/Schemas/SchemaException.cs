namespace ProtoBench.Schemas;

/// <summary>A schema or a payload cannot be used. The message is one line for
/// the user: the file, the place where it is known, and the reason.</summary>
public sealed class SchemaException : Exception
{
    /// <summary>Without a message; there is always a better one.</summary>
    public SchemaException()
    {
    }

    /// <summary>With the line that the user reads.</summary>
    public SchemaException(string message)
        : base(message)
    {
    }

    /// <summary>With the line that the user reads, and the exception behind it.</summary>
    public SchemaException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
