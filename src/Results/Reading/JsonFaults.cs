using System.Text.Json;

namespace ProtoBench.Results;

/// <summary>Finds what a generated reader lets through though no result file has it:
/// null among the elements of an array, and figures that are not finite.</summary>
static class JsonFaults
{
    /// <summary>The first array element that is null, as a sentence; null where there is none.</summary>
    public static string? NullElement(JsonElement root) =>
        Find(root, "$", (element, inArray) => inArray && element.ValueKind == JsonValueKind.Null ? "is null" : null);

    /// <summary>The first number that no double holds, as a sentence; null where there is none.</summary>
    public static string? NotFinite(JsonElement root) =>
        Find(root, "$",
            (element, _) => element.ValueKind == JsonValueKind.Number && !double.IsFinite(element.GetDouble()) ? "is not finite" : null);

    static string? Find(JsonElement element, string path, Func<JsonElement, bool, string?> fault, bool inArray = false)
    {
        if (fault(element, inArray) is { } found)
            return $"{path} {found}";
        return element.ValueKind switch
        {
            JsonValueKind.Array =>
                element.EnumerateArray().Select((item, i) => Find(item, $"{path}[{i}]", fault, inArray: true))
                    .FirstOrDefault(sentence => sentence != null),
            JsonValueKind.Object =>
                element.EnumerateObject().Select(item => Find(item.Value, $"{path}.{item.Name}", fault))
                    .FirstOrDefault(sentence => sentence != null),
            _ => null,
        };
    }
}
