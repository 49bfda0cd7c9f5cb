using System.Reflection;
using Google.Protobuf.Reflection;

namespace ProtoBench.Codec.Generator.Tests.Schemas;

/// <summary>Every type in every kind of field, with Google's code too: compiled once for all tests that read or write it.</summary>
static class AllTypesAssembly
{
    /// <summary>A message of numbers only: it does not keep its input.</summary>
    public const string Numbers = "numbers";

    static readonly Lazy<Assembly> assembly = new(Compile);

    static readonly Lazy<Dictionary<string, (MessageDescriptor Google, IBridge Slab)>> all = new(() =>
        new[] { "proto2", "proto3", AllTypes.Editions, Numbers }.ToDictionary(schema => schema, schema => (Google(schema), Bridge.Of(Slab(schema)))));

    public static (MessageDescriptor Google, IBridge Slab) Of(string schema) => all.Value[schema];

    public static Type Slab(string schema) => assembly.Value.GetType($"Slab.{schema}.All")!;

    static MessageDescriptor Google(string schema) =>
        (MessageDescriptor)assembly.Value.GetType($"{char.ToUpperInvariant(schema[0])}{schema[1..]}.All")!.GetProperty("Descriptor")!
            .GetValue(null)!;

    static Assembly Compile()
    {
        using var workshop = new Workshop(Numbers + ".proto", """
            syntax = "proto2";
            package numbers;
            message All {
              map<int32, Kind> kinds = 1;
              repeated Kind many = 2 [packed = true];
              optional All next = 3;
              extensions 100 to 200;
            }
            enum Kind { NONE = 0; ONE = 1; TWO = 2; }
            """);
        foreach (var syntax in new[] { "proto2", "proto3", AllTypes.Editions }) workshop.Add(syntax + ".proto", AllTypes.Proto(syntax));
        workshop.GenerateAll(file => "Slab." + Path.GetFileNameWithoutExtension(file));
        workshop.GenerateGoogle();
        return workshop.Compile();
    }
}
