using System.Reflection;

namespace ProtoBench.Codec.Generator.Tests;

static class Tools
{
    public static string Protoc => Fact("Protoc");

    public static string StandardImports => Fact("StandardImports");

    public static string Protos => Fact("Protos");

    static string Fact(string key) =>
        typeof(Tools).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(fact => fact.Key == key).Value!;
}
