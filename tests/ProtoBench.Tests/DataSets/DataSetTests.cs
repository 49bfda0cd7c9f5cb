using System.Formats.Cbor;
using System.Reflection;
using System.Security.Cryptography;
using System.Text.Json.Serialization.Metadata;
using BenchmarkDotNet.Running;
using Google.FlatBuffers;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Benchmarks;
using ProtoBench.DataSets;
using ProtoBench.Results;

namespace ProtoBench.Tests;

[Collection(DataSetContent.Tests)]
public class DataSetTests
{
    static readonly Dictionary<string, MethodInfo> generators =
        typeof(AccessLogSet).Assembly.GetTypes().Where(type => type.Namespace == typeof(AccessLogSet).Namespace && type.IsValueType)
            .Select(type => (type.Name, Method: type.GetMethod("Generate"))).Where(type => type.Method is not null)
            .OrderBy(type => type.Name, StringComparer.Ordinal).ToDictionary(type => type.Name, type => type.Method!);

    // descriptor.proto has the names of classes that Google.Protobuf has too
    public static TheoryData<string> Sets { get; } = [.. generators.Keys.Where(set => set != nameof(DescriptorSet))];

    [Theory]
    [MemberData(nameof(Sets))]
    public void A_project_can_be_made_of_the_schema(string set)
    {
        using var folder = new NewProjectFolder();
        var (descriptor, protos) = (DescriptorOf(set), Path.Combine(Golden.Root, "protos"));
        var (exit, _, error) = Sandbox.Run(NewVerb.Create(), folder.Project, "--proto", Path.Combine(protos, descriptor.File.Name), "-I", protos,
            "--message", descriptor.FullName, "--synthesize", "3");
        Assert.Equal((0, ""), (exit, error));
        Assert.True(File.Exists(Path.Combine(folder.Project, descriptor.Name + "Benchmarks.cs")));
    }

    [Fact]
    public void The_kinds_of_messages_of_the_chooser_have_the_sizes_of_their_data_sets() =>
        Assert.Equal(
            Report.Model.Chooser.AllKinds.Select(kind => (kind.DataSet, Bytes: (long)kind.Bytes)),
            Report.Model.Chooser.AllKinds.Select(kind => (kind.DataSet, Bytes: ((ISizedCells)Activator.CreateInstance(
                typeof(OrderSetBenchmarks).Assembly.GetType($"{typeof(OrderSetBenchmarks).Namespace}.{kind.DataSet}SetBenchmarks")!)!)
                .WireBytes("SerializeSetGoogle"))));

