namespace ProtoBench;

/// <summary>A library does not read or write what the others do, so its figures would compare different work.</summary>
public sealed class GateException : Exception
{
    public GateException()
    {
    }

    public GateException(string message)
        : base(message)
    {
    }

    public GateException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
