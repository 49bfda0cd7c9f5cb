using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the code of a number, a bool or an enum.</summary>
sealed class ScalarCode(ProtoField field) : FieldCode(field)
{
    readonly ScalarKind kind = ScalarKind.Of(field);

    public override WireTag Tag => new(Field.Number, kind.WireType);

    public override string SlotType => Field.Enum?.TypeName ?? kind.Stored;

    public override void Accessors(CodeWriter code)
    {
        Head(code);
        var value = DefaultValue.Of(Field) is { } given ? $"{IsPresent("")} ? {Slot} : {given}"
            : Field.Presence == Presence.Oneof ? $"{IsPresent("")} ? {Slot} : default"
            : Slot;
        ViewCode.Getter(code, SlotType, Names.Property, value);
        PresenceCode.Has(code, Field, IsPresent(""));
    }

    public override void Mutators(CodeWriter code)
    {
        Head(code, "Sets");
        ViewCode.Method(code, Field.Owner.Names, $"void {Names.Set}({SlotType} value)", [$"{Slot} = value;", .. MarkPresent]);
        PresenceCode.Clear(code, Field, $"{Slot} = default;");
    }

    /// <summary>Writes statements that store a value that was read.</summary>
    public void Assign(CodeWriter code, string value)
    {
        code.Line($"{Slot} = {value};");
        code.Lines(MarkPresent);
    }

    public override void ParseCases(CodeWriter code, IReadOnlyList<string> next)
    {
        code.Line($"case {Tag.Value}:");
        code.Indent();
        // in a map entry the number is always read: the code of the map decides whether the entry is kept
        if (Field.Enum is { IsClosed: true } closed && Field.Presence != Presence.Always)
        {
            code.Line($"var {Names.Local} = reader.ReadInt32(ref scratch);");
            code.Open($"if ({EnumCode.IsKnown(closed, Names.Local)})");
            code.Line($"{Slot} = ({SlotType}){Names.Local};");
            code.Lines(MarkPresent);
            code.Close();
            code.Open("else");
            code.Line(UnknownFieldsCode.Keep(Tag.Value, Names.Local));
            code.Close();
            code.Line();
        }
        else
        {
            Assign(code, $"{EnumCode.Cast(Field)}reader.Read{kind.Method}(ref scratch)");
        }

        code.Lines(next);
        code.Unindent();
    }

    public override void Size(CodeWriter code) =>
        code.Line($"if ({IsWritten(kind.IsSet(Slot))}) size += {Tag.Size} + {kind.Size(EnumCode.Number(Field, Slot))};");

    public override void Write(CodeWriter code) =>
        code.Line($"if ({IsWritten(kind.IsSet(Slot))}) writer.Write{kind.Method}({Tag.Value}, {Written});");

    /// <summary>The expression that is written. A bool without presence is written only if it is true.</summary>
    string Written => Field.Presence == Presence.Implicit && kind.Method == "Bool"
        ? "true" : EnumCode.Number(Field, Slot);

    public override void Equality(CodeWriter code) => code.Line(Differs(kind.Differs(Slot, Other(Slot))));

    public override void Hash(CodeWriter code) =>
        code.Line($"if ({IsWritten(kind.IsSet(Slot))}) hash.Add({Field.Number}, {EnumCode.Number(Field, Slot)});");

    protected override string IsFilled => kind.IsSet(Slot);

    public override IReadOnlyList<string> PrintValue => [EnumCode.Print(Field, Slot)];
}

/// <summary>Generates the code of a repeated number, bool or enum, packed or not. Both encodings are read.</summary>
sealed class RepeatedScalarCode(ProtoField field) : FieldCode(field)
{
    readonly ScalarKind kind = ScalarKind.Of(field);

    public override WireTag Tag => new(Field.Number, Field.IsPacked ? WireTag.Delimited : kind.WireType);

    public override string SlotType => "runtime::ElementRange";

    public override IEnumerable<(string Name, string Type)> Arrays => [(ArrayName(kind), $"runtime::Storage<{kind.Stored}>")];

    string Array => "storage." + ArrayName(kind);

    string Element => Field.Enum?.TypeName ?? kind.Stored;

    string Stored => Field.Enum is null ? "value" : "(int)value";

    string Cast(string values) =>
        Field.Enum is null ? values : $"sys::Runtime.InteropServices.MemoryMarshal.Cast<{Element}, int>({values})";

    /// <summary>Gets the name of the array of this element type, which all repeated fields of a message share.</summary>
    static string ArrayName(ScalarKind kind) => kind.Stored switch
    {
        "double" => "Doubles",
        "float" => "Floats",
        "int" => "Int32s",
        "long" => "Int64s",
        "uint" => "UInt32s",
        "ulong" => "UInt64s",
        _ => "Bools",
    };

    public override void Accessors(CodeWriter code)
    {
        Head(code);
        var elements = $"{Array}.Slice({Slot})";
        ViewCode.Getter(code, $"sys::ReadOnlySpan<{Element}>", Names.Property,
            Field.Enum is null ? elements : $"sys::Runtime.InteropServices.MemoryMarshal.Cast<int, {Element}>({elements})");
    }

