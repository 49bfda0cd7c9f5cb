using System.Buffers;
using System.Text.Json;
using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using MemoryPack;
using MessagePack;
using ProtoBench.Codec;
using ProtoBench.DataSets;
using ProtoBench.Running;
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
public class FeedSetBenchmarks : DataSetBenchmarks<FeedSet, Gpb.Sets.TransitFeed, SlabProtobuf.Sets.TransitFeed, DataSets.Plain.TransitFeed>;

/// <summary>
/// One data set with every library. Serialize cells write to a buffer that is reused and return the
/// bytes written; Deserialize cells read an array and return the message; DeserializeTouch cells read every field of it too and return the
/// sum. The data set is a struct type argument, so each class of cells has code of its own, which calls the library directly.
/// </summary>
public abstract class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain> : IDataSetCells
    where TSet : struct, IDataSet<TGoogle, TSlab, TPlain>
    where TGoogle : class, Google.Protobuf.IMessage<TGoogle>
    where TSlab : struct, Codec.IMessage<TSlab>
    where TPlain : class
{
    const int seed = 29;

    readonly ArrayBufferWriter<byte> written = new();
    Utf8JsonWriter? json;
    Message<TSlab> last;

    public byte[] Written => written.WrittenSpan.ToArray();

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
        ?? OfWire.Bytes;

    public byte[] Content(object message) => message switch
    {
        TGoogle google => google.ToByteArray(),
        Message<TSlab> slab => slab.ToByteArray(),
        _ => TSet.Parser.ParseFrom(ProtobufNet((TPlain)message)).ToByteArray(),
    };

    public long Sum => TSet.Touch(OfGoogle.Message);

    public void Check()
    {
        CheckBytes("Google.Protobuf", TSet.Parser.ParseFrom(OfWire.Bytes));
        CheckBytes("Slab", DeserializeSetSlab());
        CheckSum("Slab", DeserializeTouchSetSlab());
        CheckSum("Slab, strings", DeserializeTouchSetSlab_Strings());
        CheckBytes("Slab, alias", DeserializeSetSlab_Alias());
        CheckSum("Slab, alias", DeserializeTouchSetSlab_Alias());
        foreach (var format in Formats)
        {
            var message = format.Read(format.Bytes());
            CheckBytes(format.Name, message);
            CheckSum(format.Name, TSet.Touch(message));
        }
    }

    [Benchmark(Baseline = true), BenchmarkCategory("SerializeSet")]
    public long SerializeSetGoogle() { var to = To; OfGoogle.Message.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializeSet")]
    public long SerializeSetPBN() { var to = To; Serializer.Serialize(to, OfPlain.Message); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializeSet")]
    public long SerializeSetSlab() { var to = To; OfSlab.Message.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializeSet")]
    public long SerializeSetMessagePack() { var to = To; MessagePackSerializer.Serialize(to, OfPlain.Message); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializeSet")]
    public long SerializeSetMemoryPack() { var to = To; MemoryPackSerializer.Serialize(to, OfPlain.Message); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializeSet")]
    public long SerializeSetSystemTextJson()
    {
        var to = To;
        json ??= new(to);
        json.Reset(to);
        JsonSerializer.Serialize(json, OfPlain.Message, TSet.Json);
        return to.WrittenCount;
    }

    [Benchmark(Baseline = true), BenchmarkCategory("DeserializeSet")]
    public TGoogle DeserializeSetGoogle() => TSet.Parser.ParseFrom(OfWire.Bytes);
    [Benchmark, BenchmarkCategory("DeserializeSet")]
    public TPlain DeserializeSetPBN() => Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)OfProtobufNet.Bytes);
    [Benchmark, BenchmarkCategory("DeserializeSet")]
    public Message<TSlab> DeserializeSetSlab() { Renew(); last.Parse(OfWire.Bytes); return last; }
    [Benchmark, BenchmarkCategory("DeserializeSet")]
    public Message<TSlab> DeserializeSetSlab_Alias() { Renew(); last.ParseAlias(OfWire.Bytes); return last; }
    [Benchmark, BenchmarkCategory("DeserializeSet")]
    public TPlain DeserializeSetMessagePack() => MessagePackSerializer.Deserialize<TPlain>(OfMessagePack.Bytes);
    [Benchmark, BenchmarkCategory("DeserializeSet")]
    public TPlain DeserializeSetMemoryPack() => MemoryPackSerializer.Deserialize<TPlain>(OfMemoryPack.Bytes)!;
    [Benchmark, BenchmarkCategory("DeserializeSet")]
    public TPlain DeserializeSetSystemTextJson() => JsonSerializer.Deserialize(OfJson.Bytes, TSet.Json)!;

    [Benchmark(Baseline = true), BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetGoogle() => TSet.Touch(TSet.Parser.ParseFrom(OfWire.Bytes));
    [Benchmark, BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetPBN() => TSet.Touch(Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)OfProtobufNet.Bytes));
    [Benchmark, BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetSlab() { Renew(); return TSet.Touch(last.Parse(OfWire.Bytes)); }
    [Benchmark, BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetSlab_Alias() { Renew(); return TSet.Touch(last.ParseAlias(OfWire.Bytes)); }
    [Benchmark, BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetSlab_Strings() { Renew(); return TSet.Strings(last.Parse(OfWire.Bytes)); }
    [Benchmark, BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetMessagePack() => TSet.Touch(MessagePackSerializer.Deserialize<TPlain>(OfMessagePack.Bytes));
    [Benchmark, BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetMemoryPack() => TSet.Touch(MemoryPackSerializer.Deserialize<TPlain>(OfMemoryPack.Bytes)!);
    [Benchmark, BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetSystemTextJson() => TSet.Touch(JsonSerializer.Deserialize(OfJson.Bytes, TSet.Json)!);

    /// <summary>What the libraries with plain classes write: a line each. protobuf-net writes lists of one number unpacked, Google does
    /// not.</summary>
    static IReadOnlyList<Format> Formats =>
    [
        new("PBN", () => OfProtobufNet.Bytes, bytes => Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)bytes)),
        new("MessagePack", () => OfMessagePack.Bytes, bytes => MessagePackSerializer.Deserialize<TPlain>(bytes)),
        new("MemoryPack", () => OfMemoryPack.Bytes, bytes => MemoryPackSerializer.Deserialize<TPlain>(bytes)!),
        new("SystemTextJson", () => OfJson.Bytes, bytes => JsonSerializer.Deserialize(bytes, TSet.Json)!),
    ];

    static byte[] ProtobufNet(TPlain message)
    {
        using var stream = new MemoryStream();
        Serializer.Serialize(stream, message);
        return stream.ToArray();
    }

    void CheckBytes(string library, object message)
    {
        if (LibraryValidation.FirstDifference(Content(message), OfWire.Bytes) is { } difference)
            throw new ValidationException($"{library}, {typeof(TSet).Name}: {difference}");
    }

    void CheckSum(string library, long sum)
    {
        if (sum != Sum) throw new ValidationException($"{library}, {typeof(TSet).Name}: the sum of all fields is {sum}, not {Sum}");
    }

    void Renew()
    {
        last.Dispose();
        last = Message<TSlab>.Rent();
    }

    sealed record Format(string Name, Func<byte[]> Bytes, Func<byte[], TPlain> Read);

    // A class each, so that a process makes only what its cell measures.
    static class OfWire
    {
        public static readonly byte[] Bytes = TSet.Generate(new Random(seed)).ToByteArray();
    }

    static class OfGoogle
    {
        public static readonly TGoogle Message = TSet.Parser.ParseFrom(OfWire.Bytes);
    }

    static class OfSlab
    {
        public static readonly Message<TSlab> Message = Read();

        static Message<TSlab> Read()
        {
            var message = Message<TSlab>.Rent();
            message.Parse(OfWire.Bytes);
            return message;
        }
    }

    // protobuf-net makes the plain message, so it is loaded by the cells of the other libraries too.
    static class OfPlain
    {
        public static readonly TPlain Message = Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)OfWire.Bytes);
    }

    static class OfProtobufNet
    {
        public static readonly byte[] Bytes = ProtobufNet(OfPlain.Message);
    }

    static class OfMessagePack
    {
        public static readonly byte[] Bytes = MessagePackSerializer.Serialize(OfPlain.Message);
    }

    static class OfMemoryPack
    {
        public static readonly byte[] Bytes = MemoryPackSerializer.Serialize(OfPlain.Message);
    }

    static class OfJson
    {
        public static readonly byte[] Bytes = JsonSerializer.SerializeToUtf8Bytes(OfPlain.Message, TSet.Json);
    }
}
