using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the code of a sub-message. The struct of fields contains its index. It is 0 if there is none, so the property is then
/// a view of element 0, which is empty.</summary>
class MessageCode(ProtoField field) : FieldCode(field)
{
    protected MessageCalls Calls { get; } = new(field);

    public override WireTag Tag => Calls.Tag;

    public override string SlotType => "int";

    public override IEnumerable<(string Name, string Type)> Arrays => [(Names.Storage, Calls.StorageType)];

    protected string Array => "storage." + Names.Storage;

    bool IsOneof => Field.Presence == Presence.Oneof;

    // the value of a map entry: without a value on the wire it is an empty message
    bool IsAlways => Field.Presence == Presence.Always;

    public override void Accessors(CodeWriter code)
    {
        Head(code);
        ViewCode.Getter(code, Calls.Type, Names.Property, Existing, $"new({Array}, value, child)", $"var child = {Array}.Stamp;");
        PresenceCode.Has(code, Field, IsPresent($"{Slot} != 0"));
    }

    public override void Mutators(CodeWriter code)
    {
        Head(code, "Gets or creates the message of");
        ViewCode.Method(code, Field.Owner.Names, $"{Calls.Type} {Names.Mutable}()",
            [$"var at = {Array}.Add({Existing});", .. LinkIt("at"), $"return new({Array}, at, {Array}.Stamp);"]);
        if (!IsAlways) SetCopy(code);
        PresenceCode.Clear(code, Field, Forget);
    }

    /// <summary>The method for a value that is not set. As in Google's code, it clears the whole oneof.</summary>
    protected string ClearMethod => IsOneof ? Field.Oneof!.ClearMethod : Names.Clear;

    void SetCopy(CodeWriter code)
    {
        Head(code, "Sets");
        code.Open($"public void {Names.Set}({Calls.Type} source)");
        code.Line($"{Field.Owner.Names.Mutable}();");
        code.Line($"var reader = {Calls.Copy("source")};");
        code.Open($"if (!source.{Field.Message!.Names.IsSet})");
        code.Line($"{ClearMethod}();");
        code.Line("return;");
        code.Close();
        code.Line();
        code.Line($"var at = {Array}.Append();");
        code.Line($"runtime::MessageMemory.Read(reader, new {Calls.Type}({Array}, at, {Array}.Stamp));");
        code.Line($"ref var fields = ref {Field.Owner.Names.Mutable}();");
        code.Line($"{Slot} = at;");
        code.Lines(MarkPresent);
        code.Close();
        code.Line();
    }

    protected string Forget => IsAlways ? $"{Slot} = storage.{Names.Storage}.Append();" : $"{Slot} = 0;";

    /// <summary>Gets the statements that make the element with the index in a local the sub-message.</summary>
    protected IEnumerable<string> LinkIt(string local) => [.. Calls.TakeFieldsAgain, $"{Slot} = {local};", .. MarkPresent];

    /// <summary>The index of the existing sub-message; 0 if another field of the oneof is set, which uses the same slot.</summary>
    protected string Existing => IsOneof ? $"{IsPresent("")} ? {Slot} : 0" : Slot;

    public override void ParseCases(CodeWriter code, IReadOnlyList<string> next)
    {
        code.Line($"case {Tag.Value}:");
        code.Indent();

        // a second value in a map entry replaces the first one; in other messages it is merged
        code.Line($"var {Names.Local} = {Array}.Open({(IsAlways ? "0" : Existing)});");
        Calls.Parse(code, Array, Names.Local);
        code.Line("fields = ref storage[index];");
        code.Line($"{Slot} = {Names.Local};");
        code.Lines(MarkPresent);
        code.Lines(next);
        code.Unindent();
    }

    /// <summary>Writes the statements that add the value of a map entry that was read without one.</summary>
    public void AddMissing(CodeWriter code)
    {
        code.Open($"if ({Slot} == 0)");
        code.Line("// the missing value is written as an empty message, so it counts as a level of nesting");
        code.Line("reader.ThrowIfTooDeep(depth);");
        code.Line(Forget);
        code.Close();
    }

    public override void Size(CodeWriter code)
    {
        Calls.CheckDepth(code, IsWritten($"{Slot} != 0"));
        code.Line($"if ({IsWritten($"{Slot} != 0")}) size += {Calls.Size(Array, $"ref {Array}[{Slot}]")};");
    }

