using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>The struct of a message's fields: one element of a flat array.</summary>
sealed class FieldsDeclaration(ProtoMessage message, IReadOnlyList<FieldCode> fields)
{
    public void Write(CodeWriter code)
    {
        var name = message.Names.Fields;
        code.Line("/// <summary>The fields as the runtime keeps them. Not for use.</summary>");
        code.Line(StorageDeclaration.Hidden);
        code.Open(message.IsMapEntry
            ? $"public struct {name} : codec::{(message.Fields[0].IsBytes ? "IStringMapEntry" : "IMapEntry")}<{name}>"
            : $"public struct {name}");
        for (var word = 0; word < PresenceBits.Words(message); word++) code.Line($"internal uint Presence{word};");
        foreach (var oneof in message.Oneofs) code.Line($"internal {oneof.CaseEnum} {oneof.Storage};");
        foreach (var field in fields) code.Line($"internal {field.SlotType} {field.Field.Names.Storage};");
        if (message.HasMessages) code.Line("public int Size;");
        code.Line("internal codec::ElementRange Unknown;");
        if (message.IsMapEntry) MapCode.KeyMembers(code, message, name);
        code.Close();
        code.Line();
    }
}