    public override void Mutators(CodeWriter code)
    {
        Head(code, "Adds an element to");
        ViewCode.Method(code, Field.Owner.Names, $"void {Names.Add}({Element} value)",
            [$"{Array}.Append(ref {Slot}, {Stored});", .. MarkPresent]);
        ViewCode.Method(code, Field.Owner.Names, $"void {Names.Add}(sys::ReadOnlySpan<{Element}> values)",
            [$"{Array}.Append(ref {Slot}, {Cast("values")});", .. MarkPresent]);
        code.Line($"/// <summary>Replaces an element of the field {DocComment.Escape(Field.Descriptor.Name)}.</summary>");
        ViewCode.Method(code, Field.Owner.Names, $"void {Names.Set}(int index, {Element} value)",
            [$"{Array}.Replace(ref {Slot}, index, {Stored});"]);
        code.Line($"/// <summary>Removes an element from the field {DocComment.Escape(Field.Descriptor.Name)}.</summary>");
        ViewCode.Method(code, Field.Owner.Names, $"void {Names.RemoveAt}(int index)", [$"{Array}.RemoveAt(ref {Slot}, index);"]);
        PresenceCode.Clear(code, Field, $"{Slot} = default;");
    }

    public override void ParseCases(CodeWriter code, IReadOnlyList<string> next)
    {
        var single = new WireTag(Field.Number, kind.WireType);
        var packed = new WireTag(Field.Number, WireTag.Delimited);
        code.Line($"case {packed.Value}:");
        code.Indent();
        if (Field.Enum is { IsClosed: true })
        {
            code.Open("for (var packed = reader.ReadPacked(ref scratch); packed.HasMore;)");
            ReadClosed(code, "packed", single);
            code.Close();
            code.Line();
        }
        else
        {
            code.Line(kind.HasFixedWidth
                ? $"reader.ReadPackedFixed({Array}, ref {Slot}, {(Field.IsPacked ? "true" : "false")}, ref scratch);"
                : $"reader.ReadPacked{kind.Method}({Array}, ref {Slot}, ref scratch);");
        }

        code.Lines(MarkPresent);
        code.Lines(Field.IsPacked ? next : [next[^1]]);
        code.Unindent();

        code.Line($"case {single.Value}:");
        code.Indent();
        if (Field.Enum is { IsClosed: true })
        {
            code.OpenBlock();
            ReadClosed(code, "reader", single);
            code.Close();
            code.Line();
        }
        else
        {
            code.Line($"{Array}.Append(ref {Slot}, reader.Read{kind.Method}(ref scratch));");
        }

        code.Lines(MarkPresent);
        if (!Field.IsPacked) code.Line($"if (reader.TryReadTag({single.Value})) goto case {single.Value};");
        code.Lines(Field.IsPacked ? [next[^1]] : next);
        code.Unindent();
    }

    /// <summary>Writes the statements that read an element of a closed enum.</summary>
    void ReadClosed(CodeWriter code, string reader, WireTag tag)
    {
        code.Line($"var value = {reader}.ReadInt32(ref scratch);");
        code.Line($"if ({EnumCode.IsKnown(Field.Enum!, "value")}) {Array}.Append(ref {Slot}, value);");
        code.Line($"else {UnknownFieldsCode.Keep(tag.Value, "value")}");
    }

    public override void Size(CodeWriter code)
    {
        var all = kind.SizeOfAll(Array, Slot);
        if (Field.IsPacked) code.Line($"if ({IsWritten($"{Slot}.Count != 0")}) size += {Tag.Size} + runtime::WireSize.Body({all});");
        else code.Line($"if ({IsWritten($"{Slot}.Count != 0")}) size += ({Slot}.Count * {Tag.Size}L) + {all};");
    }

    public override void Write(CodeWriter code)
    {
        code.Open($"if ({IsWritten($"{Slot}.Count != 0")})");
        code.Line(!Field.IsPacked ? $"foreach (var value in {Array}.Slice({Slot})) writer.Write{kind.Method}({Tag.Value}, value);"
            : kind.HasFixedWidth ? $"writer.WritePackedFixed<{kind.Stored}>({Tag.Value}, {Array}.Slice({Slot}));"
            : $"writer.WritePacked{kind.Method}({Tag.Value}, {Array}.Slice({Slot}));");
        code.Close();
        code.Line();
    }

    public override void Equality(CodeWriter code)
    {
        var elements = $"{Array}.Slice({Slot})";
        code.Line($"if (!sys::MemoryExtensions.SequenceEqual({kind.Bits(elements)}, {kind.Bits(Other(elements))})) return false;");
    }

    public override void Hash(CodeWriter code) => code.Line($"hash.Add<{kind.Stored}>({Field.Number}, {Array}.Slice({Slot}));");

    protected override string IsFilled => $"{Slot}.Count != 0";

    public override IReadOnlyList<string> PrintValue => Field.Enum is null
        ? [$"printer.List<{kind.Stored}>({Array}.Slice({Slot}));"]
        : ["printer.BeginList();", $"foreach (var value in {Array}.Slice({Slot})) {EnumCode.Print(Field, "value")}", "printer.EndList();"];
}
