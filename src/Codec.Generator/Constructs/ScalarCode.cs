using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>A number, a bool or an enum.</summary>
sealed class ScalarCode(ProtoField field) : FieldCode(field)
{
    readonly ScalarKind kind = ScalarKind.Of(field);

    public override WireTag Tag => new(Field.Number, kind.WireType);

    /// <summary>The most bytes that the field takes on the wire.</summary>
    public int MostBytes => Tag.Size + kind.MostBytes;

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
        Head(code);
        ViewCode.Method(code, Field.Owner.Names, $"void {Names.Set}({SlotType} value)", [$"{Slot} = value;", .. MarkPresent]);
        PresenceCode.Clear(code, Field, $"{Slot} = default;");
    }

    public override void ParseCases(CodeWriter code, IReadOnlyList<string> next)
    {
        code.Line($"case {Tag.Value}:");
        code.Indent();
        // in an entry of a map the number is read as it is: the map decides what becomes of the entry
        if (Field.Enum is { IsClosed: true } closed && !Field.Owner.IsMapEntry)
        {
            code.Line($"var {Names.Local} = reader.ReadInt32();");
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
            code.Line($"{Slot} = {EnumCode.Cast(Field)}reader.Read{kind.Method}();");
            code.Lines(MarkPresent);
        }

        code.Lines(next);
        code.Unindent();
    }

    public override void Size(CodeWriter code) =>
        code.Line($"if ({IsWritten(kind.IsSet(Slot))}) size += {Tag.Size} + {kind.Size(EnumCode.Number(Field, Slot))};");

    public override void Write(CodeWriter code) =>
        code.Line($"if ({IsWritten(kind.IsSet(Slot))}) writer.Write{kind.Method}({Tag.Value}, {Written});");

    /// <summary>The value where it is written. A bool without presence is written only if it is true.</summary>
    string Written => Field.Presence == Presence.Implicit && !Field.Owner.IsMapEntry && kind.Method == "Bool"
        ? "true" : EnumCode.Number(Field, Slot);

    public override void Equality(CodeWriter code) => code.Line(Differs(kind.Differs(Slot, Other(Slot))));

    public override void Hash(CodeWriter code) =>
        code.Line($"if ({IsWritten(kind.IsSet(Slot))}) hash.Add({Field.Number}, {EnumCode.Number(Field, Slot)});");

    public override void Print(CodeWriter code) =>
        code.Line($"if ({IsWritten(kind.IsSet(Slot))}) output.Field({Quoted}, {EnumCode.Printed(Field, Slot)});");
}
