using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>A sub-message: its index and 1, and 0 for none.</summary>
class MessageCode(ProtoField field) : FieldCode(field)
{
    protected MessageCalls Calls { get; } = new(field.Message!);

    public override WireTag Tag => new(Field.Number, WireTag.Delimited);

    public override string SlotType => "int";

    public override IEnumerable<(string Name, string Type)> Arrays => [(Names.Storage, Calls.StorageType)];

    protected string Array => "storage." + Names.Storage;

    bool IsOneof => Field.Presence == Presence.Oneof;

    public override void Accessors(CodeWriter code)
    {
        Head(code);
        ViewCode.Getter(code, Calls.Type + "?", Names.Property, Handle, $"value == 0 ? null : new {Calls.Type}({Array}, value - 1, child)",
            $"var child = {Array}.Stamp;");
    }

    public override void Mutators(CodeWriter code)
    {
        Head(code);
        ViewCode.Method(code, Field.Owner.Names, $"{Calls.Type} {Names.Mutable}()",
            [.. OpenIt("at"), $"return new({Array}, at, {Array}.Stamp);"]);
        PresenceCode.Clear(code, Field, Forget);
    }

    // The value of a map's entry is always there: an empty message, if nothing else.
    protected string Forget => Field.Owner.IsMapEntry ? $"{Slot} = storage.{Names.Storage}.Append() + 1;" : $"{Slot} = 0;";

    /// <summary>Makes the sub-message if there is none, and leaves its index in a local.</summary>
    protected IEnumerable<string> OpenIt(string local) =>
        [$"var {local} = {Array}.Open({Handle});", $"fields = ref {Field.Owner.Names.Mutable}();", $"{Slot} = {local} + 1;",
            .. MarkPresent];

    /// <summary>What there is already: the oneof's other fields use the same name for something else.</summary>
    protected string Handle => IsOneof ? $"{IsPresent("")} ? {Slot} : 0" : Slot;

    public override void ParseCases(CodeWriter code, IReadOnlyList<string> next)
    {
        code.Line($"case {Tag.Value}:");
        code.Indent();

        // a second value of a map's entry replaces the first one; elsewhere it is merged
        code.Line($"var {Names.Local} = {Array}.Open({(Field.Owner.IsMapEntry ? "0" : Handle)});");
        code.Line(Calls.Parse(Array, Names.Local));
        code.Line("fields = ref storage[index];");
        code.Line($"{Slot} = {Names.Local} + 1;");
        code.Lines(MarkPresent);
        code.Lines(next);
        code.Unindent();
    }

    public override void AfterParse(CodeWriter code)
    {
        if (!Field.Owner.IsMapEntry) return;
        code.Open($"if ({Slot} == 0)");
        code.Line("// it is a level as any other, and is written");
        code.Line("reader.ThrowIfTooDeep(depth);");
        code.Line(Forget);
        code.Close();
    }

    public override void Size(CodeWriter code)
    {
        var size = $"codec::WireSize.Body({Calls.Size(Array, $"ref {Array}[{Slot} - 1]")})";
        Calls.CheckDepth(code, IsWritten($"{Slot} != 0"));
        code.Line($"if ({IsWritten($"{Slot} != 0")}) size += {Tag.Size} + {size};");
    }

    public override void Write(CodeWriter code)
    {
        code.Open($"if ({IsWritten($"{Slot} != 0")})");
        code.Line($"ref var {Names.Local} = ref {Array}[{Slot} - 1];");
        Calls.Write(code, Tag, Array, Names.Local);
        code.Close();
        code.Line();
    }

    public override void Required(CodeWriter code)
    {
        if (Field.IsRequired) code.Line($"if ({Slot} == 0) return \"{Field.Owner.ProtoName}.{Field.Descriptor.Name}\";");
        if (Field.Message!.NeedsRequiredCheck)
            code.Line($"if ({IsPresent($"{Slot} != 0")} && {Calls.StorageType}.{RequiredCode.Method}({Array}, ref {Array}[{Slot} - 1]) "
                + $"is {{ }} in{Names.Storage}) return in{Names.Storage};");
    }

    public override void Equality(CodeWriter code)
    {
        if (IsOneof)
        {
            code.Line(Differs(
                $"!{Calls.AreEqual(Array, $"ref {Array}[{Slot} - 1]", Other(Array), $"ref {Other(Array)}[{Other(Slot)} - 1]")}"));
            return;
        }

        code.Line($"if (({Slot} == 0) != ({Other(Slot)} == 0)) return false;");
        code.Line($"if ({Slot} != 0 && "
            + $"!{Calls.AreEqual(Array, $"ref {Array}[{Slot} - 1]", Other(Array), $"ref {Other(Array)}[{Other(Slot)} - 1]")}) return false;");
    }

    public override void Hash(CodeWriter code) =>
        code.Line($"if ({IsWritten($"{Slot} != 0")}) hash.Add({Field.Number}, {Calls.Hash(Array, $"ref {Array}[{Slot} - 1]")});");

    public override void Print(CodeWriter code)
    {
        code.Open($"if ({IsWritten($"{Slot} != 0")})");
        code.Line($"output.Begin({Quoted});");
        code.Line(Calls.Print(Array, $"ref {Array}[{Slot} - 1]"));
        code.Line("output.End();");
        code.Close();
        code.Line();
    }
}
