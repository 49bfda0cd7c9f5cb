using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>The search for a required field that is missing, in a message and in those in it.</summary>
static class RequiredCode
{
    // no field has such a name: Google's rules leave an underscore at the end of a name only
    public const string Method = "Missing_Required";

    public static void Write(CodeWriter code, ProtoMessage message, IEnumerable<FieldCode> fields)
    {
        code.Line("/// <summary>The full name of a required field that is not set; null if there is none.</summary>");
        code.Open($"public static string? {Method}({message.Names.Storage} storage, ref {message.Names.Fields} fields)");
        foreach (var field in fields) field.Required(code);
        foreach (var group in message.RequiredGroups)
            code.Line($"if (!codec::RequiredField.HasGroup(storage.Ranges, fields.Unknown, {group.Number})) return "
                + $"\"{message.ProtoName}.{group.Name}\";");
        code.Line("return null;");
        code.Close();
        code.Line();
    }
}
