using Google.Protobuf.Reflection;

namespace ProtoBench.Codec.Generator.Model;

/// <summary>Places and comments of a .proto's elements, which are found by their path of field numbers and indexes.</summary>
sealed class SourceMap
{
    readonly Dictionary<string, SourceCodeInfo.Types.Location> locations = [];

    public SourceMap(SourceCodeInfo? info)
    {
        foreach (var location in info?.Location ?? []) locations.TryAdd(string.Join(',', location.Path), location);
    }

    /// <summary>Line and column, from 1; of what the element is in, if it has no place of its own.</summary>
    public (int Line, int Column) PlaceOf(IEnumerable<int> path)
    {
        for (var rest = path.ToArray(); ; rest = rest[..^1])
        {
            if (locations.TryGetValue(string.Join(',', rest), out var location)) return (location.Span[0] + 1, location.Span[1] + 1);
            if (rest.Length == 0) return (1, 1);
        }
    }

    /// <summary>The lines of the element's comment: what stands above it, else what stands behind it.</summary>
    public IReadOnlyList<string> CommentOf(IEnumerable<int> path)
    {
        if (!locations.TryGetValue(string.Join(',', path), out var location)) return [];
        var text = location.HasLeadingComments ? location.LeadingComments : location.TrailingComments;
        var lines = text.Split('\n').Select(line => line.Trim()).ToList();
        while (lines.Count > 0 && lines[^1].Length == 0) lines.RemoveAt(lines.Count - 1);
        while (lines.Count > 0 && lines[0].Length == 0) lines.RemoveAt(0);
        return lines;
    }
}
