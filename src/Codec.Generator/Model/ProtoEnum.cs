using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Naming;

namespace ProtoBench.Codec.Generator.Model;

sealed class ProtoEnum
{
    public ProtoEnum(ProtoFile file, ProtoMessage? parent, EnumDescriptorProto descriptor, Features features, IReadOnlyList<int> path,
        string qualifier, string name)
    {
        File = file;
        Parent = parent;
        Descriptor = descriptor;
        Path = path;
        Name = name;
        TypeName = qualifier + name;
        IsClosed = features.With(descriptor.Options?.Features).IsClosed;
        var scope = new NameScope();
        ValueNames = [.. descriptor.Value.Select(value => scope.Take(CSharpCase.EnumValue(descriptor.Name, value.Name)))];
    }

    public ProtoFile File { get; }

    public ProtoMessage? Parent { get; }

    public EnumDescriptorProto Descriptor { get; }

    public IReadOnlyList<int> Path { get; }

    /// <summary>The name in the scope of the enum, escaped.</summary>
    public string Name { get; }

    /// <summary>The fully qualified name.</summary>
    public string TypeName { get; }

    /// <summary>Whether a value that the enum does not define is kept as an unknown field.</summary>
    public bool IsClosed { get; }

    /// <summary>The C# name of each value.</summary>
    public IReadOnlyList<string> ValueNames { get; }

    /// <summary>The different numbers, in order.</summary>
    public IEnumerable<int> Numbers => Descriptor.Value.Select(value => value.Number).Distinct().Order();

    public string ValueName(string protoName) => ValueNames[Descriptor.Value.Select(value => value.Name).ToList().IndexOf(protoName)];
}
