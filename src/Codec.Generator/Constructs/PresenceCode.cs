using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the members HasName and ClearName of a singular field.</summary>
static class PresenceCode
{
    /// <summary>Writes HasName, for a field with presence.</summary>
    public static void Has(CodeWriter code, ProtoField field, string isPresent)
    {
        if (field.Presence is Presence.Implicit or Presence.Always) return;
        code.Line($"/// <summary>Gets a value that indicates whether the field {DocComment.Escape(field.Descriptor.Name)} is "
            + $"set.</summary>");
        ViewCode.Getter(code, "bool", field.Names.Has, isPresent);
    }

    /// <summary>Writes ClearName.</summary>
    public static void Clear(CodeWriter code, ProtoField field, string forget)
    {
        code.Line($"/// <summary>Clears the field {DocComment.Escape(field.Descriptor.Name)}.</summary>");
        ViewCode.Method(code, field.Owner.Names, $"void {field.Names.Clear}()", field.Presence switch
        {
            Presence.Oneof => [$"if (fields.{field.Oneof!.Storage} == {OneofCode.Case(field)}) fields.{field.Oneof.Storage} = default;"],
            _ when field.HasBit => [PresenceBits.Clear(field), forget],
            _ => [forget],
        });
    }
}

/// <summary>Generates the code of the presence bits: words with one bit for each field that has a bit.</summary>
static class PresenceBits
{
    public static string Test(ProtoField field) => $"(fields.{Word(field)} & {Mask(field)}) != 0";

    /// <summary>Gets the same test for a word that <see cref="Copy"/> has put into a local.</summary>
    public static string TestCopy(ProtoField field) => $"({Local(field.Bit / 32)} & {Mask(field)}) != 0";

    /// <summary>Gets the statement that puts a word into a local.</summary>
    public static string Copy(int word) => $"var {Local(word)} = fields.Presence{word};";

    /// <summary>Gets the name of the local for a word.</summary>
    public static string Local(int word) => "presence" + word;

    public static string Set(ProtoField field) => $"fields.{Word(field)} |= {Mask(field)};";

    public static string Clear(ProtoField field) => $"fields.{Word(field)} &= ~{Mask(field)};";

    public static string Word(ProtoField field) => "Presence" + (field.Bit / 32);

    public static string Mask(ProtoField field) => $"0x{1u << (field.Bit % 32):X}u";

    public static int Words(ProtoMessage message) => (message.Fields.Count(field => field.HasBit) + 31) / 32;
}
