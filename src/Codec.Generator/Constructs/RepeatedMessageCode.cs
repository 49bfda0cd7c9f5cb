using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>A repeated sub-message; and what a map has in common with it.</summary>
class RepeatedMessageCode(ProtoField field) : FieldCode(field)
{
    protected MessageCalls Calls { get; } = new(field.Message!);

    public override WireTag Tag => new(Field.Number, WireTag.Delimited);

    public override string SlotType => "codec::ElementRange";

    public override IEnumerable<(string Name, string Type)> Arrays => [(Names.Storage, Calls.StorageType)];

    protected string Array => "storage." + Names.Storage;

    /// <summary>The range of elements.</summary>
    protected virtual string Range => Slot;

    public override void Accessors(CodeWriter code)
    {
        Head(code);
        ViewCode.Getter(code, $"codec::MessageList<{Calls.Type}>", Names.Property, Range, $"new(new({Array}, 0, child), value)",
            $"var child = {Array}.Stamp;");
    }

    public override void Mutators(CodeWriter code)
    {
        Head(code);
        ViewCode.Method(code, Field.Owner.Names, $"{Calls.Type} {Names.Add}()",
        [
            $"var {Names.Local} = {Slot};",
            $"var at = {Array}.Add(ref {Names.Local});",
            $"fields = ref {Field.Owner.Names.Mutable}();",
            $"{Slot} = {Names.Local};",
            .. MarkPresent,
            $"return new({Array}, at, {Array}.Stamp);",
        ]);
        code.Line($"/// <summary>Takes an element out of the field {DocComment.Escape(Field.Descriptor.Name)}.</summary>");
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
        code.Line($"var {Names.Local} = {Slot};");
        code.Open("do");
        BeforeElement(code);
        code.Line(Calls.ParseAppended(Array, Names.Local));
        AfterElement(code);
        code.Close();
        code.Line($"while (reader.TryReadTag({Tag.Value}));");
        code.Line("fields = ref storage[index];");
        code.Line($"{Slot} = {Names.Local};");
        code.Lines(MarkPresent);
        code.Lines(next);
        code.Unindent();
    }

    /// <summary>What precedes the read of an element.</summary>
    protected virtual void BeforeElement(CodeWriter code)
    {
    }

    /// <summary>What follows the read of an element.</summary>
    protected virtual void AfterElement(CodeWriter code)
    {
    }

    public override void Size(CodeWriter code)
    {
        OpenIfWide(code);
        Calls.CheckDepth(code, $"{Range}.Count != 0");
        code.Line($"foreach (ref var item in {Array}.Slice({Range})) size += {Tag.Size} + "
            + $"codec::WireSize.Body({Calls.Size(Array, "ref item")});");
        CloseIfWide(code);
    }

    public override void Write(CodeWriter code)
    {
        OpenIfWide(code);
        code.Open($"foreach (ref var item in {Array}.Slice({Range}))");
        Calls.Write(code, Tag, Array, "item");
        code.Close();
        CloseIfWide(code);
        code.Line();
    }

    public override void Required(CodeWriter code)
    {
        if (!Field.Message!.NeedsRequiredCheck) return;
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

    public override void Print(CodeWriter code)
    {
        code.Open($"foreach (ref var item in {Array}.Slice({Range}))");
        code.Line($"output.Begin({Quoted});");
        code.Line(Calls.Print(Array, "ref item"));
        code.Line("output.End();");
        code.Close();
        code.Line();
    }

    protected void OpenIfWide(CodeWriter code)
    {
        if (Field.HasBit) code.Open($"if ({PresenceBits.TestCopy(Field)})");
    }

    void CloseIfWide(CodeWriter code)
    {
        if (Field.HasBit) code.Close();
    }
}
