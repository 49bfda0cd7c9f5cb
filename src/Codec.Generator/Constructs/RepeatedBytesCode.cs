using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>A repeated string or bytes.</summary>
sealed class RepeatedBytesCode(ProtoField field) : FieldCode(field)
{
    const string array = "storage.Ranges";

    public override WireTag Tag => new(Field.Number, WireTag.Delimited);

    public override string SlotType => "codec::ElementRange";

    public override void Accessors(CodeWriter code)
    {
        Head(code);
        ViewCode.Getter(code, Field.IsText ? "codec::Utf8StringList" : "codec::BytesList", Names.Property, Slot,
            "new(storage, value, at.Stamp)");
    }

    public override void Mutators(CodeWriter code)
    {
        foreach (var (type, parameter, store) in BytesCode.Stores(Field))
        {
            Head(code);
            ViewCode.Method(code, Field.Owner.Names, $"void {Names.Add}({type} {parameter})",
                [$"{array}.Append(ref {Slot}, storage.Memory.{store}({parameter}));", .. MarkPresent]);
        }

        foreach (var (type, parameter, store) in BytesCode.Stores(Field))
        {
            code.Line($"/// <summary>Replaces an element of the field {DocComment.Escape(Field.Descriptor.Name)}.</summary>");
            ViewCode.Method(code, Field.Owner.Names, $"void {Names.Set}(int index, {type} {parameter})",
                [$"{array}.Replace(ref {Slot}, index, storage.Memory.{store}({parameter}));"]);
        }

        code.Line($"/// <summary>Takes an element out of the field {DocComment.Escape(Field.Descriptor.Name)}.</summary>");
        ViewCode.Method(code, Field.Owner.Names, $"void {Names.RemoveAt}(int index)", [$"{array}.RemoveAt(ref {Slot}, index);"]);
        PresenceCode.Clear(code, Field, $"{Slot} = default;");
    }

    public override void ParseCases(CodeWriter code, IReadOnlyList<string> next)
    {
        code.Line($"case {Tag.Value}:");
        code.Indent();
        code.Line($"{array}.Append(ref {Slot}, {BytesCode.Read(Field)});");
        code.Lines(MarkPresent);
        code.Line($"if (reader.TryReadTag({Tag.Value})) goto case {Tag.Value};");
        code.Lines(next);
        code.Unindent();
    }

    public override void Size(CodeWriter code) =>
        code.Line($"if ({IsWritten($"{Slot}.Count != 0")}) size += ({Slot}.Count * {Tag.Size}L) + "
            + $"codec::WireSize.LengthDelimited({array}.Slice({Slot}));");

    public override void Write(CodeWriter code)
    {
        code.Open($"if ({IsWritten($"{Slot}.Count != 0")})");
        code.Line($"foreach (var value in {array}.Slice({Slot})) writer.WriteLengthDelimited({Tag.Value}, value);");
        code.Close();
        code.Line();
    }

    public override void Equality(CodeWriter code) =>
        code.Line($"if (!codec::MessageMemory.AreEqual({array}, {Slot}, {Other(array)}, {Other(Slot)})) return false;");

    public override void Hash(CodeWriter code) => code.Line($"hash.Add({Field.Number}, {array}, {Slot});");

    public override void Print(CodeWriter code) =>
        code.Line($"foreach (var value in {array}.Slice({Slot})) output.Field({Quoted}, storage.Memory.Span(value));");
}
