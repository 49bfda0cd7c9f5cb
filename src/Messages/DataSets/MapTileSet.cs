using ProtoBench.Gpb.Sets;
using static ProtoBench.DataSets.Draw;

namespace ProtoBench.DataSets;

/// <summary>A square of a map: roads, houses, water, places and borders.</summary>
public readonly partial struct MapTileSet : IDataSet<MapTile, SlabProtobuf.Sets.MapTile, PlainMapTile>
{
    const int extent = 4_096;

    public static MapTile Generate(Random random) => new()
    {
        Layers =
        {
            Layer(random, "road", TileShape.Line, 600, 40), Layer(random, "building", TileShape.Area, 1_500, 8),
            Layer(random, "water", TileShape.Area, 60, 200), Layer(random, "place", TileShape.Point, 250, 1),
            Layer(random, "border", TileShape.Line, 20, 400),
        },
    };

    static TileLayer Layer(Random random, string name, TileShape shape, int features, int points)
    {
        var values = Many(150, i => Value(random, i)).ToList();
        string[] keys = ["class", "name", "height", "oneway", "surface", "lanes", "rank"];
        return new()
        {
            Version = 2,
            Name = name,
            Extent = extent,
            Keys = { keys },
            Values = { values },
            Features =
            {
                Many(features, i => new TileFeature
                {
                    Id = (ulong)random.NextInt64(1, 10_000_000_000) + (ulong)i,
                    Shape = shape,
                    Tags =
                    {
                        Many(random.Next(1, 5), _ => new[] { (uint)random.Next(keys.Length), (uint)random.Next(values.Count) })
                            .SelectMany(tag => tag),
                    },
                    Geometry =
                    {
                        // the first point is absolute, and the others are relative to the previous one
                        Many(random.Next((points + 1) / 2, points + 1), at => at == 0
                            ? new[] { random.Next(extent), random.Next(extent) } : [random.Next(-60, 61), random.Next(-60, 61)])
                            .SelectMany(point => point),
                    },
                }),
            },
        };
    }

    static TileValue Value(Random random, int i) => (i % 4) switch
    {
        0 => new() { Number = Math.Round(random.Double(0, 100), 1) },
        1 => new() { Whole = random.Next(-10, 1_000) },
        2 => new() { Text = random.Words(1, 3) },
        _ => i == 3 ? new() { Flag = true } : new() { Text = $"{i} {random.Word()}" },
    };
}
