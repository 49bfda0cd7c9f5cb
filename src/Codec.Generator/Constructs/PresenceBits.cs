using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>The words of bits, one bit for each field that knows whether it was set.</summary>
static class PresenceBits
{
    public static string Test(ProtoField field) => $"(fields.{Word(field)} & {Mask(field)}) != 0";

    public static string Set(ProtoField field) => $"fields.{Word(field)} |= {Mask(field)};";

    public static string Clear(ProtoField field) => $"fields.{Word(field)} &= ~{Mask(field)};";

    public static string Word(ProtoField field) => "Presence" + (field.Bit / 32);

    public static string Mask(ProtoField field) => $"0x{1u << (field.Bit % 32):X}u";

    public static int Words(ProtoMessage message) => (message.Fields.Count(field => field.HasBit) + 31) / 32;
}
