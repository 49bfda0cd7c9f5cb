using System.Globalization;
using Google.Protobuf;
using ProtoBench.Gpb.Sets;
using static ProtoBench.DataSets.Draw;

namespace ProtoBench.DataSets;

/// <summary>The saved state of a game: 200 players with their items, and 40 sections of their world.</summary>
public readonly partial struct SaveDataSet : IDataSet<SaveData, SlabProtobuf.Sets.SaveData, PlainSaveData>
{
    const int players = 200;
    const int chunks = 40;
    const int deepest = 3;

    static readonly string[] things = ["oak_planks", "iron_pickaxe", "torch", "bread", "shulker_box", "diamond_sword", "cobblestone", "map"];

    public static SaveData Generate(Random random) => new()
    {
        Players = { Many(players, _ => Player(random)) },
        Chunks = { Many(chunks, _ => Chunk(random)) },
    };

    static SavedPlayer Player(Random random)
    {
        var player = new SavedPlayer
        {
            Mode = (GameMode)random.Next(1, 5),
            Score = random.Next(1_000_000),
            Dimension = random.Pick<string>(["overworld", "nether", "end"]),
            SelectedSlot = (uint)random.Next(9),
            FoodExhaustion = random.Single(0, 4),
            FoodSaturation = random.Single(0, 20),
            FoodLevel = (uint)random.Next(1, 21),
            ExperienceLevel = (uint)random.Next(100),
            Experience = random.NextSingle(),
            Inventory = { Many(random.Next(10, 37), slot => Item(random, slot, 0)) },
            Chest = { Many(random.Next(28), slot => Item(random, slot, 0)) },
            Abilities = new()
            {
                WalkSpeed = 0.1f,
                FlySpeed = 0.05f,
                MayFly = random.Chance(0.3),
                Flying = random.Chance(0.1),
                Invulnerable = random.Chance(0.1),
                MayBuild = true,
                InstantBuild = random.Chance(0.2),
            },
            Body = Entity(random, "player", 0),
            Recipes = { Many(random.Next(31), _ => random.Pick<string>(things)) },
        };
        if (random.Chance(0.3)) player.PreviousMode = (GameMode)random.Next(1, 5);
        if (random.Chance(0.6)) player.Selected = Item(random, (int)player.SelectedSlot, 0);
        if (random.Chance(0.5))
            (player.SpawnDimension, player.SpawnX, player.SpawnY, player.SpawnZ, player.SpawnForced) =
                ("overworld", random.Next(-30_000, 30_000), random.Next(-64, 320), random.Next(-30_000, 30_000), random.Chance(0.1));
        if (random.Chance(0.15))
            player.Vehicle = new() { IdHigh = Id(random), IdLow = Id(random), Entity = Entity(random, "boat", 1) };
        return player;
    }

    // A box has items, which may also be boxes.
    static SavedItem Item(Random random, int slot, int depth)
    {
        var item = new SavedItem { Slot = slot, Id = random.Pick<string>(things), Count = (uint)random.Next(1, 65) };
        if (item.Id is "shulker_box" && depth < deepest)
            item.Tag = new() { Content = { Many(random.Next(1, 10), at => Item(random, at, depth + 1)) } };
        else if (random.Chance(0.2))
            item.Tag = new() { Damage = (uint)random.Next(1_000), Lore = { Many(random.Next(3), _ => random.Words(2, 6)) } };
        if (item.Tag is not null && random.Chance(0.3)) item.Tag.Name = random.Words(1, 3);
        return item;
    }

    static SavedEntity Entity(Random random, string kind, int depth)
    {
        var entity = new SavedEntity
        {
            IdHigh = Id(random),
            IdLow = Id(random),
            Kind = kind,
            Position = { Many(3, _ => random.Double(-30_000, 30_000)) },
            Motion = { Many(3, _ => random.Double(-1, 1)) },
            Rotation = { Many(2, _ => random.Single(-180, 180)) },
            Fire = -20,
            Air = 300,
            OnGround = random.Chance(0.8),
        };
        if (random.Chance(0.1)) entity.CustomName = random.Words(1, 2);
        if (depth < deepest && random.Chance(0.1)) entity.Passengers.Add(Entity(random, "parrot", depth + 1));
        return entity;
    }

    static SavedChunk Chunk(Random random) => new()
    {
        X = random.Next(-2_000, 2_000),
        Z = random.Next(-2_000, 2_000),
        LastUpdate = random.Next(),
        Sections = { Many(random.Next(4, 13), _ => Section(random)) },
        Entities = { Many(random.Next(8), _ => Entity(random, random.Pick<string>(["cow", "sheep", "zombie", "item"]), 0)) },
    };

    // Blocks are in layers, with long runs of the same byte.
    static ByteString Section(Random random)
    {
        var blocks = new byte[1_024];
        for (var at = 0; at < blocks.Length;)
        {
            var (block, end) = ((byte)random.Next(12), Math.Min(blocks.Length, at + random.Next(1, 128)));
            while (at < end) blocks[at++] = block;
        }

        return ByteString.CopyFrom(blocks);
    }

    static ulong Id(Random random) => ulong.Parse(random.Hex(8), NumberStyles.HexNumber);
}