    public override void Write(CodeWriter code)
    {
        code.Open($"if ({IsWritten($"{Slot} != 0")})");
        code.Line($"ref var {Names.Local} = ref {Array}[{Slot}];");
        Calls.Write(code, Array, Names.Local);
        code.Close();
        code.Line();
    }

    public override void Required(CodeWriter code)
    {
        if (Field.IsRequired) code.Line($"if ({Slot} == 0) return \"{Field.Owner.ProtoName}.{Field.Descriptor.Name}\";");
    }

    public override void RequiredInside(CodeWriter code) =>
        code.Line($"if ({IsPresent($"{Slot} != 0")} && {Calls.StorageType}.{RequiredCode.Method}({Array}, ref {Array}[{Slot}]) "
            + $"is {{ }} in{Names.Storage}) return in{Names.Storage};");

    public override void Equality(CodeWriter code)
    {
        if (IsOneof)
        {
            code.Line(Differs(
                $"!{Calls.AreEqual(Array, $"ref {Array}[{Slot}]", Other(Array), $"ref {Other(Array)}[{Other(Slot)}]")}"));
            return;
        }

        code.Line($"if (({Slot} == 0) != ({Other(Slot)} == 0)) return false;");
        code.Line($"if ({Slot} != 0 && "
            + $"!{Calls.AreEqual(Array, $"ref {Array}[{Slot}]", Other(Array), $"ref {Other(Array)}[{Other(Slot)}]")}) return false;");
    }

    public override void Hash(CodeWriter code) =>
        code.Line($"if ({IsWritten($"{Slot} != 0")}) hash.Add({Field.Number}, {Calls.Hash(Array, $"ref {Array}[{Slot}]")});");

    protected override string IsFilled => $"{Slot} != 0";

    public override IReadOnlyList<string> PrintValue => [Calls.Print(Array, $"ref {Array}[{Slot}]")];
}

/// <summary>Generates the code of a wrapper of a scalar (google.protobuf.Int32Value). The property is a value that may be null. On the wire
/// the wrapper is a sub-message like any other.</summary>
sealed class WrapperCode(ProtoField field) : MessageCode(field)
{
    ProtoField Value => Field.Message!.Fields[0];

    public static bool IsWrapper(ProtoMessage message) => message.File.Descriptor.Name == "google/protobuf/wrappers.proto";

    /// <summary>The type of the property.</summary>
    string ViewType => (Value.IsBytes ? BytesCode.ViewType(Value) : ScalarKind.Of(Value).Stored) + "?";

    public override void Accessors(CodeWriter code)
    {
        Head(code);
        ViewCode.Getter(code, ViewType, Names.Property, Existing, $"value == 0 ? null : new {Calls.Type}({Array}, value, child).Value",
            $"var child = {Array}.Stamp;");
    }

    public override void Mutators(CodeWriter code)
    {
        var forms = Value.IsBytes
            ? BytesCode.Stores(Value).Select(store => (store.Type, store.Parameter)) : [(ScalarKind.Of(Value).Stored, "value")];
        foreach (var (type, parameter) in forms)
        {
            Head(code, "Sets");
            ViewCode.Method(code, Field.Owner.Names, $"void {Names.Set}({type} {parameter})",
            [
                $"var at = {Array}.Add({Existing});",
                $"new {Calls.Type}({Array}, at, {Array}.Stamp).SetValue({parameter});",
                .. LinkIt("at"),
            ]);
        }

        Head(code, "Sets");

        // a value that is not null converts to a span, too
        if (Value.IsBytes) code.Line("[jit::OverloadResolutionPriority(1)]");
        code.Open($"public void {Names.Set}({ViewType} value)");
        code.Line($"if (value is {{ }} given) {Names.Set}({(Value.IsBytes ? "given.Span" : "given")});");
        code.Line($"else {ClearMethod}();");
        code.Close();
        code.Line();
        PresenceCode.Clear(code, Field, Forget);
    }
}

/// <summary>Generates the code of a repeated sub-message, and the code that a map shares with it.</summary>
class RepeatedMessageCode(ProtoField field) : FieldCode(field)
{
    protected MessageCalls Calls { get; } = new(field);

    public override WireTag Tag => Calls.Tag;

    public override string SlotType => "runtime::ElementRange";

    public override IEnumerable<(string Name, string Type)> Arrays => [(Names.Storage, Calls.StorageType)];

    protected string Array => "storage." + Names.Storage;

    /// <summary>The expression for the range of the elements.</summary>
    protected virtual string Range => Slot;

