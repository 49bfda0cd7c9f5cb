using System.Text.Json;
using System.Text.Json.Serialization;

namespace ProtoBench.Peers;

/// <summary>A line that a program prints: one way of a library to read or write one set, in one round. Ns are the nanoseconds for a
/// message, null if the library cannot do it. Why says why it cannot, or that it writes other bytes than Google's C#.</summary>
sealed record PeerLine(string Library, string Version, string Way, string Set, string Verb, int Bytes, double? Ns, string? Why)
{
    static readonly JsonSerializerOptions lowerCase =
        new(JsonSerializerDefaults.Web) { DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull };

    public string ToJson() => JsonSerializer.Serialize(this, lowerCase);

    public static PeerLine OfJson(string line) => JsonSerializer.Deserialize<PeerLine>(line, lowerCase)!;

    public static IReadOnlyList<PeerLine> ReadAll(string file) => [.. File.ReadLines(file).Where(line => line.Length > 0).Select(OfJson)];
}
