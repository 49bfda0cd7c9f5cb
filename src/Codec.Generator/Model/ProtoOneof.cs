using Google.Protobuf.Reflection;

namespace ProtoBench.Codec.Generator.Model;

/// <summary>A oneof. The one that an optional field of proto3 makes is none.</summary>
sealed class ProtoOneof(OneofDescriptorProto descriptor, IReadOnlyList<int> path)
{
    public OneofDescriptorProto Descriptor { get; } = descriptor;

    public IReadOnlyList<int> Path { get; } = path;

    public List<ProtoField> Fields { get; } = [];

    /// <summary>The property that says which field is set.</summary>
    public string CaseProperty { get; set; } = "";

    /// <summary>The enum of the fields, and of None.</summary>
    public string CaseEnum { get; set; } = "";

    public string ClearMethod { get; set; } = "";

    /// <summary>The name in the struct of fields.</summary>
    public string Storage { get; set; } = "";

    /// <summary>The enum's name for no field.</summary>
    public const string NoneName = "None";

    /// <summary>The enum's name for each field.</summary>
    public Dictionary<ProtoField, string> CaseNames { get; } = [];
}