    public override void Accessors(CodeWriter code)
    {
        Head(code);
        ViewCode.Getter(code, $"codec::MessageList<{Calls.Type}>", Names.Property, Range, $"new(new({Array}, 0, child), value)",
            $"var child = {Array}.Stamp;");
    }

    public override void Mutators(CodeWriter code)
    {
        Head(code, "Adds an element to");
        ViewCode.Method(code, Field.Owner.Names, $"{Calls.Type} {Names.Add}()",
        [
            $"var {Names.Local} = {Slot};",
            $"var at = {Array}.Add(ref {Names.Local});",
            .. Calls.TakeFieldsAgain,
            $"{Slot} = {Names.Local};",
            .. MarkPresent,
            $"return new({Array}, at, {Array}.Stamp);",
        ]);
        Head(code, "Adds a copy of a message to");
        code.Open($"public {Calls.Type} {Names.Add}({Calls.Type} source)");
        code.Line($"{Field.Owner.Names.Mutable}();");
        code.Line($"var reader = {Calls.Copy("source")};");
        code.Line($"var added = {Names.Add}();");
        code.Open("try");
        code.Line("return runtime::MessageMemory.Read(reader, added);");
        code.Close();
        code.Open("catch");
        code.Line($"{Names.RemoveAt}({Field.Owner.Names.Mutable}().{Names.Storage}.Count - 1);");
        code.Line("throw;");
        code.Close();
        code.Close();
        code.Line();
        code.Line($"/// <summary>Removes an element from the field {DocComment.Escape(Field.Descriptor.Name)}.</summary>");
        ViewCode.Method(code, Field.Owner.Names, $"void {Names.RemoveAt}(int index)",
        [
            $"var {Names.Local} = {Slot};",
            $"{Array}.RemoveAt(ref {Names.Local}, index);",
            $"{Field.Owner.Names.Mutable}().{Names.Storage} = {Names.Local};",
        ]);
        PresenceCode.Clear(code, Field, $"{Slot} = default;");
    }

    public override void ParseCases(CodeWriter code, IReadOnlyList<string> next)
    {
        code.Line($"case {Tag.Value}:");
        code.Indent();
        code.Line($"var {Names.Local} = {BeginList};");
        code.Open("do");
        ParseElement(code);
        code.Close();
        code.Line($"while (reader.TryReadTag({Tag.Value}));");
        code.Line("fields = ref storage[index];");
        code.Line($"{Slot} = {EndList};");
        code.Lines(MarkPresent);
        code.Lines(next);
        code.Unindent();
    }

    protected virtual string BeginList => Calls.BeginList(Slot);

    protected virtual string EndList => Calls.EndList(Names.Local);

    /// <summary>Writes statements that read an element.</summary>
    protected virtual void ParseElement(CodeWriter code) => Calls.ParseAppended(code, Array, Names.Local);

    public override void Size(CodeWriter code)
    {
        OpenIfWide(code);
        Calls.CheckDepth(code, $"{Range}.Count != 0");
        code.Line($"foreach (ref var item in {Array}.Slice({Range})) size += "
            + $"{Calls.Size(Array, "ref item")};");
        CloseIfWide(code);
    }

    public override void Write(CodeWriter code)
    {
        OpenIfWide(code);
        code.Open($"foreach (ref var item in {Array}.Slice({Range}))");
        Calls.Write(code, Array, "item");
        code.Close();
        CloseIfWide(code);
        code.Line();
    }

    public override void RequiredInside(CodeWriter code)
    {
        code.Open($"foreach (ref var item in {Array}.Slice({Range}))");
        code.Line($"if ({Calls.StorageType}.{RequiredCode.Method}({Array}, ref item) is {{ }} missing) return missing;");
        code.Close();
        code.Line();
    }

    public override void Equality(CodeWriter code)
    {
        code.OpenBlock();
        code.Line($"var items = {Array}.Slice({Range});");
        code.Line($"var others = {Other(Array)}.Slice({Other(Range)});");
        code.Line("if (items.Length != others.Length) return false;");
        code.Open("for (var i = 0; i < items.Length; i++)");
        code.Line($"if (!{Calls.AreEqual(Array, "ref items[i]", Other(Array), "ref others[i]")}) return false;");
        code.Close();
        code.Close();
        code.Line();
    }

    public override void Hash(CodeWriter code) =>
        code.Line($"foreach (ref var item in {Array}.Slice({Range})) hash.Add({Field.Number}, {Calls.Hash(Array, "ref item")});");

    protected override string IsFilled => $"{Range}.Count != 0";

