using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec;
using ProtoBench.DataSets;
using ProtoBench.Floors;

namespace ProtoBench.Messages.Tests.Floors;

/// <summary>A lower bound reads and writes what Google.Protobuf does, or refuses it.</summary>
public class SetFloorTests
{
    const int messages = 300;

    static readonly Dictionary<string, Checked> sets = new()
    {
        ["Log"] = Of<AccessLogSet, Gpb.Sets.AccessLog, SlabProtobuf.Sets.AccessLog, PlainAccessLog>(new LogFloor()),
        ["Mesh"] = Of<MeshSet, Gpb.Sets.Mesh, SlabProtobuf.Sets.Mesh, PlainMesh>(new MeshFloor()),
        ["PackedMesh"] = Of<PackedMeshSet, Gpb.Sets.PackedMesh, SlabProtobuf.Sets.PackedMesh, PlainPackedMesh>(new PackedMeshFloor()),
        ["SaveData"] = Of<SaveDataSet, Gpb.Sets.SaveData, SlabProtobuf.Sets.SaveData, PlainSaveData>(new SaveDataFloor()),
        ["Updates"] = Of<GameUpdatesSet, Gpb.Sets.GameUpdates, SlabProtobuf.Sets.GameUpdates, PlainGameUpdates>(new UpdatesFloor()),
        ["Telemetry"] = Of<TelemetrySet, Gpb.Sets.Telemetry, SlabProtobuf.Sets.Telemetry, PlainTelemetry>(new TelemetryFloor()),
        ["Embeddings"] = Of<EmbeddingsSet, Gpb.Sets.Embeddings, SlabProtobuf.Sets.Embeddings, PlainEmbeddings>(new EmbeddingsFloor()),
        ["Tile"] = Of<MapTileSet, Gpb.Sets.MapTile, SlabProtobuf.Sets.MapTile, PlainMapTile>(new TileFloor()),
        ["Feed"] = Of<TransitFeedSet, Gpb.Sets.TransitFeed, SlabProtobuf.Sets.TransitFeed, PlainTransitFeed>(new FeedFloor()),
    };

    public static TheoryData<string> Sets { get; } = [.. sets.Keys];

    [Theory]
    [MemberData(nameof(Sets))]
    public void The_data_set_is_read_and_written(string name)
    {
        var set = sets[name];
        var wire = set.Generate(new Random(29)).ToByteArray();
        for (var run = 0; run < 2; run++)
        {
            set.Floor.Parse(wire);
            Assert.Equal(set.Touch(wire), set.Floor.Touch());
            Assert.True(wire.AsSpan().SequenceEqual(set.Floor.ToByteArray()), "the bytes differ");
        }
    }

    /// <summary>Absent fields, numbers of each size, texts that are empty, long or not ASCII, lists of each length.</summary>
    [Theory]
    [MemberData(nameof(Sets))]
    public void Any_message_of_the_schema_is_read_and_written(string name)
    {
        var set = sets[name];
        for (var seed = 0; seed < messages; seed++)
        {
            var wire = Random(set, seed).ToByteArray();
            set.Floor.Parse(wire);
            Assert.True(wire.AsSpan().SequenceEqual(set.Floor.ToByteArray()), $"seed {seed}: the bytes differ");
            Assert.True(set.Touch(wire) == set.Floor.Touch(), $"seed {seed}: the sums differ");
        }
    }

    [Theory]
    [MemberData(nameof(Sets))]
    public void A_message_that_is_cut_off_is_refused_where_Google_refuses_it(string name)
    {
        var set = sets[name];
        for (var seed = 0; seed < messages / 10; seed++)
        {
            var wire = Random(set, seed).ToByteArray();
            for (var length = 0; length < Math.Min(wire.Length, 600); length++)
            {
                var cut = wire[..length];
                if (GoogleReads(set.Parser, cut))
                    set.Floor.Parse(cut);
                else
                    Refuses(set.Floor, cut, $"seed {seed}, {length} bytes");
            }
        }
    }

    /// <summary>Whatever bytes there are, a message is read or refused, and what Google refuses is refused.</summary>
    [Theory]
    [MemberData(nameof(Sets))]
    public void Wrong_bytes_are_refused_where_Google_refuses_them(string name)
    {
        var set = sets[name];
        for (var seed = 0; seed < messages; seed++)
        {
            var random = new Random(seed);
            var wire = Random(set, seed).ToByteArray();
            for (var change = 0; change < 10 && wire.Length > 0; change++)
            {
                var wrong = wire.ToArray();
                wrong[random.Next(wire.Length)] = random.NextDouble() < 0.3 ? (byte)0xFF : (byte)random.Next(256);
                if (!GoogleReads(set.Parser, wrong))
                {
                    Refuses(set.Floor, wrong, $"seed {seed}");
                    continue;
                }

                try
                {
                    set.Floor.Parse(wrong);
                    set.Floor.ToByteArray();
                }
                catch (InvalidDataException)
                {
                    // a floor does not have all that a codec has
                }
            }
        }
    }

