using System.Reflection;
using System.Security.Cryptography;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.DataSets;
using ProtoBench.Testing;

namespace ProtoBench.Tests.DataSets;

/// <summary>The data sets: their content, and the code that is generated for them.</summary>
public class DataSetTests
{
    static readonly Dictionary<string, MethodInfo> generators =
        typeof(LogSet).Assembly.GetTypes().Where(type => type.Namespace == typeof(LogSet).Namespace && type.IsValueType)
            .Select(type => (type.Name, Method: type.GetMethod("Generate"))).Where(type => type.Method is not null)
            .OrderBy(type => type.Name, StringComparer.Ordinal).ToDictionary(type => type.Name, type => type.Method!);

    public static TheoryData<string> Sets { get; } = [.. generators.Keys];

    [Theory]
    [MemberData(nameof(Sets))]
    public void The_generated_half_is_what_is_committed(string set)
    {
        var descriptor = (MessageDescriptor)generators[set].ReturnType.GetProperty("Descriptor")!.GetValue(null)!;
        var folder = Path.Combine(Golden.Root, "src", "Messages", "DataSets");
        Golden.Check($"{set}.g.cs", SetCode.Write(set, descriptor), Path.Combine(folder, $"{set}.cs"));
    }

    /// <summary>Sizes and hashes of what Google's class writes. Results are compared over commits and machines.</summary>
    [Fact]
    public void The_content_is_the_same_on_every_machine() => Golden.Check("content.txt", string.Concat(generators.Select(set =>
    {
        var wire = ((IMessage)set.Value.Invoke(null, [new Random(29)])!).ToByteArray();
        return $"{set.Key} {wire.Length} {Convert.ToHexStringLower(SHA256.HashData(wire))}\n";
    })));
}
