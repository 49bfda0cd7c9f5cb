using System.Diagnostics;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace ProtoBench.Codec.Reflection;

/// <summary>Describes a field of a message, or an extension. Immutable and thread-safe.</summary>
[DebuggerDisplay("{FullName}")]
public sealed class FieldDescriptor
{
    const uint varint = 0, fixed64 = 1, lengthDelimited = 2, startGroup = 3, endGroup = 4, fixed32 = 5;

    readonly string scope;

    // made at the first use
    string? jsonName;
    byte[]? jsonNameUtf8;
    byte[]? jsonMember;

    /// <param name="source">The field.</param>
    /// <param name="scope">The full name of what contains the declaration.</param>
    /// <param name="containingType">The message that has the field.</param>
    /// <param name="oneof">The oneof that has the field.</param>
    /// <param name="type">The type.</param>
    /// <param name="typeOfValue">The message or enum that is the type.</param>
    /// <param name="features">The features of the field.</param>
    internal FieldDescriptor(FieldSource source, string scope, MessageDescriptor containingType, OneofDescriptor? oneof, FieldType type,
        object? typeOfValue, DescriptorFeatures features)
    {
        this.scope = scope;
        jsonName = source.JsonName;
        (Name, FieldNumber, ContainingType, ContainingOneof) = (source.Name, source.Number, containingType, oneof);
        (MessageType, EnumType) = (typeOfValue as MessageDescriptor, typeOfValue as EnumDescriptor);
        IsExtension = source.Extendee.Length > 0;
        IsRepeated = source.IsRepeated;
        IsMap = IsRepeated && MessageType is { IsMapEntry: true };

        // maps and the fields of their entries are never groups, whatever the features say
        var isInMap = IsMap || containingType.IsMapEntry;
        IsDelimited = type == FieldType.Group || (type == FieldType.Message && !isInMap && features.IsDelimited);
        FieldType = IsDelimited ? FieldType.Group : type;
        var wireType = WireType(FieldType);
        IsPacked = IsRepeated && wireType is varint or fixed32 or fixed64 && (source.IsPacked ?? features.IsPacked);
        IsRequired = source.IsRequired || (features.IsRequired && !IsRepeated && !IsExtension && !isInMap && oneof is null);
        HasPresence = !IsRepeated
            && (MessageType is not null || IsExtension || oneof is not null || source.IsProto3Optional || !features.IsImplicit);
        Tag = ((uint)FieldNumber << 3) | (IsPacked ? lengthDelimited : wireType);
    }

    /// <summary>Gets the name in the .proto file.</summary>
    public string Name { get; }

    /// <summary>Gets the name with the message, as in <c>shop.Order.customer</c>. For an extension it is the name with the package or the
    /// message that contains the declaration.</summary>
    public string FullName => scope.Length == 0 ? Name : $"{scope}.{Name}";

    /// <summary>Gets the name in JSON.</summary>
    public string JsonName => jsonName ??= DefaultJsonName(Name);

    /// <summary>Gets the number.</summary>
    public int FieldNumber { get; }

    /// <summary>Gets the type of the value, or of each element.</summary>
    public FieldType FieldType { get; }

    /// <summary>Gets a value that indicates whether the field is a list or a map.</summary>
    public bool IsRepeated { get; }

    /// <summary>Gets a value that indicates whether the field is a map. <see cref="MessageType"/> is then the type of the
    /// entries.</summary>
    public bool IsMap { get; }

    /// <summary>Gets a value that indicates whether the numbers of a list are written as one value.</summary>
    public bool IsPacked { get; }

    /// <summary>Gets a value that indicates whether a message without the field is refused.</summary>
    public bool IsRequired { get; }

    /// <summary>Gets a value that indicates whether a field that is not set differs from one that is set to its default value.</summary>
    public bool HasPresence { get; }

    /// <summary>Gets a value that indicates whether a message is written between two tags and without a length: a group of proto2, or a
    /// message with the feature DELIMITED.</summary>
    public bool IsDelimited { get; }

    /// <summary>Gets a value that indicates whether the field is declared outside of its message.</summary>
    public bool IsExtension { get; }

    /// <summary>Gets the message that has the field. For an extension it is the extended message.</summary>
    public MessageDescriptor ContainingType { get; }

    /// <summary>Gets the oneof that has the field; null if there is none. The oneof that protoc makes for an optional field of proto3 does
    /// not count.</summary>
    public OneofDescriptor? ContainingOneof { get; }

    /// <summary>Gets the message type of the value, or of each element; null for other types.</summary>
    public MessageDescriptor? MessageType { get; }

    /// <summary>Gets the enum of the value, or of each element; null for other types.</summary>
    public EnumDescriptor? EnumType { get; }

    /// <summary>The position in <see cref="MessageDescriptor.FieldsByNumber"/>; -1 for an extension.</summary>
    internal int Index { get; set; } = -1;

    internal byte[] JsonNameUtf8 => jsonNameUtf8 ??= Encoding.UTF8.GetBytes(JsonName);

    /// <summary>The name in JSON in quotes, and a colon; empty if the name has to be escaped.</summary>
    internal byte[] JsonMember =>
        jsonMember ??= JsonEncodedText.Encode(JsonName, JavaScriptEncoder.UnsafeRelaxedJsonEscaping).Value == JsonName
            ? [(byte)'"', .. JsonNameUtf8, (byte)'"', (byte)':'] : [];

    /// <summary>The number and the wire type, which is that of a length for a packed list.</summary>
    internal uint Tag { get; }

    /// <summary>The second tag of a delimited message.</summary>
    internal uint EndTag => Tag + (endGroup - startGroup);

    static uint WireType(FieldType type) => type switch
    {
        FieldType.Double or FieldType.Fixed64 or FieldType.SFixed64 => fixed64,
        FieldType.Float or FieldType.Fixed32 or FieldType.SFixed32 => fixed32,
        FieldType.String or FieldType.Bytes or FieldType.Message => lengthDelimited,
        FieldType.Group => startGroup,
        _ => varint,
    };

    // as protoc: each underscore is removed, and the letter after it is a capital
    static string DefaultJsonName(string name)
    {
        var result = new StringBuilder(name.Length);
        for (var i = 0; i < name.Length; i++)
        {
            if (name[i] == '_') continue;
            var isCapital = i > 0 && name[i - 1] == '_' && char.IsAsciiLetterLower(name[i]);
            result.Append(isCapital ? char.ToUpperInvariant(name[i]) : name[i]);
        }

        return result.ToString();
    }
}