    public override IReadOnlyList<string> PrintValue =>
    [
        $"printer.Begin{Collection}();",
        $"foreach (ref var item in {Array}.Slice({Range})) {Calls.Print(Array, "ref item")}",
        $"printer.End{Collection}();",
    ];

    /// <summary>What the field is for a printer.</summary>
    protected virtual string Collection => "List";

    protected void OpenIfWide(CodeWriter code)
    {
        if (Field.HasBit) code.Open($"if ({PresenceBits.TestCopy(Field)})");
    }

    void CloseIfWide(CodeWriter code)
    {
        if (Field.HasBit) code.Close();
    }
}

/// <summary>Generates the calls from the code of a message to the code of its sub-message.</summary>
sealed class MessageCalls(ProtoField field)
{
    readonly ProtoMessage message = field.Message!;
    readonly LayoutCode layout = LayoutCode.Of(field.Message!);

    public WireTag Tag { get; } = new(field.Number, field.IsDelimited ? WireTag.StartGroup : WireTag.Delimited);

    uint EndTag => Tag.Value + 1;

    public string Type => message.TypeName;

    public string StorageType => $"{message.TypeName}.{message.Names.Storage}";

    string Code => StorageType;

    /// <summary>Gets the statements that take the fields of the owner again after a sub-message was added. A message that contains itself
    /// has both in one array, which may have grown.</summary>
    public IReadOnlyList<string> TakeFieldsAgain { get; } =
        field.Message == field.Owner ? [$"fields = ref {field.Owner.Names.Mutable}();"] : [];

    /// <summary>Writes statements that read into an existing element.</summary>
    public void Parse(CodeWriter code, string array, string index) => ParseInto(code, array, layout.Element(array, index));

    /// <inheritdoc cref="LayoutCode.BeginList"/>
    public string BeginList(string range) => layout.BeginList(range);

    /// <inheritdoc cref="LayoutCode.EndList"/>
    public string EndList(string list) => layout.EndList(list);

    /// <summary>Writes statements that read into a new element of a list.</summary>
    public void ParseAppended(CodeWriter code, string array, string list) => ParseInto(code, array, layout.Appended(array, list));

    void ParseInto(CodeWriter code, string array, string element)
    {
        if (field.IsDelimited) ParseGroup(code, array, element);
        else layout.Parse(code, array, element);
    }

    void ParseGroup(CodeWriter code, string array, string element)
    {
        if (!message.File.IsGenerated)
        {
            code.Line($"{Code}.Parse(reader.ReadGroup({Tag.Value}, depth, ref scratch), {array}, {element}, depth + 1);");
            return;
        }

        // on a copy, because a reader whose address is taken is kept in memory
        code.Line("reader.ThrowIfTooDeep(depth);");
        code.Line("scratch = reader;");
        code.Line($"{Code}.{GroupCode.Method}(ref scratch, {array}, {element}, depth + 1, {EndTag});");
        code.Line("reader = scratch;");
    }

    /// <summary>Gets the expression for the size of the field on the wire.</summary>
    public string Size(string array, string fields)
    {
        var size = layout.Size(array, fields, field.IsDelimited);
        return field.IsDelimited ? $"{2 * Tag.Size} + {size}" : $"{Tag.Size} + runtime::WireSize.Body({size})";
    }

    /// <summary>Writes the check that the message is not nested deeper than a reader accepts, if its own code does not check it.</summary>
    public void CheckDepth(CodeWriter code, string isThere) => layout.CheckDepth(code, isThere);

    /// <summary>Gets the expression for a reader of a copy of a message, in the memory of the owner.</summary>
    public string Copy(string source) => $"{Code}.{StorageDeclaration.CopyMethod}({source}, storage.Memory)";

    public string AreEqual(string array, string fields, string otherArray, string other) =>
        $"{Code}.AreEqual({array}, {fields}, {otherArray}, {other})";

    public string Hash(string array, string fields) => $"{Code}.Hash({array}, {fields})";

    public string Print(string array, string fields) => $"{Code}.Print(ref printer, {array}, {fields});";

    /// <summary>Writes statements that write the tag, the length and the body of a message, or a group between its tags. A local refers to
    /// its fields.</summary>
    public void Write(CodeWriter code, string array, string local)
    {
        if (!field.IsDelimited)
        {
            layout.WriteField(code, field.Owner, Tag.Value, array, local);
            return;
        }

        code.Line($"writer.WriteTag({Tag.Value});");
        layout.WriteBody(code, array, local);
        code.Line($"writer.WriteTag({EndTag});");
    }
}
