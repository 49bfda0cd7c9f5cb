using Google.Protobuf.Reflection;
using Google.Protobuf.WellKnownTypes;
using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the code that prints a well-known type in its own form, which it has in JSON but not in the text format.</summary>
static class OwnJsonForm
{
    static readonly Dictionary<string, string> standard = new[]
    {
        TimestampReflection.Descriptor, DurationReflection.Descriptor, FieldMaskReflection.Descriptor, AnyReflection.Descriptor,
        StructReflection.Descriptor, WrappersReflection.Descriptor,
    }.SelectMany(file => file.MessageTypes).ToDictionary(message => message.Name, message => Fields(message.ToProto()));

    /// <summary>Writes statements that print the message and return, if the printer has an own form for it.</summary>
    public static void Write(CodeWriter code, ProtoMessage message, IReadOnlyList<FieldCode> fields)
    {
        // a copy of the file with another namespace may have other fields
        if (!message.File.IsInRuntime || message.Parent is not null
            || standard.GetValueOrDefault(message.Descriptor.Name) != Fields(message.Descriptor)) return;
        switch (message.Descriptor.Name)
        {
            case "Timestamp" or "Duration":
                code.Line($"if (printer.{message.Descriptor.Name}({Slot(0)}, {Slot(1)})) return;");
                break;
            case "FieldMask":
                code.Line($"if (printer.FieldMask(storage.Memory, storage.Ranges.Slice({Slot(0)}))) return;");
                break;
            case "Any":
                code.Line($"if (printer.Any(storage.Memory.Span({Slot(0)}), storage.Memory.Span({Slot(1)}))) return;");
                break;
            case "Value":
                var kind = message.Oneofs[0];
                var number = fields.Single(one => one.Field.Descriptor.Name == "number_value").Field;
                code.Open($"if (printer.IsBare(fields.{kind.Storage} != {OneofCode.None(message, kind)}, "
                    + $"fields.{kind.Storage} == {OneofCode.Case(number)} ? fields.{number.Names.Storage} : 0))");
                foreach (var one in fields) one.PrintInOneof(code);
                code.Line("return;");
                code.Close();
                code.Line();
                break;
            case "Struct" or "ListValue":
                WithoutName(code, fields[0]);
                break;
            case var _ when WrapperCode.IsWrapper(message):
                WithoutName(code, fields[0]);
                break;
        }

        string Slot(int index) => "fields." + fields[index].Field.Names.Storage;
    }

    static string Fields(DescriptorProto message) =>
        string.Join(", ", message.Field.Select(field => $"{field.Label} {field.Type} {field.Name}"));

    /// <summary>Writes statements that print the only field of a message without its name.</summary>
    static void WithoutName(CodeWriter code, FieldCode field)
    {
        code.Open("if (printer.IsJson)");
        code.Lines(field.PrintValue);
        code.Line("return;");
        code.Close();
        code.Line();
    }
}
