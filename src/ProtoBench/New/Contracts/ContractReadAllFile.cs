using System.Globalization;
using System.Text;
using ProtoBench.Codec.Generator.Model;
using ProtoBench.Codec.Generator.Plain;
using FieldType = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.New.Contracts;

/// <summary>Writes functions that read every field of protobuf-net's contracts. They are in the project of the contracts, so that only this
/// project fails to build if the names differ from those of the generator.</summary>
static class ContractReadAllFile
{
    public static string Write(ProjectNames names)
    {
        var functions = new StringBuilder();
        // The measured message always has a function. If it has no class, as google.protobuf.Empty, the contracts do not build.
        foreach (var message in ReadAllCode.Reachable(names.GoogleMessage)
            .Where(message => message == names.GoogleMessage || ContractNames.HasClass(message)))
            Function(functions, message);
        return $$"""
            using System;

            namespace {{ContractFile.Root}};

            /// <summary>Reads every field of a message. The sum keeps the compiler from leaving a read out.</summary>
            public static class ReadAll
            {
            {{functions}}    static long Touch(string text) => text.Length == 0 ? 0 : text[0] + text[^1] + text.Length;

                static long Touch(byte[] bytes) => bytes is null || bytes.Length == 0 ? 0 : bytes[0] + bytes[^1] + bytes.Length;
            }

            """;
    }

    static void Function(StringBuilder text, ProtoMessage message)
    {
        text.Append($"    public static long Touch({ContractNames.TypeName(message)} message)\n    {{\n        var sum = 0L;\n");
        foreach (var field in message.Fields)
            text.Append(Field(field));
        text.Append("        return sum;\n    }\n\n");
    }

    static string Field(ProtoField field)
    {
        var value = "message." + ContractNames.Property(field);
        if (field.IsMap)
            return $"""
                        foreach (var item in {value})
                            sum += {Element(field.Message!.Fields[0], "item.Key")} + {Element(field.Message.Fields[1], "item.Value")};

                """;
        if (field.IsRepeated)
            return $"""
                        foreach (var item in {value}{(IsArray(field) ? " ?? []" : "")})
                            sum += {Element(field, "item")};

                """;
        var local = "field" + field.Number.ToString(CultureInfo.InvariantCulture);
        return field.Message is null
            ? $"        sum += {Read(field, value)};\n" : $"        if ({value} is {{ }} {local}) sum += {Read(field, local)};\n";
    }

    // Numbers are in an array, which is null if it would be empty. All other types are in a list.
    static bool IsArray(ProtoField field) => field.Type is not (FieldType.Message or FieldType.String or FieldType.Bytes or FieldType.Enum);

    static string Element(ProtoField field, string value) =>
        ContractNames.IsNullable(field.Message) ? $"({value} is {{ }} one ? {Read(field, "one")} : 0)" : Read(field, value);

    static string Read(ProtoField field, string value) => field.Type switch
    {
        FieldType.Message when ContractNames.IsWrapper(field.Message!) => Read(field.Message!.Fields[0], value),
        FieldType.Message when ContractNames.IsTime(field.Message!) => value + ".Ticks",
        FieldType.Message when !ContractNames.HasClass(field.Message!) => "1",
        FieldType.Message or FieldType.String or FieldType.Bytes => $"Touch({value})",
        FieldType.Bool => $"({value} ? 1 : 0)",
        _ => $"(long){value}",
    };
}
