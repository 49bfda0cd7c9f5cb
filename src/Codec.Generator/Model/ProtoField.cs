using Google.Protobuf.Reflection;
using Type = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Codec.Generator.Model;

/// <summary>How a singular field knows whether it was set.</summary>
enum Presence
{
    /// <summary>It does not: a value that is not the default one is set.</summary>
    Implicit,

    /// <summary>A bit.</summary>
    Bit,

    /// <summary>The oneof that it is in.</summary>
    Oneof,

    /// <summary>A sub-message: there or not.</summary>
    Message,

    /// <summary>Repeated: none or more.</summary>
    Repeated,
}

/// <summary>A field.</summary>
sealed class ProtoField(ProtoMessage owner, FieldDescriptorProto descriptor, IReadOnlyList<int> path)
{
    public ProtoMessage Owner { get; } = owner;

    public FieldDescriptorProto Descriptor { get; } = descriptor;

    public IReadOnlyList<int> Path { get; } = path;

    public Type Type => Descriptor.Type;

    public int Number => Descriptor.Number;

    public Features Features { get; set; }

    public Presence Presence { get; set; }

    /// <summary>Index of its bit; -1 for a field that has none.</summary>
    public int Bit { get; set; } = -1;

    /// <summary>Whether a bit says that it may be set: for <see cref="Presence.Bit"/>, and for every field of a wide message.</summary>
    public bool HasBit => Bit >= 0;

    public ProtoOneof? Oneof { get; set; }

    /// <summary>The type of a sub-message, or of a map's entry.</summary>
    public ProtoMessage? Message { get; set; }

    public ProtoEnum? Enum { get; set; }

    public bool IsRepeated => Presence == Presence.Repeated;

    public bool IsMap => IsRepeated && Message?.IsMapEntry == true;

    public bool IsRequired { get; set; }

    public bool IsPacked { get; set; }

    public bool IsDeprecated => Descriptor.Options?.Deprecated == true;

    public bool IsText => Type == Type.String;

    public bool IsBytes => Type is Type.String or Type.Bytes;

    public FieldNames Names { get; set; } = null!;
}

/// <summary>The names of a field's members, and of its locals.</summary>
sealed record FieldNames(string Property, string Has, string Set, string Mutable, string Add, string Clear, string RemoveAt, string TryGet,
    string Remove, string Storage, string Local);

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
