using System.Buffers;
using Google.Protobuf;
using ProtoBench.Codec;
using ProtoBench.DataSets;

namespace ProtoBench.Peers;

/// <summary>The messages that every language reads and writes.</summary>
static class MeasuredSets
{
    const int seed = 29; // of the data sets on the page of data sets

    public static IReadOnlyList<MeasuredSet> All { get; } =
    [
        Of<HiveSet, Gpb.ForwardRequest, SlabProtobuf.ForwardRequest, PlainForwardRequest>("Hive", "hive.proto"),
        Of<OrderEventSet, Gpb.Sets.OrderEvent, SlabProtobuf.Sets.OrderEvent, PlainOrderEvent>("Order"),
        Of<SearchAnswerSet, Gpb.Sets.SearchAnswer, SlabProtobuf.Sets.SearchAnswer, PlainSearchAnswer>("Search"),
        Of<AccessLogSet, Gpb.Sets.AccessLog, SlabProtobuf.Sets.AccessLog, PlainAccessLog>("Log"),
        Of<MeshSet, Gpb.Sets.Mesh, SlabProtobuf.Sets.Mesh, PlainMesh>("Mesh"),
        Of<PackedMeshSet, Gpb.Sets.PackedMesh, SlabProtobuf.Sets.PackedMesh, PlainPackedMesh>("PackedMesh", "sets/mesh.proto"),
        Of<SaveDataSet, Gpb.Sets.SaveData, SlabProtobuf.Sets.SaveData, PlainSaveData>("SaveData"),
        Of<GameUpdatesSet, Gpb.Sets.GameUpdates, SlabProtobuf.Sets.GameUpdates, PlainGameUpdates>("Updates"),
        Of<TelemetrySet, Gpb.Sets.Telemetry, SlabProtobuf.Sets.Telemetry, PlainTelemetry>("Telemetry"),
        Of<EmbeddingsSet, Gpb.Sets.Embeddings, SlabProtobuf.Sets.Embeddings, PlainEmbeddings>("Embeddings"),
        Of<MapTileSet, Gpb.Sets.MapTile, SlabProtobuf.Sets.MapTile, PlainMapTile>("Tile"),
        Of<TransitFeedSet, Gpb.Sets.TransitFeed, SlabProtobuf.Sets.TransitFeed, PlainTransitFeed>("Feed"),
    ];

    /// <summary>Writes NAME.bin, as Google.Protobuf writes it, and sets.txt: name, message type and .proto file of each set.</summary>
    public static void Write(string folder)
    {
        Directory.CreateDirectory(folder);
        foreach (var set in All)
            File.WriteAllBytes(Path.Combine(folder, set.Name + ".bin"), set.Cells.AsGoogleWrites(set.Payload()));
        File.WriteAllLines(Path.Combine(folder, "sets.txt"), All.Select(set => $"{set.Name} {set.Cells.Type} {set.Proto}"));
    }

    public static IEnumerable<Way> Ways(string folder, string name, string verb)
    {
        var set = All.First(known => known.Name == name);
        var wire = File.ReadAllBytes(Path.Combine(folder, set.Name + ".bin"));
        foreach (var (library, way, work) in set.Cells.Of(verb, wire, new byte[wire.Length]))
        {
            var version = Way.VersionOf(library == "Slab" ? typeof(WireFormatException) : typeof(IMessage));
            yield return new(library, version, way, wire.Length, Way.ProcessorTime(() => work()),
                WritesTheSame(set, verb == "make" ? verb : "write", wire, library) ? null : "writes other bytes");
        }
    }

    static bool WritesTheSame(MeasuredSet set, string verb, byte[] wire, string library)
    {
        var output = new byte[wire.Length];
        return set.Cells.Of(verb, wire, output).Where(cell => cell.Library == library)
            .All(cell => cell.Work() == wire.Length && output.AsSpan().SequenceEqual(wire));
    }

    static MeasuredSet Of<TSet, TGoogle, TSlab, TPlain>(string name, string? proto = null)
        where TSet : struct, IDataSet<TGoogle, TSlab, TPlain>
        where TGoogle : class, IMessage<TGoogle>
        where TSlab : struct, ISlabMessage<TSlab>
        where TPlain : class => new(name, proto ?? $"sets/{name.ToLowerInvariant()}.proto",
            () => TSet.Generate(new Random(seed)).ToByteArray(), new Cells<TSet, TGoogle, TSlab, TPlain>());
}

sealed record MeasuredSet(string Name, string Proto, Func<byte[]> Payload, ICells Cells);

interface ICells
{
    string Type { get; }

    byte[] AsGoogleWrites(byte[] wire);

    /// <summary>The ways to read, write or make a message; each returns the bytes that it wrote, or 0.</summary>
    IEnumerable<(string Library, string Way, Func<int> Work)> Of(string verb, byte[] wire, byte[] output);
}

/// <summary>The calls of the rows DeserializeSet, SerializeSet and MakeSet, on contiguous memory that is there already.</summary>
sealed class Cells<TSet, TGoogle, TSlab, TPlain> : ICells
    where TSet : struct, IDataSet<TGoogle, TSlab, TPlain>
    where TGoogle : class, IMessage<TGoogle>
    where TSlab : struct, ISlabMessage<TSlab>
    where TPlain : class
{
    static readonly MessageParser<TGoogle> parser = TSet.Parser;

    public string Type => parser.ParseFrom([]).Descriptor.FullName;

    public byte[] AsGoogleWrites(byte[] wire) => parser.ParseFrom(wire).ToByteArray();

    public IEnumerable<(string Library, string Way, Func<int> Work)> Of(string verb, byte[] wire, byte[] output)
    {
        var slab = Message<TSlab>.Rent();
        if (verb == "make")
        {
            var values = TSet.Model.Deserialize<TPlain>((ReadOnlyMemory<byte>)wire);
            return
            [
                ("Google", "span", () =>
                {
                    var made = TSet.MakeGoogle(values);
                    var length = made.CalculateSize();
                    made.WriteTo(output.AsSpan(0, length));
                    return length;
                }),
                ("Slab", "span", () =>
                {
                    using var made = Message<TSlab>.Rent();
                    TSet.Make(made.Value, values);
                    return made.WriteTo(output);
                }),
            ];
        }

        if (verb == "read")
        {
            return
            [
                ("Google", "fresh", () => parser.ParseFrom(wire.AsSpan()) is null ? 1 : 0),
                ("Slab", "reused", () => { slab.Parse(wire); return 0; }),
            ];
        }

        var google = parser.ParseFrom(wire);
        slab.Parse(wire);
        var buffer = new ArrayWriter(output);
        return
        [
            ("Google", "span", () =>
            {
                var size = google.CalculateSize();
                google.WriteTo(output.AsSpan(0, size));
                return size;
            }),
            ("Slab", "span", () => slab.WriteTo(output)),
            ("Slab", "buffer writer", () =>
            {
                buffer.Count = 0;
                slab.WriteTo(buffer);
                return buffer.Count;
            }),
        ];
    }
}

sealed class ArrayWriter(byte[] array) : IBufferWriter<byte>
{
    public int Count { get; set; }

    public void Advance(int count) => Count += count;

    public Memory<byte> GetMemory(int sizeHint = 0) => array.AsMemory(Count);

    public Span<byte> GetSpan(int sizeHint = 0) => array.AsSpan(Count);
}
