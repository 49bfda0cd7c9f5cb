using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace ProtoBench.Results;

[JsonSourceGenerationOptions(
    WriteIndented = true,
    NewLine = "\n",
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(LoadResult))]
[JsonSerializable(typeof(LoadRound))]
[JsonSerializable(typeof(DuetResult))]
sealed partial class ResultJson : JsonSerializerContext
{
    internal static T Parse<T>(string json, string path, string kind, JsonTypeInfo<T> type, Func<T, (int Its, int Newest)> schema,
        Func<T, string?> faultOf)
    {
        T result;
        try
        {
            using var document = JsonDocument.Parse(json);
            if (JsonFaults.First(document.RootElement, figures: true) is { } damage)
                throw DamagedFileException.Of(path, $"damaged: {damage}");
            result = JsonSerializer.Deserialize(json, type) ?? throw new JsonException("it says null");
        }
        catch (JsonException e)
        {
            throw DamagedFileException.Of(path, $"not a {kind} result: {e.Message}", e);
        }

        var (its, newest) = schema(result);
        var fault = its < 1 ? $"a {kind} result without its schemaVersion"
            : its > newest ? $"schema version {its} is newer than this program, which reads up to {newest}"
            : faultOf(result);
        return fault is null ? result : throw DamagedFileException.Of(path, fault);
    }
}

/// <summary>Values that a generated reader accepts and no result file has: null in an array, and figures that are not finite.</summary>
static class JsonFaults
{
    public static string? First(JsonElement element, bool figures, string path = "$", bool inArray = false) => element.ValueKind switch
    {
        JsonValueKind.Null when inArray => $"{path} is null",
        JsonValueKind.Number when figures && !double.IsFinite(element.GetDouble()) => $"{path} is not finite",
        JsonValueKind.Array => element.EnumerateArray().Select((item, i) => First(item, figures, $"{path}[{i}]", inArray: true))
            .FirstOrDefault(sentence => sentence != null),
        JsonValueKind.Object => element.EnumerateObject().Select(item => First(item.Value, figures, $"{path}.{item.Name}"))
            .FirstOrDefault(sentence => sentence != null),
        _ => null,
    };
}
