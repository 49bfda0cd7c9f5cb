using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

public class SizeTests
{
    static readonly string[] wellKnown =
        ["any", "api", "duration", "empty", "field_mask", "source_context", "struct", "timestamp", "type", "wrappers"];

    /// <summary>Each alone, compiled with optimization: messages with every construct of proto3, and the well-known types.</summary>
    [Fact]
    public void The_assembly_is_at_most_twice_as_large_as_that_of_Google()
    {
        var slab = SizeOf(workshop => workshop.GenerateAll());
        var google = SizeOf(workshop => workshop.GenerateGoogle());
        Assert.True(slab <= 2 * google, $"{slab:N0} bytes, Google's has {google:N0}");
    }

    static long SizeOf(Action<Workshop> generate)
    {
        using var workshop = new Workshop("zoo.proto", File.ReadAllText(Path.Combine(Tools.Protos, "zoo.proto")));
        foreach (var name in wellKnown)
            workshop.Add($"google/protobuf/{name}.proto",
                File.ReadAllText(Path.Combine(Tools.StandardImports, $"google/protobuf/{name}.proto")));
        generate(workshop);
        workshop.AssertCompiles();
        return workshop.CompiledSize;
    }
}
