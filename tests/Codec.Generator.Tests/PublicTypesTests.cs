using System.ComponentModel;
using System.Reflection;
using System.Text.RegularExpressions;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>What IntelliSense shows of the codec is what a service needs, and docs/codec.md lists it.</summary>
public partial class PublicTypesTests
{
    static readonly Type[] types = typeof(Message<>).Assembly.GetExportedTypes();

    [Fact]
    public void The_types_of_a_service_are_listed()
    {
        var page = File.ReadAllText(Path.Combine(Tools.Protos, "../docs/codec.md"));
        var section = page.Split("\n## ").Single(one => one.StartsWith("The types of a service\n", StringComparison.Ordinal));
        var listed = section.Split('\n').Where(line => line.StartsWith("| `", StringComparison.Ordinal))
            .SelectMany(line => Name().Matches(line.Split('|')[1])).Select(match => match.Groups["name"].Value);
        Assert.Equal(
            types.Where(type => type.Namespace == "ProtoBench.Codec" && !type.IsNested).Select(type => type.Name.Split('`')[0]).Order(),
            listed.Order());
    }

    [Fact]
    public void What_only_generated_code_needs_is_hidden()
    {
        var hidden = types.Where(type => type.Namespace == "ProtoBench.Codec.Runtime").ToList();
        Assert.True(hidden.Count > 10, $"{hidden.Count} types");
        Assert.All(hidden, type => Assert.True(IsHidden(type), type.Name));
        var makers = types.Where(type => type.Namespace == "ProtoBench.Codec").SelectMany(type => type.GetConstructors())
            .Where(one => one.GetParameters().Any(parameter => parameter.ParameterType.Namespace == "ProtoBench.Codec.Runtime")).ToList();
        Assert.Equal(7, makers.Count);
        Assert.All(makers, one => Assert.True(IsHidden(one), one.DeclaringType!.Name));
    }

    [Fact]
    public void What_only_generated_stubs_need_is_hidden() =>
        Assert.Equal(["ISlabService", "SlabMethod`2", "SlabReplyAwaiter`1", "SlabServiceAttribute", "SlabServiceBinder"],
            typeof(Grpc.GrpcMessage<>).Assembly.GetExportedTypes().Where(type => type.Namespace == "ProtoBench.Codec.Grpc" && IsHidden(type))
                .Select(type => type.Name).Order());

    static bool IsHidden(MemberInfo member) =>
        member.GetCustomAttribute<EditorBrowsableAttribute>()?.State == EditorBrowsableState.Never;

    [GeneratedRegex("`(?<name>\\w+)(<T>)?`")]
    private static partial Regex Name();
}
