using System.Buffers;
using System.Text.Json;
using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using MemoryPack;
using MessagePack;
using ProtoBench.Codec;
using ProtoBench.DataSets;
using ProtoBench.Libraries;
using ProtoBench.Validation;
using ProtoBuf;

namespace ProtoBench.Benchmarks;

/// <summary>Lines of an access log.</summary>
public class LogSetBenchmarks : DataSetBenchmarks<LogSet, Gpb.Sets.AccessLog, SlabProtobuf.Sets.AccessLog, DataSets.Plain.AccessLog>;

/// <summary>Triangles as messages.</summary>
public class MeshSetBenchmarks : DataSetBenchmarks<MeshSet, Gpb.Sets.Mesh, SlabProtobuf.Sets.Mesh, DataSets.Plain.Mesh>;

/// <summary>Triangles as lists of numbers.</summary>
public class PackedMeshSetBenchmarks
    : DataSetBenchmarks<PackedMeshSet, Gpb.Sets.PackedMesh, SlabProtobuf.Sets.PackedMesh, DataSets.Plain.PackedMesh>;

/// <summary>Players and the world of a game.</summary>
public class SaveDataSetBenchmarks
    : DataSetBenchmarks<SaveDataSet, Gpb.Sets.SaveData, SlabProtobuf.Sets.SaveData, DataSets.Plain.SaveData>;

/// <summary>Ticks of a game.</summary>
public class UpdatesSetBenchmarks
    : DataSetBenchmarks<UpdatesSet, Gpb.Sets.GameUpdates, SlabProtobuf.Sets.GameUpdates, DataSets.Plain.GameUpdates>;

/// <summary>Spans of traces.</summary>
public class TelemetrySetBenchmarks
    : DataSetBenchmarks<TelemetrySet, Gpb.Sets.Telemetry, SlabProtobuf.Sets.Telemetry, DataSets.Plain.Telemetry>;

/// <summary>Vectors of a language model.</summary>
public class EmbeddingsSetBenchmarks
    : DataSetBenchmarks<EmbeddingsSet, Gpb.Sets.Embeddings, SlabProtobuf.Sets.Embeddings, DataSets.Plain.Embeddings>;

/// <summary>A square of a map.</summary>
public class TileSetBenchmarks : DataSetBenchmarks<TileSet, Gpb.Sets.MapTile, SlabProtobuf.Sets.MapTile, DataSets.Plain.MapTile>;

/// <summary>Buses and their delays.</summary>
public class FeedSetBenchmarks
    : DataSetBenchmarks<FeedSet, Gpb.Sets.TransitFeed, SlabProtobuf.Sets.TransitFeed, DataSets.Plain.TransitFeed>;

