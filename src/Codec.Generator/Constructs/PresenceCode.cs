using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Has and Clear of a singular field.</summary>
static class PresenceCode
{
    /// <summary>HasName, for a field that knows whether it was set and is no sub-message.</summary>
    public static void Has(CodeWriter code, ProtoField field, string isPresent)
    {
        if (field.Presence is not (Presence.Bit or Presence.Oneof) || field.Message is not null) return;
        code.Line($"/// <summary>Whether the field {DocComment.Escape(field.Descriptor.Name)} is set.</summary>");
        ViewCode.Getter(code, "bool", field.Names.Has, isPresent);
    }

    /// <summary>ClearName.</summary>
    /// <param name="code">Takes it.</param>
    /// <param name="field">The field.</param>
    /// <param name="forget">The statement that forgets the value.</param>
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
