namespace ProtoBench.Codec.Reflection;

/// <summary>Specifies the type of a field, as the .proto file declares it.</summary>
public enum FieldType
{
    /// <summary>The type double.</summary>
    Double,

    /// <summary>The type float.</summary>
    Float,

    /// <summary>The type int64.</summary>
    Int64,

    /// <summary>The type uint64.</summary>
    UInt64,

    /// <summary>The type int32.</summary>
    Int32,

    /// <summary>The type fixed64.</summary>
    Fixed64,

    /// <summary>The type fixed32.</summary>
    Fixed32,

    /// <summary>The type bool.</summary>
    Bool,

    /// <summary>The type string.</summary>
    String,

    /// <summary>A message between two tags: a group of proto2, or a message with the feature DELIMITED.</summary>
    Group,

    /// <summary>A message with a length.</summary>
    Message,

    /// <summary>The type bytes.</summary>
    Bytes,

    /// <summary>The type uint32.</summary>
    UInt32,

    /// <summary>The type sfixed32.</summary>
    SFixed32,

    /// <summary>The type sfixed64.</summary>
    SFixed64,

    /// <summary>The type sint32.</summary>
    SInt32,

    /// <summary>The type sint64.</summary>
    SInt64,

    /// <summary>An enum.</summary>
    Enum,
}
