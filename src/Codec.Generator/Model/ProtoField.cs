using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Naming;
using Type = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Codec.Generator.Model;

/// <summary>Specifies how the generated code finds out whether a field is set.</summary>
enum Presence
{
    /// <summary>The value is compared with the default value.</summary>
    Implicit,

    /// <summary>Key and value of a map entry always exist. A value that is not on the wire is the default value.</summary>
    Always,

    /// <summary>A bit of the message.</summary>
    Bit,

    /// <summary>The case of the oneof that has the field.</summary>
    Oneof,

    /// <summary>The sub-message, which exists or not.</summary>
    Message,

    /// <summary>The number of elements of a repeated field.</summary>
    Repeated,
}

sealed class ProtoField(ProtoMessage owner, FieldDescriptorProto descriptor, IReadOnlyList<int> path)
{
    public ProtoMessage Owner { get; } = owner;

    /// <summary>The message that contains the declaration; null for an extension outside of messages.</summary>
    public ProtoMessage? Scope { get; set; } = owner;

    public FieldDescriptorProto Descriptor { get; } = descriptor;

    public IReadOnlyList<int> Path { get; } = path;

    public Type Type => Descriptor.Type;

    public int Number => Descriptor.Number;

    public Features Features { get; set; }

    public Presence Presence { get; set; }

    /// <summary>The index of the field's bit; -1 if it has none.</summary>
    public int Bit { get; set; } = -1;

    /// <summary>Whether the field has a bit that is 0 if it is not set. This is true for <see cref="Presence.Bit"/>, and for every field of
    /// a wide message.</summary>
    public bool HasBit => Bit >= 0;

    public ProtoOneof? Oneof { get; set; }

    /// <summary>The type of a sub-message, or of a map entry.</summary>
    public ProtoMessage? Message { get; set; }

    public ProtoEnum? Enum { get; set; }

    public bool IsRepeated => Presence == Presence.Repeated;

    public bool IsMap => IsRepeated && Message?.IsMapEntry == true;

    public bool IsRequired { get; set; }

    public bool IsPacked { get; set; }

    /// <summary>Whether the sub-message is a group: it is between two tags and has no length.</summary>
    public bool IsDelimited { get; set; }

    /// <summary>The name from which the property's name is made, and that the text format has: that of the message for a group, as proto2
    /// declares it, and for a field of an edition that equals one.</summary>
    public string DeclaredName => IsDelimited && Message!.Parent == Scope && !Descriptor.Name.Any(char.IsAsciiLetterUpper)
        && Message.Descriptor.Name.Equals(Descriptor.Name, StringComparison.OrdinalIgnoreCase) ? Message.Descriptor.Name : Descriptor.Name;

    /// <summary>The name in Pascal case, as protoc's C# generator makes it. It makes none without letters and digits.</summary>
    public string PascalName => CSharpCase.Pascal(DeclaredName) is { Length: > 0 } name ? name : "Field" + Number;

    public bool IsDeprecated => Descriptor.Options?.Deprecated == true;

    public bool IsText => Type == Type.String;

    public bool IsBytes => Type is Type.String or Type.Bytes;

    public FieldNames Names { get; set; } = null!;
}

/// <summary>The names of a field's members, and of its locals.</summary>
sealed record FieldNames(string Property, string Has, string Set, string Mutable, string Add, string Clear, string RemoveAt, string TryGet,
    string Remove, string Number, string Storage, string Local);

/// <summary>Represents a oneof. The oneof that protoc creates for an optional field of proto3 is left out.</summary>
sealed class ProtoOneof(OneofDescriptorProto descriptor, IReadOnlyList<int> path)
{
    public OneofDescriptorProto Descriptor { get; } = descriptor;

    public IReadOnlyList<int> Path { get; } = path;

    public List<ProtoField> Fields { get; } = [];

    /// <summary>The property that shows which field is set.</summary>
    public string CaseProperty { get; set; } = "";

    /// <summary>The enum with a value for each field, and None.</summary>
    public string CaseEnum { get; set; } = "";

    public string ClearMethod { get; set; } = "";

    /// <summary>The name in the struct of fields.</summary>
    public string Storage { get; set; } = "";

    /// <summary>The name of the enum's value for no field.</summary>
    public const string NoneName = "None";

    /// <summary>The name of the enum's value for each field.</summary>
    public Dictionary<ProtoField, string> CaseNames { get; } = [];
}
