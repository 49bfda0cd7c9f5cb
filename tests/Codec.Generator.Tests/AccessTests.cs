using ProtoBench.Codec.Generator.Tests.Schemas;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>What carries no stamp is out of reach: the storage of a view, its memory, and a reader over it.</summary>
public class AccessTests
{
    [Theory]
    [InlineData("public readonly partial struct One { internal FieldStorage Leak => storage; }", "CS0260")]
    [InlineData("static class Own { public static object Leak(One one) => one.storage; }", "CS0122")]
    public void Code_beside_a_generated_type_does_not_get_its_storage(string source, string error)
    {
        using var workshop = new Workshop("one.proto", "syntax = \"proto3\";\nmessage One { string text = 1; }");
        workshop.GenerateAll(_ => "Slab");
        workshop.AddSource($"namespace Slab;\n{source}");
        Assert.Contains(error, Record.Exception(() => workshop.Compile())?.Message, StringComparison.Ordinal);
    }
}
