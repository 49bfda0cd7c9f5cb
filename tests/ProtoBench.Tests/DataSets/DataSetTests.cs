using System.Reflection;
using System.Security.Cryptography;
using System.Text.Json.Serialization.Metadata;
using BenchmarkDotNet.Running;
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
    public void Nothing_is_measured_where_a_library_reads_something_else()
    {
        new EmbeddingsSetBenchmarks().Check();
        var e = Assert.Throws<ValidationException>(new WrongSetBenchmarks().Check);
        Assert.StartsWith("DeserializeTouchSetSlab, WrongSet: the sum of all fields is ", e.Message, StringComparison.Ordinal);
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

    /// <summary>What a cell allocates is the library's. The enumerator of a list of Google's is an object.</summary>
    [Fact]
    public void Reading_every_field_of_Google_s_messages_allocates_nothing() => Assert.All(generators.Values, set =>
    {
        var touch = set.DeclaringType!.GetMethod("Touch", [set.ReturnType])!.CreateDelegate<Func<long>>(set.Invoke(null, [new Random(29)]));
        touch();
        Assert.Equal(0, AllocatedBytes.Of(() => touch()));
    });

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
}

public class WrongSetBenchmarks
    : DataSetBenchmarks<WrongSet, Gpb.Sets.Embeddings, SlabProtobuf.Sets.Embeddings, PlainEmbeddings>;
