using System.Text;
using ProtoBench.Codec.Generator.Model;
using FieldType = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.New;

/// <summary>Writes functions that read every field, so that a library that only stores positions has to decode them.</summary>
static class ReadAllFile
{
    public static string Write(ProjectNames names)
    {
        var functions = new StringBuilder();
        foreach (var form in (ReadForm[])[ReadForm.Google, ReadForm.Slab, ReadForm.SlabStrings, ReadForm.SlabPooled])
        {
            foreach (var message in Reachable(form == ReadForm.Google ? names.GoogleMessage : names.SlabMessage))
                functions.Append(new ReadFunction(message, form).Write());
        }

        return $$"""
            {{ProgramFile.Usings("Google.Protobuf", "ProtoBench.Codec")}}

            /// <summary>Reads every field of a message. The sum keeps the compiler from leaving a read out.</summary>
            static class ReadAll
            {
            {{functions}}
                static long Touch(string text) => text.Length == 0 ? 0 : text[0] + text[^1] + text.Length;

                static long Touch(ByteString bytes) => Touch(bytes.Span);

                static long Touch(ReadOnlySpan<byte> bytes) => bytes.IsEmpty ? 0 : bytes[0] + bytes[^1] + bytes.Length;
            }

            """;
    }

    /// <summary>Returns the message and every message that its fields can hold, directly or indirectly.</summary>
    public static HashSet<ProtoMessage> Reachable(ProtoMessage root)
    {
        var (found, next) = (new HashSet<ProtoMessage> { root }, new Queue<ProtoMessage>([root]));
        while (next.TryDequeue(out var message))
        {
            foreach (var inner in message.Fields.Select(field => field.Message).OfType<ProtoMessage>().Where(found.Add))
                next.Enqueue(inner);
        }

        return found;
    }
}

/// <summary>Specifies how a message is read.</summary>
enum ReadForm
{
    /// <summary>Google's generated class, whose strings are .NET strings.</summary>
    Google,

    /// <summary>The slab codec's view, with strings in UTF-8.</summary>
    Slab,

    /// <summary>The slab codec's view, with each string converted to a .NET string.</summary>
    SlabStrings,

    /// <summary>The slab codec's view, with each string from a pool.</summary>
    SlabPooled,
}

/// <summary>Writes the function that reads every field of one message.</summary>
sealed class ReadFunction(ProtoMessage message, ReadForm form)
{
    readonly StringBuilder text = new();

    string Name => form is ReadForm.SlabStrings or ReadForm.SlabPooled ? "Strings" : "Touch";

    /// <summary>Returns the function; empty for a message without a class of Google.</summary>
    public string Write()
    {
        if (form == ReadForm.Google && (message.IsMapEntry || IsWrapper(message)))
            return "";
        var type = form == ReadForm.Google ? ProjectNames.GoogleName(message) : message.TypeName;
        text.Append($"    public static long {Name}({type} message{(form == ReadForm.SlabPooled ? ", Utf8StringPool pool" : "")})\n    {{\n        var sum = 0L;\n");
        foreach (var field in message.Fields)
            Field(field);
        text.Append("        return sum;\n    }\n\n");
        return text.ToString();
    }

    static bool IsWrapper(ProtoMessage? message) => message?.File.Descriptor.Name == "google/protobuf/wrappers.proto";

    void Field(ProtoField field)
    {
        var value = $"message.{field.Names.Property}";
        if (!field.IsRepeated)
        {
            // A sub-message may be absent, and so may the value of a wrapper, which both libraries return as a nullable value.
            var read = IsWrapper(field.Message)
                ? Read(field.Message!.Fields[0], Local(field)) : Read(field, field.Message is null ? value : Local(field));
            Line(2, field.Message is null ? $"sum += {read};" : $"if ({value} is {{ }} {Local(field)}) sum += {read};");
            return;
        }

        Line(2, $"foreach (var item in {value})");
        if (field.IsMap && form == ReadForm.Google)
            Line(3, $"sum += {Read(field.Message!.Fields[0], "item.Key")} + {GoogleElement(field.Message.Fields[1], "item.Value")};");
        else
            Line(3, $"sum += {(form == ReadForm.Google ? GoogleElement(field, "item") : Read(field, "item"))};");
    }

    static string Local(ProtoField field) => "field" + field.Number.ToString(System.Globalization.CultureInfo.InvariantCulture);

    // Wrappers in Google's lists and maps are nullable values too. The slab codec returns the message.
    string GoogleElement(ProtoField field, string value) =>
        IsWrapper(field.Message) ? $"({value} is {{ }} one ? {Read(field.Message!.Fields[0], "one")} : 0)" : Read(field, value);

    string Read(ProtoField field, string value) => field.Type switch
    {
        FieldType.Message => $"{Name}({value}{(form == ReadForm.SlabPooled ? ", pool" : "")})",
        FieldType.String => form switch
        {
            ReadForm.Google => $"Touch({value})",
            ReadForm.Slab => $"Touch({value}.Span)",
            ReadForm.SlabPooled => $"Touch({value}.ToString(pool))",
            _ => $"Touch({value}.ToString())",
        },
        FieldType.Bytes => form == ReadForm.Google ? $"Touch({value})" : $"Touch({value}.Span)",
        FieldType.Bool => $"({value} ? 1 : 0)",
        _ => $"(long){value}",
    };

    void Line(int indent, string line) => text.Append(' ', 4 * indent).Append(line).Append('\n');
}