/// <summary>
/// Measures one data set with every library. Serialize cells write to a buffer that is reused and return the number of bytes. Deserialize
/// cells read an array and return the message. DeserializeTouch cells also read every field of it and return the sum. The data set is a
/// struct type argument, so the JIT compiles each class of cells separately, and a cell calls the library directly.
/// </summary>
public abstract class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain> : IDataSetCells
    where TSet : struct, IDataSet<TGoogle, TSlab, TPlain>
    where TGoogle : class, Google.Protobuf.IMessage<TGoogle>
    where TSlab : struct, ISlabMessage<TSlab>
    where TPlain : class
{
    const int seed = 29;

    readonly Content content = Content.OfSet;
    readonly ArrayBufferWriter<byte> written = new();
    Utf8JsonWriter? json;
    Message<TSlab> last;

    /// <summary>Gets the name of the data set as the only value of <see cref="DataSet"/>, which distinguishes the cells of the data
    /// sets.</summary>
    public IEnumerable<string> DataSets => [IDataSetCells.NameOf(GetType())];

    [ParamsSource(nameof(DataSets))]
    public string DataSet { get; set; } = "";

    public long Sum => TSet.Touch(content.Google);

    ArrayBufferWriter<byte> To
    {
        get
        {
            written.ResetWrittenCount();
            return written;
        }
    }

    public long WireBytes(string cell) => Message(cell).Length;

    public byte[] Message(string cell) => Formats.FirstOrDefault(format => cell.Contains(format.Name, StringComparison.Ordinal))?.Bytes()
        ?? content.Wire;

    public byte[] ContentOf(object message) => message switch
    {
        TGoogle google => google.ToByteArray(),
        Message<TSlab> slab => slab.ToByteArray(),
        _ => TSet.Parser.ParseFrom(ProtobufNet((TPlain)message)).ToByteArray(),
    };

    public byte[] Written() => written.WrittenSpan.ToArray();

    public void Check()
    {
        Check("Google.Protobuf", DeserializeSetGoogle, DeserializeTouchSetGoogle);
        Check("Slab", () => DeserializeSetSlab(), DeserializeTouchSetSlab);
        Check("Slab, alias", () => DeserializeSetSlab_Alias(), DeserializeTouchSetSlab_Alias);
        Check("Slab, strings", () => DeserializeSetSlab(), DeserializeTouchSetSlab_Strings);
        foreach (var format in Formats)
            Check(format.Name, () => format.Read(format.Bytes()), () => TSet.Touch(format.Read(format.Bytes())));
    }

    [Benchmark(Baseline = true), BenchmarkCategory("SerializeSet")]
    public long SerializeSetGoogle() { var to = To; content.Google.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializeSet")]
    public long SerializeSetPBN() { var to = To; Serializer.Serialize(to, content.Plain); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializeSet")]
    public long SerializeSetSlab() { var to = To; content.Slab.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializeSet")]
    public long SerializeSetMessagePack() { var to = To; MessagePackSerializer.Serialize(to, content.Plain); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializeSet")]
    public long SerializeSetMemoryPack() { var to = To; MemoryPackSerializer.Serialize(to, content.Plain); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializeSet")]
    public long SerializeSetSystemTextJson()
    {
        var to = To;
        json ??= new(to);
        json.Reset(to);
        JsonSerializer.Serialize(json, content.Plain, TSet.Json);
        return to.WrittenCount;
    }

    [Benchmark(Baseline = true), BenchmarkCategory("DeserializeSet")]
    public TGoogle DeserializeSetGoogle() => TSet.Parser.ParseFrom(content.Wire);
    [Benchmark, BenchmarkCategory("DeserializeSet")]
    public TPlain DeserializeSetPBN() => Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)content.ProtobufNet);
    [Benchmark, BenchmarkCategory("DeserializeSet")]
    public Message<TSlab> DeserializeSetSlab() { Renew(); last.Parse(content.Wire); return last; }
    [Benchmark, BenchmarkCategory("DeserializeSet")]
    public Message<TSlab> DeserializeSetSlab_Alias() { Renew(); last.ParseAlias(content.Wire); return last; }
    [Benchmark, BenchmarkCategory("DeserializeSet")]
    public TPlain DeserializeSetMessagePack() => MessagePackSerializer.Deserialize<TPlain>(content.MessagePack);
    [Benchmark, BenchmarkCategory("DeserializeSet")]
    public TPlain DeserializeSetMemoryPack() => MemoryPackSerializer.Deserialize<TPlain>(content.MemoryPack)!;
    [Benchmark, BenchmarkCategory("DeserializeSet")]
    public TPlain DeserializeSetSystemTextJson() => JsonSerializer.Deserialize(content.Json, TSet.Json)!;

    [Benchmark(Baseline = true), BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetGoogle() => TSet.Touch(TSet.Parser.ParseFrom(content.Wire));
    [Benchmark, BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetPBN() => TSet.Touch(Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)content.ProtobufNet));
    [Benchmark, BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetSlab() { Renew(); return TSet.Touch(last.Parse(content.Wire)); }
    [Benchmark, BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetSlab_Alias() { Renew(); return TSet.Touch(last.ParseAlias(content.Wire)); }
    [Benchmark, BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetSlab_Strings() { Renew(); return TSet.Strings(last.Parse(content.Wire)); }
    [Benchmark, BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetMessagePack() => TSet.Touch(MessagePackSerializer.Deserialize<TPlain>(content.MessagePack));
    [Benchmark, BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetMemoryPack() => TSet.Touch(MemoryPackSerializer.Deserialize<TPlain>(content.MemoryPack)!);
    [Benchmark, BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetSystemTextJson() => TSet.Touch(JsonSerializer.Deserialize(content.Json, TSet.Json)!);

    /// <summary>Gets the formats of the libraries with plain classes. protobuf-net writes lists of one number unpacked, and Google
    /// packed.</summary>
    IReadOnlyList<Format> Formats =>
    [
        new("PBN", () => content.ProtobufNet, bytes => Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)bytes)),
        new("MessagePack", () => content.MessagePack, bytes => MessagePackSerializer.Deserialize<TPlain>(bytes)),
        new("MemoryPack", () => content.MemoryPack, bytes => MemoryPackSerializer.Deserialize<TPlain>(bytes)!),
        new("SystemTextJson", () => content.Json, bytes => JsonSerializer.Deserialize(bytes, TSet.Json)!),
    ];

    static byte[] ProtobufNet(TPlain message)
    {
        using var stream = new MemoryStream();
        Serializer.Serialize(stream, message);
        return stream.ToArray();
    }

    void Check(string library, Func<object> read, Func<long> touch)
    {
        try
        {
            if (LibraryValidation.FirstDifference(ContentOf(read()), content.Wire) is { } difference)
                throw new ValidationException(difference);
            if (touch() is var sum && sum != Sum)
                throw new ValidationException($"the sum of all fields is {sum}, not {Sum}");
        }
#pragma warning disable CA1031 // a library may throw anything, and the result has its name and its message
        catch (Exception e)
#pragma warning restore CA1031
        {
            throw new ValidationException($"{library}, {typeof(TSet).Name}: {e.Message}", e);
        }
    }

    void Renew()
    {
        last.Dispose();
        last = Message<TSlab>.Rent();
    }

    sealed record Format(string Name, Func<byte[]> Bytes, Func<byte[], TPlain> Read);

    /// <summary>Represents the inputs and destinations of cells. Each is created when a cell first uses it, so that a process loads only
    /// the measured library. protobuf-net creates the plain message, so the cells of all libraries with plain classes load it.</summary>
    sealed class Content
    {
        // Only the content of the last data set is kept. Otherwise every collection would have to visit 100 MB of objects of the previous
        // ones.
        public static Content OfSet => LastDataSet.Content as Content ?? (Content)(LastDataSet.Content = new Content());

        public byte[] Wire => field ??= TSet.Generate(new Random(seed)).ToByteArray();

        public TGoogle Google => field ??= TSet.Parser.ParseFrom(Wire);

        public Message<TSlab> Slab
        {
            get
            {
                if (field == default)
                {
                    field = Message<TSlab>.Rent();
                    field.Parse(Wire);
                }

                return field;
            }
        }

        public TPlain Plain => field ??= Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)Wire);

        public byte[] ProtobufNet => field ??= DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>.ProtobufNet(Plain);

        public byte[] MessagePack => field ??= MessagePackSerializer.Serialize(Plain);

        public byte[] MemoryPack => field ??= MemoryPackSerializer.Serialize(Plain);

        public byte[] Json => field ??= JsonSerializer.SerializeToUtf8Bytes(Plain, TSet.Json);
    }
}

/// <summary>Has the content of the data set whose cells ran last.</summary>
static class LastDataSet
{
    public static object? Content { get; set; }
}
