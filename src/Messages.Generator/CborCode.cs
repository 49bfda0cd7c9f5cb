using System.Globalization;
using ProtoBench.Codec.Generator;
using ProtoBench.Codec.Generator.Model;
using FieldType = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Messages.Generator;

/// <summary>Generates functions that write and read the plain classes with <c>CborWriter</c> and <c>CborReader</c>, as a person would. A
/// message is an array of its fields in the order of the .proto file, without numbers of fields. What is absent is null.</summary>
/// <param name="names">Gets the name of the plain class of a message or an enum.</param>
sealed class CborCode(Func<object, string> names)
{
    const string cbor = "global::System.Formats.Cbor.Cbor";

    /// <summary>Writes the functions <c>WriteCbor</c> and <c>ReadCbor</c> for the message and for each message in it.</summary>
    public void Write(CodeWriter code, ProtoMessage root)
    {
        code.Member($"public static {names(root)} ReadCbor({cbor}Reader reader) => ReadCbor(reader, new {names(root)}());");
        foreach (var message in ReadAllCode.Reachable(root).Where(message => !message.IsMapEntry))
        {
            Writer(code, message);
            Reader(code, message);
        }
    }

    void Writer(CodeWriter code, ProtoMessage message)
    {
        code.Open($"public static void WriteCbor({cbor}Writer writer, {names(message)} message)");
        code.Line(string.Create(CultureInfo.InvariantCulture, $"writer.WriteStartArray({message.Fields.Count});"));
        foreach (var field in message.Fields)
        {
            var (value, local) = ($"message.{PlainClasses.Property(field)}", Local(field));
            if (field.IsMap)
            {
                code.Line($"writer.WriteStartMap({value}.Count);");
                code.Open($"foreach (var item in {value})");
                code.Line(Put(field.Message!.Fields[0], "item.Key"));
                code.Line(Put(field.Message.Fields[1], "item.Value"));
                code.Close();
                code.Line("writer.WriteEndMap();");
            }
            else if (field.IsRepeated)
            {
                code.Line($"var {local} = {value}{(PlainClasses.IsArray(field) ? " ?? []" : "")};");
                code.Line($"writer.WriteStartArray({local}.{(PlainClasses.IsArray(field) ? "Length" : "Count")});");
                code.Line($"foreach (var item in {local}) {Put(field, "item")}");
                code.Line("writer.WriteEndArray();");
            }
            else if (field.Message is not null || PlainClasses.IsNullable(field))
            {
                code.Line($"if ({value} is {{ }} {local}) {Put(field, local)}");
                code.Line("else writer.WriteNull();");
            }
            else
            {
                code.Line(Put(field, value));
            }
        }

        code.Line("writer.WriteEndArray();");
        code.Close();
        code.Line();
    }

    // The fields that a newer writer has added are at the end of the array.
    void Reader(CodeWriter code, ProtoMessage message)
    {
        code.Open($"public static {names(message)} ReadCbor({cbor}Reader reader, {names(message)} made)");
        code.Line("var fields = reader.ReadStartArray();");
        foreach (var field in message.Fields)
        {
            var (target, local) = ($"made.{PlainClasses.Property(field)}", Local(field));
            if (field.IsRepeated)
            {
                code.Line($"var {local} = reader.ReadStart{(field.IsMap ? "Map" : "Array")}() ?? 0;");
                if (PlainClasses.IsArray(field))
                {
                    code.Line($"var items{local} = {local} > 0 ? new {PlainClasses.ScalarName(field) ?? names(field.Enum!)}[{local}] : null;");
                    code.Line($"for (var i = 0; i < {local}; i++) items{local}![i] = {Get(field)};");
                    code.Line($"{target} = items{local};");
                }
                else
                {
                    code.Line($"{target}.EnsureCapacity({local});");
                    var add = field.IsMap ? $"{target}.Add({Get(field.Message!.Fields[0])}, {Get(field.Message.Fields[1])})"
                        : $"{target}.Add({Get(field)})";
                    code.Line($"for (var i = 0; i < {local}; i++) {add};");
                }

                code.Line($"reader.ReadEnd{(field.IsMap ? "Map" : "Array")}();");
            }
            else if (field.Message is not null || PlainClasses.IsNullable(field))
            {
                code.Line($"if (reader.PeekState() == {cbor}ReaderState.Null) reader.ReadNull();");
                code.Line($"else {target} = {Get(field)};");
            }
            else
            {
                code.Line($"{target} = {Get(field)};");
            }
        }

        code.Line(string.Create(CultureInfo.InvariantCulture,
            $"for (var more = fields - {message.Fields.Count}; more > 0; more--) reader.SkipValue();"));
        code.Line("reader.ReadEndArray();");
        code.Line("return made;");
        code.Close();
        code.Line();
    }

    static string Local(ProtoField field) => "field" + field.Number.ToString(CultureInfo.InvariantCulture);

    static string Put(ProtoField field, string value) =>
        field.Message is not null ? $"WriteCbor(writer, {value});"
        : $"writer.Write{Kind(field)}({(field.Enum is null ? "" : "(int)")}{value});";

    string Get(ProtoField field) =>
        field.Message is { } message ? $"ReadCbor(reader, new {names(message)}())"
        : $"{(field.Enum is { } type ? $"({names(type)})" : "")}reader.Read{Kind(field)}()";

    static string Kind(ProtoField field) => field.Type switch
    {
        FieldType.String => "TextString",
        FieldType.Bytes => "ByteString",
        FieldType.Bool => "Boolean",
        FieldType.Float => "Single",
        FieldType.Double => "Double",
        FieldType.Uint32 or FieldType.Fixed32 => "UInt32",
        FieldType.Uint64 or FieldType.Fixed64 => "UInt64",
        FieldType.Enum or FieldType.Int32 or FieldType.Sint32 or FieldType.Sfixed32 => "Int32",
        _ => "Int64",
    };
}
