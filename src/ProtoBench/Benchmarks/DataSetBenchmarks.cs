using System.Buffers;
using System.Reflection;
using BenchmarkDotNet.Attributes;
using Google.Protobuf;
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
public abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain> : IDataSetCells
    where TSet : struct, IDataSet<TGoogle, TSlab, TPlain>
    where TGoogle : class, Google.Protobuf.IMessage<TGoogle>
    where TSlab : struct, ISlabMessage<TSlab>
    where TPlain : class
{
    const int seed = 29;

    readonly Content content = Content.OfSet;
    readonly ArrayBufferWriter<byte> written = new();

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

    public byte[] Message(string cell) =>
        typeof(Content).GetProperties().Where(bytes => bytes.PropertyType == typeof(byte[]))
            .FirstOrDefault(bytes => cell.Contains(bytes.Name, StringComparison.Ordinal))?.GetValue(content) as byte[] ?? content.Wire;

    public byte[] ContentOf(object message) => message switch
    {
        TGoogle google => google.ToByteArray(),
        Message<TSlab> slab => slab.ToByteArray(),
        _ => TSet.Parser.ParseFrom(ProtobufNet((TPlain)message)).ToByteArray(),
    };

    public byte[] Written() => written.WrittenSpan.ToArray();

    public void Check()
    {
        foreach (var cell in GetType().GetMethods().Where(method => method.IsDefined(typeof(BenchmarkAttribute))
            && method.Name.StartsWith("Deserialize", StringComparison.Ordinal)).OrderBy(method => method.Name, StringComparer.Ordinal))
        {
            try
            {
                var result = cell.Invoke(this, BindingFlags.DoNotWrapExceptions, null, null, null)!;
                if (result is long sum)
                {
                    if (sum != Sum)
                        throw new ValidationException($"the sum of all fields is {sum}, not {Sum}");
                }
                else if (LibraryValidation.FirstDifference(ContentOf(result), content.Wire) is { } difference)
                {
                    throw new ValidationException(difference);
                }
            }
#pragma warning disable CA1031 // a library may throw anything, and the result has its name and its message
            catch (Exception e)
#pragma warning restore CA1031
            {
                throw new ValidationException($"{cell.Name}, {typeof(TSet).Name}: {e.Message}", e);
            }
        }
    }

    /// <summary>Represents the inputs and destinations of cells. Each is created when a cell first uses it, so that a process loads only
    /// the measured library. protobuf-net creates the plain message, so the cells of all libraries with plain classes load it. A library
    /// that reads other bytes than <see cref="Wire"/> has them in a property with its name.</summary>
    sealed partial class Content
    {
        // Only the content of the last data set is kept. Otherwise every collection would have to visit 100 MB of objects of the previous
        // ones.
        public static Content OfSet => LastDataSet.Content as Content ?? (Content)(LastDataSet.Content = new Content());

        public byte[] Wire => field ??= TSet.Generate(new Random(seed)).ToByteArray();

        public TPlain Plain => field ??= Serializer.Deserialize<TPlain>((ReadOnlyMemory<byte>)Wire);
    }
}

/// <summary>Has the content of the data set whose cells ran last.</summary>
static class LastDataSet
{
    public static object? Content { get; set; }
}
