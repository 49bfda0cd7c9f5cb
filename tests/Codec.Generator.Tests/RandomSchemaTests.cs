using System.Diagnostics;
using System.Reflection;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>Random schemas with random content, against the code that protoc itself generates. PROTOBENCH_LONG=1 draws 50 schemas with
/// 10,000 messages each; run with -diagnostics, the test program tells each schema that agrees.</summary>
public class RandomSchemaTests
{
    static readonly bool isLong = Environment.GetEnvironmentVariable("PROTOBENCH_LONG") == "1";
    static readonly int schemas = isLong ? 50 : 2;
    static readonly int contents = isLong ? 10_000 : 1_000;

    // so many that the compiler's start does not count, and that it stays far below its time limit on a busy machine
    const int compiledAtOnce = 5;

    // The first two of each are not large: 16 KB of .proto, with one and two files, groups, and every kind of field.
    [Theory]
    [InlineData(false, 20_262)]
    [InlineData(true, 20_281)]
    public void Bytes_accessors_and_setters_agree_with_Googles(bool isProto2, int firstSeed)
    {
        var clock = Stopwatch.StartNew();
        var compared = 0L;
        Parallel.ForEach(Enumerable.Range(firstSeed, schemas).Chunk(compiledAtOnce),
            new ParallelOptions { MaxDegreeOfParallelism = Environment.ProcessorCount },
            seeds => CompareSchemas(isProto2, seeds, seed =>
                TestContext.Current.SendDiagnosticMessage("{0} seed {1}: {2} messages agree; {3} in all after {4:F0} s", Syntax(isProto2),
                    seed, contents, Interlocked.Add(ref compared, contents), clock.Elapsed.TotalSeconds)));
        Assert.Equal((long)schemas * contents, compared);
    }

    static string Syntax(bool isProto2) => isProto2 ? "proto2" : "proto3";

    static void CompareSchemas(bool isProto2, int[] seeds, Action<int> onAgreed)
    {
        using var workshop = new Workshop();
        foreach (var (name, text) in seeds.SelectMany(seed => RandomSchema.Draw(seed, isProto2).Files)) workshop.Add(name, text);
        workshop.GenerateAll(SlabNamespace);
        workshop.GenerateGoogle();
        var assembly = workshop.Compile();
        var roots = assembly.GetTypes().Where(type => type.IsAssignableTo(typeof(IMessage)) && !type.IsAbstract)
            .ToLookup(type => RandomSchema.SeedOf(Descriptor(type).File.Name));
        foreach (var seed in seeds)
        {
            CompareSchema($"{Syntax(isProto2)}, schema seed {seed}", seed, assembly, roots[seed]);
            onAgreed(seed);
        }
    }

    // Neither depends on the schemas that are compiled together, so that a schema can be repeated alone: the order of the types, the seeds.
    static void CompareSchema(string place, int schemaSeed, Assembly assembly, IEnumerable<Type> roots)
    {
        var pairs = roots.OrderBy(type => type.FullName, StringComparer.Ordinal)
            .Select(type => (Descriptor: Descriptor(type), Bridge: Bridge.Of(SlabType(assembly, type)))).ToList();
        Assert.NotEmpty(pairs);
        for (var i = 0; i < contents; i++)
        {
            var (descriptor, bridge) = pairs[i % pairs.Count];
            var seed = (schemaSeed * 10_000) + i;
            try
            {
                Compare(descriptor, bridge, seed);
            }
            catch (Exception e)
            {
                throw new InvalidOperationException($"{place}, {descriptor.FullName}, message seed {seed}: {e.Message}", e);
            }
        }
    }

    static void Compare(MessageDescriptor descriptor, IBridge bridge, int seed)
    {
        var content = descriptor.Parser.ParseFrom([]);
        new RandomContent(seed).Fill(content);
        var wire = content.ToByteArray();
        var written = bridge.Rewrite(wire);
        Assert.True(wire.Length == written.Length && content.Equals(descriptor.Parser.ParseFrom(written)), "bytes");
        Assert.True(content.Equals(bridge.Read(wire, descriptor)), "accessors");
        var built = bridge.Build(content);
        Assert.True(wire.Length == built.Length && content.Equals(descriptor.Parser.ParseFrom(built)), "setters");
        JsonForms.AssertSame(content, JsonForms.Draw(~seed), options => bridge.Json(wire, options));
        JsonForms.AssertRead(content, json => bridge.ReadJson(json));
        if (seed % 4 != 0) return;
        var more = descriptor.Parser.ParseFrom([]);
        new RandomContent(~seed).Fill(more);
        if (EmptyWrapper.IsInOneof(more)) return;
        var merged = bridge.Merge(wire, more.ToByteArray());
        content.MergeFrom(more.ToByteArray());
        Assert.True(content.CalculateSize() == merged.Length && content.Equals(descriptor.Parser.ParseFrom(merged)), "merged bytes");
    }

    static MessageDescriptor Descriptor(Type google) =>
        (MessageDescriptor)google.GetProperty("Descriptor", BindingFlags.Public | BindingFlags.Static)!.GetValue(null)!;

    /// <summary>A namespace for each file, which Google's classes do not have.</summary>
    static string SlabNamespace(string file) => $"{Workshop.SlabNamespace}.{Path.GetFileNameWithoutExtension(file).ToUpperInvariant()}";

    static Type SlabType(Assembly assembly, Type google)
    {
        var descriptor = Descriptor(google);
        var nested = google.FullName![(google.Namespace!.Length + 1)..];
        var name = $"{SlabNamespace(descriptor.File.Name)}.{nested}";
        return assembly.GetType(name) ?? throw new InvalidOperationException($"There is no type {name}.");
    }
}
