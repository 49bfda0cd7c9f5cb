using System.Collections;
using System.Reflection;
using System.Text;
using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using PolyType;
using ProtoBench.Codec;
using ProtoBench.DataSets;
using ProtoBench.Floors;
using ProtoBench.Harness;

namespace ProtoBench.Benchmarks;

/// <summary>Lines of an access log.</summary>
public class LogSetBenchmarks
    : FlooredSetBenchmarks<AccessLogSet, Gpb.Sets.AccessLog, SlabProtobuf.Sets.AccessLog, PlainAccessLog, LogFloor>;

/// <summary>Triangles as messages.</summary>
public class MeshSetBenchmarks : FlooredSetBenchmarks<MeshSet, Gpb.Sets.Mesh, SlabProtobuf.Sets.Mesh, PlainMesh, MeshFloor>;

/// <summary>Triangles as lists of numbers.</summary>
public class PackedMeshSetBenchmarks
    : FlooredSetBenchmarks<PackedMeshSet, Gpb.Sets.PackedMesh, SlabProtobuf.Sets.PackedMesh, PlainPackedMesh, PackedMeshFloor>;

/// <summary>Players and the world of a game.</summary>
public class SaveDataSetBenchmarks
    : FlooredSetBenchmarks<SaveDataSet, Gpb.Sets.SaveData, SlabProtobuf.Sets.SaveData, PlainSaveData, SaveDataFloor>;

/// <summary>Ticks of a game.</summary>
public class UpdatesSetBenchmarks
    : FlooredSetBenchmarks<GameUpdatesSet, Gpb.Sets.GameUpdates, SlabProtobuf.Sets.GameUpdates, PlainGameUpdates, UpdatesFloor>;

/// <summary>Spans of traces.</summary>
public class TelemetrySetBenchmarks
    : FlooredSetBenchmarks<TelemetrySet, Gpb.Sets.Telemetry, SlabProtobuf.Sets.Telemetry, PlainTelemetry, TelemetryFloor>;

/// <summary>Vectors of a language model.</summary>
public class EmbeddingsSetBenchmarks
    : FlooredSetBenchmarks<EmbeddingsSet, Gpb.Sets.Embeddings, SlabProtobuf.Sets.Embeddings, PlainEmbeddings, EmbeddingsFloor>;

/// <summary>A square of a map.</summary>
public class TileSetBenchmarks
    : FlooredSetBenchmarks<MapTileSet, Gpb.Sets.MapTile, SlabProtobuf.Sets.MapTile, PlainMapTile, TileFloor>;

/// <summary>Buses and their delays.</summary>
public class FeedSetBenchmarks
    : FlooredSetBenchmarks<TransitFeedSet, Gpb.Sets.TransitFeed, SlabProtobuf.Sets.TransitFeed, PlainTransitFeed, FeedFloor>;

/// <summary>Events of orders.</summary>
public class OrderSetBenchmarks
    : DataSetBenchmarks<OrderEventSet, Gpb.Sets.OrderEvent, SlabProtobuf.Sets.OrderEvent, PlainOrderEvent>;

/// <summary>Pages of search results.</summary>
public class SearchSetBenchmarks
    : DataSetBenchmarks<SearchAnswerSet, Gpb.Sets.SearchAnswer, SlabProtobuf.Sets.SearchAnswer, PlainSearchAnswer>;

/// <summary>The request of the hive.</summary>
public class HiveSetBenchmarks : DataSetBenchmarks<HiveSet, Gpb.ForwardRequest, SlabProtobuf.ForwardRequest, PlainForwardRequest>;

/// <summary>Three numbers.</summary>
public class SmallSetBenchmarks : DataSetBenchmarks<SmallSet, Gpb.Small, SlabProtobuf.Small, PlainSmall>;

/// <summary>The description of a .proto file.</summary>
public class DescriptorSetBenchmarks : DataSetBenchmarks<DescriptorSet, Gpb.Descriptors.FileDescriptorProto,
    SlabProtobuf.Descriptors.FileDescriptorProto, PlainFileDescriptorProto>;

