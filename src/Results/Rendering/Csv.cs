namespace ProtoBench.Results;

public static class Csv
{
    /// <summary>Returns a field as RFC 4180 describes it.</summary>
    public static string Quote(string field) =>
        field.AsSpan().ContainsAny(",\"\n\r") ? $"\"{field.Replace("\"", "\"\"", StringComparison.Ordinal)}\"" : field;
}
