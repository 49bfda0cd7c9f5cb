using System.Globalization;
using ProtoBench.Codec.Generator;
using ProtoBench.Codec.Generator.Constructs;
using ProtoBench.Codec.Generator.Model;
using FieldType = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Messages.Generator;

/// <summary>Generates functions that make messages, as the author of a service would: setters, lists that grow once, strings and byte
/// arrays that are referenced where the library can. <c>Make</c> makes a message from the plain classes, which stand for the values that a
/// service has. <c>Reply</c> makes a small message from a message that was read.</summary>
/// <param name="form">The form of the messages that are made.</param>
/// <param name="plain">Gets the name of the plain class of a message.</param>
/// <param name="typeOf">Gets the qualified name of the type of a message or an enum in this form.</param>
sealed class MakeCode(ReadForm form, Func<ProtoMessage, string> plain, Func<object, string> typeOf)
{
    bool IsSlab => form == ReadForm.Slab;

    /// <summary>Writes the functions <c>MakeGoogle</c> and <c>MakePlain</c>, which return the message, or <c>Make</c>, which sets the
    /// fields of a slab message. With new strings, as most strings of services are, the functions have the suffix <c>New</c>.</summary>
    public void Make(CodeWriter code, ProtoMessage root, bool newStrings)
    {
        var name = (IsSlab ? "Make" : "Make" + form) + (newStrings ? "New" : "");
        foreach (var message in Messages(root))
        {
            Open(code, name, message, $"{plain(message)} source");
            foreach (var field in message.Fields) Make(code, field, name, newStrings);
            Close(code);
        }
    }

    /// <summary>Writes the function <c>Reply</c>. The reply repeats every third field, and of each list the first element. Required fields
    /// are always there, and fields of a oneof never are.</summary>
    public void Reply(CodeWriter code, ProtoMessage root)
    {
        foreach (var message in Messages(root))
        {
            Open(code, "Reply", message, $"{typeOf(message)} source");
            foreach (var (i, field) in message.Fields.Index())
            {
                if ((i % ReadAllCode.Third == 0 || field.IsRequired) && field.Presence != Presence.Oneof) Reply(code, field);
            }

            Close(code);
        }
    }

    // Google's code has no class for a wrapper.
    IEnumerable<ProtoMessage> Messages(ProtoMessage root) => ReadAllCode.Reachable(root).Where(message =>
        !message.IsMapEntry && !(form == ReadForm.Google && WrapperCode.IsWrapper(message)));

    void Open(CodeWriter code, string name, ProtoMessage message, string source)
    {
        code.Open(IsSlab ? $"public static void {name}({typeOf(message)} made, {source})" : $"public static {typeOf(message)} {name}({source})");
        if (!IsSlab) code.Line($"var made = new {typeOf(message)}();");
    }

    void Close(CodeWriter code)
    {
        if (!IsSlab) code.Line("return made;");
        code.Close();
        code.Line();
    }

    string Property(ProtoField field) => form == ReadForm.Plain ? PlainClasses.Property(field) : field.Names.Property;

    static string Local(ProtoField field) => "field" + field.Number.ToString(CultureInfo.InvariantCulture);