    [Theory]
    [MemberData(nameof(Sets))]
    public void Text_that_is_not_UTF8_is_refused_at_each_place(string name)
    {
        var set = sets[name];
        var found = 0;
        for (var seed = 0; seed < messages / 10; seed++)
        {
            var wire = Random(set, seed, marked: true).ToByteArray();
            for (var at = wire.AsSpan().IndexOf("TEXT"u8); at >= 0 && found < 5_000; found++)
            {
                var wrong = wire.ToArray();
                wrong[at + 3] = 0xFF;
                Refuses(set.Floor, wrong, $"seed {seed}, at {at}");
                var next = wire.AsSpan(at + 1).IndexOf("TEXT"u8);
                at = next < 0 ? -1 : at + 1 + next;
            }
        }

        Assert.True(found > 20 || name.EndsWith("Mesh", StringComparison.Ordinal), $"{found} places");
    }

    [Theory]
    [InlineData("Updates", "0A 04 22 02 18 02", "a bool of 2")]
    [InlineData("Updates", "0A 07 32 05 3A 03 00 01 02", "a bool of 2 in a list")]
    [InlineData("Updates", "0A 03 08 01 00", "an end inside of a message")]
    [InlineData("Updates", "0A 02 10 80", "a number over the end")]
    [InlineData("Updates", "0A 08 32 06 42 03 01 80 01 80", "a number over the end of a list")]
    [InlineData("Updates", "0A 04 1D 00 00 80", "a float over the end")]
    [InlineData("Log", "0A 0C 38 FF FF FF FF FF FF FF FF FF FF 01", "a number of eleven bytes")]
    [InlineData("Log", "0A 02 40 01", "a field that the schema does not have")]
    [InlineData("Log", "0A 07 12 FF FF FF FF 0F 41", "a length of 4 GB")]
    [InlineData("Tile", "0A 04 2A 02 20 02", "a bool of 2")]
    [InlineData("Tile", "0A 06 1A 04 12 02 01 80", "a number over the end of a list")]
    [InlineData("Telemetry", "0A 06 0A 04 12 02 10 02", "a bool of 2")]
    [InlineData("SaveData", "0A 02 58 02", "a bool of 2")]
    [InlineData("Feed", "0A 02 10 02", "a bool of 2")]
    [InlineData("Embeddings", "12 05 12 03 00 00 80", "a list that ends inside of a float")]
    [InlineData("PackedMesh", "0A 03 00 00 80", "a list that ends inside of a float")]
    [InlineData("Mesh", "0A 11 0A 0E 0D 00 00 80 3F 15 00 00 80 3F 1D 00 00 80 3F", "a vector that is too short")]
    public void A_wrong_message_is_refused(string name, string bytes, string what) =>
        Refuses(sets[name].Floor, Convert.FromHexString(bytes.Replace(" ", "", StringComparison.Ordinal)), what);

