namespace ProtoBench.Schemas;

/// <summary>A JSON value does not fit its field. Caught by <see cref="JsonPayload"/>, which knows the file and the line.</summary>
#pragma warning disable CA1032, CA1064 // never leaves this library
sealed class JsonFieldException(string reason, string path = "") : Exception(path.Length == 0 ? reason : $"'{path}': {reason}")
#pragma warning restore CA1032, CA1064
{
    /// <summary>The same, seen from the message that holds the field.</summary>
    public JsonFieldException In(string field) => new(reason, path.Length == 0 ? field : $"{field}.{path}");
}
