using ProtoBench.Gpb.Sets;
using static ProtoBench.DataSets.Draw;

namespace ProtoBench.DataSets;

/// <summary>1,000 ticks of a game with ships: the players, and the state that each player sees.</summary>
public readonly partial struct GameUpdatesSet : IDataSet<GameUpdates, SlabProtobuf.Sets.GameUpdates, PlainGameUpdates>
{
    const int updates = 1_000;

    public static GameUpdates Generate(Random random) => new()
    {
        Updates =
        {
            Many(updates, tick => new GameUpdate
            {
                Timestamp = (uint)(tick * 100),
                Score = (uint)random.Next(10_000),
                WorldRadius = random.Single(1_000, 5_000),
                Players = { Many(random.Next(6), _ => Player(random)) },
                Terrain = { Many(random.Chance(0.2) ? 1 : 0, _ => Terrain(random)) },
                Contacts = { Many(random.Next(5, 21), _ => Contact(random)) },
            }),
        },
    };

    static GamePlayer Player(Random random)
    {
        var player = new GamePlayer
        {
            Id = (uint)random.Next(1, 5_000),
            Alias = random.Word(),
            Captain = random.Chance(0.1),
            Level = (uint)random.Next(1, 11),
        };
        if (random.Chance(0.4)) player.Team = (uint)random.Next(1, 100);
        return player;
    }

    static GameTerrain Terrain(Random random) =>
        new() { X = random.Next(-128, 128), Y = random.Next(-128, 128), Heights = random.Bytes(64) };

    static GameContact Contact(Random random)
    {
        var contact = new GameContact
        {
            Altitude = random.Next(-100, 100),
            Damage = random.Chance(0.7) ? 0 : random.NextSingle(),
            Entity = (uint)random.Next(1, 100_000),
            Guidance = new() { Direction = random.Next(-32_768, 32_768), Velocity = random.Next(-500, 500) },
            Reloads = { Many(random.Next(6), _ => random.Chance(0.5)) },
            Turrets = { Many(random.Next(4), _ => random.Next(-32_768, 32_768)) },
            Transform = new()
            {
                X = random.Single(-2_000, 2_000),
                Y = random.Single(-2_000, 2_000),
                Direction = random.Next(-32_768, 32_768),
                Velocity = random.Next(-500, 500),
            },
        };
        if (random.Chance(0.8)) contact.Kind = (ShipKind)random.Next(1, 9);
        if (random.Chance(0.5)) contact.Player = (uint)random.Next(1, 5_000);
        return contact;
    }
}
