namespace ProtoBench.Codec.Generator.Model;

/// <summary>Represents the tag of a field.</summary>
readonly record struct WireTag(int Number, uint WireType)
{
    public const uint Varint = 0;
    public const uint Fixed64 = 1;
    public const uint Delimited = 2;
    public const uint StartGroup = 3;
    public const uint Fixed32 = 5;

    public uint Value => ((uint)Number << 3) | WireType;

    /// <summary>The size of the tag on the wire.</summary>
    public int Size => Value switch
    {
        < 1u << 7 => 1,
        < 1u << 14 => 2,
        < 1u << 21 => 3,
        < 1u << 28 => 4,
        _ => 5,
    };
}
