namespace ProtoBench.Validation;

/// <summary>A library does not read or write what the others do, so its figures would compare different work.</summary>
public sealed class ValidationException : Exception
{
    public ValidationException()
    {
    }

    public ValidationException(string message)
        : base(message)
    {
    }

    public ValidationException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
