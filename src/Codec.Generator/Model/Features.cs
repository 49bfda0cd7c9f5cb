using Google.Protobuf.Reflection;

namespace ProtoBench.Codec.Generator.Model;

/// <summary>Represents the features of an edition for one element. They are set by the element itself, by the element that contains it, or
/// by the defaults of the edition. proto2 and proto3 are treated as editions.</summary>
readonly record struct Features(bool IsImplicit, bool IsRequired, bool IsClosed, bool IsPacked, bool IsUtf8, bool IsDelimited)
{
    /// <summary>The newest edition that is supported. Edition 2024 changes no default that decides bytes: its other features are for other
    /// languages, for names and for the visibility of types, which protoc checks.</summary>
    public const Edition Newest = Edition._2024;

    // NONE is 1 in the descriptors of this package's version and 3 in later ones; VERIFY is 2 in both
    const int verifyUtf8 = 2;

    public static Features Of(FileDescriptorProto file) => file.Syntax switch
    {
        "proto3" => new(IsImplicit: true, IsRequired: false, IsClosed: false, IsPacked: true, IsUtf8: true, IsDelimited: false),
        "editions" =>
            new Features(IsImplicit: false, IsRequired: false, IsClosed: false, IsPacked: true, IsUtf8: true,
                IsDelimited: false).With(file.Options?.Features),
        _ => new(IsImplicit: false, IsRequired: false, IsClosed: true, IsPacked: false, IsUtf8: false, IsDelimited: false),
    };

    /// <summary>Combines these features with those that <paramref name="own"/> sets.</summary>
    public Features With(FeatureSet? own)
    {
        if (own is null) return this;
        var result = this;
        if (own.HasFieldPresence)
        {
            result = result with
            {
                IsImplicit = own.FieldPresence == FeatureSet.Types.FieldPresence.Implicit,
                IsRequired = own.FieldPresence == FeatureSet.Types.FieldPresence.LegacyRequired,
            };
        }

        if (own.HasEnumType) result = result with { IsClosed = own.EnumType == FeatureSet.Types.EnumType.Closed };
        if (own.HasRepeatedFieldEncoding)
            result = result with { IsPacked = own.RepeatedFieldEncoding == FeatureSet.Types.RepeatedFieldEncoding.Packed };
        if (own.HasUtf8Validation) result = result with { IsUtf8 = (int)own.Utf8Validation == verifyUtf8 };
        if (own.HasMessageEncoding)
            result = result with { IsDelimited = own.MessageEncoding == FeatureSet.Types.MessageEncoding.Delimited };
        return result;
    }
}
