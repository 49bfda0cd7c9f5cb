using System.Reflection;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>Random schemas with random content, against the code that protoc itself generates. PROTOBENCH_LONG=1 draws 50 schemas with 10,000 messages each.</summary>
public class RandomSchemaTests
{
    static readonly bool isLong = Environment.GetEnvironmentVariable("PROTOBENCH_LONG") == "1";
    static readonly int schemas = isLong ? 50 : 2;
    static readonly int contents = isLong ? 10_000 : 200;

    [Theory]
    [InlineData(false, 20_261)]
    [InlineData(true, 20_262)]
    public void Bytes_accessors_and_setters_agree_with_Googles(bool isProto2, int firstSeed)
    {
        using var workshop = new Workshop();
        foreach (var (name, text) in Enumerable.Range(firstSeed, schemas).SelectMany(seed => RandomSchema.Draw(seed, isProto2).Files)) workshop.Add(name, text);
        workshop.GenerateAll(SlabNamespace);
        workshop.GenerateGoogle();
        var assembly = workshop.Compile();
        var types = assembly.GetTypes();
        var roots = types.Where(type => type.IsAssignableTo(typeof(IMessage)) && !type.IsAbstract).ToList();
        Assert.NotEmpty(roots);
        var pairs = roots.Select(type => (Descriptor: (MessageDescriptor)type.GetProperty("Descriptor", BindingFlags.Public | BindingFlags.Static)!.GetValue(null)!, Bridge: Bridge.Of(SlabType(assembly, type)))).ToList();
        for (var i = 0; i < contents * schemas; i++)
        {
            var (descriptor, bridge) = pairs[i % pairs.Count];
            Compare(descriptor, bridge, firstSeed + i);
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