/// <summary>Measures one data set with every library; the cells are in SetCells.cs and in the files of the libraries. The data set is a
/// struct type argument, so the JIT compiles each class of cells separately, and a cell calls the library directly.</summary>
public abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain> : IDataSetCells
    where TSet : struct, IDataSet<TGoogle, TSlab, TPlain>
    where TGoogle : class, IMessage<TGoogle>, new()
    where TSlab : struct, ISlabMessage<TSlab>
    where TPlain : class, IShapeable<TPlain>
{
    const int seed = 29;

    // Only the content of the last data set is kept. Otherwise every collection would have to visit 100 MB of objects of the previous ones.
    readonly Content content = LastDataSet.Content as Content
        ?? (Content)(LastDataSet.Content = new Content(Generate));

    /// <summary>Those that the file of each library has as <c>ComparedNAME</c>.</summary>
    internal static IReadOnlyList<ComparedLibrary> Libraries { get; } =
        [.. MeasuredLibraries.Registered.Select(library => typeof(DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>)
            .GetProperty("Compared" + library.Cell, BindingFlags.Static | BindingFlags.NonPublic)?.GetValue(null)).OfType<ComparedLibrary>()];

    /// <summary>The only value of <see cref="DataSet"/>, which distinguishes the cells of the data sets.</summary>
    public IEnumerable<string> DataSets => [IDataSetCells.NameOf(GetType())];

    [ParamsSource(nameof(DataSets))]
    public string DataSet { get; set; } = "";

    public int Messages => TSet.Messages;

    private protected byte[] Wire => content.Wire.Next;

    /// <summary>The mean over all messages.</summary>
    public long WireBytes(string cell) => (long)Enumerable.Range(0, TSet.Messages).Average(_ => JsonBytes(cell) ?? Message(cell).Length);

    public long Sum(string cell)
    {
        var message = TSet.Parser.ParseFrom(content.Google.Next.ToByteString());
        if (cell.Contains("SetSlab", StringComparison.Ordinal) && !cell.EndsWith("_Strings", StringComparison.Ordinal)) StringsOfBytes.In(message);
        return cell.StartsWith("Serve", StringComparison.Ordinal) ? TSet.TouchThird(message)
            : cell.StartsWith("Call", StringComparison.Ordinal) ? TSet.TouchThird(message) + TSet.Touch(TSet.Reply(message)) : TSet.Touch(message);
    }

    public byte[] Message(string cell) =>
        (typeof(Content).GetProperties().Where(bytes => bytes.PropertyType == typeof(Cycle<byte[]>))
            .FirstOrDefault(bytes => cell.Contains(bytes.Name, StringComparison.Ordinal))?.GetValue(content) as Cycle<byte[]>
            ?? content.Wire).Next;

    public byte[] Reply(string cell) => Libraries.OrderByDescending(library => library.Name.Length)
        .First(library => cell.Contains("Set" + library.Name, StringComparison.Ordinal)).Works["Serve"](content.Wire.Next);

    public byte[] ContentOf(object message) => message switch
    {
        TGoogle google => google.ToByteArray(),
        Message<TSlab> slab => slab.ToByteArray(),
        SetFloor floor => floor.ToByteArray(),
        _ => TSet.Parser.ParseFrom(ToPayload((TPlain)message)).ToByteArray(),
    };

    public byte[] Written() => written.WrittenCount > 0 ? written.WrittenSpan.ToArray() : stream.ToArray();

    public void Check()
    {
        foreach (var cell in GetType().GetMethods().Where(method => method.IsDefined(typeof(BenchmarkAttribute))
            && (method.Name.StartsWith("DeserializeTouch", StringComparison.Ordinal)
                || method.Name.StartsWith("Serve", StringComparison.Ordinal))).OrderBy(method => method.Name, StringComparer.Ordinal))
        {
            try
            {
                for (var message = 0; message < TSet.Messages; message++)
                {
                    var expected = Sum(cell.Name);
                    if (cell.Invoke(this, BindingFlags.DoNotWrapExceptions, null, null, null) is long sum && sum != expected)
                        throw new ValidationException($"the sum of the fields is {sum}, not {expected}");
                }
            }
#pragma warning disable CA1031 // a library may throw anything, and the result has its name and its message
            catch (Exception e)
#pragma warning restore CA1031
            {
                throw new ValidationException($"{cell.Name}, {typeof(TSet).Name}: {e.Message}", e);
            }
        }

        var payloads = Enumerable.Range(0, TSet.Messages).Select(_ => new NamedPayload(typeof(TSet).Name, content.Wire.Next));
        var agreement = new Agreement(PayloadFormat.Protobuf(TSet.Parser), new([.. payloads]), Libraries[0]);
        if (agreement.FirstDisagreement(Libraries) is { } difference)
            throw new ValidationException(difference);
    }

    static IReadOnlyList<byte[]> Generate()
    {
        var random = new Random(seed);
        return [.. Enumerable.Range(0, TSet.Messages).Select(_ => TSet.Generate(random).ToByteArray())];
    }
}

/// <summary>Replaces the strings of Google's messages by strings with a character for each UTF-8 byte. The sum of their fields is that of a
/// library that reads strings as UTF-8.</summary>
static class StringsOfBytes
{
    public static void In(IMessage message)
    {
        foreach (var field in message.Descriptor.Fields.InFieldNumberOrder())
        {
            var value = field.Accessor.GetValue(message);
            if (value is IDictionary map)
            {
                List<DictionaryEntry> entries = [];
                foreach (DictionaryEntry entry in map) entries.Add(entry);
                map.Clear();
                foreach (var (key, item) in entries) map.Add(Of(key), Of(item!));
            }
            else if (value is IList list)
            {
                for (var i = 0; i < list.Count; i++) list[i] = Of(list[i]!);
            }
            else if (value is IMessage || (value is string && (!field.HasPresence || field.Accessor.HasValue(message))))
            {
                field.Accessor.SetValue(message, Of(value));
            }
        }
    }

    static object Of(object value)
    {
        if (value is IMessage message) In(message);
        return value is string text ? Encoding.Latin1.GetString(Encoding.UTF8.GetBytes(text)) : value;
    }
}

static class LastDataSet
{
    public static object? Content { get; set; }
}
