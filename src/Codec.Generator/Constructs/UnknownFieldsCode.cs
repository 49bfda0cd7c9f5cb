using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Fields that the schema does not know: kept as they stand, written behind the known ones.</summary>
static class UnknownFieldsCode
{
    // Rarely are there any: the condition reads one number, where a call would first read its arguments.
    public const string Size = "fields.Unknown.Count == 0 ? 0 : codec::WireSize.UnknownFields(storage.Ranges, fields.Unknown)";
    public const string Write = "if (fields.Unknown.Count != 0) writer.WriteUnknownFields(storage.Ranges, fields.Unknown);";

    /// <summary>Keeps a field. One in an entry of a map is counted as one level deeper, as Google.Protobuf does.</summary>
    public static string Parse(ProtoMessage message) =>
        $"storage.Ranges.Append(ref fields.Unknown, reader.ReadUnknownField(tag, depth{(message.IsMapEntry ? " + 1" : "")}));";

    /// <summary>Keeps a value that a closed enum does not have.</summary>
    public static string Keep(uint tag, string number) =>
        $"storage.Ranges.Append(ref fields.Unknown, storage.Memory.StoreVarintField({tag}, {number}));";
}
