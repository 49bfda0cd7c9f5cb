using System.Text;
using ProtoBench.Codec.Generator.Model;
using FieldType = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.New;

/// <summary>Writes the function that reads every field of one message.</summary>
sealed class ReadFunction(ProtoMessage message, ReadForm form)
{
    readonly StringBuilder text = new();

    string Name => form == ReadForm.SlabStrings ? "Strings" : "Touch";

    /// <summary>The function; empty for what Google has no class for.</summary>
    public string Write()
    {
        if (form == ReadForm.Google && (message.IsMapEntry || IsWrapper(message)))
            return "";
        var type = form == ReadForm.Google ? ProjectNames.GoogleName(message) : message.TypeName;
        text.Append($"    public static long {Name}({type} message)\n    {{\n        var sum = 0L;\n");
        foreach (var field in message.Fields)
            Field(field);
        text.Append("        return sum;\n    }\n\n");
        return text.ToString();
    }

    static bool IsWrapper(ProtoMessage message) => message.ProtoName is "google.protobuf.DoubleValue" or "google.protobuf.FloatValue" or "google.protobuf.Int64Value"
        or "google.protobuf.UInt64Value" or "google.protobuf.Int32Value" or "google.protobuf.UInt32Value" or "google.protobuf.BoolValue" or "google.protobuf.StringValue" or "google.protobuf.BytesValue";

    void Field(ProtoField field)
    {
        var value = $"message.{field.Names.Property}";
        if (!field.IsRepeated)
        {
            Line(2, IsNullable(field) ? $"if ({value} is {{ }} {Local(field)}) sum += {Read(field, Local(field))};" : $"sum += {Read(field, value)};");
            return;
        }

        Line(2, $"foreach (var item in {value})");
        if (field.IsMap && form == ReadForm.Google)
            Line(3, $"sum += {Read(field.Message!.Fields[0], "item.Key")} + {Read(field.Message.Fields[1], "item.Value")};");
        else
            Line(3, field.Message is { } inner && IsWrapper(inner) && form == ReadForm.Google ? $"if (item is {{ }} one) sum += {Read(field, "one")};" : $"sum += {Read(field, "item")};");
    }

    static string Local(ProtoField field) => "field" + field.Number.ToString(System.Globalization.CultureInfo.InvariantCulture);

    // A sub-message may be absent. In a map's entry, Google's value is always there.
    static bool IsNullable(ProtoField field) => field.Message is not null;

    string Read(ProtoField field, string value) => field.Type switch
    {
        FieldType.Message or FieldType.Group when form == ReadForm.Google && IsWrapper(field.Message!) => Read(field.Message!.Fields[0], value),
        FieldType.Message or FieldType.Group => $"{Name}({value})",
        FieldType.String => form switch
        {
            ReadForm.Google => $"Touch({value})",
            ReadForm.Slab => $"Touch({value}.Span)",
            _ => $"Touch({value}.ToString())",
        },
        FieldType.Bytes => form == ReadForm.Google ? $"Touch({value})" : $"Touch({value}.Span)",
        FieldType.Bool => $"({value} ? 1 : 0)",
        _ => $"(long){value}",
    };

    void Line(int indent, string line) => text.Append(' ', 4 * indent).Append(line).Append('\n');
}