    [Fact]
    public void Nothing_is_measured_where_a_library_reads_something_else()
    {
        new EmbeddingsSetBenchmarks().Check();
        var e = Assert.Throws<ValidationException>(new WrongSetBenchmarks().Check);
        Assert.StartsWith("DeserializeTouchSetSlab, WrongSet: the sum of the fields is ", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_result_file_names_verb_set_library_and_form()
    {
        var facts = BenchmarkConverter.TypeToBenchmarks(typeof(LogSetBenchmarks)).BenchmarksCases.Select(IDataSetCells.FactsOf).ToList();
        Assert.Contains(new CellFacts("DeserializeTouch", "Log", "Slab", null, "Strings", null), facts);
        Assert.Contains(new CellFacts("Serialize", "Log", "SystemTextJson", null, null, null), facts);
        Assert.DoesNotContain(null, facts);
        var others = BenchmarkConverter.TypeToBenchmarks(typeof(SmallBenchmarks)).BenchmarksCases;
        Assert.All(others, cell => Assert.Null(IDataSetCells.FactsOf(cell)));
    }

    /// <summary>Sizes and hashes of what Google's class writes. Results are compared over commits and machines.</summary>
    [Fact]
    public void The_content_is_the_same_on_every_machine() => Golden.Check("content.txt", string.Concat(generators.Select(set =>
    {
        var wire = ((IMessage)set.Value.Invoke(null, [new Random(29)])!).ToByteArray();
        return $"{set.Key} {wire.Length} {Convert.ToHexStringLower(SHA256.HashData(wire))}\n";
    })));

    /// <summary>The page of the data sets says these sizes.</summary>
    [Theory]
    [InlineData(typeof(OrderEventSet), 150, 300)]
    [InlineData(typeof(SearchAnswerSet), 2_000, 20_000)]
    public void The_messages_of_services_have_the_sizes_of_services(Type set, int least, int most)
    {
        var random = new Random(29);
        var count = (int)set.GetProperty("Messages")!.GetValue(null)!;
        Assert.Equal(64, count);
        Assert.All(Enumerable.Range(0, count), _ =>
            Assert.InRange(((IMessage)generators[set.Name].Invoke(null, [random])!).CalculateSize(), least, most));
    }

    /// <summary>What a cell allocates is the library's. The enumerator of a list of Google's is an object. That of a map is one until the
    /// JIT has optimized the loop.</summary>
    [Fact]
    public void Reading_every_field_of_Google_s_messages_allocates_nothing() =>
        Assert.All(generators.Values.Where(set => !HasMap(set)), set =>
    {
        var touch = set.DeclaringType!.GetMethod("Touch", [set.ReturnType])!.CreateDelegate<Func<long>>(set.Invoke(null, [new Random(29)]));
        touch();
        Assert.Equal(0, AllocatedBytes.Of(() => touch()));
    });

    static bool HasMap(MethodInfo set) => set.ReturnType == typeof(Gpb.Sets.SearchAnswer);

    static MessageDescriptor DescriptorOf(string set) =>
        (MessageDescriptor)generators[set].ReturnType.GetProperty("Descriptor")!.GetValue(null)!;
}

/// <summary>A data set whose slab message is read wrongly.</summary>
#pragma warning disable CA1815 // it is a type argument
public readonly struct WrongSet : IDataSet<Gpb.Sets.Embeddings, SlabProtobuf.Sets.Embeddings, PlainEmbeddings>
#pragma warning restore CA1815
{
    public static MessageParser<Gpb.Sets.Embeddings> Parser => EmbeddingsSet.Parser;

    public static JsonTypeInfo<PlainEmbeddings> Json => EmbeddingsSet.Json;

    public static ProtoBuf.Meta.TypeModel Model => EmbeddingsSet.Model;

    public static Gpb.Sets.Embeddings Generate(Random random) => EmbeddingsSet.Generate(random);

    public static long Touch(Gpb.Sets.Embeddings message) => EmbeddingsSet.Touch(message);

    public static long Touch(SlabProtobuf.Sets.Embeddings message) => EmbeddingsSet.Touch(message) + 1;

    public static long Touch(PlainEmbeddings message) => EmbeddingsSet.Touch(message);

    public static long Strings(SlabProtobuf.Sets.Embeddings message) => EmbeddingsSet.Strings(message);

    public static long TouchThird(Gpb.Sets.Embeddings message) => EmbeddingsSet.TouchThird(message);

    public static long TouchThird(SlabProtobuf.Sets.Embeddings message) => EmbeddingsSet.TouchThird(message);

    public static long TouchThird(PlainEmbeddings message) => EmbeddingsSet.TouchThird(message);

    public static long StringsThird(SlabProtobuf.Sets.Embeddings message) => EmbeddingsSet.StringsThird(message);

    public static Gpb.Sets.Embeddings MakeGoogle(PlainEmbeddings source) => EmbeddingsSet.MakeGoogle(source);

    public static Gpb.Sets.Embeddings MakeGoogleNew(PlainEmbeddings source) => EmbeddingsSet.MakeGoogleNew(source);

    public static PlainEmbeddings MakePlain(PlainEmbeddings source) => EmbeddingsSet.MakePlain(source);

    public static PlainEmbeddings MakePlainNew(PlainEmbeddings source) => EmbeddingsSet.MakePlainNew(source);

    public static void Make(SlabProtobuf.Sets.Embeddings made, PlainEmbeddings source) => EmbeddingsSet.Make(made, source);

    public static void MakeNew(SlabProtobuf.Sets.Embeddings made, PlainEmbeddings source) => EmbeddingsSet.MakeNew(made, source);

    public static Gpb.Sets.Embeddings Reply(Gpb.Sets.Embeddings source) => EmbeddingsSet.Reply(source);

    public static PlainEmbeddings Reply(PlainEmbeddings source) => EmbeddingsSet.Reply(source);

    public static void Reply(SlabProtobuf.Sets.Embeddings made, SlabProtobuf.Sets.Embeddings source) => EmbeddingsSet.Reply(made, source);

    public static void WriteCbor(CborWriter writer, PlainEmbeddings message) => EmbeddingsSet.WriteCbor(writer, message);

    public static PlainEmbeddings ReadCbor(CborReader reader) => EmbeddingsSet.ReadCbor(reader);

    public static void WriteFlat(FlatBufferBuilder builder, PlainEmbeddings message) => EmbeddingsSet.WriteFlat(builder, message);

    public static void WriteFlatNew(FlatBufferBuilder builder, PlainEmbeddings message) => EmbeddingsSet.WriteFlatNew(builder, message);

    public static long TouchFlat(ByteBuffer bytes) => EmbeddingsSet.TouchFlat(bytes);

    public static long TouchFlatThird(ByteBuffer bytes) => EmbeddingsSet.TouchFlatThird(bytes);

    public static void ReplyFlat(FlatBufferBuilder builder, ByteBuffer bytes) => EmbeddingsSet.ReplyFlat(builder, bytes);

    public static PlainEmbeddings ReadFlat(ByteBuffer bytes) => EmbeddingsSet.ReadFlat(bytes);
}

public class WrongSetBenchmarks
    : DataSetBenchmarks<WrongSet, Gpb.Sets.Embeddings, SlabProtobuf.Sets.Embeddings, PlainEmbeddings>;
