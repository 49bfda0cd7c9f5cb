using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the code of a oneof: the enum of its fields, the property that shows which field is set, and the method that clears
/// it.</summary>
static class OneofCode
{
    /// <summary>Gets the value of the enum for a field.</summary>
    public static string Case(ProtoField field) => $"{Type(field.Owner, field.Oneof!)}.{field.Oneof!.CaseNames[field]}";

    public static string None(ProtoMessage message, ProtoOneof oneof) => $"{Type(message, oneof)}.{ProtoOneof.NoneName}";

    public static string Type(ProtoMessage message, ProtoOneof oneof) => $"{message.TypeName}.{oneof.CaseEnum}";

    public static void Accessors(CodeWriter code, ProtoMessage message, ProtoOneof oneof)
    {
        DocComment.Write(code, message.File.Source.CommentOf(oneof.Path),
            $"Gets a value that indicates which field of the oneof {oneof.Descriptor.Name} is set.");
        ViewCode.Getter(code, Type(message, oneof), oneof.CaseProperty, "fields." + oneof.Storage);
    }

    public static void Mutators(CodeWriter code, ProtoMessage message, ProtoOneof oneof)
    {
        code.Line($"/// <summary>Clears the oneof {DocComment.Escape(oneof.Descriptor.Name)}, so that none of its fields is "
            + $"set.</summary>");
        ViewCode.Method(code, message.Names, $"void {oneof.ClearMethod}()", [$"fields.{oneof.Storage} = default;"]);
    }

    public static void Declare(CodeWriter code, ProtoOneof oneof)
    {
        code.Line($"/// <summary>Specifies which field of the oneof {DocComment.Escape(oneof.Descriptor.Name)} is set.</summary>");
        code.Open($"public enum {oneof.CaseEnum}");
        code.Line("/// <summary>No field is set.</summary>");
        code.Line($"{ProtoOneof.NoneName} = 0,");
        foreach (var field in oneof.Fields)
        {
            code.Line($"/// <summary>The field {DocComment.Escape(field.Descriptor.Name)} is set.</summary>");
            code.Line($"{oneof.CaseNames[field]} = {field.Number},");
        }

        code.Close();
        code.Line();
    }
}
