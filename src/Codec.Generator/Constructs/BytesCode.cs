using ProtoBench.Codec.Generator.Model;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the code of a string or bytes field.</summary>
sealed class BytesCode(ProtoField field) : FieldCode(field)
{
    public override WireTag Tag => new(Field.Number, WireTag.Delimited);

    public override string SlotType => "runtime::ByteRange";

    /// <summary>Gets the type of the property.</summary>
    public static string ViewType(ProtoField field) => field.IsText ? "codec::Utf8String" : "codec::Bytes";

    /// <summary>Gets the expression that reads a value. A string of proto2 is not checked, as proto2 specifies.</summary>
    public static string Read(ProtoField field) => field.IsText && field.Features.IsUtf8 ? "reader.ReadString(ref scratch)" : "reader.ReadBytes(ref scratch)";

    public override void Accessors(CodeWriter code)
    {
        Head(code);
        var range = Field.Presence == Presence.Oneof ? $"{IsPresent("")} ? {Slot} : default" : Slot;
        if (DefaultValue.BytesOf(Field) is not null)
            ViewCode.Getter(code, ViewType(Field), Names.Property,
                $"{IsPresent("")} ? new {ViewType(Field)}(storage, {Slot}, at.Stamp) : {Field.Owner.Names.Storage}.{DefaultName}");
        else
            ViewCode.Getter(code, ViewType(Field), Names.Property, range, "new(storage, value, at.Stamp)");
        PresenceCode.Has(code, Field, IsPresent(""));
    }

    public override void Mutators(CodeWriter code)
    {
        foreach (var (type, parameter, store) in Stores(Field))
        {
            Head(code, "Sets");
            ViewCode.Method(code, Field.Owner.Names, $"void {Names.Set}({type} {parameter})",
                [$"{Slot} = storage.Memory.{store}({parameter});", .. MarkPresent]);
        }

        PresenceCode.Clear(code, Field, $"{Slot} = default;");
    }

    /// <summary>Gets the parameter types of the setters, and the method that stores a value of each type.</summary>
    public static IEnumerable<(string Type, string Parameter, string Store)> Stores(ProtoField field) => field.IsText
        ? [("sys::ReadOnlySpan<byte>", "utf8", "StoreString"), ("sys::ReadOnlySpan<char>", "text", "StoreString")]
        : [("sys::ReadOnlySpan<byte>", "value", "Store")];

    public override void ParseCases(CodeWriter code, IReadOnlyList<string> next)
    {
        code.Line($"case {Tag.Value}:");
        code.Indent();
        code.Line($"{Slot} = {Read(Field)};");
        code.Lines(MarkPresent);
        code.Lines(next);
        code.Unindent();
    }

    public override void Size(CodeWriter code) =>
        code.Line($"if ({IsWritten($"{Slot}.Length != 0")}) size += {Tag.Size} + runtime::WireSize.LengthDelimited({Slot});");

    public override void Write(CodeWriter code) =>
        code.Line($"if ({IsWritten($"{Slot}.Length != 0")}) writer.WriteLengthDelimited({Tag.Value}, {Slot});");

    public override void Equality(CodeWriter code) =>
        code.Line(Differs($"!sys::MemoryExtensions.SequenceEqual(storage.Memory.Span({Slot}), otherStorage.Memory.Span({Other(Slot)}))"));

    public override void Hash(CodeWriter code) =>
        code.Line($"if ({IsWritten($"{Slot}.Length != 0")}) hash.Add({Field.Number}, storage.Memory.Span({Slot}));");

    protected override string IsFilled => $"{Slot}.Length != 0";

    public override IReadOnlyList<string> PrintValue =>
        [$"printer.{(Field.IsText ? "String" : "Bytes")}(storage.Memory.Span({Slot}));"];

    // no field can have such a name: Google's naming rules only leave an underscore at the end of a name
    string DefaultName => "Default_" + Names.Storage;

    public override void StorageMembers(CodeWriter code)
    {
        if (DefaultValue.BytesOf(Field) is { } bytes)
            code.Member($"internal static readonly {ViewType(Field)} {DefaultName} = "
                + $"runtime::DefaultValue.{(Field.IsText ? "OfString" : "OfBytes")}({Literal(bytes)});");
    }

    static string Literal(byte[] bytes) => $"[{string.Join(", ", bytes)}]";
}

/// <summary>Generates the code of a repeated string or bytes field.</summary>
sealed class RepeatedBytesCode(ProtoField field) : FieldCode(field)
{
    const string array = "storage.Ranges";

    public override WireTag Tag => new(Field.Number, WireTag.Delimited);

    public override string SlotType => "runtime::ElementRange";

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
            Head(code, "Adds an element to");
            ViewCode.Method(code, Field.Owner.Names, $"void {Names.Add}({type} {parameter})",
                [$"{array}.Append(ref {Slot}, storage.Memory.{store}({parameter}));", .. MarkPresent]);
        }

        foreach (var (type, parameter, store) in BytesCode.Stores(Field))
        {
            code.Line($"/// <summary>Replaces an element of the field {DocComment.Escape(Field.Descriptor.Name)}.</summary>");
            ViewCode.Method(code, Field.Owner.Names, $"void {Names.Set}(int index, {type} {parameter})",
                [$"{array}.Replace(ref {Slot}, index, storage.Memory.{store}({parameter}));"]);
        }

        code.Line($"/// <summary>Removes an element from the field {DocComment.Escape(Field.Descriptor.Name)}.</summary>");
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
            + $"runtime::WireSize.LengthDelimited({array}.Slice({Slot}));");

    public override void Write(CodeWriter code)
    {
        code.Open($"if ({IsWritten($"{Slot}.Count != 0")})");
        code.Line($"foreach (var value in {array}.Slice({Slot})) writer.WriteLengthDelimited({Tag.Value}, value);");
        code.Close();
        code.Line();
    }

    public override void Equality(CodeWriter code) =>
        code.Line($"if (!runtime::MessageMemory.AreEqual({array}, {Slot}, {Other(array)}, {Other(Slot)})) return false;");

    public override void Hash(CodeWriter code) => code.Line($"hash.Add({Field.Number}, {array}, {Slot});");

    protected override string IsFilled => $"{Slot}.Count != 0";

    public override IReadOnlyList<string> PrintValue =>
        [$"printer.{(Field.IsText ? "Strings" : "BytesList")}(storage.Memory, {array}.Slice({Slot}));"];
}