    void Make(CodeWriter code, ProtoField field, string name, bool newStrings)
    {
        var (source, local) = ($"source.{PlainClasses.Property(field)}", Local(field));
        if (!field.IsRepeated)
        {
            var isChecked = field.Message is not null || PlainClasses.IsNullable(field);
            code.Line((isChecked ? $"if ({source} is {{ }} {local}) " : "") + Set(field, isChecked ? local : source));
            return;
        }

        if (field.IsMap)
        {
            if (form == ReadForm.Plain) code.Line($"made.{Property(field)}.EnsureCapacity({source}.Count);");
            var (key, item) = (field.Message!.Fields[0], field.Message.Fields[1]);
            code.Line($"foreach (var item in {source}) {Put(field, Value(key, "item.Key"), item, "item.Value")}");
            return;
        }

        // numbers that are in an array already
        if (PlainClasses.IsArray(field) && field.Enum is null)
        {
            code.Line(form switch
            {
                ReadForm.Plain => $"made.{Property(field)} = {source};",
                ReadForm.Google => $"if ({source} is {{ }} {local}) made.{Property(field)}.AddRange({local});",
                _ => $"made.{field.Names.Add}({source});",
            });
            return;
        }

        if (PlainClasses.IsArray(field))
        {
            if (form == ReadForm.Plain) code.Line($"made.{Property(field)} = {source};");
            else code.Line($"foreach (var item in {source} ?? []) {Add(field, "item")}");
            return;
        }

        if (form == ReadForm.Google) code.Line($"made.{Property(field)}.Capacity = {source}.Count;");
        if (form == ReadForm.Plain) code.Line($"made.{Property(field)}.EnsureCapacity({source}.Count);");
        code.Line($"foreach (var item in {source}) {Add(field, "item")}");

        string Set(ProtoField field, string value) =>
            field.Message is null ? IsSlab ? $"made.{field.Names.Set}({Value(field, value)});" : $"made.{Property(field)} = {Value(field, value)};"
            : IsWrapper(field) ? form == ReadForm.Google
                ? $"made.{Property(field)} = {Wrapped(field, value)};" : $"made.{field.Names.Set}({Wrapped(field, value)});"
            : IsSlab ? $"{name}(made.{field.Names.Mutable}(), {value});" : $"made.{Property(field)} = {name}({value});";

        string Add(ProtoField field, string value) =>
            field.Message is null ? $"made.{(IsSlab ? field.Names.Add : Property(field) + ".Add")}({Value(field, value)});"
            : IsSlab ? $"{name}(made.{field.Names.Add}(), {value});" : $"made.{Property(field)}.Add({Message(field, value)});";

        string Put(ProtoField field, string key, ProtoField item, string value) =>
            item.Message is null ? IsSlab
                ? $"made.{field.Names.Set}({key}, {Value(item, value)});" : $"made.{Property(field)}.Add({key}, {Value(item, value)});"
            : IsSlab ? $"{name}(made.{field.Names.Mutable}({key}), {value});" : $"made.{Property(field)}.Add({key}, {Message(item, value)});";

        string Message(ProtoField field, string value) =>
            form == ReadForm.Google && WrapperCode.IsWrapper(field.Message!) ? Wrapped(field, value) : $"{name}({value})";

        string Wrapped(ProtoField field, string value)
        {
            var inner = field.Message!.Fields[0];
            var wrapped = $"{value}.{PlainClasses.Property(inner)}";
            return Value(inner, inner.Type == FieldType.Bytes ? $"({wrapped} ?? [])" : wrapped);
        }

        string Value(ProtoField field, string value) => field.Type switch
        {
            FieldType.String => newStrings ? $"New({value})" : value,
            FieldType.Bytes when form == ReadForm.Google => $"global::Google.Protobuf.UnsafeByteOperations.UnsafeWrap({value})",
            FieldType.Enum when form != ReadForm.Plain => $"({typeOf(field.Enum!)}){value}",
            _ => value,
        };
    }

    // The property of a wrapper in a message is a nullable value, in Google's code and in the slab codec's.
    bool IsWrapper(ProtoField field) => form != ReadForm.Plain && WrapperCode.IsWrapper(field.Message!);

    void Reply(CodeWriter code, ProtoField field)
    {
        var (source, local, target) = ($"source.{Property(field)}", Local(field), $"made.{Property(field)}");
        if (field.IsMap)
        {
            var item = field.Message!.Fields[1];
            code.Open($"foreach (var item in {source})");
            if (IsSlab && item.Message is { } wrapper && WrapperCode.IsWrapper(wrapper))
                code.Line($"if (item.Value is {{ }} {local}) made.{field.Names.Mutable}(item.Key).SetValue({local});");
            else
                code.Line(item.Message is null ? IsSlab ? $"made.{field.Names.Set}(item.Key, item.Value);" : $"{target}.Add(item.Key, item.Value);"
                : IsSlab ? $"Reply(made.{field.Names.Mutable}(item.Key), item.Value);" : $"{target}.Add(item.Key, {Message(item, "item.Value")});");
            code.Line("break;");
            code.Close();
        }
        else if (field.IsRepeated && form == ReadForm.Plain && PlainClasses.IsArray(field))
        {
            code.Line($"if ({source} is [var {local}, ..]) {target} = [{local}];");
        }
        else if (field.IsRepeated)
        {
            var count = IsSlab && field.Message is null && !field.IsBytes ? "Length" : "Count";
            var first = source + "[0]";
            code.Line($"if ({source}.{count} > 0) " + (
                field.Message is null ? $"{(IsSlab ? "made." + field.Names.Add : target + ".Add")}({first});"
                : IsSlab ? $"Reply(made.{field.Names.Add}(), {first});" : $"{target}.Add({Message(field, first)});"));
        }
        else if (field.Message is not null && !IsWrapper(field))
        {
            code.Line(IsSlab
                ? $"if ({source} is {{ {field.Message.Names.IsSet}: true }} {local}) Reply(made.{field.Names.Mutable}(), {local});"
                : $"if ({source} is {{ }} {local}) {target} = Reply({local});");
        }
        else
        {
            var hasBit = field.Message is null && field.Presence == Presence.Bit && form != ReadForm.Plain;
            code.Line((hasBit ? $"if (source.{field.Names.Has}) " : "") + (IsSlab ? $"made.{field.Names.Set}({source});" : $"{target} = {source};"));
        }

        string Message(ProtoField field, string value) =>
            form == ReadForm.Google && WrapperCode.IsWrapper(field.Message!) ? value : $"Reply({value})";
    }
}
