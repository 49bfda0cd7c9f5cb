using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>The words of bits, one bit for each field that knows whether it was set.</summary>
static class PresenceBits
{
    public static string Test(ProtoField field) => $"(fields.{Word(field)} & {Mask(field)}) != 0";

    /// <summary>The same test of a word that <see cref="Copy"/> has put in a local.</summary>
    public static string TestCopy(ProtoField field) => $"({Local(field.Bit / 32)} & {Mask(field)}) != 0";

    /// <summary>Puts a word in a local.</summary>
    public static string Copy(int word) => $"var {Local(word)} = fields.Presence{word};";

    /// <summary>The local for a word.</summary>
    public static string Local(int word) => "presence" + word;

    public static string Set(ProtoField field) => $"fields.{Word(field)} |= {Mask(field)};";

    public static string Clear(ProtoField field) => $"fields.{Word(field)} &= ~{Mask(field)};";

    public static string Word(ProtoField field) => "Presence" + (field.Bit / 32);

    public static string Mask(ProtoField field) => $"0x{1u << (field.Bit % 32):X}u";

    public static int Words(ProtoMessage message) => (message.Fields.Count(field => field.HasBit) + 31) / 32;
}