    [Fact]
    public void A_message_that_is_too_large_is_refused() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new PackedMeshFloor().Parse(new byte[6_000_010]));

    [Fact]
    public void A_warm_floor_allocates_nothing()
    {
        var wire = GameUpdatesSet.Generate(new Random(29)).ToByteArray();
        var (floor, to) = (new UpdatesFloor(), new System.Buffers.ArrayBufferWriter<byte>(wire.Length + 1_024));
        for (var warm = 0; warm < 3; warm++)
            Run();
        Assert.Equal(0, ProtoBench.Testing.AllocatedBytes.Of(Run));

        void Run()
        {
            floor.Parse(wire);
            floor.Touch();
            to.ResetWrittenCount();
            floor.WriteTo(to);
        }
    }

    /// <summary>The bytes of a triangle with all numbers are compared at once.</summary>
    [Fact]
    public void A_triangle_with_a_wrong_byte_is_refused_where_Google_refuses_it()
    {
        var set = sets["Mesh"];
        var wire = set.Generate(new Random(29)).ToByteArray()[..140];
        for (var at = 0; at < 70; at++)
        {
            var wrong = wire.ToArray();
            wrong[at] ^= 6;
            if (GoogleReads(set.Parser, wrong))
                WritesWhatGoogleDoes(set, wrong);
            else
                Refuses(set.Floor, wrong, $"byte {at}");
        }
    }

    /// <summary>A triangle with all numbers is written at once, and a number that is 0 is not written.</summary>
    [Fact]
    public void A_triangle_without_a_number_is_written()
    {
        var whole = sets["Mesh"].Generate(new Random(29)).ToByteArray()[..140];
        for (var number = 0; number < 12; number++)
        {
            var wire = whole.ToArray();
            wire.AsSpan(5 + (17 * (number / 3)) + (5 * (number % 3)), sizeof(float)).Clear();
            WritesWhatGoogleDoes(sets["Mesh"], wire);
        }
    }

    static void WritesWhatGoogleDoes(Checked set, byte[] wire)
    {
        set.Floor.Parse(wire);
        Assert.Equal(Convert.ToHexString(set.Parser.ParseFrom(wire).ToByteArray()), Convert.ToHexString(set.Floor.ToByteArray()));
    }

    static void Refuses(SetFloor floor, byte[] wire, string what)
    {
        try
        {
            floor.Parse(wire);
        }
        catch (InvalidDataException)
        {
            return;
        }

        Assert.Fail($"read: {what}, {Convert.ToHexString(wire)}");
    }

    static bool GoogleReads(MessageParser parser, byte[] wire)
    {
        try
        {
            parser.ParseFrom(wire);
            return true;
        }
        catch (InvalidProtocolBufferException)
        {
            return false;
        }
    }

    static IMessage Random(Checked set, int seed, bool marked = false)
    {
        var message = (IMessage)Activator.CreateInstance(set.Parser.ParseFrom([]).GetType())!;
        new Filling(new Random(seed), marked).Fill(message, 0);
        return message;
    }

    static Checked Of<TSet, TGoogle, TSlab, TPlain>(SetFloor floor)
        where TSet : struct, IDataSet<TGoogle, TSlab, TPlain>
        where TGoogle : class, IMessage<TGoogle>
        where TSlab : struct, ISlabMessage<TSlab>
        where TPlain : class =>
        new(floor, TSet.Parser, random => TSet.Generate(random), wire =>
        {
            // texts of Google are UTF-16, so the sum of one that is not ASCII differs
            using var message = Message<TSlab>.Rent();
            return TSet.Touch(message.Parse(wire));
        });

    sealed record Checked(SetFloor Floor, MessageParser Parser, Func<Random, IMessage> Generate, Func<byte[], long> Touch);

    /// <summary>Gives random values to the fields of a message.</summary>
    sealed class Filling(Random random, bool marked)
    {
        const int deepest = 6;

        public void Fill(IMessage message, int depth)
        {
            foreach (var field in message.Descriptor.Fields.InFieldNumberOrder().Where(_ => random.NextDouble() < 0.7))
            {
                if (field.FieldType == FieldType.Message && depth == deepest) continue;
                if (!field.IsRepeated)
                {
                    field.Accessor.SetValue(message, Value(field, depth));
                    continue;
                }

                var list = (System.Collections.IList)field.Accessor.GetValue(message);
                for (var left = random.Next(field.FieldType == FieldType.Message ? 4 : random.Next(100)); left > 0; left--)
                    list.Add(Value(field, depth));
            }
        }

        object Value(FieldDescriptor field, int depth)
        {
            var bits = (ulong)random.NextInt64() >> random.Next(64);
            var number = random.NextDouble() < 0.2 ? ~bits : bits;
            return field.FieldType switch
            {
                FieldType.Message => Inner(field, depth),
                FieldType.String => marked ? string.Concat(Enumerable.Repeat("TEXT", random.Next(random.Next(1, 40)))) : Text(),
                FieldType.Bytes => ByteString.CopyFrom([.. Enumerable.Range(0, random.Next(random.Next(1, 200))).Select(_ => (byte)1)]),
                FieldType.Enum => Enum.ToObject(field.EnumType.ClrType, (int)number),
                FieldType.Bool => random.Next(2) == 0,
                FieldType.Float => random.Next(5) == 0 ? 0f : (float)(random.NextDouble() * 1e5) - 5e4f,
                FieldType.Double => random.Next(5) == 0 ? 0d : (random.NextDouble() * 1e9) - 5e8,
                FieldType.UInt32 or FieldType.Fixed32 => (uint)number,
                FieldType.UInt64 or FieldType.Fixed64 => number,
                FieldType.Int64 or FieldType.SInt64 or FieldType.SFixed64 => (long)number,
                _ => (int)number,
            };
        }

        IMessage Inner(FieldDescriptor field, int depth)
        {
            var message = (IMessage)Activator.CreateInstance(field.MessageType.ClrType)!;
            Fill(message, depth + 1);
            return message;
        }

        string Text() => string.Concat(Enumerable.Range(0, random.Next(random.Next(1, 150)))
            .Select(_ => random.NextDouble() < 0.01 ? "ü" : ((char)random.Next(1, 128)).ToString()));
    }
}
