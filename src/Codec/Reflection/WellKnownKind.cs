namespace ProtoBench.Codec.Reflection;

/// <summary>Specifies which form of its own a message has in JSON.</summary>
enum WellKnownKind : byte
{
    None,
    Any,
    Timestamp,
    Duration,
    FieldMask,
    Struct,
    Value,
    ListValue,
    Wrapper,
    Empty,
}

static class WellKnownKinds
{
    /// <summary>Gets the form of a message by its full name.</summary>
    public static WellKnownKind Of(string fullName) => fullName switch
    {
        "google.protobuf.Any" => WellKnownKind.Any,
        "google.protobuf.Timestamp" => WellKnownKind.Timestamp,
        "google.protobuf.Duration" => WellKnownKind.Duration,
        "google.protobuf.FieldMask" => WellKnownKind.FieldMask,
        "google.protobuf.Struct" => WellKnownKind.Struct,
        "google.protobuf.Value" => WellKnownKind.Value,
        "google.protobuf.ListValue" => WellKnownKind.ListValue,
        "google.protobuf.Empty" => WellKnownKind.Empty,
        "google.protobuf.BoolValue" or "google.protobuf.BytesValue" or "google.protobuf.DoubleValue" or "google.protobuf.FloatValue"
            or "google.protobuf.Int32Value" or "google.protobuf.Int64Value" or "google.protobuf.StringValue"
            or "google.protobuf.UInt32Value" or "google.protobuf.UInt64Value" => WellKnownKind.Wrapper,
        _ => WellKnownKind.None,
    };
}
