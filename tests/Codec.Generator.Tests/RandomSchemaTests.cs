using System.Reflection;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>Random schemas with random content, against the code that protoc itself
/// generates. PROTOBENCH_LONG=1 draws 50 schemas with 10,000 messages each.</summary>
public class RandomSchemaTests
{
    static readonly bool isLong = Environment.GetEnvironmentVariable("PROTOBENCH_LONG") == "1";
    static readonly int schemas = isLong ? 50 : 2;
    static readonly int contents = isLong ? 10_000 : 200;

    // so many that the compiler's start does not count, and that it stays far below its time limit on a busy machine
    const int compiledAtOnce = 5;

    [Theory]
    [InlineData(false, 20_261)]
    [InlineData(true, 20_262)]
    public void Bytes_accessors_and_setters_agree_with_Googles(bool isProto2, int firstSeed)
    {
        foreach (var seeds in Enumerable.Range(firstSeed, schemas).Chunk(compiledAtOnce)) CompareSchemas(isProto2, seeds);
    }

    static void CompareSchemas(bool isProto2, int[] seeds)
    {
        using var workshop = new Workshop();
        foreach (var (name, text) in seeds.SelectMany(seed => RandomSchema.Draw(seed, isProto2).Files)) workshop.Add(name, text);
        workshop.GenerateAll(SlabNamespace);
        workshop.GenerateGoogle();
        var assembly = workshop.Compile();
        var roots = assembly.GetTypes().Where(type => type.IsAssignableTo(typeof(IMessage)) && !type.IsAbstract).ToList();
        Assert.NotEmpty(roots);
        var pairs = roots.Select(type =>
            (Descriptor: (MessageDescriptor)type.GetProperty("Descriptor", BindingFlags.Public | BindingFlags.Static)!.GetValue(null)!,
                Bridge: Bridge.Of(SlabType(assembly, type)))).ToList();
        for (var i = 0; i < contents * seeds.Length; i++)
        {
            var (descriptor, bridge) = pairs[i % pairs.Count];
            Compare(descriptor, bridge, seeds[0] + i);
        }
    }

    static void Compare(MessageDescriptor descriptor, IBridge bridge, int seed)
    {
        var content = descriptor.Parser.ParseFrom([]);
        new RandomContent(seed).Fill(content);
        var wire = content.ToByteArray();
        var place = $"{descriptor.FullName}, seed {seed}";
        var written = bridge.Rewrite(wire);
        Assert.True(wire.Length == written.Length && content.Equals(descriptor.Parser.ParseFrom(written)), $"{place}: bytes");
        Assert.True(content.Equals(bridge.Read(wire, descriptor)), $"{place}: accessors");
        var built = bridge.Build(content);
        Assert.True(wire.Length == built.Length && content.Equals(descriptor.Parser.ParseFrom(built)), $"{place}: setters");
    }

    /// <summary>A namespace for each file, which Google's classes do not have.</summary>
    static string SlabNamespace(string file) => $"{Workshop.SlabNamespace}.{Path.GetFileNameWithoutExtension(file).ToUpperInvariant()}";

    static Type SlabType(Assembly assembly, Type google)
    {
        var descriptor = (MessageDescriptor)google.GetProperty("Descriptor", BindingFlags.Public | BindingFlags.Static)!.GetValue(null)!;
        var nested = google.FullName![(google.Namespace!.Length + 1)..];
        var name = $"{SlabNamespace(descriptor.File.Name)}.{nested}";
        return assembly.GetType(name) ?? throw new InvalidOperationException($"There is no type {name}.");
    }
}
