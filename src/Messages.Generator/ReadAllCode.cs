using System.Globalization;
using ProtoBench.Codec.Generator;
using ProtoBench.Codec.Generator.Constructs;
using ProtoBench.Codec.Generator.Model;
using FieldType = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Messages.Generator;

/// <summary>Specifies how a message is read.</summary>
enum ReadForm
{
    /// <summary>Google's generated class, whose strings are .NET strings.</summary>
    Google,

    /// <summary>The class of <see cref="PlainClasses"/>.</summary>
    Plain,

    /// <summary>The slab codec's view, with strings in UTF-8.</summary>
    Slab,

    /// <summary>The slab codec's view, with each string converted to a .NET string.</summary>
    SlabStrings,

    /// <summary>The slab codec's view, with each string from a pool.</summary>
    SlabPooled,
}

/// <summary>Generates functions that read every field of a message, so that a library that only stores positions has to decode them. The
/// sum keeps the compiler from leaving a read out. Strings and bytes are read by a function <c>Leaf</c>.</summary>
/// <param name="form">How the messages are read.</param>
/// <param name="typeName">Gets the qualified name of a message's type in this form.</param>
/// <param name="every">1 for every field, or <see cref="Third"/> for every third one of each message.</param>
sealed class ReadAllCode(ReadForm form, Func<ProtoMessage, string> typeName, int every = 1)
{
    /// <summary>A service reads a third of the fields of a request.</summary>
    public const int Third = 3;

    string Name => (form is ReadForm.SlabStrings or ReadForm.SlabPooled ? "Strings" : "Touch") + (every == Third ? "Third" : "");

    /// <summary>Gets the message and every message that its fields can hold, directly or indirectly.</summary>
    public static IReadOnlyCollection<ProtoMessage> Reachable(ProtoMessage root)
    {
        var (found, next) = (new HashSet<ProtoMessage> { root }, new Queue<ProtoMessage>([root]));
        while (next.TryDequeue(out var message))
        {
            foreach (var inner in message.Fields.Select(field => field.Message).OfType<ProtoMessage>().Where(found.Add))
                next.Enqueue(inner);
        }

        return found;
    }

    /// <summary>Writes a function for the message, and one for each message in it.</summary>
    public void Write(CodeWriter code, ProtoMessage root)
    {
        foreach (var message in Reachable(root))
        {
            // Only the slab codec has a type for the entry of a map. Google's code has no class for a wrapper.
            if (message.IsMapEntry && form is (ReadForm.Google or ReadForm.Plain)) continue;
            if (form == ReadForm.Google && WrapperCode.IsWrapper(message)) continue;
            var pool = form == ReadForm.SlabPooled ? ", global::ProtoBench.Codec.Utf8StringPool pool" : "";
            code.Open($"public static long {Name}({typeName(message)} message{pool})");
            code.Line("var sum = 0L;");
            foreach (var (i, field) in message.Fields.Index())
            {
                if (i % every == 0 || message.IsMapEntry) Write(code, field);
            }

            code.Line("return sum;");
            code.Close();
            code.Line();
        }
    }

    void Write(CodeWriter code, ProtoField field)
    {
        var value = $"message.{(form == ReadForm.Plain ? PlainClasses.Property(field) : field.Names.Property)}";
        if (!field.IsRepeated)
        {
            if (field.Message is null)
            {
                code.Line($"sum += {Read(field, form == ReadForm.Plain && PlainClasses.IsNullable(field) && !field.IsBytes
                    ? $"{value}.GetValueOrDefault()" : value)};");
                return;
            }

            // What is absent is null, except for a message of the slab codec: its wrappers are nullable values, as Google's.
            var local = "field" + field.Number.ToString(CultureInfo.InvariantCulture);
            var isWrapper = form != ReadForm.Plain && WrapperCode.IsWrapper(field.Message);
            var set = form is ReadForm.Google or ReadForm.Plain || isWrapper ? "{ }" : $"{{ {field.Message.Names.IsSet}: true }}";
            code.Line($"if ({value} is {set} {local}) sum += {Read(isWrapper ? field.Message.Fields[0] : field, local)};");
            return;
        }

        // the enumerator of Google's lists is an object, and the JIT does not always find that it can be on the stack
        if (form == ReadForm.Google && !field.IsMap)
        {
            var list = "list" + field.Number.ToString(CultureInfo.InvariantCulture);
            code.Line($"var {list} = {value};");
            code.Line($"for (var i = 0; i < {list}.Count; i++) sum += {Element(field, $"{list}[i]")};");
            return;
        }

        code.Line($"foreach (var item in {value}{(form == ReadForm.Plain && PlainClasses.IsArray(field) ? " ?? []" : "")})");
        code.Indent();
        if (field.IsMap && form is (ReadForm.Google or ReadForm.Plain))
            code.Line($"sum += {Read(field.Message!.Fields[0], "item.Key")} + {Element(field.Message.Fields[1], "item.Value")};");
        else
            code.Line($"sum += {Element(field, "item")};");
        code.Unindent();
    }

    // Wrappers in Google's lists and maps are nullable values too. The slab codec returns the message.
    string Element(ProtoField field, string value) =>
        form == ReadForm.Google && field.Message is { } message && WrapperCode.IsWrapper(message) ? $"({value} is {{ }} one ? {Read(message.Fields[0], "one")} : 0)" : Read(field, value);

    string Read(ProtoField field, string value) => field.Type switch
    {
        FieldType.Message or FieldType.Group => $"{Name}({value}{(form == ReadForm.SlabPooled ? ", pool" : "")})",
        FieldType.String => form switch
        {
            ReadForm.Google or ReadForm.Plain => $"Leaf({value})",
            ReadForm.Slab => $"Leaf({value}.Span)",
            ReadForm.SlabPooled => $"Leaf({value}.ToString(pool))",
            _ => $"Leaf({value}.ToString())",
        },
        FieldType.Bytes => form is ReadForm.Google or ReadForm.Plain ? $"Leaf({value})" : $"Leaf({value}.Span)",
        FieldType.Bool => $"({value} ? 1 : 0)",
        _ => $"(long){value}",
    };
}
