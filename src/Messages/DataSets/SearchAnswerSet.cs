using ProtoBench.Gpb.Sets;
using static ProtoBench.DataSets.Draw;

namespace ProtoBench.DataSets;

/// <summary>64 pages of search results, of 2 to 20 KB. A third of the titles are not ASCII.</summary>
public readonly partial struct SearchAnswerSet : IDataSet<SearchAnswer, SlabProtobuf.Sets.SearchAnswer, PlainSearchAnswer>
{
    public static int Messages => 64;

    public static SearchAnswer Generate(Random random)
    {
        var answer = new SearchAnswer
        {
            QueryId = random.Hex(16),
            Total = (uint)random.Next(50, 100_000),
            Page = (uint)random.Next(1, 9),
            Hits = { Many(random.Next(8, 41), _ => Hit(random)) },
            Milliseconds = random.Double(1, 80),
        };
        foreach (var facet in (string[])["brand", "colour", "material", "size", "year"])
            answer.Facets.Add($"{facet}:{random.Word()}", (uint)random.Next(1, 5_000));
        if (random.Chance(0.8)) answer.NextPage = random.Hex(12);
        return answer;
    }

    static SearchHit Hit(Random random)
    {
        var hit = new SearchHit
        {
            Id = (ulong)random.NextInt64(),
            Title = random.Chance(0.33) ? $"{random.Pick<string>(["Café", "Möbel", "寿司", "Żółty"])} {random.Words(2, 6)}"
                : random.Words(3, 7),
            Snippet = $"… {random.Words(12, 30)} …",
            Score = random.Single(0, 1),
            Tags = { Many(random.Next(0, 5), _ => random.Word()) },
            Attributes = { ["sku"] = random.Hex(6), ["colour"] = random.Word() },
            ThumbnailHash = random.Bytes(20),
            InStock = random.Chance(0.9),
        };
        if (random.Chance(0.9)) hit.Cents = random.Next(99, 500_000);
        else hit.OnRequest = random.Words(2, 4);
        return hit;
    }
}
