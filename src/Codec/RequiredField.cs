namespace ProtoBench.Codec;

/// <summary>For message types: what happens to a message that lacks a required field.</summary>
public static class RequiredField
{
    /// <summary>Refuses input in which a required field is missing.</summary>
    /// <param name="missing">The full name of the field; null if none is missing.</param>
    /// <exception cref="WireFormatException">A field is missing.</exception>
    public static void ThrowIfMissingInInput(string? missing)
    {
        if (missing is not null) throw new WireFormatException(missing);
    }

    /// <summary>Refuses to write a message in which a required field is missing.</summary>
    /// <param name="missing">The full name of the field; null if none is missing.</param>
    /// <exception cref="InvalidOperationException">A field is missing.</exception>
    public static void ThrowIfMissing(string? missing)
    {
        if (missing is not null) throw new InvalidOperationException($"The required field {missing} is not set.");
    }
}
