using System.ComponentModel;

namespace ProtoBench.Codec.Runtime;

/// <summary>Checks for required fields that are missing. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class RequiredField
{
    /// <summary>Throws if a required field is missing in the input.</summary>
    /// <param name="missing">The full name of the field; null if none is missing.</param>
    /// <exception cref="WireFormatException">A field is missing.</exception>
    public static void ThrowIfMissingInInput(string? missing)
    {
        if (missing is not null) throw new WireFormatException(missing);
    }

    /// <summary>Throws if a required field is missing in a message that is to be written.</summary>
    /// <param name="missing">The full name of the field; null if none is missing.</param>
    /// <exception cref="InvalidOperationException">A field is missing.</exception>
    public static void ThrowIfMissing(string? missing)
    {
        if (missing is not null) throw new InvalidOperationException($"The required field {missing} is not set.");
    }
}
