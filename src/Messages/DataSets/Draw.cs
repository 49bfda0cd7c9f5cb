using Google.Protobuf;

namespace ProtoBench.DataSets;

/// <summary>Draws values of data sets from a seeded generator. Text is ASCII.</summary>
static class Draw
{
    static readonly string[] words =
    [
        "amber", "basin", "cedar", "delta", "ember", "fjord", "grove", "harbor", "island", "juniper", "kestrel", "lagoon", "meadow",
        "north", "orchard", "prairie", "quarry", "river", "summit", "timber", "upland", "valley", "willow", "yarrow",
    ];

    public static bool Chance(this Random random, double share) => random.NextDouble() < share;

    public static T Pick<T>(this Random random, ReadOnlySpan<T> items) => items[random.Next(items.Length)];

    public static string Word(this Random random) => Pick<string>(random, words);

    public static string Words(this Random random, int least, int most) =>
        string.Join(' ', Enumerable.Range(0, random.Next(least, most + 1)).Select(_ => random.Word()));

    public static string Hex(this Random random, int bytes) => Convert.ToHexStringLower(Bytes(random, bytes).Span);

    public static ByteString Bytes(this Random random, int count)
    {
        var bytes = new byte[count];
        random.NextBytes(bytes);
        return ByteString.CopyFrom(bytes);
    }

    public static float Single(this Random random, float least, float end) => least + ((end - least) * random.NextSingle());

    public static double Double(this Random random, double least, double end) => least + ((end - least) * random.NextDouble());

    public static IEnumerable<T> Many<T>(int count, Func<int, T> make) => Enumerable.Range(0, count).Select(make);
}
