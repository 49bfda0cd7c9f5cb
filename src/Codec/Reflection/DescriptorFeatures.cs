namespace ProtoBench.Codec.Reflection;

/// <summary>Represents the features of an edition, with the numbers of descriptor.proto. 0 is a feature that is not set. proto2 and proto3
/// are treated as editions.</summary>
readonly record struct DescriptorFeatures(byte FieldPresence, byte EnumType, byte RepeatedFieldEncoding, byte MessageEncoding)
{
    /// <summary>The numbers of editions.</summary>
    public const int Proto2 = 998, Proto3 = 999, Edition2023 = 1000, Edition2024 = 1001;

    const byte explicitly = 1, implicitly = 2, required = 3, open = 1, closed = 2, packed = 1, expanded = 2, lengthPrefixed = 1,
        delimited = 2;

    public bool IsImplicit => FieldPresence == implicitly;

    public bool IsRequired => FieldPresence == required;

    public bool IsClosed => EnumType == closed;

    public bool IsPacked => RepeatedFieldEncoding == packed;

    public bool IsDelimited => MessageEncoding == delimited;

    public static DescriptorFeatures Of(int edition) => edition switch
    {
        Proto2 => new(explicitly, closed, expanded, lengthPrefixed),
        Proto3 => new(implicitly, open, packed, lengthPrefixed),
        _ => new(explicitly, open, packed, lengthPrefixed),
    };

    /// <summary>Combines these features with those that <paramref name="own"/> sets.</summary>
    public DescriptorFeatures With(DescriptorFeatures own) => new(
        own.FieldPresence == 0 ? FieldPresence : own.FieldPresence,
        own.EnumType == 0 ? EnumType : own.EnumType,
        own.RepeatedFieldEncoding == 0 ? RepeatedFieldEncoding : own.RepeatedFieldEncoding,
        own.MessageEncoding == 0 ? MessageEncoding : own.MessageEncoding);

    /// <summary>Combines these features with a serialized FeatureSet. Values that descriptor.proto does not define are ignored.</summary>
    public DescriptorFeatures With(ReadOnlySpan<byte> features)
    {
        const uint fieldPresence = 1 << 3, enumType = 2 << 3, repeatedFieldEncoding = 3 << 3, messageEncoding = 5 << 3;
        var result = this;
        var wire = new DescriptorWire(features);
        while (wire.Next())
        {
            var value = wire.SmallEnum;
            switch (wire.Tag)
            {
                case fieldPresence when value is explicitly or implicitly or required:
                    result = result with { FieldPresence = value };
                    break;
                case enumType when value is open or closed:
                    result = result with { EnumType = value };
                    break;
                case repeatedFieldEncoding when value is packed or expanded:
                    result = result with { RepeatedFieldEncoding = value };
                    break;
                case messageEncoding when value is lengthPrefixed or delimited:
                    result = result with { MessageEncoding = value };
                    break;
                default:
                    break;
            }
        }

        return result;
    }
}
